//! Renamings: permutations of units and of machines.
//!
//! A renaming gives units and machines other identifiers of their world, or of another world. All
//! values that mention them are renamed with them; applications, relations, users and clients keep
//! their identifiers.

use super::{
    ApplicationId, ClientId, EntityId, Id, IdSet, MachineId, Placement, RelationId, UnitId, UserId,
};

/// A renaming: a permutation of the units of a world, one of its machines, and the image of each
/// command; or a map of them into another world.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Renaming {
    units: Vec<UnitId>,
    machines: Vec<MachineId>,
    /// For each command the index of its image.
    commands: Vec<usize>,
}

/// A value that mentions units and machines.
pub trait Rename {
    /// The image of the value.
    #[must_use]
    fn renamed(&self, by: &Renaming) -> Self;
}

impl Renaming {
    /// The identity, for this number of units, of machines and of commands.
    pub fn identity(units: usize, machines: usize, commands: usize) -> Self {
        Self {
            units: (0..units).map(UnitId::new).collect(),
            machines: (0..machines).map(MachineId::new).collect(),
            commands: (0..commands).collect(),
        }
    }

    /// A renaming into another world, by the image of each unit, each machine and each command.
    pub fn into_other(units: Vec<UnitId>, machines: Vec<MachineId>, commands: Vec<usize>) -> Self {
        Self { units, machines, commands }
    }

    /// The same renaming with other images of the commands.
    #[must_use]
    pub fn with_commands(self, commands: Vec<usize>) -> Self {
        Self { commands, ..self }
    }

    /// Exchanges the images of two units.
    pub fn swap_units(&mut self, one: UnitId, other: UnitId) {
        self.units.swap(one.index(), other.index());
    }

    /// Exchanges the images of two machines.
    pub fn swap_machines(&mut self, one: MachineId, other: MachineId) {
        self.machines.swap(one.index(), other.index());
    }

    /// Sets the image of each command.
    pub(crate) fn set_commands(&mut self, commands: Vec<usize>) {
        self.commands = commands;
    }

    /// The composition: this renaming, and then `next`.
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

    /// The index of a command's image.
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

/// Implements `Rename` for types that mention no unit and no machine.
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
