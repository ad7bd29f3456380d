//! Parts of an actor's possible actions: each reads few rows, so that an explorer can cache its
//! enabled actions.
//!
//! Tasks are parts already, but for three: a user may give any command, any fault may happen, and
//! the cleaner destroys each unit of an application. Each command, fault and unit is a part of its
//! own.

use super::{
    Task, can_inject,
    lister::{Listed, Lister, ManyActs},
    tasks, user,
};
use crate::{
    action::{Act, Action, Fault},
    actor::{Actor, Agent, Client},
    free_ids::FreeIds,
    ids::{ApplicationId, EntityId, Rename, Renaming, UnitId, UserId},
    state::State,
    table,
    txn::Txn,
    variants::UnitsOfDyingApplication,
    world::{FaultKind, World},
};

/// A part of an actor's possible actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionPart {
    Task(Task),
    /// The cleaner destroys a unit of a Dying application.
    Destroys(ApplicationId, UnitId),
    /// A user goes on with the command in progress.
    GoesOn(UserId),
    /// A user gives the command with this index.
    Gives(UserId, usize),
    Fault(Fault),
}

impl ActionPart {
    /// The entity whose rows it reads first, if there is one. Parts about the same entity mostly
    /// read the same rows.
    pub fn about(self) -> Option<EntityId> {
        match self {
            Self::Task(
                Task::UnitAgent(id) | Task::Resolve(id) | Task::Restart(Agent::Unit(id)),
            )
            | Self::Fault(
                Fault::Crash(Agent::Unit(id))
                | Fault::FailHooks(id, _)
                | Fault::FailStopHook(id)
                | Fault::FailUnitHook(id)
                | Fault::Disconnect(id)
                | Fault::AbortTxn(Client::Unit(id)),
            ) => Some(EntityId::Unit(id)),
            Self::Task(
                Task::MachineAgent(id)
                | Task::Provision(id)
                | Task::ResolveStart(id)
                | Task::Terminate(id)
                | Task::Replace(id)
                | Task::Restart(Agent::Machine(id)),
            )
            | Self::Fault(
                Fault::Crash(Agent::Machine(id))
                | Fault::FailHardware(id)
                | Fault::FailHardwareUnnoticed(id)
                | Fault::FailStart(id)
                | Fault::TimeOutStart(id)
                | Fault::Reboot(id)
                | Fault::FailOver(id)
                | Fault::AbortTxn(Client::Machine(id)),
            ) => Some(EntityId::Machine(id)),
            Self::Task(Task::Clean(id)) => Some(id),
            Self::Destroys(id, _) => Some(EntityId::Application(id)),
            Self::Task(
                Task::User(_) | Task::Provisioner | Task::Cleaner | Task::Upgrade | Task::Faults,
            )
            | Self::GoesOn(_)
            | Self::Gives(..)
            | Self::Fault(
                Fault::LoseConnection(_)
                | Fault::AbortTxn(
                    Client::Script(_) | Client::User(_) | Client::Provisioner | Client::Cleaner,
                ),
            ) => None,
        }
    }
}

impl Rename for ActionPart {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Task(task) => Self::Task(task.renamed(by)),
            Self::Destroys(id, unit) => Self::Destroys(id, unit.renamed(by)),
            Self::GoesOn(id) => Self::GoesOn(id),
            Self::Gives(id, command) => Self::Gives(id, by.command(command)),
            Self::Fault(fault) => Self::Fault(table::renamed(fault, by)),
        }
    }
}

/// The parts of `actor`, in the order in which its actions are listed. An act listed by several of
/// them belongs to the first.
pub fn parts(world: &World, actor: Actor) -> Vec<ActionPart> {
    match actor {
        Actor::User(id) => {
            let commands = (0..world.commands.len()).map(|place| ActionPart::Gives(id, place));
            std::iter::once(ActionPart::GoesOn(id)).chain(commands).collect()
        }
        Actor::Faults => {
            let mut parts = Vec::new();
            for kind in FaultKind::ALL {
                kind.each(world, |fault| parts.push(ActionPart::Fault(fault)));
            }
            parts
        }
        Actor::Cleaner => {
            let tasks = tasks::tasks(world, actor).into_iter();
            tasks.flat_map(|task| units_of(task, world).chain([ActionPart::Task(task)])).collect()
        }
        Actor::Client(_)
        | Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Provisioner
        | Actor::Operator
        | Actor::Supervisor => {
            tasks::tasks(world, actor).into_iter().map(ActionPart::Task).collect()
        }
    }
}

/// Whether the cleaner's work on the units of an application has a part for each unit. A scenario
/// may begin with such a cleanup document although no transaction makes one: then the one part of
/// the task does all.
fn has_units_apart(world: &World) -> bool {
    world.variants.units_of_dying_application == UnitsOfDyingApplication::AgentsAndCleanup
}

/// The parts of a task of the cleaner that come before it: one for each unit that it may destroy.
fn units_of(task: Task, world: &World) -> impl Iterator<Item = ActionPart> + '_ {
    let application = match task {
        Task::Clean(EntityId::Application(id)) if has_units_apart(world) => Some(id),
        _ => None,
    };
    application.into_iter().flat_map(|id| {
        world.application(id).units().map(move |unit| ActionPart::Destroys(id, unit))
    })
}

/// Lists the enabled actions of a part, each with the transaction that it would plan, with the free
/// identifiers of the caller.
pub fn enabled_for_part(
    world: &World,
    state: &State,
    part: ActionPart,
    free_ids: &dyn FreeIds,
    actions: &mut Vec<Action>,
    plans: &mut Vec<Option<Txn>>,
) {
    let (first, listed) = (actions.len(), Listed::Done);
    let plans = Some(plans);
    let (sample, many) = (None, ManyActs::default());
    let list = &mut Lister { world, state, free_ids, listed, sample, first, actions, plans, many };
    match part {
        ActionPart::Task(Task::Clean(EntityId::Application(id))) if has_units_apart(world) => {
            tasks::list_rest(id, list);
        }
        ActionPart::Task(task) => tasks::list(task, list),
        ActionPart::Destroys(id, unit) => tasks::list_unit(id, unit, list),
        ActionPart::GoesOn(id) => {
            user::goes_on(id, list);
        }
        ActionPart::Gives(id, place) => user::gives_next(id, place, list),
        ActionPart::Fault(fault) => {
            if can_inject(world, state, fault) {
                list.act(Act::Faults(fault));
            }
        }
    }
}
