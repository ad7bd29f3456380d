//! The users: they give the commands that the scenario allows, and owe nothing.
//!
//! A command of several transactions is in progress as a session. Until it is finished its user
//! gives no other. It fails, and is over, if its next transaction is refused. Most worlds have one
//! user. The limits on commands hold for all users together, so another user only allows two
//! commands to be in progress at once.

use super::{Enabled, Lister, context::StepContext};
use crate::{
    action::{Act, Outcome, TxnAct},
    actor::Client,
    free_ids::{FreeIds, Scan, each_machine},
    ids::{ApplicationId, RelationId, UserId},
    operation::Operation,
    runtime::{Session, User, UserState},
    state::State,
    variants::UnitAssignment,
    world::{Command, FirstTransaction, Rest, Scope, World},
};

/// Lists the next actions of the user.
pub(super) fn moves(id: UserId, list: &mut Lister<'_>) {
    if goes_on(id, list) {
        return;
    }
    for place in 0..list.world.commands.len() {
        give(id, place, list);
    }
}

/// Lists the actions that continue a user's command in progress. Returns whether there is one; then
/// no other can be given, even if it is stuck for lack of a free identifier.
pub fn user_goes_on(
    world: &World,
    state: &State,
    id: UserId,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) -> bool {
    goes_on(id, &mut Lister::new(world, state, free_ids, enabled))
}

/// Lists the first transaction of the command with this index in the world, if it may still be
/// given. The user must have no other command in progress.
pub fn user_gives(
    world: &World,
    state: &State,
    id: UserId,
    place: usize,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) {
    give(id, place, &mut Lister::new(world, state, free_ids, enabled));
}

/// Lists the actions that continue the command in progress; returns whether there is one.
pub(super) fn goes_on(id: UserId, list: &mut Lister<'_>) -> bool {
    let user = list.state.runtime.user(id);
    if let Some(txn) = user.state.again() {
        list.act(Act::Txn(Client::User(id), TxnAct::Begin(txn.operation)));
        return true;
    }
    if list.finish(Client::User(id)) {
        return true;
    }
    let Some(session) = &user.session else { return false };
    let (world, state, free_ids) = (list.world, list.state, list.free_ids);
    let next = next_in(session, world, state, free_ids, &mut |operation| {
        list.submit_or_fail(Client::User(id), operation);
    });
    match next {
        // The lack of a free identifier is a bound of the model, and must not end the command.
        Next::NoPlace => true,
        Next::Do | Next::Finished => list.any(),
    }
}

/// Lists the first transaction of the command with this index, if the user has no other command in
/// progress.
pub(super) fn gives_next(id: UserId, place: usize, list: &mut Lister<'_>) {
    if list.state.runtime.user(id).state.txn().is_some() {
        return; // whatever becomes of it
    }
    let first = list.len();
    let goes_on = goes_on(id, list);
    list.truncate(first);
    if !goes_on {
        give(id, place, list);
    }
}

/// Lists the first transaction of the command with this index, if it may still be given.
fn give(id: UserId, place: usize, list: &mut Lister<'_>) {
    let allowed = &list.world.commands[place];
    if is_left(list.world, list.state, place) {
        let (world, state, free_ids) = (list.world, list.state, list.free_ids);
        each_first(allowed.command, world, state, free_ids, &mut |operation| {
            list.submit(Client::User(id), operation, None);
        });
    }
}

/// Whether the command with this index may still be begun.
pub fn is_left(world: &World, state: &State, place: usize) -> bool {
    let Some(most) = world.commands[place].most else { return true };
    let begins = |user: &User| {
        let operation = user.state.txn().map(|txn| txn.operation);
        let new = operation.filter(|it| !user.session.is_some_and(|rest| goes_on_by(rest, *it)));
        new.is_some_and(|operation| world.begun_by(operation).any(|begun| begun == place))
    };
    let pending = state.runtime.users().iter().filter(|user| begins(user)).count();
    usize::from(state.runtime.given()[place]) + pending < usize::from(most)
}

fn goes_on_by(session: Session, operation: Operation) -> bool {
    rest_of(session, operation).is_some()
}

/// Calls `each` with each possible first transaction of `command`: none if there is no free
/// identifier for an entity that it creates.
fn each_first(
    command: Command,
    world: &World,
    state: &State,
    free_ids: &dyn FreeIds,
    each: &mut dyn FnMut(Operation),
) {
    match command.first() {
        // A machine is named by the user, a unit is not.
        FirstTransaction::Is(Operation::AddMachine(id))
            if !free_ids.is_machine_unused(state, id) => {}
        FirstTransaction::Is(operation) => each(operation),
        FirstTransaction::UnitOf(id) => each_add_unit(id, world, state, free_ids, each),
    }
}

/// The session that remains after the first transaction of `command`.
fn session_after(command: Command, first: Operation) -> Option<Session> {
    let Rest { application, peers, units } = command.rest()?;
    let unassigned = if let Operation::AddUnit(unit) = first { Some(unit) } else { None };
    Some(Session { application, peers, units, unassigned })
}

