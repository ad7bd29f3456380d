//! The machines that new units can get, by what matters to a unit.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ids::{MachineId, UnitId},
    ops::suits,
    world::{Series, World},
};

/// Machines in groups that suit a unit together, or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Machines(BTreeMap<Option<Series>, BTreeSet<MachineId>>);

impl Machines {
    /// Makes `id` one of them or not, as `is_member` says.
    pub(super) fn put(&mut self, world: &World, id: MachineId, is_member: bool) {
        let group = self.0.entry(world.series_of_machine(id)).or_default();
        if is_member {
            group.insert(id);
        } else {
            group.remove(&id);
        }
    }

    /// The first that suits the unit.
    pub(super) fn first(&self, world: &World, unit: UnitId) -> Option<MachineId> {
        let firsts = self.0.values().filter_map(|group| group.first().copied());
        firsts.filter(|id| suits(world, unit, *id)).min()
    }
}
