//! Compiled lists.

use deathwatch_model::rows::RowKind;

use super::{Reader, RowUser, TimedRow, reader, test, with_row};
use crate::{
    eval::Env,
    fields::{ItemSink, TypedField},
    tree::{CheckedList, FieldRef, Node},
    types::{Time, Value},
};

/// A compiled list. It is never built: its items are produced one by one.
pub(super) enum CompiledList {
    /// All rows of a kind that the world has room for.
    Rows(RowKind, Time),
    Field(Reader<TimedRow>, &'static TypedField),
    Constants(Vec<Value>),
    /// Values that have to be evaluated.
    Items(Vec<Reader<Value>>),
    /// The items that fulfil a condition on the variable in a slot.
    Filter(Box<CompiledList>, usize, Reader<bool>),
    /// The value that an expression makes of each item.
    Map(Box<CompiledList>, usize, Reader<Value>),
}

impl CompiledList {
    pub(super) fn new(list: &CheckedList) -> Self {
        match list {
            CheckedList::Rows(kind, time) => Self::Rows(*kind, *time),
            CheckedList::Field(of, FieldRef(field)) => Self::Field(with_row(of, SameRow), field),
            CheckedList::Items(items) => {
                let constants = items.iter().map(|item| match item {
                    Node::Value(value) => Some(*value),
                    _ => None,
                });
                match constants.collect() {
                    Some(constants) => Self::Constants(constants),
                    None => Self::Items(items.iter().map(reader).collect()),
                }
            }
            CheckedList::Filter(list, slot, condition) => {
                Self::Filter(Box::new(Self::new(list)), *slot, test(condition))
            }
            CheckedList::Map(list, slot, made) => {
                Self::Map(Box::new(Self::new(list)), *slot, reader(made))
            }
        }
    }

    /// The number of items, or `enough` if there are at least as many.
    pub(super) fn size(&self, env: &Env<'_>, enough: i64) -> i64 {
        if let Self::Field(row, field) = self {
            let (Some(row), time) = row(env) else { return 0 };
            if let Some(size) = field.size_in(env.state(time), env.recount(time), row) {
                return i64::try_from(size).unwrap_or(i64::MAX);
            }
        }
        self.count(env, |_| true, enough)
    }

    /// The number of items that fulfil a condition, or `enough` if there are at least as many.
    pub(super) fn count(&self, env: &Env<'_>, is_so: impl Fn(Value) -> bool, enough: i64) -> i64 {
        let mut count = 0;
        self.any(env, &mut |item| {
            count += i64::from(is_so(item));
            count == enough
        });
        count
    }

    /// Whether `wanted` is one of the items.
    pub(super) fn has(&self, env: &Env<'_>, wanted: Value) -> bool {
        match self {
            Self::Field(row, field) => match row(env) {
                (Some(row), time) => field.has_item(env.world, env.state(time), row, wanted),
                (None, _) => false,
            },
            Self::Constants(values) => values.contains(&wanted),
            Self::Items(items) => items.iter().any(|item| item(env) == wanted),
            Self::Rows(..) | Self::Filter(..) | Self::Map(..) => {
                self.any(env, &mut |item| item == wanted)
            }
        }
    }

    /// Calls `stops` with each item until it returns true. Returns whether it has.
    pub(super) fn any(&self, env: &Env<'_>, stops: &mut ItemSink<'_>) -> bool {
        match self {
            Self::Rows(kind, time) => {
                kind.rows(env.world).any(|row| stops(Value::Row(Some(row), *time)))
            }
            Self::Field(row, field) => {
                let (Some(row), time) = row(env) else { return false };
                field.items_in(env.world, env.state(time), row, stops)
            }
            Self::Constants(values) => values.iter().any(|value| stops(*value)),
            Self::Items(items) => items.iter().any(|item| stops(item(env))),
            Self::Filter(list, slot, condition) => list
                .any(env, &mut |item| env.with(*slot, item, |env| condition(env)) && stops(item)),
            Self::Map(list, slot, made) => {
                list.any(env, &mut |item| stops(env.with(*slot, item, |env| made(env))))
            }
        }
    }
}

pub(super) struct SameRow;

impl RowUser for SameRow {
    type Out = TimedRow;

    fn with<F>(self, row: F) -> Reader<TimedRow>
    where
        F: Fn(&Env<'_>) -> TimedRow + Send + Sync + 'static,
    {
        Box::new(row)
    }
}
