//! The built-in claims about the detail `hooks`, said in CEL.

use super::claims::{
    CelClaim,
    CelFormula::{Always, Ends},
};

/// What is said of hooks by name.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim(
        "the operator sees an error only of a hook that did not succeed",
        "unit-hooks",
        Always(
            "!(it.exited && (unit_agent(it.unit).charm == 'failed'
            || unit_agent(it.unit).charm == 'stop-failed'))",
        ),
    ),
    CelClaim(
        "an Alive unit whose agent is deployed is started",
        "unit-hooks",
        Ends("unit(it.unit).life == 'alive' && unit(it.unit).deployed && it.phase != 'started'"),
    ),
    CelClaim(
        "an agent that has restarted runs config-changed, or stops",
        "unit-hooks",
        Ends(
            "it.config_due && unit_agent(it.unit).charm != 'stopped'
            && (unit(it.unit).life == 'alive' || unit(it.unit).life == 'dying')",
        ),
    ),
];
