//! The machines that new units can get, by what matters to a unit.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ids::{Constraints, Id, MachineId, UnitId},
    ops::suits,
    world::{Series, World},
};

/// Machines in groups that suit a unit together, or not: by their series, and by the constraints by
/// which they were made.
#[derive(Clone, Debug, Default)]
pub(super) struct Machines {
    groups: BTreeMap<MachineGroup, BTreeSet<MachineId>>,
    group_of: Vec<Option<MachineGroup>>,
}

type MachineGroup = (Option<Series>, Constraints);

impl Machines {
    /// None of the machines of a world.
    pub(super) fn of(world: &World) -> Self {
        Self { groups: BTreeMap::new(), group_of: vec![None; world.machines.len()] }
    }

    /// Makes `id` one of them that was made by these constraints, or none of them.
    pub(super) fn put(&mut self, world: &World, id: MachineId, made: Option<Constraints>) {
        let group = made.map(|made| (world.series_of_machine(id), made));
        let old = std::mem::replace(&mut self.group_of[id.index()], group);
        if old == group {
            return;
        }
        if let Some(old) = old {
            self.groups.entry(old).or_default().remove(&id);
        }
        if let Some(group) = group {
            self.groups.entry(group).or_default().insert(id);
        }
    }

    /// The first that suits the unit and was made by constraints that do.
    pub(super) fn first(
        &self,
        world: &World,
        unit: UnitId,
        satisfies: impl Fn(Constraints) -> bool,
    ) -> Option<MachineId> {
        let groups = self.groups.iter().filter(|((_, made), _)| satisfies(*made));
        let firsts = groups.filter_map(|(_, group)| group.first().copied());
        firsts.filter(|id| suits(world, unit, *id)).min()
    }
}
