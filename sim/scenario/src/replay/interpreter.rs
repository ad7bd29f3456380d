//! The interpreter: takes a run step by step, and finds the changes of each.
//!
//! A step costs what it touches, however large the world: the state before it is kept beside the
//! run and brought up to date, and free identifiers are in an index.

use std::{cell::OnceCell, slice};

use deathwatch_model::{
    action::{Act, Action, Fault, Outcome, TxnAct},
    actor::Client,
    agents::{self, Enabled, Task},
    free_ids::FreeIdIndex,
    operation::Operation,
    ops::Plan,
    protocol::{self, Effects},
    state::State,
    txn::{Op, Txn},
    world::{FaultKind, World},
};
use deathwatch_simulator::long_way;

use crate::describe;

/// A run in progress.
pub struct Interpreter<'a> {
    pub world: &'a World,
    /// The state that the run has reached.
    pub state: State,
    /// The effects of the last step.
    pub effects: Effects,
    /// The actions that were found enabled when the last step was looked up.
    enabled: Enabled,
    before: State,
    free_ids: FreeIdIndex,
    /// Made when the first step is not possible.
    more_faults: OnceCell<Vec<MoreFaults>>,
}

/// The world of a run with faults switched on that are of use together.
pub struct MoreFaults {
    pub kinds: &'static [FaultKind],
    pub world: World,
}

/// Switches of the table `[faults]` that are of use together only.
const TOGETHER: &[FaultKind] = &[FaultKind::Crash, FaultKind::Downtime];

impl<'a> Interpreter<'a> {
    /// A run that begins in `state`.
    pub fn new(world: &'a World, state: State) -> Self {
        let free_ids = FreeIdIndex::of(world, &state);
        let (effects, enabled) = (Effects::default(), Enabled::default());
        let more_faults = OnceCell::new();
        Self { world, before: state.clone(), state, effects, enabled, free_ids, more_faults }
    }

    /// The run that has taken `actions` from `state` on.
    pub fn after(world: &'a World, state: State, actions: &[Action]) -> Self {
        let mut run = Self::new(world, state);
        for action in actions {
            run.step(*action, None);
        }
        run
    }

    /// The states of the run that takes `actions` from this one on, which is the first of them.
    pub fn states(&mut self, actions: &[Action]) -> Vec<State> {
        let mut states = vec![self.state.clone()];
        for action in actions {
            self.step(*action, None);
            states.push(self.state.clone());
        }
        states
    }

    /// The state before the last step.
    pub fn before(&self) -> &State {
        &self.before
    }

    /// The enabled action that `step` stands for, and the transaction that it plans; `None` if
    /// there is none.
    pub fn find(&mut self, step: Action) -> Option<(Action, Option<Txn>)> {
        agents::find_enabled(self.world, &self.state, step, &self.free_ids, &mut self.enabled)
    }

    /// The first enabled action of `task`, and the transaction that it plans.
    pub fn first_enabled(&mut self, task: Task) -> Option<(Action, Option<Txn>)> {
        let Self { world, state, free_ids, enabled, .. } = self;
        agents::first_enabled(world, state, task, free_ids, enabled)
    }

    /// Whether `step` is possible in a world with the same entities.
    pub fn is_possible_in(&self, world: &World, step: Action) -> bool {
        let enabled = &mut Enabled::default();
        agents::find_enabled(world, &self.state, step, &self.free_ids, enabled).is_some()
    }

    /// The world with each fault switched on, and with those that are of use together only.
    pub fn more_faults(&self) -> &[MoreFaults] {
        let with = |kinds: &'static [FaultKind]| {
            let world = self.world.changed(|world| {
                for kind in kinds {
                    let machines = world.machine_ids();
                    world.faults.switch_mut(*kind).turn_on(machines);
                }
            });
            MoreFaults { kinds, world }
        };
        let kinds = || FaultKind::ALL.iter().map(slice::from_ref).chain([TOGETHER]);
        self.more_faults.get_or_init(|| kinds().map(with).collect())
    }

    /// All that the actor of `step` can do.
    pub fn alternatives(&self, step: Action) -> Vec<Action> {
        let mut enabled = Vec::new();
        agents::enabled_for(self.world, &self.state, step.actor(), &mut enabled);
        enabled
    }

    /// The plan of `operation` for `client`.
    pub fn plan(&self, client: Client, operation: Operation) -> Plan {
        agents::plan_for(self.world, &self.state, client, operation, &self.free_ids)
    }

    /// The first op of `txn` whose assert does not hold.
    pub fn failing_op(&self, txn: &Txn) -> Option<Op> {
        txn.obstacle(&self.state.store, self.world).copied()
    }

    /// Does `action`, with the transaction that was planned for it if that is known.
    pub fn step(&mut self, action: Action, planned: Option<Txn>) -> Outcome {
        let Self { world, state, free_ids, effects, before, .. } = self;
        for row in &effects.touched {
            before.restore(*row, state);
        }
        let outcome = protocol::step_as_planned(world, state, action, planned, free_ids, effects);
        free_ids.update(world, state, &effects.touched);
        outcome
    }

    /// The operation of the pending transaction that `action` ends.
    pub fn pending_operation(&self, action: Action) -> Option<Operation> {
        let (Act::Faults(Fault::AbortTxn(client))
        | Act::Txn(client, TxnAct::Commit | TxnAct::Abort)) = action.act
        else {
            return None;
        };
        protocol::pending(&self.state, client).map(|txn| txn.operation)
    }

    /// The changes of the last step, a line for each document.
    pub fn changes(&self, outcome: Outcome) -> Vec<String> {
        let (world, before, after, touched) =
            (self.world, &self.before, &self.state, &self.effects.touched);
        // The outcome says already what became of a pending transaction, unless a step that is not
        // part of it has lost it.
        if outcome != Outcome::Done {
            return describe::changed_documents_at(world, before, after, touched);
        }
        let changes = describe::differences_at(world, before, after, touched);
        debug_assert!(
            !long_way::is_taken(world) || changes == describe::differences(world, before, after),
            "a step changed what it did not touch"
        );
        changes
    }
}
