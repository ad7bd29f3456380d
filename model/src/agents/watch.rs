//! Watches: what an actor looks at, one thing at a time.
//!
//! In a large world an actor must not look at everything whenever something happens. An agent
//! of its own is one watch; the provisioner has one for each machine, the cleaner one for whatever
//! may have cleanup documents. What an actor can do is what it can do about all its watches.

use super::{
    Offered, Offers, Subject, cleaner, faults, flight, machine_agent, operator, provisioner,
    unit_agent, user,
};
use crate::{
    action::Actor,
    spares::{Nowhere, Spares},
    state::State,
    world::World,
};

/// An actor, and one of the things that it looks after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Watch {
    /// Who looks.
    pub actor: Actor,
    /// What at; `None` is the agent itself, the transaction that the provisioner or the cleaner
    /// has in flight, and for the operator the upgrade.
    pub of: Option<Subject>,
}

impl Watch {
    /// Whether the scenario assumes that what can be done about it is done. Of the user that is
    /// what finishes a command in progress.
    pub fn is_owed(self, world: &World) -> bool {
        let assumed = &world.assumptions;
        match (self.actor, self.of) {
            (Actor::Faults | Actor::Client(_), _) => false,
            (Actor::User, _) => assumed.commands_finish,
            (Actor::Operator, Some(Subject::Machine(_))) => assumed.failed_hardware_is_terminated,
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

/// The watches of `actor`, in the order in which its actions are listed.
pub fn watches(world: &World, actor: Actor) -> Vec<Watch> {
    let itself = || std::iter::once(None);
    let all: Vec<Option<Subject>> = match actor {
        Actor::User
        | Actor::Client(_)
        | Actor::UnitAgent(_)
        | Actor::MachineAgent(_)
        | Actor::Faults => itself().collect(),
        Actor::Provisioner => {
            itself().chain(world.machine_ids().map(Subject::Machine).map(Some)).collect()
        }
        Actor::Cleaner => itself().chain(cleaner::subjects(world).map(Some)).collect(),
        Actor::Operator => operator::subjects(world).map(Some).chain(itself()).collect(),
        Actor::Supervisor => operator::agents(world).map(Some).collect(),
    };
    all.into_iter().map(|of| Watch { actor, of }).collect()
}

/// Lists what an actor can do about one of its watches, always in the same order. The actions of
/// an actor are those of its watches, one watch after the other, each act once.
///
/// While the provisioner or the cleaner has a transaction in flight it can only finish that.
pub fn enabled_for_watch(
    world: &World,
    state: &State,
    watch: Watch,
    spares: &dyn Spares,
    offered: &mut Offered,
) {
    list(watch.of, &mut Offers::new(world, state, watch.actor, spares, offered));
}

/// Lists how `actor` finishes its transaction in flight, if it has one and can.
pub fn finish_for(world: &World, state: &State, actor: Actor, offered: &mut Offered) {
    if flight(state, actor).is_some() {
        list(None, &mut Offers::new(world, state, actor, &Nowhere, offered));
    }
}

/// Lists what an actor can do about one thing.
fn list(of: Option<Subject>, offers: &mut Offers<'_>) {
    match (offers.actor, of) {
        (Actor::User, None) => user::moves(offers),
        (Actor::UnitAgent(id), None) => unit_agent::duties(id, offers),
        (Actor::MachineAgent(id), None) => machine_agent::duties(id, offers),
        (Actor::Provisioner | Actor::Cleaner, None) => {
            is_free(offers);
        }
        (Actor::Provisioner, Some(Subject::Machine(machine))) => {
            if flight(offers.state, offers.actor).is_none() && is_free(offers) {
                provisioner::look_after(machine, offers);
            }
        }
        (Actor::Cleaner, Some(of)) => {
            if flight(offers.state, offers.actor).is_none() && is_free(offers) {
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
pub(super) fn list_all(mut offers: Offers<'_>) {
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
/// it has a transaction in flight, offers to finish that.
fn is_free(offers: &mut Offers<'_>) -> bool {
    let others = offers.state.hosts.others();
    let flight = match offers.actor {
        Actor::Cleaner => &others.cleaner,
        _ => &others.provisioner,
    };
    offers.state.leader(offers.world).is_some() && !offers.finish(flight)
}
