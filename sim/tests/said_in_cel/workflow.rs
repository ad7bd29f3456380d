//! The built-in claims about the detail `workflow`, said in CEL.

use super::claims::{
    CelClaim,
    CelFormula::{Always, Ends, Step},
};

/// What is said of states, of their record in the store, and of presence.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim(
        "an error state is left only when the administrator says so",
        "unit-workflow",
        Step(
            "!(before.startup == 'begun' && after.startup != 'begun')
            || !(before.workflow in ['install-error', 'start-error', 'stop-error'])
            || before.workflow == after.workflow",
        ),
    ),
    CelClaim(
        "an agent that starts goes on from the last state of its unit",
        "unit-workflow",
        Step(
            "!(before.startup == 'begun' && after.startup != 'begun')
            || before.workflow in ['install-error', 'start-error', 'stop-error']
            || before.failed_tries > 0 && after.failed_tries == 0
                && after.workflow in ['install-error', 'start-error', 'stop-error']
            || before.workflow == after.workflow",
        ),
    ),
    CelClaim(
        "an agent that does not run is not present",
        "unit-workflow",
        Always(
            "!it.present || unit_agent(it.unit).deployed_by != 'none' && !unit_agent(it.unit).down
            && unit(it.unit).exists && unit(it.unit).life != 'dead'",
        ),
    ),
    CelClaim(
        "an agent that runs comes to be present",
        "unit-workflow",
        Ends(
            "!it.present && unit_agent(it.unit).deployed_by != 'none' && !unit_agent(it.unit).down
            && unit(it.unit).exists && unit(it.unit).life != 'dead'",
        ),
    ),
    CelClaim(
        "an Alive unit whose agent is deployed comes to run",
        "unit-workflow",
        Ends(
            "it.workflow != 'running' && unit_agent(it.unit).deployed_by != 'none'
            && unit(it.unit).exists && unit(it.unit).life == 'alive'",
        ),
    ),
    CelClaim(
        "a relation in which somebody has joined is broken once it is gone",
        "sighting",
        Ends(
            "!relation(it.relation).exists && unit(it.unit).exists && unit(it.unit).life == 'alive'
            && size(it.told) > 0",
        ),
    ),
    CelClaim(
        "a unit with a role node has a settings node",
        "scope",
        Always(
            "!(it.unit in relation(it.relation).in_scope)
            || settings_document(it.relation, it.unit).exists
                && settings_document(it.relation, it.unit).has_settings",
        ),
    ),
    CelClaim(
        "after the last change of settings a hook of the older agent reads them",
        "sighting",
        Ends(
            "unit(it.unit).life == 'alive' && relation(it.relation).life == 'alive'
            && it.unit in relation(it.relation).in_scope
            && it.stale.exists(x, x in relation(it.relation).in_scope)",
        ),
    ),
    CelClaim(
        "the store comes to know the state of a unit",
        "unit-workflow",
        Ends(
            "it.workflow_replica != it.workflow && unit_agent(it.unit).deployed_by != 'none'
            && unit(it.unit).exists && unit(it.unit).life != 'dead'",
        ),
    ),
];
