//! Steps: what is at hand while an action is done, and who does it.

use super::{cleaner, faults, machine_agent, operator, provisioner, supervisor, unit_agent};
use crate::{
    action::{Act, Action, Outcome},
    clause::Clause,
    free_ids::FreeIds,
    state::State,
    store::Touched,
    txn::Txn,
    world::World,
};

/// What a step touched and which clauses it carried out. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The rows of the state that may have changed.
    pub touched: Touched,
    /// The clauses that were carried out, the duty first.
    pub clauses: Vec<Clause>,
}

impl Effects {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.touched.clear();
        self.clauses.clear();
    }
}

/// A step that is being taken.
pub(crate) struct Step<'a> {
    pub(crate) world: &'a World,
    pub(crate) state: &'a mut State,
    pub(crate) free_ids: &'a dyn FreeIds,
    /// What the action plans, if somebody has planned it in this very state.
    pub(crate) planned: Option<Txn>,
    pub(crate) effects: &'a mut Effects,
}

/// Does `action`, which is enabled.
pub(crate) fn apply(action: Action, step: &mut Step<'_>) -> Outcome {
    match action.act {
        Act::Txn(client, act) => step.transact(client, act),
        Act::UnitAgent(me, act) => unit_agent::apply(me, act, step),
        Act::MachineAgent(me, act) => machine_agent::apply(me, act, step),
        Act::Provisioner(act) => provisioner::apply(act, step),
        Act::Cleaner(act) => cleaner::apply(act, step),
        Act::Faults(fault) => faults::apply(fault, step),
        Act::Operator(act) => operator::apply(act, step),
        Act::Supervisor(act) => supervisor::apply(act, step),
    }
}
