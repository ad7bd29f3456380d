//! The evaluation of checked expressions. It is total: whatever could go wrong was refused before.

use deathwatch_model::{
    agents,
    ids::EntityId,
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use crate::{
    fields::{ItemSink, default_of},
    recount::Recount,
    syntax::Binary,
    tree::{CheckedList, Node, Of, Quantifier, SLOTS, SUBJECT, SUBJECT_AFTER},
    types::{GONE, Time, Value},
};

/// What an expression is evaluated in.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The constants.
    pub world: &'a World,
    /// The states before a transition and after it; of an expression about a state, twice that.
    pub states: [&'a State; 2],
    /// The recount of the state after, if somebody keeps it: who does not counts what is asked for.
    pub recount: Option<&'a Recount>,
}

/// The states that an expression is about, and its variables.
pub(crate) struct Env<'a> {
    pub(crate) world: &'a World,
    pub(crate) states: [&'a State; 2],
    recount: Option<&'a Recount>,
    slots: [Value; SLOTS],
}

impl<'a> Env<'a> {
    /// The environment of an expression about these states and this subject.
    pub(crate) fn new(view: View<'a>, subject: Option<Row>) -> Self {
        let View { world, states, recount } = view;
        let mut slots = [Value::Flag(false); SLOTS];
        slots[SUBJECT] = Value::Row(subject, Time::Before);
        slots[SUBJECT_AFTER] = Value::Row(subject, Time::After);
        Self { world, states, recount, slots }
    }

    #[inline]
    pub(crate) fn state(&self, time: Time) -> &'a State {
        self.states[time as usize]
    }

    /// The row that the variable in a slot is, and the state that the row is of.
    #[inline]
    pub(crate) fn row_in(&self, slot: usize) -> (Option<Row>, Time) {
        self.slots[slot].row()
    }

    /// The recount of a state, if somebody keeps it.
    fn recount(&self, time: Time) -> Option<&'a Recount> {
        match time {
            Time::Before => None,
            Time::After => self.recount,
        }
    }
}

impl Node {
    /// Whether it holds.
    pub(crate) fn holds(&self, env: &mut Env<'_>) -> bool {
        match self {
            Self::Lives(row, lives) => {
                let (row, time) = row.row(env);
                let life = row.and_then(|row| row.life(env.state(time)));
                lives >> life.map_or(GONE, |life| life as u8) & 1 == 1
            }
            Self::Not(inner) => !inner.holds(env),
            Self::And(terms) => terms.iter().all(|term| term.holds(env)),
            Self::Or(terms) => terms.iter().any(|term| term.holds(env)),
            Self::If(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.holds(env) { yes.holds(env) } else { no.holds(env) }
            }
            Self::Binary(binary @ (Binary::Same | Binary::Different), both)
                if !matches!(both[0], Self::Size(_)) =>
            {
                let left = both[0].value(env);
                let is_same = match &both[1] {
                    Self::Value(value) => left == *value,
                    right => left == right.value(env),
                };
                is_same == (*binary == Binary::Same)
            }
            Self::In(wanted, list) => {
                let wanted = wanted.value(env);
                list.has(env, wanted)
            }
            _ => self.value(env).is_true(),
        }
    }

    /// Its value.
    pub(crate) fn value(&self, env: &mut Env<'_>) -> Value {
        match self {
            Self::Value(value) => *value,
            Self::Variable(slot) => env.slots[*slot],
            Self::Quiescent(time) => Value::Flag(agents::is_quiescent(env.world, env.state(*time))),
            Self::Field(row, Of(field)) => match row.row(env) {
                (Some(row), time) => field.value_in(env.world, env.states, time, row),
                (None, _) => default_of(field.value),
            },
            Self::Find(kind, name, time) => Value::Row(
                name.value(env).name().and_then(|it| row_of(env.world, *kind, it)),
                *time,
            ),
            Self::Pair(kind, names, time) => {
                let [relation, unit] = names.each_ref().map(|it| it.value(env).name());
                Value::Row(pair(env.world, *kind, relation, unit), *time)
            }
            Self::Lives(..) | Self::Not(_) | Self::And(_) | Self::Or(_) | Self::In(..) => {
                Value::Flag(self.holds(env))
            }
            Self::If(parts) => {
                let [condition, yes, no] = &**parts;
                if condition.holds(env) { yes.value(env) } else { no.value(env) }
            }
            Self::Variant(number) => {
                let value = env.world.variants.value(*number);
                Value::Word(u8::try_from(value).expect("values are few"))
            }
            Self::Binary(binary, both) if let Some((list, most)) = compared_size(*binary, both) => {
                let size = list.size(env, most.saturating_add(1).max(1));
                calculate(*binary, Value::Number(size), Value::Number(most))
            }
            Self::Binary(binary, both) => {
                let [left, right] = both.each_ref().map(|it| it.value(env));
                calculate(*binary, left, right)
            }
            Self::Size(list) => Value::Number(list.size(env, i64::MAX)),
            Self::Counts(quantifier, list, slot, condition) => {
                let mut is_so = |env: &mut Env<'_>, item| {
                    env.slots[*slot] = item;
                    condition.holds(env)
                };
                Value::Flag(match quantifier {
                    Quantifier::All => !list.any(env, &mut |env, item| !is_so(env, item)),
                    Quantifier::Some => list.any(env, &mut is_so),
                    Quantifier::One => list.count(env, is_so, 2) == 1,
                })
            }
        }
    }

    /// The row that it is, and the state that the row is of.
    #[inline]
    pub(crate) fn row(&self, env: &mut Env<'_>) -> (Option<Row>, Time) {
        match self {
            Self::Variable(slot) => env.row_in(*slot),
            _ => self.value(env).row(),
        }
    }
}

