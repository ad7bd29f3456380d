//! Moments: the possible actions of a state with their changes, and the impossible ones with the
//! reason.

use std::collections::BTreeSet;

use deathwatch_documents::run::{Impossible, Possible, Run};
use deathwatch_model::{
    action::{Act, Action, HookAct, TxnAct},
    agents,
    protocol::{self, Effects},
    state::State,
    world::World,
};
use deathwatch_scenario::replay::{Impossibility, Interpreter, why_not};

use super::{steps, tables::changes, unrecorded::Unrecorded};

/// The actions that can be done in a state, in the order in which the protocol lists them.
pub fn enabled(world: &World, state: &State) -> Vec<Action> {
    let mut enabled = Vec::new();
    protocol::enabled(world, state, &mut enabled);
    enabled
}

/// The possible actions, each with its changes.
pub fn possible(world: &World, state: &State, enabled: &[Action]) -> Vec<Possible> {
    let (mut effects, mut next) = (Effects::default(), state.clone());
    let told = |action: &Action| {
        let outcome = protocol::step(world, &mut next, *action, &mut effects);
        let possible = Possible {
            act: steps::act(world, *action),
            outcome: steps::what(outcome),
            clauses: steps::names(world, &effects.clauses),
            changes: changes(world, state, &next, &effects.touched),
        };
        for row in &effects.touched {
            next.restore(*row, state);
        }
        possible
    };
    enabled.iter().map(told).collect()
}

/// Adds the actions of clients in `state`, the only one that is kept of a run. The protocol does
/// not list them, so they come after the actions that it does list.
pub fn offer(run: &mut Run, world: &World, state: &State, actions: &[Action]) {
    let Some(moment) = run.states.first_mut() else { return };
    for action in actions {
        moment.possible.extend(possible(world, state, &[*action]));
    }
    let cited: BTreeSet<String> =
        moment.possible.iter().flat_map(|it| &it.clauses).cloned().collect();
    run.clauses.extend(steps::texts(&cited));
}

/// The impossible candidates, each with its reason. Candidates that differ only in the clause that
/// asks for them are one, and pending work that was never begun need not be ended. Each takes time
/// in a large world, so `go_on` is asked before each.
pub(super) fn impossible(
    interpreter: &Interpreter<'_>,
    enabled: &[Action],
    candidates: &BTreeSet<Action>,
    go_on: &dyn Fn() -> Result<(), Unrecorded>,
) -> Result<Vec<Impossible>, Unrecorded> {
    let world = interpreter.world;
    let is_enabled = |action: &Action| enabled.iter().any(|it| it.act == action.act);
    let ends = |action: &Action| match action.act {
        Act::Txn(_, TxnAct::Commit | TxnAct::Abort)
        | Act::Hook(_, HookAct::Exit | HookAct::End) => true,
        Act::Txn(_, TxnAct::Run(_) | TxnAct::Begin(_))
        | Act::Hook(_, HookAct::Decide(_) | HookAct::Run(_) | HookAct::Begin(_))
        | Act::UnitAgent(..)
        | Act::MachineAgent(..)
        | Act::Provisioner(_)
        | Act::Cleaner(_)
        | Act::Faults(_)
        | Act::Operator(_)
        | Act::Supervisor(_) => false,
    };
    let mut seen = BTreeSet::new();
    let missing = candidates.iter().filter(|it| !is_enabled(it) && !ends(it));
    let missing = missing.filter(|it| seen.insert(it.act));
    let reason = |action: &Action| {
        go_on()?;
        let Impossibility { kind, clauses, why, advice } = why_not(*action, interpreter);
        Ok(Impossible {
            act: steps::act(world, *action),
            reason: kind,
            clauses: steps::names(world, &clauses),
            text: why,
            advice,
        })
    };
    missing.map(reason).collect()
}

/// Whether no actor that is assumed to act can move.
pub(super) fn is_quiescent(world: &World, state: &State) -> bool {
    agents::is_quiescent(world, state)
}
