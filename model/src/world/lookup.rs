//! Indices over the tables of a world, made once and used while the protocol runs.
//!
//! A step must cost time in proportion to its changes. So it cannot search the managers among a
//! hundred thousand machines, or its command among all commands; nor can a line of a script search
//! its unit among all units.

use std::{cmp::Ordering, ops::Range};

use super::{Allowed, FirstTransaction, RelationDef, World, WorldBuilder};
use crate::{
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    operation::Operation,
};

/// The indices over the tables of a world.
#[derive(Clone, Debug)]
pub(super) struct Lookup {
    /// The machines with the manage-model job.
    managers: Vec<MachineId>,
    /// For each machine the containers that it may have.
    containers: Vec<Vec<MachineId>>,
    /// For each relation the number of pairs before its own, then the number of all pairs. There is
    /// one pair for each relation and unit of its ends.
    pairs: Vec<usize>,
    /// For each relation the units of its ends, in ascending order; none twice.
    members: Vec<[Range<usize>; 2]>,
    /// The first transaction of each command, and the index of the command, in order.
    commands: Vec<(FirstTransaction, usize)>,
    /// Whether a command is limited, or goes on after its first transaction.
    has_commands_to_follow: bool,
    /// The entities of each kind, in the order of their names.
    machines_by_name: Vec<MachineId>,
    applications_by_name: Vec<ApplicationId>,
    units_by_name: Vec<UnitId>,
    relations_by_name: Vec<RelationId>,
}

impl Lookup {
    /// The indices over the tables of these constants.
    pub(super) fn of(world: &WorldBuilder) -> Self {
        let managers = world.machine_ids().filter(|id| world.machine(*id).manages_model).collect();
        let mut containers = vec![Vec::new(); world.machines.len()];
        for id in world.machine_ids() {
            if let Some(host) = world.machine(id).parent {
                containers[host.index()].push(id);
            }
        }
        let members: Vec<_> = world.relations.iter().map(|it| members(world, it)).collect();
        let mut pairs = vec![0];
        for units in &members {
            pairs.push(pairs[pairs.len() - 1] + units[0].len() + units[1].len());
        }
        let commands = world.commands.iter().enumerate();
        let mut commands: Vec<_> =
            commands.map(|(position, allowed)| (allowed.command.first(), position)).collect();
        commands.sort_unstable();
        let is_to_follow =
            |allowed: &Allowed| allowed.most.is_some() || allowed.command.rest().is_some();
        Self {
            managers,
            containers,
            pairs,
            members,
            commands,
            has_commands_to_follow: world.commands.iter().any(is_to_follow),
            machines_by_name: by_name(world.machine_ids(), |id| &world.machine(id).name),
            applications_by_name: by_name(world.application_ids(), |id| {
                &world.application(id).name
            }),
            units_by_name: by_name(world.unit_ids(), |id| &world.unit(id).name),
            relations_by_name: by_name(world.relation_ids(), |id| &world.relation(id).name),
        }
    }
}

impl World {
    pub fn machine_named(&self, name: &str) -> Option<MachineId> {
        named(&self.lookup.machines_by_name, name, |id| &self.machine(id).name)
    }

    pub fn application_named(&self, name: &str) -> Option<ApplicationId> {
        named(&self.lookup.applications_by_name, name, |id| &self.application(id).name)
    }

    pub fn unit_named(&self, name: &str) -> Option<UnitId> {
        named(&self.lookup.units_by_name, name, |id| &self.unit(id).name)
    }

    /// The relation of this name, whatever the order of its ends.
    pub fn relation_named(&self, name: &str) -> Option<RelationId> {
        let find =
            |name: &str| named(&self.lookup.relations_by_name, name, |id| &self.relation(id).name);
        find(name).or_else(|| find(&RelationDef::other_name(name)?))
    }

