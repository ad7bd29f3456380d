//! Neglect: duties that agents leave undone because of a bug, until they run a version without it.
//!
//! Death and Destruction, "Unknown problems in juju" (D1:31-37). Either every agent is upgraded
//! where it is, or only what is started afterwards has the new version. In the second case the
//! version is a fact of a system, by which we mean the instance of a machine and all agents on it:
//! an instance starts with the version of the time, and a deployer passes on its own.

use super::Task;
use crate::{
    actor::Actor,
    clause::Clause,
    ids::{MachineId, Placement, UnitId},
    state::State,
    variants::AgentUpgrade,
    world::World,
};

/// Whether `actor` does a duty at all: its clause is neither switched off nor neglected by the
/// version that it runs.
pub(super) fn performs(world: &World, state: &State, actor: Actor, clause: Clause) -> bool {
    !world.is_off(clause)
        && (!world.is_neglected_by(clause, actor) || runs_new_version(world, state, actor))
}

/// Whether `actor` neglects a duty that it would do in the new version.
pub(super) fn neglects(world: &World, state: &State, actor: Actor, clause: Clause) -> bool {
    !world.is_off(clause)
        && world.is_neglected_by(clause, actor)
        && !runs_new_version(world, state, actor)
}

/// Whether `actor` runs a version that neglects nothing.
pub(super) fn runs_new_version(world: &World, state: &State, actor: Actor) -> bool {
    match world.variants.agent_upgrade {
        AgentUpgrade::InPlace => state.runtime.upgrade().done,
        AgentUpgrade::OnFreshSystems => {
            system(world, state, actor).is_some_and(|id| state.runtime.machine(id).new_version)
        }
    }
}

/// The machine on whose instance `actor` runs, if it is a deployed agent or a task of one.
pub(super) fn system(world: &World, state: &State, actor: Actor) -> Option<MachineId> {
    match actor {
        Actor::UnitAgent(id) => match state.runtime.unit(id).deployed_by {
            Placement::Nowhere => None,
            Placement::Machine(machine) => Some(machine),
            Placement::Principal(principal) => system(world, state, Actor::UnitAgent(principal)),
        },
        Actor::MachineAgent(id) => Some(id),
        Actor::Provisioner | Actor::Cleaner => state.active_manager(world),
        Actor::User(_) | Actor::Client(_) | Actor::Faults | Actor::Operator | Actor::Supervisor => {
            None
        }
    }
}

/// The units whose agents are on the instance of `machine`, a principal before its subordinates.
pub(super) fn units(machine: MachineId, state: &State) -> Vec<UnitId> {
    let mut units: Vec<UnitId> = state.runtime.machine(machine).deployed.iter().collect();
    let mut next = 0;
    while let Some(&unit) = units.get(next) {
        units.extend(state.runtime.unit(unit).deployed.iter());
        next += 1;
    }
    units
}

/// The machine that the operator may have to replace because of the agent of `task`.
pub(super) fn replaced_with(task: Task, world: &World, state: &State) -> Option<MachineId> {
    system(world, state, task.actor()).filter(|_| world.has_versions())
}
