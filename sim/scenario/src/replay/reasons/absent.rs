//! Actors that are not there, or wait: the reasons why they can do nothing at all.

use deathwatch_model::{
    actor::Actor,
    ids::{MachineId, UnitId},
    runtime::{Charm, Hardware},
    state::State,
    world::World,
};

use super::{Impossibility, ReasonKind::Absent, because};

/// The reason that `actor` is not there, or waits for another.
pub(super) fn absence(world: &World, state: &State, actor: Actor) -> Option<Impossibility> {
    match actor {
        Actor::UnitAgent(id) => unit_agent(world, state, id),
        Actor::MachineAgent(id) => machine_agent(world, state, id),
        Actor::Provisioner | Actor::Cleaner => {
            let name = world.show_actor(actor);
            let is_absent = state.active_manager(world).is_none();
            is_absent.then(|| because(Absent, format!("no manager machine runs, and so no {name}")))
        }
        Actor::User(_) | Actor::Client(_) | Actor::Faults | Actor::Operator | Actor::Supervisor => {
            None
        }
    }
}

fn unit_agent(world: &World, state: &State, id: UnitId) -> Option<Impossibility> {
    let (name, runtime) = (&world.unit(id).name, state.runtime.unit(id));
    if state.unit_agent_runs(world, id) {
        let own = match runtime.charm {
            Charm::Started | Charm::Stopped => None,
            Charm::StopFailed => Some("its stop hook failed".to_owned()),
            Charm::Failed => Some("a hook of its own failed".to_owned()),
        };
        let of = runtime.hook_error.map(|id| &world.relation(id).name);
        let what = of.map(|relation| format!("its hook failed in {relation}")).or(own)?;
        let why = format!("{what}, and the agent waits");
        return Some(because(Absent, why).so(format!("`operator: resolve {name}` lets it go on")));
    }
    Some(if state.store.unit(id).is_none() {
        because(Absent, format!("there is no unit {name}"))
    } else if !state.runtime.is_deployed(id) {
        because(Absent, format!("unit {name} is not deployed, so it has no agent"))
    } else if runtime.down {
        crashed(world, Actor::UnitAgent(id))
    } else {
        because(Absent, format!("unit {name} is Dead: its agent has terminated itself"))
    })
}

fn machine_agent(world: &World, state: &State, id: MachineId) -> Option<Impossibility> {
    let (name, runtime) = (&world.machine(id).name, state.runtime.machine(id));
    if state.machine_agent_runs(world, id) {
        return None;
    }
    if state.store.machine(id).is_none() {
        return Some(because(Absent, format!("there is no machine {name}")));
    }
    Some(match runtime.hardware {
        Hardware::Absent => because(Absent, format!("machine {name} has no instance")),
        Hardware::Silent => because(Absent, format!("the hardware of machine {name} failed")),
        Hardware::Running if runtime.down => crashed(world, Actor::MachineAgent(id)),
        Hardware::Running => {
            because(Absent, format!("machine {name} is Dead: its agent has terminated itself"))
        }
    })
}

fn crashed(world: &World, actor: Actor) -> Impossibility {
    let restart = format!("`supervisor: restart {}` starts it again", world.show_actor(actor));
    because(Absent, "the agent has crashed, and is down").so(restart)
}
