//! Duties that agents on a machine neglect, and would do in the new version.

use super::{
    Enabled, Lister, Task,
    lifecycle::{cleaner, machine_agent, provisioner, unit_agent},
    lister::Listed,
    neglect, own_duties,
};
use crate::{clause::Rule, ids::MachineId, world::World};

/// Whether an agent on the instance of `machine` neglects a duty that it would do now, disregarding
/// anything it has begun.
pub(super) fn is_neglected_on(machine: MachineId, list: &Lister<'_>) -> bool {
    let mut enabled = Enabled::default();
    let mut neglected = Lister::new(list.world, list.state, list.free_ids, &mut enabled);
    neglected.listed = Listed::Neglected;
    let (world, state) = (list.world, list.state);
    if state.machine_agent_runs(world, machine) {
        machine_agent::owed(machine, &mut neglected);
    }
    for unit in neglect::units(machine, state) {
        if state.unit_agent_acts(world, unit) {
            unit_agent::owed(unit, &mut neglected);
        }
    }
    if state.active_manager(world) == Some(machine) {
        if neglects_any(Rule::Provisioner, world) {
            world.machine_ids().for_each(|id| provisioner::duties(id, &mut neglected));
        }
        if neglects_any(Rule::Cleaner, world) {
            cleaner::all(world).for_each(|about| cleaner::duties(about, &mut neglected));
        }
        if neglects_any(Rule::Own, world) {
            let all = world.machine_ids().map(Task::Provision);
            for task in all.chain(cleaner::all(world).map(Task::Clean)) {
                own_duties::duties(task, &mut neglected);
            }
        }
    }
    neglected.any()
}

/// Whether some duty of `rule` is neglected. Saves a large world the look at all duties of
/// provisioner and cleaner.
fn neglects_any(rule: Rule, world: &World) -> bool {
    world.neglected.iter().any(|clause| clause.rule == rule)
}
