//! The built-in claims about the detail `provisioning`, said in CEL.

use super::claims::{
    CelClaim,
    CelFormula::{Always, Ends, Leads, Step},
};

/// What is said of instances and their starts.
pub(crate) const SAID: &[CelClaim] = &[
    CelClaim(
        "a stray instance is stopped",
        "machine-agent",
        Ends(
            "it.strays != 'none' || it.named_stray || it.hardware != 'absent' && !machine(it.machine).exists",
        ),
    ),
    CelClaim(
        "a machine that is resolved is tried again",
        "machine",
        Ends("it.exists && it.life == 'alive' && it.start == 'resolved'"),
    ),
    CelClaim(
        "a Dying machine in error is removed",
        "machine",
        Leads("it.exists && it.life == 'dying' && it.start == 'error'", "!it.exists"),
    ),
    CelClaim(
        "a Dying application with a unit on a machine in error is removed",
        "application",
        Leads(
            "it.life == 'dying' && units.exists(u, u.application == it.name && u.machine != 'none'
            && machine(u.machine).exists && machine(u.machine).start == 'error')",
            "!it.exists",
        ),
    ),
    CelClaim(
        "a machine in error has no instance id",
        "machine",
        Always("!it.exists || !it.instance || it.start != 'error'"),
    ),
    CelClaim(
        "one instance of a machine at most is recorded",
        "machine-agent",
        Always(
            "it.strays != 'replaced' || !machine(it.machine).exists || !machine(it.machine).instance",
        ),
    ),
    CelClaim(
        "an instance that is recorded is there",
        "machine",
        Step(
            "!after.exists || !after.instance || before.exists && before.instance
            || machine_agent(after.name).hardware == 'running'",
        ),
    ),
];
