//! Values of fields: compared with the shown ones, set, and written.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    action::Hook,
    ids::{Constraints, IdSet, MachineId, Placement, UnitId},
    operation::Operation,
    rows::ShownValue,
    world::{Allowed, World},
};

use crate::describe;

pub(super) const NONE: &str = "none";

/// A value that is expected of a field, or given to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    Flag(bool),
    Count(u64),
    /// A state of a field that has a few, by its number and name.
    State(usize, &'static str),
    Placement(Placement),
    /// An entity, or none.
    Name(Option<EntityId>),
    /// The exact set of units.
    Units(IdSet<UnitId>),
    /// The exact set of machines.
    Machines(IdSet<MachineId>),
    Constraints(Constraints),
    /// The number of times that each command of the world has been given.
    Commands(Vec<u8>),
    Txn(Operation),
    Hook(Hook),
    /// Neither a transaction nor a hook.
    NothingPending,
}

impl FieldValue {
    /// Whether the value is the shown one. A document that does not exist shows none, and "none"
    /// stands for that.
    pub fn is_shown(&self, shown: Option<ShownValue<'_>>) -> bool {
        match (self, shown) {
            (_, None) => *self == Self::Name(None),
            (Self::Count(expected), Some(ShownValue::Aborts(actual, _))) => {
                *expected == u64::from(actual)
            }
            (Self::Txn(expected), Some(ShownValue::Txn(actual))) => {
                actual.is_some_and(|txn| *expected == txn.operation)
            }
            (_, Some(actual)) => self.shown() == Some(actual),
        }
    }

    /// The value as it is shown. `None` for a transaction, which is more than its operation.
    pub fn shown(&self) -> Option<ShownValue<'_>> {
        Some(match self {
            Self::Flag(flag) => ShownValue::Flag(*flag),
            Self::Count(count) => ShownValue::Count(*count),
            Self::State(number, name) => ShownValue::State(*number, name),
            Self::Placement(placement) => ShownValue::Placement(*placement),
            Self::Name(entity) => ShownValue::Name(*entity),
            Self::Units(units) => ShownValue::Units(units),
            Self::Machines(machines) => ShownValue::Machines(machines),
            Self::Constraints(set) => ShownValue::Constraints(*set),
            Self::Commands(counts) => ShownValue::Commands(counts),
            Self::Hook(hook) => ShownValue::Hook(*hook),
            Self::NothingPending => ShownValue::Txn(None),
            Self::Txn(_) => return None,
        })
    }

    pub fn show(&self, world: &World) -> String {
        match self {
            Self::Txn(operation) => world.show_operation(*operation),
            _ => self.shown().map_or_else(|| NONE.to_owned(), |shown| show(world, shown)),
        }
    }
}

/// A shown value, as text that could be expected.
pub fn show(world: &World, shown: ShownValue<'_>) -> String {
    match shown {
        ShownValue::Flag(flag) => flag.to_string(),
        shown => match describe::shown(world, shown) {
            text if text.is_empty() => NONE.to_owned(),
            text => text,
        },
    }
}

/// A shown value as a file states it, if it can. A life is stated in lists.
pub fn written(world: &World, shown: ShownValue<'_>) -> Option<toml::Value> {
    Some(match shown {
        ShownValue::Life(_) => return None,
        ShownValue::Flag(flag) => flag.into(),
        ShownValue::Count(count) => i64::try_from(count).unwrap_or(i64::MAX).into(),
        ShownValue::Aborts(aborts, _) => i64::from(aborts).into(),
        ShownValue::Units(units) => {
            units.iter().map(|id| world.unit(id).name.as_str()).collect::<Vec<_>>().into()
        }
        ShownValue::Machines(machines) => {
            machines.iter().map(|id| world.machine(id).name.as_str()).collect::<Vec<_>>().into()
        }
        ShownValue::Commands(counts) => {
            let given = world.commands.iter().zip(counts).filter(|(_, count)| **count > 0);
            let entry = |(it, count): (&Allowed, &u8)| {
                (world.show_command(it.command), i64::from(*count).into())
            };
            toml::Value::Table(given.map(entry).collect())
        }
        ShownValue::State(..)
        | ShownValue::Placement(_)
        | ShownValue::Name(_)
        | ShownValue::Constraints(_)
        | ShownValue::Txn(_)
        | ShownValue::Hook(_) => show(world, shown).into(),
    })
}