    /// Every machine that may exist and has the manage-model job.
    pub fn managers(&self) -> impl Iterator<Item = MachineId> + '_ {
        self.lookup.managers.iter().copied()
    }

    /// The containers that the machine may have.
    pub fn containers_of(&self, host: MachineId) -> impl Iterator<Item = MachineId> + '_ {
        self.lookup.containers[host.index()].iter().copied()
    }

    /// The number of pairs of a relation and a unit of its ends.
    pub fn pairs(&self) -> usize {
        self.lookup.pairs[self.relations.len()]
    }

    /// The units of a relation's ends, in ascending order; none twice.
    pub(crate) fn members(&self, relation: RelationId) -> [Range<usize>; 2] {
        self.lookup.members[relation.index()].clone()
    }

    /// The members of `units`, bits from the unit `first` on, that the relation concerns.
    pub fn concerned(&self, relation: RelationId, first: UnitId, units: u64) -> u64 {
        let before = |end: usize| match end.saturating_sub(first.index()) {
            count @ 0..64 => !(u64::MAX << count),
            _ => u64::MAX,
        };
        let ends = self.lookup.members[relation.index()].iter();
        units & ends.fold(0, |all, end| all | before(end.end) & !before(end.start))
    }

    /// The index of a relation and a unit of its ends among all such pairs in order. `None` if the
    /// relation does not concern the unit.
    pub fn pair_index(&self, relation: RelationId, unit: UnitId) -> Option<usize> {
        let (mut index, unit) = (self.lookup.pairs[relation.index()], unit.index());
        for units in &self.lookup.members[relation.index()] {
            if units.contains(&unit) {
                return Some(index + unit - units.start);
            }
            index += units.len();
        }
        None
    }

    /// The relation and the unit of this pair.
    ///
    /// # Panics
    /// If there are not as many pairs.
    pub fn pair(&self, index: usize) -> (RelationId, UnitId) {
        let relation = self.lookup.pairs.partition_point(|first| *first <= index) - 1;
        let mut left = index - self.lookup.pairs[relation];
        let relation = RelationId::new(relation);
        for units in &self.lookup.members[relation.index()] {
            if left < units.len() {
                return (relation, UnitId::new(units.start + left));
            }
            left -= units.len();
        }
        panic!("there are fewer pairs");
    }

    /// Whether it matters which command a transaction begins: some command is limited, or continues
    /// after its first transaction.
    pub fn has_commands_to_follow(&self) -> bool {
        self.lookup.has_commands_to_follow
    }

    /// The indices of the commands that `operation` may begin, in ascending order.
    pub fn begun_by(&self, operation: Operation) -> impl Iterator<Item = usize> + '_ {
        let (commands, begun) = (&self.lookup.commands, FirstTransaction::of(operation, self));
        let least = commands.partition_point(|(first, _)| *first < begun);
        let same = commands[least..].iter().take_while(move |(first, _)| *first == begun);
        same.map(|(_, position)| *position)
    }
}

/// The units of a relation's ends, in ascending order; none twice.
fn members(world: &WorldBuilder, relation: &RelationDef) -> [Range<usize>; 2] {
    let [one, other] = relation.ends;
    let units = |end: ApplicationId| world.application(end).units.clone();
    match one.cmp(&other) {
        Ordering::Less => [units(one), units(other)],
        Ordering::Equal => [units(one), 0..0],
        Ordering::Greater => [units(other), units(one)],
    }
}

fn by_name<'a, T: Id>(ids: impl Iterator<Item = T>, name: impl Fn(T) -> &'a String) -> Vec<T> {
    let mut ids: Vec<T> = ids.collect();
    ids.sort_by_key(|id| name(*id));
    ids
}

fn named<'a, T: Id>(ids: &[T], wanted: &str, name: impl Fn(T) -> &'a String) -> Option<T> {
    let position = ids.binary_search_by_key(&wanted, |id| name(*id).as_str()).ok()?;
    Some(ids[position])
}
