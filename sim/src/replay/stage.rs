//! A stage: where a run is carried out step by step, and what each step changes is seen.
//!
//! A step costs what it touches, however large the world: the state before it is kept beside the
//! run and brought up to date, and the places for new units are in an index.

use deathwatch_model::{
    action::{Act, Action, Actor, Outcome},
    agents::{self, Enabled},
    free_ids::Index,
    operation::Operation,
    protocol::{self, Effects},
    state::State,
    txn::{Op, Plan, Txn},
    world::World,
};

use crate::describe;

/// Debug builds compare what small worlds say was changed with a look at everything.
const SMALL: usize = 24;

/// Where a run is carried out.
pub(crate) struct Stage<'a> {
    /// The constants.
    pub(crate) world: &'a World,
    /// Where the run has got to.
    pub(crate) state: State,
    /// What the last step did.
    pub(crate) effects: Effects,
    /// What the actor of the last step that was looked for was offered.
    pub(crate) offered: Enabled,
    before: State,
    places: Index,
}

impl<'a> Stage<'a> {
    /// Sets out from `state`.
    pub(crate) fn new(world: &'a World, state: State) -> Self {
        let places = Index::of(world, &state);
        let (effects, offered) = (Effects::default(), Enabled::default());
        Self { world, before: state.clone(), state, effects, offered, places }
    }

    /// The action that `wanted` stands for, if it is possible, and what it plans.
    pub(crate) fn find(&mut self, wanted: Action) -> Option<(Action, Option<Txn>)> {
        agents::find_enabled(self.world, &self.state, wanted, &self.places, &mut self.offered)
    }

    /// What the actor of `wanted` can do instead.
    pub(crate) fn alternatives(&self, wanted: Action) -> Vec<Action> {
        let mut offers = Vec::new();
        agents::enabled_for(self.world, &self.state, wanted.actor, &mut offers);
        offers
    }

    /// What `operation` takes if `actor` asks for it.
    pub(crate) fn plan(&self, actor: Actor, operation: Operation) -> Plan {
        agents::plan_for(self.world, &self.state, actor, operation, &self.places)
    }

    /// The line of `txn` whose assert does not hold.
    pub(crate) fn obstacle(&self, txn: &Txn) -> Option<Op> {
        txn.obstacle(&self.state.store, self.world).copied()
    }

    /// Does `action`, as it was planned if that is known.
    pub(crate) fn go(&mut self, action: Action, planned: Option<Txn>) -> Outcome {
        let Self { world, state, places, effects, before, .. } = self;
        for row in &effects.touched {
            before.restore(*row, state);
        }
        let outcome = protocol::step_as_planned(world, state, action, planned, places, effects);
        places.update(world, state, &effects.touched);
        outcome
    }

    /// The operation that `action` is about to finish.
    pub(crate) fn in_flight(&self, action: Action) -> Option<Operation> {
        let actor = match action.act {
            Act::AbortTxn(victim) => victim,
            Act::Commit | Act::Abort => action.actor,
            _ => return None,
        };
        protocol::pending(&self.state, actor).map(|txn| txn.operation)
    }

    /// What the last step changed, a line for each document.
    pub(crate) fn changes(&self, outcome: Outcome) -> Vec<String> {
        let (world, before, after, touched) =
            (self.world, &self.before, &self.state, &self.effects.touched);
        // Of a transaction the outcome says what became of it; by anything else it can get lost.
        if outcome != Outcome::Done {
            return describe::changed_documents_at(world, before, after, touched);
        }
        let changes = describe::differences_at(world, before, after, touched);
        debug_assert!(
            world.units.len() > SMALL || changes == describe::differences(world, before, after),
            "a step changed what it did not touch"
        );
        changes
    }
}
