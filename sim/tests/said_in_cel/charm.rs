//! The built-in claims about the detail `charm`, said in CEL.

use super::claims::{
    CelClaim,
    CelFormula::{Always, Ends, Step},
};

/// What is said of charm directories, configurations and ports.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim(
        "the agent upgrades the charm directory only while it owns it, or by force",
        "unit-charm",
        Step(
            "before.charm_directory != 'whole' || before.charm_upgrade != 'due'
            || after.charm_upgrade != 'none' || after.charm_directory == 'absent'
            || !(state_before.unit_agent(before.unit).charm in ['failed', 'stop-failed'])
                && state_before.unit_agent(before.unit).hook_error == 'none'",
        ),
    ),
    CelClaim(
        "no hook follows a forced upgrade from an error",
        "unit-charm",
        Step(
            "before.charm_directory != 'whole' || before.charm_upgrade != 'forced'
            || after.charm_upgrade != 'none' || after.charm_directory == 'absent'
            || !(state_before.unit_agent(before.unit).charm in ['failed', 'stop-failed'])
                && state_before.unit_agent(before.unit).hook_error == 'none'
            || before.charm_hook == after.charm_hook || after.charm_hook == 'none'",
        ),
    ),
    CelClaim(
        "the configuration that a hook has read it reads again the same",
        "unit-charm",
        Step("before.config_read != 'old' || after.config_read != 'current'"),
    ),
    CelClaim(
        "no port of a unit that is gone is open",
        "unit-charm",
        Always("!it.port_open || unit(it.unit).exists"),
    ),
    CelClaim(
        "an agent whose unit's configuration has changed runs config-changed, or stops",
        "unit-charm",
        Ends(
            "it.config_stale && unit_agent(it.unit).charm != 'stopped'
            && unit(it.unit).life in ['alive', 'dying']",
        ),
    ),
    CelClaim(
        "a deployed Alive unit whose application has another charm gets it",
        "unit-charm",
        Ends("it.charm_upgrade != 'none' && unit(it.unit).life == 'alive'"),
    ),
    CelClaim(
        "a deployed unit gets a charm that is forced, in an error, too",
        "unit-charm",
        Ends(
            "it.charm_upgrade == 'forced' && (unit(it.unit).life == 'alive'
            || unit(it.unit).life == 'dying'
                && (unit_agent(it.unit).charm in ['failed', 'stop-failed']
                || unit_agent(it.unit).hook_error != 'none'))",
        ),
    ),
    CelClaim(
        "a hook that is to follow an upgrade runs, or its unit goes",
        "unit-charm",
        Ends("it.charm_hook != 'none' && unit(it.unit).life in ['alive', 'dying']"),
    ),
    CelClaim(
        "a charm directory that is begun is written",
        "unit-charm",
        Ends(
            "it.charm_directory in ['writing', 'cut-short']
            && unit(it.unit).life in ['alive', 'dying']",
        ),
    ),
];
