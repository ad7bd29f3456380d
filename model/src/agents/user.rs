//! The user: gives the commands that the scenario allows, and owes nothing.
//!
//! A command that takes several transactions is in progress as a session. Until it is finished the
//! user gives no other.

use super::{Enabled, Lister, step::Step};
use crate::{
    action::{Act, Client, Outcome, TxnAct},
    free_ids::{FreeIds, Scan},
    ids::{MachineId, RelationId, UnitId, UserId},
    operation::Operation,
    runtime::{Session, UserState},
    state::State,
    variants::UnitAssignment,
    world::{Command, First, Rest, Scope, World},
};

/// Lists what the user can do next.
pub(super) fn moves(list: &mut Lister<'_>) {
    if goes_on(list) {
        return;
    }
    for place in 0..list.world.commands.len() {
        give(place, list);
    }
}

/// Lists the actions that go on with the user's command in progress. Says whether there is one;
/// then no other can be given, even if it cannot go on for lack of a free identifier.
pub fn user_goes_on(
    world: &World,
    state: &State,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) -> bool {
    goes_on(&mut Lister::new(world, state, free_ids, enabled))
}

/// Lists the first transaction of the command with this index in the world, if it may still be
/// given. The caller knows that no other command is in progress.
pub fn user_gives(
    world: &World,
    state: &State,
    place: usize,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) {
    give(place, &mut Lister::new(world, state, free_ids, enabled));
}

/// Lists the actions that go on with the command in progress; says whether there is one.
fn goes_on(list: &mut Lister<'_>) -> bool {
    let user = list.state.runtime.user(UserId::FIRST);
    if let Some(txn) = user.state.again() {
        list.act(Act::Txn(Client::User, TxnAct::Begin(txn.operation)));
        return true;
    }
    if list.finish(Client::User) {
        return true;
    }
    let Some(session) = &user.session else { return false };
    match next_in(session, list.world, list.state, list.free_ids) {
        Next::Do(operation) => list.submit(Client::User, operation, None),
        // The lack of a free identifier is a bound of the model, not of the protocol: nothing is
        // concluded from it.
        Next::NoPlace => return true,
        Next::Finished => {}
    }
    list.any()
}

/// Lists the first transaction of the command with this index, if it may still be given.
fn give(place: usize, list: &mut Lister<'_>) {
    let allowed = &list.world.commands[place];
    let given = &list.state.runtime.user(UserId::FIRST).given;
    let is_left = allowed.most.is_none_or(|most| given[place] < most);
    if is_left
        && let Some(operation) = first_of(allowed.command, list.world, list.state, list.free_ids)
    {
        list.submit(Client::User, operation, None);
    }
}

/// The first transaction of `command`; `None` if there is no free identifier for an entity that it
/// creates.
fn first_of(
    command: Command,
    world: &World,
    state: &State,
    free_ids: &dyn FreeIds,
) -> Option<Operation> {
    match command.first() {
        // A machine is named by the user, a unit is not.
        First::Is(Operation::AddMachine(id)) if !free_ids.is_machine_unused(state, id) => None,
        First::Is(operation) => Some(operation),
        First::UnitOf(id) => {
            let unit = free_ids.unit(world, state, id)?;
            Some(add_unit(unit, world, free_ids.machine(world, state)?))
        }
    }
}

/// The session that goes on after the first transaction of `command`.
fn session_after(command: Command, first: Operation) -> Option<Session> {
    let Rest { application, peers, units } = command.rest()?;
    let unassigned = if let Operation::AddUnit(unit) = first { Some(unit) } else { None };
    Some(Session { application, peers, units, unassigned })
}

/// The next step of a session.
enum Next {
    /// This transaction.
    Do(Operation),
    /// None yet: there is no free identifier for an entity that it would create.
    NoPlace,
    /// None: it is finished.
    Finished,
}

fn next_in(session: &Session, world: &World, state: &State, free_ids: &dyn FreeIds) -> Next {
    if let Some(peer) = missing_peer(session, world, state) {
        return Next::Do(Operation::AddPeer(peer));
    }
    let machine = || free_ids.machine(world, state);
    let operation = match (session.unassigned, session.units) {
        (None, 0) => return Next::Finished,
        (Some(unit), _) => machine().map(|machine| Operation::AssignUnit(unit, machine)),
        (None, _) => free_ids
            .unit(world, state, session.application)
            .zip(machine())
            .map(|(unit, machine)| add_unit(unit, world, machine)),
    };
    operation.map_or(Next::NoPlace, Next::Do)
}