/// The next step of a session.
enum Next {
    /// Take one of the transactions that `each` got.
    Do,
    /// Wait: there is no free identifier for an entity that it would create.
    NoPlace,
    /// End, as it is finished.
    Finished,
}

/// Calls `each` with each transaction that may continue a session.
fn next_in(
    session: &Session,
    world: &World,
    state: &State,
    free_ids: &dyn FreeIds,
    each: &mut dyn FnMut(Operation),
) -> Next {
    let mut next = Next::NoPlace;
    let mut named = |operation| {
        next = Next::Do;
        each(operation);
    };
    if let Some(peer) = missing_peer(session, world, state) {
        named(Operation::AddPeer(peer));
    } else if let Some(unit) = session.unassigned {
        each_machine(free_ids, world, state, unit, &mut |machine| {
            named(Operation::AssignUnit(unit, machine));
        });
    } else if session.units > 0 {
        each_add_unit(session.application, world, state, free_ids, &mut named);
    } else {
        return Next::Finished;
    }
    next
}

/// Whether the session has nothing left to do, whatever identifiers are free.
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

/// Calls `each` with each operation that may create the next unit: with its machine, or without if
/// that is assigned later. No unit is created unless there is a machine for it.
fn each_add_unit(
    application: ApplicationId,
    world: &World,
    state: &State,
    free_ids: &dyn FreeIds,
    each: &mut dyn FnMut(Operation),
) {
    let Some(unit) = free_ids.unit(world, state, application) else { return };
    match world.variants.unit_assignment {
        UnitAssignment::SeparateTransaction => {
            let mut has_machine = false;
            each_machine(free_ids, world, state, unit, &mut |_| has_machine = true);
            if has_machine {
                each(Operation::AddUnit(unit));
            }
        }
        UnitAssignment::WithUnit => each_machine(free_ids, world, state, unit, &mut |machine| {
            each(Operation::AddUnitOn(unit, machine));
        }),
    }
}

/// Whether an act of a user continues the command in progress. A new command is never owed.
pub fn goes_on_with(world: &World, state: &State, id: UserId, act: TxnAct) -> bool {
    let user = state.runtime.user(id);
    match act {
        TxnAct::Begin(operation) | TxnAct::Run(operation) => {
            let mut is_next = user.state.again().is_some();
            if let Some(session) = &user.session {
                next_in(session, world, state, &Scan, &mut |next| is_next |= next == operation);
            }
            is_next
        }
        TxnAct::Commit | TxnAct::Abort => true,
    }
}

/// Ends an operation that a user planned and that was refused or would do nothing. If it has
/// aborted before, it is not planned again, and the command continues as it can. Otherwise the
/// command has failed.
pub(super) fn plans_nothing(id: UserId, step: &mut StepContext<'_>) {
    let user = step.state.runtime.user_mut(id, &mut step.effects.touched);
    match user.state {
        UserState::Again { .. } => user.state = UserState::Idle,
        UserState::Idle | UserState::Planned { .. } => user.give_up(),
    }
    end_finished(step);
}

/// Ends each command in progress with nothing left to do: another user may have created the last
/// peer relation.
fn end_finished(step: &mut StepContext<'_>) {
    for id in step.world.user_ids() {
        let user = step.state.runtime.user(id);
        let is_over = |it: &Session| is_finished(it, step.world, step.state);
        if user.state == UserState::Idle && user.session.as_ref().is_some_and(is_over) {
            step.state.runtime.user_mut(id, &mut step.effects.touched).session = None;
        }
    }
}

/// Plans a user's aborted transaction again, unless the limit of tries is reached.
pub(super) fn aborts(id: UserId, step: &mut StepContext<'_>) -> Outcome {
    let user = step.state.runtime.user_mut(id, &mut step.effects.touched);
    if user.abort(step.world.tries) { Outcome::Aborted } else { Outcome::Contended }
}

/// Continues the command in progress after a user has committed `operation`, or begins one, which
/// is counted if it is limited. Free identifiers do not matter here.
pub(super) fn committed(id: UserId, operation: Operation, step: &mut StepContext<'_>) {
    let (world, state) = (step.world, &*step.state);
    let user = state.runtime.user(id);
    let (session, begun) = match user.session.and_then(|session| rest_of(session, operation)) {
        Some(session) => (Some(session), None),
        None => begin(world, state, operation),
    };
    let is_other = user.session != session;
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    if is_other {
        runtime.user_mut(id, touched).session = session;
    }
    if let Some(index) = begun.filter(|index| world.commands[*index].most.is_some()) {
        runtime.given_mut(touched)[index] += 1;
    }
    end_finished(step);
}

/// The session after `operation`, or `None` if the operation is not part of it.
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

/// The command that `operation` begins, and its session. Unlimited commands of one transaction are
/// left out.
fn begin(world: &World, state: &State, operation: Operation) -> (Option<Session>, Option<usize>) {
    if !world.has_commands_to_follow() {
        return (None, None);
    }
    let index = world.begun_by(operation).find(|place| is_left(world, state, *place));
    let session = index.and_then(|index| session_after(world.commands[index].command, operation));
    (session, index)
}
