//! Watches: what an actor looks at, one thing at a time.
//!
//! In a large world an actor must not look at everything whenever something happens. An agent
//! of its own is one task; the provisioner has one for each machine, the cleaner one for whatever
//! may have cleanup documents. What an actor can do is what it can do about all its tasks.

use super::{
    Enabled, EntityId, Lister, cleaner, faults, machine_agent, operator, pending, planned,
    provisioner, unit_agent, user,
};
use crate::{
    action::Actor,
    free_ids::{FreeIds, NoFreeIds},
    state::State,
    world::World,
};

/// An actor, and one of the things that it looks after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// Who looks.
    pub actor: Actor,
    /// What at; `None` is the agent itself, the transaction that the provisioner or the cleaner
    /// has pending, and for the operator the upgrade.
    pub of: Option<EntityId>,
}

impl Task {
    /// Whether the scenario assumes that what can be done about it is done. Of the user that is
    /// what finishes a command in progress.
    pub fn is_owed(self, world: &World) -> bool {
        let assumed = &world.assumptions;
        match (self.actor, self.of) {
            (Actor::Faults | Actor::Client(_), _) => false,
            (Actor::User, _) => assumed.commands_finish,
            (Actor::Operator, Some(EntityId::Machine(_))) => assumed.failed_hardware_is_terminated,
            (Actor::Operator, Some(_)) => assumed.hook_errors_are_resolved,
            (Actor::Operator, None) => assumed.agents_are_upgraded,
            (Actor::Supervisor, _) => assumed.crashed_agents_restart,
            (
                Actor::UnitAgent(_) | Actor::MachineAgent(_) | Actor::Provisioner | Actor::Cleaner,
                _,
            ) => assumed.agents_act,
        }
    }
}

/// The tasks of `actor`, in the order in which its actions are listed.
pub fn tasks(world: &World, actor: Actor) -> Vec<Task> {
    let itself = || std::iter::once(None);
    let all: Vec<Option<EntityId>> = match actor {
        Actor::User
        | Actor::Client(_)
        | Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Faults => itself().collect(),
        Actor::Provisioner => {
            itself().chain(world.machine_ids().map(EntityId::Machine).map(Some)).collect()
        }
        Actor::Cleaner => itself().chain(cleaner::subjects(world).map(Some)).collect(),
        Actor::Operator => operator::subjects(world).map(Some).chain(itself()).collect(),
        Actor::Supervisor => operator::agents(world).map(Some).collect(),
    };
    all.into_iter().map(|of| Task { actor, of }).collect()
}

/// Lists what an actor can do about one of its tasks, always in the same order. The actions of
/// an actor are those of its tasks, one watch after the other, each act once.
///
/// While the provisioner or the cleaner has a transaction pending it can only finish that.
pub fn enabled_for_task(
    world: &World,
    state: &State,
    task: Task,
    free_ids: &dyn FreeIds,
    offered: &mut Enabled,
) {
    list(task.of, &mut Lister::new(world, state, task.actor, free_ids, offered));
}

/// Lists how `actor` finishes its transaction pending, if it has one and can.
pub fn finish_for(world: &World, state: &State, actor: Actor, offered: &mut Enabled) {
    if pending(state, actor).is_some() {
        list(None, &mut Lister::new(world, state, actor, &NoFreeIds, offered));
    }
}

/// Lists what an actor can do about one thing.
fn list(of: Option<EntityId>, offers: &mut Lister<'_>) {
    match (offers.actor, of) {
        (Actor::User, None) => user::moves(offers),
        (Actor::UnitAgent(id), None) => unit_agent::duties(id, offers),
        (Actor::MachineAgent(id), None) => machine_agent::duties(id, offers),
        (Actor::Provisioner | Actor::Cleaner, None) => {
            is_free(offers);
        }
        (Actor::Provisioner, Some(EntityId::Machine(machine))) => {
            if planned(offers.state, offers.actor).is_none() && is_free(offers) {
                provisioner::look_after(machine, offers);
            }
        }
        (Actor::Cleaner, Some(of)) => {
            if planned(offers.state, offers.actor).is_none() && is_free(offers) {
                cleaner::look_after(of, offers);
            }
        }
        (Actor::Faults, None) => faults::strikes(offers),
        (Actor::Operator, Some(of)) => operator::look_after(of, offers),
        (Actor::Operator, None) => operator::upgrades(offers),
        (Actor::Supervisor, Some(of)) => operator::restart(of, offers),
        (
            Actor::User
            | Actor::Client(_)
            | Actor::UnitAgent(_)
            | Actor::MachineAgent(_)
            | Actor::Provisioner
            | Actor::Faults
            | Actor::Supervisor,
            _,
        ) => {}
    }
}

/// Lists what an actor can do about anything.
pub(super) fn list_all(mut offers: Lister<'_>) {
    let (world, offers) = (offers.world, &mut offers);
    match offers.actor {
        Actor::Provisioner => {
            if is_free(offers) {
                world.machine_ids().for_each(|id| provisioner::look_after(id, offers));
            }
        }
        Actor::Cleaner => {
            if is_free(offers) {
                cleaner::subjects(world).for_each(|of| cleaner::look_after(of, offers));
            }
        }
        Actor::Operator => {
            operator::subjects(world).for_each(|of| operator::look_after(of, offers));
            operator::upgrades(offers);
        }
        Actor::Supervisor => {
            operator::agents(world).for_each(|of| operator::restart(of, offers));
        }
        Actor::User
        | Actor::Client(_)
        | Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Faults => list(None, offers),
    }
}

/// Whether the provisioner or the cleaner, whichever acts, runs and is free for something new; if
/// it has a transaction pending, offers to finish that.
fn is_free(offers: &mut Lister<'_>) -> bool {
    let pending = planned(offers.state, offers.actor);
    offers.state.active_manager(offers.world).is_some() && !offers.finish(pending)
}
