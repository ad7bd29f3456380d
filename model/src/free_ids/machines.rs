//! The machines that new units can get, grouped by series and constraints.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    ids::{Constraints, Id, MachineId, UnitId},
    ops::suits,
    world::{Series, World},
};

/// Machines in groups of one series and one set of constraints, which suit a unit all or none.
#[derive(Clone, Debug, Default)]
pub(super) struct Machines {
    groups: BTreeMap<MachineGroup, BTreeSet<MachineId>>,
    group_of: Vec<Option<MachineGroup>>,
}

type MachineGroup = (Option<Series>, Constraints);

impl Machines {
    /// No machines of a world.
    pub(super) fn of(world: &World) -> Self {
        Self { groups: BTreeMap::new(), group_of: vec![None; world.machines.len()] }
    }

    /// Puts `id` into the group of machines made by these constraints, or takes it out with `None`.
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

    /// The first machine that suits the unit and has constraints that satisfy it.
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