/// The row of this kind that belongs to an entity, if the world has such rows.
#[inline]
pub(crate) fn row_of(world: &World, kind: RowKind, entity: EntityId) -> Option<Row> {
    kind.of_entity(entity).filter(|_| kind.count(world) > 0)
}

/// The row of this kind that belongs to a relation and a unit that it concerns.
pub(crate) fn pair(
    world: &World,
    kind: RowKind,
    relation: Option<EntityId>,
    unit: Option<EntityId>,
) -> Option<Row> {
    let (Some(EntityId::Relation(relation)), Some(EntityId::Unit(unit))) = (relation, unit) else {
        return None;
    };
    let row = world.pair_index(relation, unit).and(kind.of_pair(relation, unit));
    row.filter(|_| kind.count(world) > 0)
}

fn calculate(binary: Binary, left: Value, right: Value) -> Value {
    let numbers = || (left.number(), right.number());
    match binary {
        Binary::Same => Value::Flag(left == right),
        Binary::Different => Value::Flag(left != right),
        Binary::Less => Value::Flag(numbers().0 < numbers().1),
        Binary::AtMost => Value::Flag(numbers().0 <= numbers().1),
        Binary::Greater => Value::Flag(numbers().0 > numbers().1),
        Binary::AtLeast => Value::Flag(numbers().0 >= numbers().1),
        Binary::Plus => Value::Number(numbers().0 + numbers().1),
        Binary::Minus => Value::Number(numbers().0 - numbers().1),
        Binary::Times => Value::Number(numbers().0 * numbers().1),
        Binary::In => unreachable!("it has a node of its own"),
    }
}

/// The list whose size is compared with a constant, and that.
fn compared_size(binary: Binary, both: &[Node; 2]) -> Option<(&CheckedList, i64)> {
    match (binary, both) {
        (
            Binary::Same
            | Binary::Different
            | Binary::Less
            | Binary::AtMost
            | Binary::Greater
            | Binary::AtLeast,
            [Node::Size(list), Node::Value(Value::Number(most))],
        ) => Some((list, *most)),
        _ => None,
    }
}

/// Receives items; says whether it wants no more.
type ValueSink<'f, 'a> = dyn FnMut(&mut Env<'a>, Value) -> bool + 'f;

impl CheckedList {
    /// The number of items, or `enough` if there are at least as many.
    fn size(&self, env: &mut Env<'_>, enough: i64) -> i64 {
        if let Self::Field(row, Of(field)) = self {
            let (Some(row), time) = row.row(env) else { return 0 };
            if let Some(size) = field.size_in(env.state(time), env.recount(time), row) {
                return i64::try_from(size).unwrap_or(i64::MAX);
            }
        }
        self.count(env, |_, _| true, enough)
    }

    /// The number of items that fulfil a condition, or `enough` if there are at least as many.
    fn count<'a>(
        &self,
        env: &mut Env<'a>,
        mut is_so: impl FnMut(&mut Env<'a>, Value) -> bool,
        enough: i64,
    ) -> i64 {
        let mut count = 0;
        self.any(env, &mut |env, item| {
            count += i64::from(is_so(env, item));
            count == enough
        });
        count
    }

    /// Whether `wanted` is one of the items.
    fn has(&self, env: &mut Env<'_>, wanted: Value) -> bool {
        match self {
            Self::Field(row, Of(field)) => match row.row(env) {
                (Some(row), time) => field.has_item(env.world, env.state(time), row, wanted),
                (None, _) => false,
            },
            Self::Items(items) => items.iter().any(|item| match item {
                Node::Value(value) => *value == wanted,
                _ => item.value(env) == wanted,
            }),
            Self::Rows(..) | Self::Filter(..) | Self::Map(..) => {
                self.any(env, &mut |_, item| item == wanted)
            }
        }
    }

    /// Gives the items to `stops` until that wants no more; says whether it does.
    fn any<'a>(&self, env: &mut Env<'a>, stops: &mut ValueSink<'_, 'a>) -> bool {
        match self {
            Self::Rows(kind, time) => {
                kind.rows(env.world).any(|row| stops(env, Value::Row(Some(row), *time)))
            }
            Self::Field(row, Of(field)) => {
                let (Some(row), time) = row.row(env) else { return false };
                let (world, state) = (env.world, env.state(time));
                let each: &mut ItemSink<'_> = &mut |item| stops(env, item);
                field.items_in(world, state, row, each)
            }
            Self::Items(items) => items.iter().any(|item| {
                let item = item.value(env);
                stops(env, item)
            }),
            Self::Filter(list, slot, condition) => list.any(env, &mut |env, item| {
                env.slots[*slot] = item;
                condition.holds(env) && stops(env, item)
            }),
            Self::Map(list, slot, made) => list.any(env, &mut |env, item| {
                env.slots[*slot] = item;
                let made = made.value(env);
                stops(env, made)
            }),
        }
    }
}
