//! Steps: the dispatch to the actor that does one.

use super::{
    charm::hooks,
    context::StepContext,
    faults,
    lifecycle::{cleaner, machine_agent, provisioner, unit_agent},
    operator, supervisor,
};
use crate::action::{Act, Action, Outcome};

/// Does `action`, which is enabled.
pub(crate) fn apply(action: Action, step: &mut StepContext<'_>) -> Outcome {
    match action.act {
        Act::Txn(client, act) => step.transact(client, act),
        Act::Hook(me, act) => hooks::apply(me, act, step),
        Act::UnitAgent(me, act) => unit_agent::apply(me, act, step),
        Act::MachineAgent(me, act) => machine_agent::apply(me, act, step),
        Act::Provisioner(act) => provisioner::apply(act, step),
        Act::Cleaner(act) => cleaner::apply(act, step),
        Act::Faults(fault) => faults::apply(fault, step),
        Act::Operator(act) => operator::apply(act, step),
        Act::Supervisor(act) => supervisor::apply(act, step),
    }
}