/// Whether nothing is left to be done, whatever identifiers are free.
fn is_finished(session: &Session, world: &World, state: &State) -> bool {
    (session.unassigned, session.units) == (None, 0)
        && missing_peer(session, world, state).is_none()
}

/// A peer relation of the application that the session still has to create.
fn missing_peer(session: &Session, world: &World, state: &State) -> Option<RelationId> {
    let is_missing = |relation: &RelationId| {
        world.relation(*relation).scope == Scope::Peer && state.store.relation(*relation).is_none()
    };
    let relations = world.application(session.application).relations.iter().copied();
    relations.filter(|_| session.peers).find(is_missing)
}

/// The operation that creates a unit: without its machine, which it gets later, or with it.
fn add_unit(unit: UnitId, world: &World, machine: MachineId) -> Operation {
    match world.variants.unit_assignment {
        UnitAssignment::SeparateTransaction => Operation::AddUnit(unit),
        UnitAssignment::WithUnit => Operation::AddUnitOn(unit, machine),
    }
}

/// Whether an act of the user goes on with the command in progress. A new command is never owed.
pub fn goes_on_with(world: &World, state: &State, act: TxnAct) -> bool {
    let user = state.runtime.user(UserId::FIRST);
    let next = user.session.as_ref().map(|session| next_in(session, world, state, &Scan));
    match act {
        TxnAct::Begin(operation) | TxnAct::Run(operation) => {
            user.state.again().is_some()
                || matches!(next, Some(Next::Do(next)) if next == operation)
        }
        TxnAct::Commit | TxnAct::Abort => true,
    }
}

/// The operation that the user was about to plan was refused, or there was nothing to do. It is not
/// planned again.
pub(super) fn plans_nothing(step: &mut Step<'_>) {
    let user = step.state.runtime.user_mut(UserId::FIRST, &mut step.effects.touched);
    user.state = UserState::Idle;
}

/// The user's transaction has aborted. It is planned again unless the limit of tries is reached.
pub(super) fn aborts(step: &mut Step<'_>) -> Outcome {
    let user = step.state.runtime.user_mut(UserId::FIRST, &mut step.effects.touched);
    if user.abort(step.world.tries) { Outcome::Aborted } else { Outcome::Contended }
}

/// Goes on with the command in progress after the user has committed `operation`, or begins one,
/// which is counted if it is limited. Free identifiers do not matter here.
pub(super) fn committed(operation: Operation, step: &mut Step<'_>) {
    let (world, state) = (step.world, &*step.state);
    let user = state.runtime.user(UserId::FIRST);
    let (session, begun) = match user.session.and_then(|session| rest_of(session, operation)) {
        Some(session) => (Some(session), None),
        None => begin(world, &user.given, operation),
    };
    let session = session.filter(|session| !is_finished(session, world, state));
    let user = step.state.runtime.user_mut(UserId::FIRST, &mut step.effects.touched);
    user.session = session;
    if let Some(index) = begun.filter(|index| world.commands[*index].most.is_some()) {
        user.given[index] += 1;
    }
}

/// The session after `operation`, or `None` if that is not part of it.
fn rest_of(mut session: Session, operation: Operation) -> Option<Session> {
    match operation {
        Operation::AddPeer(_) => {}
        Operation::AddUnit(unit) if session.units > 0 => {
            session.units -= 1;
            session.unassigned = Some(unit);
        }
        Operation::AddUnitOn(..) if session.units > 0 => session.units -= 1,
        Operation::AssignUnit(unit, _) if session.unassigned == Some(unit) => {
            session.unassigned = None;
        }
        _ => return None,
    }
    Some(session)
}

/// The command that `operation` begins, and its session.
fn begin(world: &World, given: &[u8], operation: Operation) -> (Option<Session>, Option<usize>) {
    let is_left =
        |place: &usize| world.commands[*place].most.is_none_or(|most| given[*place] < most);
    let index = world.begun_by(operation).find(is_left);
    let session = index.and_then(|index| session_after(world.commands[index].command, operation));
    (session, index)
}
