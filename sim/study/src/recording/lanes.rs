//! Lanes: the entities of each state, and the actor of each step.

use deathwatch_documents::run::{Lane, Presence, Span};
use deathwatch_model::{
    actor::Actor,
    agents,
    ids::{MachineId, UnitId},
    runtime::Hardware,
    state::State,
    world::World,
};

use super::{steps, tables::entity};

pub(super) struct RunLanes {
    actors: Vec<Actor>,
    lanes: Vec<Lane>,
}

impl RunLanes {
    /// The lanes of all actors that are `wanted`, in the order in which their actions are listed,
    /// and then of the clients of the script.
    pub(super) fn new(
        world: &World,
        clients: impl Iterator<Item = Actor>,
        wanted: impl Fn(&Actor) -> bool,
    ) -> Self {
        let actors: Vec<Actor> = agents::actors(world).chain(clients).filter(wanted).collect();
        let lane = |actor: &Actor| Lane {
            actor: world.show_actor(*actor),
            actor_is: steps::actor_kind(*actor),
            entity: actor.entity().map(|it| entity(world, it)),
            spans: Vec::new(),
        };
        Self { lanes: actors.iter().map(lane).collect(), actors }
    }

    pub(super) fn add(&mut self, world: &World, state: &State, number: usize) {
        for (actor, lane) in self.actors.iter().zip(&mut self.lanes) {
            let is = presence(world, state, *actor);
            if lane.spans.last().is_none_or(|last| last.is != is) {
                lane.spans.push(Span { from: number, is });
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Lane> {
        self.lanes
    }
}

fn presence(world: &World, state: &State, actor: Actor) -> Presence {
    match actor {
        Actor::UnitAgent(id) => of_unit(world, state, id),
        Actor::MachineAgent(id) => of_machine(world, state, id),
        Actor::Provisioner | Actor::Cleaner => {
            if state.active_manager(world).is_some() {
                Presence::Runs
            } else {
                Presence::Absent
            }
        }
        Actor::User(_) | Actor::Client(_) | Actor::Faults | Actor::Operator | Actor::Supervisor => {
            Presence::Runs
        }
    }
}

fn of_unit(world: &World, state: &State, id: UnitId) -> Presence {
    let agent = state.runtime.unit(id);
    if !state.runtime.is_deployed(id) {
        Presence::Absent
    } else if agent.down {
        Presence::Down
    } else if !state.unit_agent_runs(world, id) {
        Presence::Terminated
    } else if state.unit_agent_acts(world, id) {
        Presence::Runs
    } else {
        Presence::Waits
    }
}

fn of_machine(world: &World, state: &State, id: MachineId) -> Presence {
    let runtime = state.runtime.machine(id);
    match runtime.hardware {
        Hardware::Absent => Presence::Absent,
        Hardware::Silent => Presence::Silent,
        Hardware::Running if runtime.down => Presence::Down,
        Hardware::Running if state.machine_agent_runs(world, id) => Presence::Runs,
        Hardware::Running => Presence::Terminated,
    }
}
