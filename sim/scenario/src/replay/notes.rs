//! Notes on outcomes that may surprise a newcomer.
//!
//! A client carries out one transaction and nothing else. What follows such a transaction where an
//! agent or the user carries it out, does not follow here, and the documents do not show it.

use deathwatch_model::{
    action::{Act, Outcome, TxnAct},
    actor::Client,
    ids::{ApplicationId, RelationId, UnitId},
    operation::Undone,
    state::State,
    variants::RelationTracking,
    world::{Scope, World},
};

use super::{interpreter::Interpreter, perform::PerformedStep};

/// The notes on the last step, a line for each.
pub(super) fn notes(interpreter: &Interpreter<'_>, done: &PerformedStep) -> Vec<String> {
    let (world, state) = (interpreter.world, &interpreter.state);
    let Act::Txn(Client::Script(_), act) = done.action.act else { return Vec::new() };
    let committed = match act {
        TxnAct::Run(operation) => Some(operation),
        TxnAct::Commit | TxnAct::Abort => done.operation,
        TxnAct::Begin(_) => None,
    };
    let Some(operation) = committed.filter(|_| done.outcome == Outcome::Committed) else {
        return Vec::new();
    };
    match operation.leaves() {
        Undone::Nothing => Vec::new(),
        Undone::Directory(unit, relation) => {
            directory(world, state, unit, relation).into_iter().collect()
        }
        Undone::Peers(application) => missing_peers(world, state, application),
    }
}

/// A note if the agent's directory disagrees with the scope.
fn directory(world: &World, state: &State, unit: UnitId, relation: RelationId) -> Option<String> {
    let is_tracked = world.variants.relation_tracking != RelationTracking::RemoteScope;
    if !is_tracked || !state.runtime.is_deployed(unit) || state.store.relation(relation).is_none() {
        return None;
    }
    let has_directory = state.runtime.membership(relation, unit).directory;
    let name = &world.unit(unit).name;
    match (state.store.in_scope(relation, unit), has_directory) {
        (true, false) => Some(format!(
            "the agent of {name} has no directory of this relation, as a client is not the agent"
        )),
        (false, true) => {
            Some(format!("the agent of {name} still has its directory of this relation"))
        }
        (true, true) | (false, false) => None,
    }
}

/// Notes on the transactions that a deployment still needs.
fn missing_peers(world: &World, state: &State, application: ApplicationId) -> Vec<String> {
    let relations = world.application(application).relations.iter();
    let missing = relations.filter(|id| {
        world.relation(**id).scope == Scope::Peer && state.store.relation(**id).is_none()
    });
    let note = |id: &RelationId| {
        let relation = &world.relation(*id).name;
        format!(
            "the deployment is not complete, as a client does one transaction: the next would be \
             `add-peer-relation {relation}`"
        )
    };
    missing.map(note).collect()
}
