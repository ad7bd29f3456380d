//! Renamings: entities that take each other's place.
//!
//! A renaming gives units and machines other identifiers of their world. What mentions them is
//! renamed with them; applications, relations, users and clients keep theirs. A renaming into
//! another world gives them identifiers of that.

use super::{
    ApplicationId, ClientId, EntityId, Id, IdSet, MachineId, Placement, RelationId, UnitId, UserId,
};

/// A renaming: a permutation of the units of a world, one of its machines, and what they make of
/// its commands; or what becomes of them in another world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Renaming {
    units: Vec<UnitId>,
    machines: Vec<MachineId>,
    /// For each command the index of what it becomes.
    commands: Vec<usize>,
}

/// Something that mentions units and machines.
pub trait Rename {
    /// The same of the units and machines that take the place of those.
    #[must_use]
    fn renamed(&self, by: &Renaming) -> Self;
}

impl Renaming {
    /// The renaming that changes nothing, among this number of units, of machines and of commands.
    pub fn identity(units: usize, machines: usize, commands: usize) -> Self {
        Self {
            units: (0..units).map(UnitId::new).collect(),
            machines: (0..machines).map(MachineId::new).collect(),
            commands: (0..commands).collect(),
        }
    }

    /// Into another world: what becomes of each unit, each machine and each command.
    pub fn into_other(units: Vec<UnitId>, machines: Vec<MachineId>, commands: Vec<usize>) -> Self {
        Self { units, machines, commands }
    }

    /// The same, which makes these of the commands.
    #[must_use]
    pub fn with_commands(self, commands: Vec<usize>) -> Self {
        Self { commands, ..self }
    }

    /// Lets two units take each other's place, too.
    pub fn swap_units(&mut self, one: UnitId, other: UnitId) {
        self.units.swap(one.index(), other.index());
    }

    /// Lets two machines take each other's place, too.
    pub fn swap_machines(&mut self, one: MachineId, other: MachineId) {
        self.machines.swap(one.index(), other.index());
    }

    /// Says what becomes of each command.
    pub(crate) fn set_commands(&mut self, commands: Vec<usize>) {
        self.commands = commands;
    }

    /// This renaming, and then another one.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        Self {
            units: self.units.iter().map(|id| id.renamed(next)).collect(),
            machines: self.machines.iter().map(|id| id.renamed(next)).collect(),
            commands: self.commands.iter().map(|index| next.commands[*index]).collect(),
        }
    }

    pub fn is_identity(&self) -> bool {
        self.units.iter().enumerate().all(|(index, id)| id.index() == index)
            && self.machines.iter().enumerate().all(|(index, id)| id.index() == index)
    }

    /// The index of a command after renaming.
    pub fn command(&self, index: usize) -> usize {
        self.commands[index]
    }
}

impl Rename for UnitId {
    fn renamed(&self, by: &Renaming) -> Self {
        by.units[self.index()]
    }
}

impl Rename for MachineId {
    fn renamed(&self, by: &Renaming) -> Self {
        by.machines[self.index()]
    }
}

/// Types that mention no unit and no machine.
macro_rules! unchanged {
    ($($type:ty),+) => {$(
        impl $crate::ids::Rename for $type {
            fn renamed(&self, _: &$crate::ids::Renaming) -> Self {
                *self
            }
        }
    )+};
}

pub(crate) use unchanged;

unchanged! { ApplicationId, RelationId, UserId, ClientId, (), std::convert::Infallible }

impl Rename for (RelationId, UnitId) {
    fn renamed(&self, by: &Renaming) -> Self {
        (self.0, self.1.renamed(by))
    }
}

impl Rename for EntityId {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Machine(id) => Self::Machine(id.renamed(by)),
            Self::Unit(id) => Self::Unit(id.renamed(by)),
            Self::Application(_) | Self::Relation(_) => *self,
        }
    }
}

impl Rename for Placement {
    fn renamed(&self, by: &Renaming) -> Self {
        match self {
            Self::Nowhere => Self::Nowhere,
            Self::Machine(id) => Self::Machine(id.renamed(by)),
            Self::Principal(id) => Self::Principal(id.renamed(by)),
        }
    }
}

impl<T: Rename> Rename for Option<T> {
    fn renamed(&self, by: &Renaming) -> Self {
        self.as_ref().map(|it| it.renamed(by))
    }
}

impl<T: Id + Rename> Rename for IdSet<T> {
    fn renamed(&self, by: &Renaming) -> Self {
        self.iter().map(|id| id.renamed(by)).collect()
    }
}
