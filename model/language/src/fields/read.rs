//! Reading a field of a row.

use deathwatch_model::{
    ids::{Constraints, EntityId, IdSet, Placement, UnitId},
    rows::{FieldKind, Row, ShownValue},
    state::State,
    world::World,
};

use super::{Access, Derivation, ItemSink, LargeList, TypedField};
use crate::{
    recount::Recount,
    types::{BegunWork, GONE, LIVES, Time, Type, Value},
};

impl TypedField {
    /// The number of the declared field; `None` for a derived one.
    pub(crate) fn number(&self) -> Option<usize> {
        match self.access {
            Access::Declared(number) => Some(number),
            Access::Derived(_) | Access::Step(_) | Access::List(..) | Access::Set(_) => None,
        }
    }

    /// Whether a row keeps it as a set of units.
    pub(crate) fn is_set_of_units(&self) -> bool {
        self.declared.is_some_and(|it| it.kind == FieldKind::Units)
    }

    /// Applies a function to the set of units in a row.
    pub(crate) fn units_in<T>(
        &self,
        state: &State,
        row: Row,
        make: impl FnOnce(&IdSet<UnitId>) -> T,
    ) -> T {
        let number = self.number().expect("a row keeps it");
        state.field(row, number, |shown| match shown {
            Some(ShownValue::Units(units)) => make(units),
            Some(_) => unreachable!("it is a set of units"),
            None => make(&IdSet::default()),
        })
    }

    /// The function that derives its value from a state, if it is derived so.
    pub(crate) fn follows(&self) -> Option<Derivation> {
        match self.access {
            Access::Derived(value) => Some(value),
            Access::Declared(_) | Access::Step(_) | Access::List(..) | Access::Set(_) => None,
        }
    }

    /// Its value in a row before a step or after it. The reader has checked that the row has one.
    pub(crate) fn value_in(
        &self,
        world: &World,
        states: [&State; 2],
        time: Time,
        row: Row,
    ) -> Value {
        let state = states[time as usize];
        match self.access {
            Access::Derived(value) => value(world, state, row),
            Access::Step(value) => value(world, states, row),
            Access::Declared(number) => {
                state.field(row, number, |shown| shown.map_or(default_of(self.value), value_of))
            }
            Access::List(..) | Access::Set(_) => unreachable!("a list is no value"),
        }
    }

    /// The number of its items in a row; `None` if they have to be counted.
    pub(crate) fn size_in(
        &self,
        state: &State,
        recount: Option<&Recount>,
        row: Row,
    ) -> Option<usize> {
        match self.access {
            Access::Set(LargeList { size, .. }) => size(state, recount, row),
            Access::Declared(number) => Some(state.field(row, number, |shown| match shown {
                Some(ShownValue::Units(units)) => units.len(),
                Some(ShownValue::Machines(machines)) => machines.len(),
                Some(_) => unreachable!("only sets of entities are lists"),
                None => 0,
            })),
            Access::List(..) => None,
            Access::Derived(_) | Access::Step(_) => unreachable!("a value is no list"),
        }
    }

    /// Calls `each` with its items in a row until it returns true. Returns whether it has.
    pub(crate) fn items_in(
        &self,
        world: &World,
        state: &State,
        row: Row,
        each: &mut ItemSink<'_>,
    ) -> bool {
        let number = match self.access {
            Access::List(list, _) => return list(world, state, row, each),
            Access::Set(LargeList { each: list, .. }) => return list(world, state, row, each),
            Access::Declared(number) => number,
            Access::Derived(_) | Access::Step(_) => unreachable!("a value is no list"),
        };
        state.field(row, number, |shown| match shown {
            Some(ShownValue::Units(units)) => {
                units.iter().any(|id| each(Value::Name(Some(EntityId::Unit(id)))))
            }
            Some(ShownValue::Machines(machines)) => {
                machines.iter().any(|id| each(Value::Name(Some(EntityId::Machine(id)))))
            }
            Some(_) => unreachable!("only sets of entities are lists"),
            None => false,
        })
    }

    /// Whether `wanted` is among its items in a row.
    pub(crate) fn has_item(&self, world: &World, state: &State, row: Row, wanted: Value) -> bool {
        let number = match self.access {
            Access::Declared(number) => number,
            Access::Set(LargeList { has, .. }) => return has(world, state, row, wanted),
            Access::List(..) | Access::Derived(_) | Access::Step(_) => {
                return self.items_in(world, state, row, &mut |item| item == wanted);
            }
        };
        state.field(row, number, |shown| match (shown, wanted) {
            (Some(ShownValue::Units(units)), Value::Name(Some(EntityId::Unit(id)))) => {
                units.contains(id)
            }
            (Some(ShownValue::Machines(all)), Value::Name(Some(EntityId::Machine(id)))) => {
                all.contains(id)
            }
            _ => false,
        })
    }
}

#[inline]
pub(crate) fn value_of(shown: ShownValue<'_>) -> Value {
    match shown {
        ShownValue::Flag(flag) => Value::Flag(flag),
        ShownValue::Count(count) => Value::Number(i64::try_from(count).unwrap_or(i64::MAX)),
        ShownValue::Life(life) => Value::life(Some(life)),
        ShownValue::State(number, _) => Value::Word(u8::try_from(number).expect("states are few")),
        ShownValue::Placement(placement) => Value::Name(entity_of(placement)),
        ShownValue::Name(entity) => Value::Name(entity),
        ShownValue::Txn(txn) => Value::Begun(txn.map(|txn| BegunWork::Txn(txn.operation))),
        ShownValue::Hook(hook) => Value::Begun(Some(BegunWork::Hook(hook))),
        ShownValue::Aborts(aborts, _) => Value::Number(aborts.into()),
        ShownValue::Constraints(set) => Value::Constraints(set),
        ShownValue::Units(_) | ShownValue::Machines(_) | ShownValue::Commands(_) => {
            unreachable!("a list is no value")
        }
    }
}

pub(super) fn entity_of(placement: Placement) -> Option<EntityId> {
    match placement {
        Placement::Nowhere => None,
        Placement::Machine(id) => Some(EntityId::Machine(id)),
        Placement::Principal(id) => Some(EntityId::Unit(id)),
    }
}

/// The value of a field in a row that does not exist.
pub(crate) fn default_of(of: Type) -> Value {
    match of {
        Type::Flag => Value::Flag(false),
        Type::Number(..) => Value::Number(0),
        Type::Word(words) if words == LIVES => Value::Word(GONE),
        Type::Word(_) => Value::Word(0),
        Type::Name(_) => Value::Name(None),
        Type::Begun => Value::Begun(None),
        Type::Constraints => Value::Constraints(Constraints::NONE),
        Type::Series => Value::Series(None),
        Type::Row(..) => unreachable!("no field is a row"),
    }
}
