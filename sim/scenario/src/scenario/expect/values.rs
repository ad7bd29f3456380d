//! Values of fields: compared with the shown ones, set, and written as text.

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
    Pending(Option<ExpectedWork>),
}

/// A pending transaction or hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedWork {
    Txn(Operation),
    Hook(Hook),
}

impl FieldValue {
    /// The value that is shown, if it is one that a file can state. A life is stated in lists.
    pub fn of(shown: ShownValue<'_>) -> Option<Self> {
        Some(match shown {
            ShownValue::Flag(flag) => Self::Flag(flag),
            ShownValue::Count(count) => Self::Count(count),
            ShownValue::Aborts(aborts, _) => Self::Count(aborts.into()),
            ShownValue::State(number, name) => Self::State(number, name),
            ShownValue::Placement(placement) => Self::Placement(placement),
            ShownValue::Name(entity) => Self::Name(entity),
            ShownValue::Units(units) => Self::Units(units.clone()),
            ShownValue::Machines(machines) => Self::Machines(machines.clone()),
            ShownValue::Constraints(set) => Self::Constraints(set),
            ShownValue::Commands(counts) => Self::Commands(counts.to_vec()),
            ShownValue::Txn(txn) => Self::Pending(txn.map(|txn| ExpectedWork::Txn(txn.operation))),
            ShownValue::Hook(hook) => Self::Pending(Some(ExpectedWork::Hook(hook))),
            ShownValue::Life(_) => return None,
        })
    }

    /// The value as a file states it.
    pub fn written(&self, world: &World) -> toml::Value {
        match self {
            Self::Flag(flag) => (*flag).into(),
            Self::Count(count) => i64::try_from(*count).unwrap_or(i64::MAX).into(),
            Self::Units(units) => {
                units.iter().map(|id| world.unit(id).name.as_str()).collect::<Vec<_>>().into()
            }
            Self::Machines(machines) => {
                machines.iter().map(|id| world.machine(id).name.as_str()).collect::<Vec<_>>().into()
            }
            Self::Commands(counts) => {
                let given = world.commands.iter().zip(counts).filter(|(_, count)| **count > 0);
                let entry = |it: &Allowed, count: &u8| {
                    (world.show_command(it.command), i64::from(*count).into())
                };
                toml::Value::Table(given.map(|(it, count)| entry(it, count)).collect())
            }
            Self::State(..)
            | Self::Placement(_)
            | Self::Name(_)
            | Self::Constraints(_)
            | Self::Pending(_) => self.show(world).into(),
        }
    }

    /// Whether the value is the shown one. A document that does not exist shows none, and "none"
    /// stands for that.
    pub fn is_shown(&self, shown: Option<ShownValue<'_>>) -> bool {
        match (self, shown) {
            (_, None) => *self == Self::Name(None),
            (Self::Count(expected), Some(ShownValue::Aborts(actual, _))) => {
                *expected == u64::from(actual)
            }
            (Self::Pending(Some(ExpectedWork::Txn(expected))), Some(ShownValue::Txn(actual))) => {
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
            Self::Pending(None) => ShownValue::Txn(None),
            Self::Pending(Some(ExpectedWork::Hook(hook))) => ShownValue::Hook(*hook),
            Self::Pending(Some(ExpectedWork::Txn(_))) => return None,
        })
    }

    pub fn show(&self, world: &World) -> String {
        match (self, self.shown()) {
            (Self::Pending(Some(ExpectedWork::Txn(operation))), _) => {
                world.show_operation(*operation)
            }
            (_, Some(shown)) => show(world, shown),
            (_, None) => NONE.to_owned(),
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
