//! Switches: whether a fault may happen, or where.

use crate::ids::MachineId;

/// The value of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch<'a> {
    Whole(bool),
    /// The machines for which it is on, in ascending order.
    For(&'a [MachineId]),
}

/// The value of a switch, to be changed.
#[derive(Debug)]
pub enum SwitchMut<'a> {
    Whole(&'a mut bool),
    /// The machines for which it is on, in ascending order.
    For(&'a mut Vec<MachineId>),
}

pub(super) trait IsSwitch {
    fn value(&self) -> Switch<'_>;
    fn value_mut(&mut self) -> SwitchMut<'_>;
}

impl IsSwitch for bool {
    fn value(&self) -> Switch<'_> {
        Switch::Whole(*self)
    }

    fn value_mut(&mut self) -> SwitchMut<'_> {
        SwitchMut::Whole(self)
    }
}

impl IsSwitch for Vec<MachineId> {
    fn value(&self) -> Switch<'_> {
        Switch::For(self)
    }

    fn value_mut(&mut self) -> SwitchMut<'_> {
        SwitchMut::For(self)
    }
}

impl<'a> Switch<'a> {
    pub fn is_on(self) -> bool {
        match self {
            Self::Whole(is_on) => is_on,
            Self::For(machines) => !machines.is_empty(),
        }
    }

    pub fn machines(self) -> &'a [MachineId] {
        match self {
            Self::Whole(_) => &[],
            Self::For(machines) => machines,
        }
    }

    /// Whether it allows what `other` allows, a value of the same switch.
    pub fn covers(self, other: Self) -> bool {
        (self.is_on() || !other.is_on())
            && other.machines().iter().all(|id| self.machines().contains(id))
    }
}

impl SwitchMut<'_> {
    /// Switches it on, as far as possible in a world with `machines`.
    pub fn turn_on(self, machines: impl Iterator<Item = MachineId>) {
        match self {
            Self::Whole(is_on) => *is_on = true,
            Self::For(these) => *these = machines.collect(),
        }
    }
}
