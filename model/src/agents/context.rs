//! The data of a step in progress.

use crate::{
    clause::Clause, free_ids::FreeIds, history::Event, state::State, store::Touched, txn::Txn,
    world::World,
};

/// The rows that a step touched, and the clauses that it carried out. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The rows of the state that may have changed.
    pub touched: Touched,
    /// The clauses that were carried out, the duty first.
    pub clauses: Vec<Clause>,
}

impl Effects {
    pub(crate) fn clear(&mut self) {
        self.touched.clear();
        self.clauses.clear();
    }
}

pub(crate) struct StepContext<'a> {
    pub(crate) world: &'a World,
    pub(crate) state: &'a mut State,
    pub(crate) free_ids: &'a dyn FreeIds,
    /// The transaction that the action plans, if it was planned in this very state.
    pub(crate) planned: Option<Txn>,
    pub(crate) effects: &'a mut Effects,
}

impl StepContext<'_> {
    /// Reports an event to the world's history, as far as it is kept.
    #[inline]
    pub(crate) fn happens(&mut self, event: Event) {
        self.state.happens(self.world, event, &mut self.effects.touched);
    }
}
