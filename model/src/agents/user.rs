//! The user: gives the commands that the scenario allows, and owes nothing.
//!
//! A command that takes several transactions is in progress as a session; until it is finished
//! the user gives no other.

use super::Offers;
use crate::{
    action::Act,
    hosts::Session,
    ids::{MachineId, UnitId},
    life::Life::Alive,
    operation::Operation,
    state::State,
    variants::UnitAssignment,
    world::{Command, Scope, World},
};

/// Lists what the user can do next.
pub(super) fn moves(offers: &mut Offers<'_>) {
    let others = offers.state.hosts.others();
    if others.again {
        let operation = others.user.as_ref().map(|txn| txn.operation);
        let operation = operation.expect("what is done again was done before");
        return offers.act(Act::Begin(operation));
    }
    if offers.finish(&others.user) {
        return;
    }
    if let Some(session) = &others.session {
        match next_in(session, offers.world, offers.state) {
            Next::Do(operation) => offers.submit(operation, None),
            // A bound of the model, not of the protocol: nothing is concluded from it.
            Next::NoPlace => return,
            Next::Finished => {}
        }
        if offers.any() {
            return;
        }
    }
    for (index, allowed) in offers.world.commands.iter().enumerate() {
        if allowed.most.is_none_or(|most| others.given[index] < most) {
            give(allowed.command, offers);
        }
    }
}

/// Offers the first transaction of `command`.
fn give(command: Command, offers: &mut Offers<'_>) {
    if let Some(operation) = first_of(command, offers.world, offers.state) {
        offers.submit(operation, None);
    }
}

/// The first transaction of `command`, or `None` if the world has no place for what it creates.
fn first_of(command: Command, world: &World, state: &State) -> Option<Operation> {
    Some(match command {
        Command::Deploy(id, _) => Operation::Deploy(id),
        Command::AddUnit(id) => {
            add_unit(state.spare_unit(world, id)?, world, machine_for(world, state)?)
        }
        Command::AddMachine(id) => {
            if !state.is_machine_unused(id) {
                return None;
            }
            Operation::AddMachine(id)
        }
        Command::Integrate(id) => Operation::Integrate(id),
        Command::DestroyMachine(id) => Operation::DestroyMachine(id),
        Command::DestroyUnit(id) => Operation::DestroyUnit(id),
        Command::DestroyRelation(id) => Operation::DestroyRelation(id),
        Command::DestroyApplication(id) => Operation::DestroyApplication(id),
        Command::ForceDestroyUnit(id) => Operation::ForceDestroyUnit(id),
        Command::ForceDestroyMachine(id) => Operation::ForceDestroyMachine(id),
    })
}

/// The session that goes on after the first transaction of `command`.
fn session_after(command: Command, first: Operation) -> Option<Session> {
    match (command, first) {
        (Command::Deploy(application, units), _) => {
            Some(Session { application, peers: true, units, unassigned: None })
        }
        (Command::AddUnit(application), Operation::AddUnit(unit)) => {
            Some(Session { application, peers: false, units: 0, unassigned: Some(unit) })
        }
        _ => None,
    }
}

/// How a session goes on.
enum Next {
    /// With this transaction.
    Do(Operation),
    /// It cannot: the world has no place for what it would create.
    NoPlace,
    /// It is finished.
    Finished,
}

fn next_in(session: &Session, world: &World, state: &State) -> Next {
    if session.peers {
        let missing = world.application(session.application).relations.iter().find(|relation| {
            world.relation(**relation).scope == Scope::Peer
                && state.store.relation(**relation).is_none()
        });
        if let Some(&peer) = missing {
            return Next::Do(Operation::AddPeer(peer));
        }
    }
    let machine = machine_for(world, state);
    let operation = match (session.unassigned, session.units) {
        (None, 0) => return Next::Finished,
        (Some(unit), _) => machine.map(|machine| Operation::AssignUnit(unit, machine)),
        (None, _) => state
            .spare_unit(world, session.application)
            .zip(machine)
            .map(|(unit, machine)| add_unit(unit, world, machine)),
    };
    operation.map_or(Next::NoPlace, Next::Do)
}

/// A unit is created first and gets its machine later, or both at once.
fn add_unit(unit: UnitId, world: &World, machine: MachineId) -> Operation {
    match world.variants.unit_assignment {
        UnitAssignment::SeparateTransaction => Operation::AddUnit(unit),
        UnitAssignment::WithUnit => Operation::AddUnitOn(unit, machine),
    }
}

/// The machine for a new unit: one without units if there is one, else a new one (D2:47).
fn machine_for(world: &World, state: &State) -> Option<MachineId> {
    let hosts = || world.machine_ids().filter(|id| world.machine(*id).hosts_units);
    let is_free = |id: &MachineId| {
        state
            .store
            .machine(*id)
            .is_some_and(|machine| machine.life == Alive && machine.principals.is_empty())
    };
    let is_new = |id: &MachineId| world.machine(*id).host.is_none() && state.is_machine_unused(*id);
    hosts().find(is_free).or_else(|| hosts().find(is_new))
}

/// Whether an act of the user finishes what was begun. A new command the user owes to nobody.
pub fn goes_on_with(world: &World, state: &State, act: Act) -> bool {
    let others = state.hosts.others();
    let next = others.session.as_ref().map(|session| next_in(session, world, state));
    match act {
        Act::Begin(operation) | Act::Run(operation) => {
            others.again || matches!(next, Some(Next::Do(next)) if next == operation)
        }
        _ => true,
    }
}

/// What becomes of the user's session now that `operation` has been committed, and which command
/// of the world that was, if it began one.
pub(crate) fn progress(
    world: &World,
    state: &State,
    operation: Operation,
) -> (Option<Session>, Option<usize>) {
    let others = state.hosts.others();
    let (session, begun) = match others.session.and_then(|session| goes_on(session, operation)) {
        Some(session) => (Some(session), None),
        None => begin(world, &others.given, operation),
    };
    let session =
        session.filter(|session| !matches!(next_in(session, world, state), Next::Finished));
    (session, begun)
}

/// The session after `operation`, or `None` if that is not part of it.
fn goes_on(mut session: Session, operation: Operation) -> Option<Session> {
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
    let index = world.commands.iter().enumerate().position(|(index, allowed)| {
        command_begins(allowed.command, operation, world)
            && allowed.most.is_none_or(|most| given[index] < most)
    });
    let session = index.and_then(|index| session_after(world.commands[index].command, operation));
    (session, index)
}

/// Whether `operation` is how `command` begins.
fn command_begins(command: Command, operation: Operation, world: &World) -> bool {
    match (command, operation) {
        (Command::Deploy(a, _), Operation::Deploy(b))
        | (Command::DestroyApplication(a), Operation::DestroyApplication(b)) => a == b,
        (Command::AddUnit(a), Operation::AddUnit(b) | Operation::AddUnitOn(b, _)) => {
            a == world.unit(b).application
        }
        (Command::AddMachine(a), Operation::AddMachine(b))
        | (Command::DestroyMachine(a), Operation::DestroyMachine(b))
        | (Command::ForceDestroyMachine(a), Operation::ForceDestroyMachine(b)) => a == b,
        (Command::DestroyUnit(a), Operation::DestroyUnit(b))
        | (Command::ForceDestroyUnit(a), Operation::ForceDestroyUnit(b)) => a == b,
        (Command::Integrate(a), Operation::Integrate(b))
        | (Command::DestroyRelation(a), Operation::DestroyRelation(b)) => a == b,
        _ => false,
    }
}
