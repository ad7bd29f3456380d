//! Places: the units and machines of each process, and those of no process.

use deathwatch_model::{
    ids::{EntityId, Id as _, MachineId, Rename as _, Renaming, UnitId},
    rows::Row,
    world::{Command, CommandArgument, World},
};

use super::NoTemplate;

/// Some units and machines: those of a process, or of none.
///
/// The entities at the same index in two processes of a type correspond to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EntityGroup {
    /// Its units: the principal, then its subordinates, with identifiers for those that it may get.
    pub(super) units: Vec<UnitId>,
    /// The machine of its principal.
    pub(super) machines: Vec<MachineId>,
}

/// The processes of each type, and the entities of none.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) processes: Vec<Vec<EntityGroup>>,
    /// The entities that are there once in every instance.
    pub(super) fixed: EntityGroup,
    /// Identifiers that are free at the start, of which an instance may have any number: they
    /// belong to no process, and instances are made without them.
    pub(super) free: EntityGroup,
    owners_of_units: Vec<ProcessIndex>,
    owners_of_machines: Vec<ProcessIndex>,
}

/// A process: its type, and its index there; `None` for entities of none.
pub(super) type ProcessIndex = Option<(usize, usize)>;

impl Places {
    /// These processes of each type in a world, and its other entities.
    pub(super) fn of(world: &World, processes: Vec<Vec<EntityGroup>>) -> Self {
        let mut units = vec![None; world.units.len()];
        let mut machines = vec![None; world.machines.len()];
        for (of, slots) in processes.iter().enumerate() {
            for (slot, process) in slots.iter().enumerate() {
                process.units.iter().for_each(|id| units[id.index()] = Some((of, slot)));
                process.machines.iter().for_each(|id| machines[id.index()] = Some((of, slot)));
            }
        }
        let fixed = EntityGroup {
            units: world.unit_ids().filter(|id| units[id.index()].is_none()).collect(),
            machines: world.machine_ids().filter(|id| machines[id.index()].is_none()).collect(),
        };
        let free = EntityGroup::default();
        Self { processes, fixed, free, owners_of_units: units, owners_of_machines: machines }
    }

    /// The same with these identifiers free.
    pub(super) fn without(mut self, free: EntityGroup) -> Self {
        self.fixed.units.retain(|id| !free.units.contains(id));
        self.fixed.machines.retain(|id| !free.machines.contains(id));
        self.free = free;
        self
    }

    /// Whether an entity's identifier is free at the start, and belongs to no process.
    pub(super) fn is_free(&self, entity: EntityId) -> bool {
        match entity {
            EntityId::Unit(id) => self.free.units.contains(&id),
            EntityId::Machine(id) => self.free.machines.contains(&id),
            EntityId::Application(_) | EntityId::Relation(_) => false,
        }
    }

    /// Whether a command names a free identifier.
    pub(super) fn names_free(&self, command: Command) -> bool {
        let named = command.arguments().into_iter().flatten().filter_map(CommandArgument::entity);
        named.into_iter().any(|it| self.is_free(it))
    }

    /// The number of processes of each type.
    pub(super) fn sizes(&self) -> Vec<usize> {
        self.processes.iter().map(Vec::len).collect()
    }

    /// The process of an entity.
    pub(super) fn owner_of(&self, entity: EntityId) -> ProcessIndex {
        match entity {
            EntityId::Unit(id) => self.owners_of_units[id.index()],
            EntityId::Machine(id) => self.owners_of_machines[id.index()],
            EntityId::Application(_) | EntityId::Relation(_) => None,
        }
    }

    /// The process that acts for a row.
    pub(super) fn owner(&self, row: Row) -> ProcessIndex {
        self.owner_of(row.actor()?)
    }

    /// The process that a command is about.
    ///
    /// # Errors
    /// If it is about two.
    pub(super) fn about(&self, command: Command) -> Result<ProcessIndex, NoTemplate> {
        let entities =
            command.arguments().into_iter().flatten().filter_map(CommandArgument::entity);
        let mut about = entities.filter_map(|entity| self.owner_of(entity));
        let first = about.next();
        if about.any(|other| Some(other) != first) {
            let reason = "a command is about two units, or a unit and the machine of another";
            return Err(NoTemplate::new(reason.to_owned()));
        }
        Ok(first)
    }

    /// The units and machines of a process, or of none.
    pub(super) fn of_owner(&self, owner: ProcessIndex) -> &EntityGroup {
        owner.map_or(&self.fixed, |(of, slot)| &self.processes[of][slot])
    }

    /// The renaming into another world that maps the process of a type and index to the one with
    /// the index that `slot` returns. It must not be applied to a process without such a
    /// counterpart, nor to a command.
    pub(super) fn renaming_to(
        &self,
        there: &Self,
        slot: impl Fn(usize, usize) -> usize,
    ) -> Renaming {
        let mut units = vec![UnitId::new(0); self.owners_of_units.len()];
        let mut machines = vec![MachineId::new(0); self.owners_of_machines.len()];
        let mut put = |from: &EntityGroup, to: &EntityGroup| {
            let pairs = from.units.iter().zip(&to.units);
            pairs.for_each(|(from, to)| units[from.index()] = *to);
            let pairs = from.machines.iter().zip(&to.machines);
            pairs.for_each(|(from, to)| machines[from.index()] = *to);
        };
        put(&self.fixed, &there.fixed);
        for (of, slots) in self.processes.iter().enumerate() {
            for (at, process) in slots.iter().enumerate() {
                if let Some(to) = there.processes[of].get(slot(of, at)) {
                    put(process, to);
                }
            }
        }
        Renaming::into_other(units, machines, Vec::new())
    }

    /// The renaming that exchanges two processes of a type; `None` if it maps a command to one that
    /// may not be given, or not as often.
    pub(super) fn exchange(
        &self,
        world: &World,
        of: usize,
        one: usize,
        other: usize,
    ) -> Option<Renaming> {
        exchange(world, &self.processes[of][one], &self.processes[of][other])
    }
}

/// The renaming that exchanges two processes; `None` if it maps a command to one that may not be
/// given, or not as often.
pub(super) fn exchange(world: &World, one: &EntityGroup, other: &EntityGroup) -> Option<Renaming> {
    let units = one.units.iter().zip(&other.units);
    let units = units.map(|(one, other)| (EntityId::Unit(*one), EntityId::Unit(*other)));
    let machines = one.machines.iter().zip(&other.machines);
    let machines =
        machines.map(|(one, other)| (EntityId::Machine(*one), EntityId::Machine(*other)));
    world.renaming(&units.chain(machines).collect::<Vec<_>>())
}

/// A renaming that also maps each command to the same command of another world, if there is one.
pub(super) fn with_commands(by: Renaming, here: &World, there: &World) -> Renaming {
    let commands = here.commands.iter().map(|it| {
        let becomes = it.command.renamed(&by);
        there.commands.iter().position(|it| it.command == becomes).unwrap_or(usize::MAX)
    });
    let commands = commands.collect();
    by.with_commands(commands)
}
