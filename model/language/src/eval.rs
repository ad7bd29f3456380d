//! The evaluation of checked expressions. It is total, as the check has refused everything that
//! could fail.

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
    tree::{CheckedList, FieldRef, Node, Quantifier, SUBJECT, SUBJECT_AFTER},
    types::{GONE, Time, Value, life_number},
};

/// The world and the states in which an expression is evaluated.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub world: &'a World,
    /// The states before a transition and after it; for an expression about a state, that state
    /// twice.
    pub states: [&'a State; 2],
    /// The recount of the state after, if one is kept; otherwise lists are counted when they are
    /// read.
    pub recount: Option<&'a Recount>,
}

/// The subject of an expression.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub row: Row,
    /// The number of its life in the state, or in the one after a transition. A row that is no
    /// entity counts as gone.
    pub life: usize,
}

impl Subject {
    /// A row as the subject in a state.
    #[inline]
    pub fn of(row: Row, state: &State) -> Self {
        Self { row, life: life_number(row.life(state)) }
    }
}

/// The states of an evaluation, the subject, and the variables.
#[derive(Clone, Copy)]
pub(crate) struct Env<'a> {
    pub(crate) world: &'a World,
    pub(crate) states: [&'a State; 2],
    recount: Option<&'a Recount>,
    subject: Option<Row>,
    /// The variables of the enclosing macros, the innermost first.
    variables: Option<&'a Binding<'a>>,
}

struct Binding<'a> {
    slot: usize,
    value: Value,
    outer: Option<&'a Self>,
}

impl<'a> Env<'a> {
    /// The environment of an expression about these states and this subject.
    #[inline]
    pub(crate) fn new(view: View<'a>, subject: Option<Row>) -> Self {
        let View { world, states, recount } = view;
        Self { world, states, recount, subject, variables: None }
    }

    /// Calls `evaluate` with the variable in a slot bound to this value.
    #[inline]
    pub(crate) fn with<T>(
        &self,
        slot: usize,
        value: Value,
        evaluate: impl FnOnce(&Env<'_>) -> T,
    ) -> T {
        let variable = Binding { slot, value, outer: self.variables };
        evaluate(&Env { variables: Some(&variable), ..*self })
    }

    /// The same for several variables in adjacent slots, from `first` on.
    pub(crate) fn with_all<T>(
        &self,
        first: usize,
        values: &[Value],
        evaluate: &mut dyn FnMut(&Env<'_>) -> T,
    ) -> T {
        match values {
            [] => evaluate(self),
            [value, rest @ ..] => {
                self.with(first, *value, |env| env.with_all(first + 1, rest, evaluate))
            }
        }
    }

    #[inline]
    pub(crate) fn state(&self, time: Time) -> &'a State {
        self.states[time as usize]
    }

    /// The subject, if the expression has one.
    #[inline]
    pub(crate) fn subject(&self) -> Option<Row> {
        self.subject
    }

    pub(crate) fn variable(&self, slot: usize) -> Value {
        match slot {
            SUBJECT => Value::Row(self.subject, Time::Before),
            SUBJECT_AFTER => Value::Row(self.subject, Time::After),
            _ => {
                let mut variable = self.variables;
                while let Some(Binding { slot: other, value, outer }) = variable {
                    if *other == slot {
                        return *value;
                    }
                    variable = *outer;
                }
                unreachable!("what was checked has a value for each variable")
            }
        }
    }

    /// The recount of a state, if one is kept.
    #[inline]
    pub(crate) fn recount(&self, time: Time) -> Option<&'a Recount> {
        match time {
            Time::Before => None,
            Time::After => self.recount,
        }
    }
}

impl Node {
    pub(crate) fn holds(&self, env: &Env<'_>) -> bool {
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

    pub(crate) fn value(&self, env: &Env<'_>) -> Value {
        match self {
            Self::Value(value) => *value,
            Self::Variable(slot) => env.variable(*slot),
            Self::Quiescent(time) => Value::Flag(agents::is_quiescent(env.world, env.state(*time))),
            Self::Field(row, FieldRef(field)) => match row.row(env) {
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
                let value = env.world.variants.positions()[*number];
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
                let is_so = |item| env.with(*slot, item, |env| condition.holds(env));
                Value::Flag(match quantifier {
                    Quantifier::All => !list.any(env, &mut |item| !is_so(item)),
                    Quantifier::Some => list.any(env, &mut |item| is_so(item)),
                    Quantifier::One => list.count(env, is_so, 2) == 1,
                })
            }
        }
    }

    /// The row that a node evaluates to, and the state that it is read in.
    fn row(&self, env: &Env<'_>) -> (Option<Row>, Time) {
        self.value(env).row()
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

pub(crate) fn calculate(binary: Binary, left: Value, right: Value) -> Value {
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

/// The list whose size is compared with a constant, and the constant.
pub(crate) fn compared_size(binary: Binary, both: &[Node; 2]) -> Option<(&CheckedList, i64)> {
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

impl CheckedList {
    /// The number of items, or `enough` if there are at least as many.
    fn size(&self, env: &Env<'_>, enough: i64) -> i64 {
        if let Self::Field(row, FieldRef(field)) = self {
            let (Some(row), time) = row.row(env) else { return 0 };
            if let Some(size) = field.size_in(env.state(time), env.recount(time), row) {
                return i64::try_from(size).unwrap_or(i64::MAX);
            }
        }
        self.count(env, |_| true, enough)
    }

    /// The number of items that fulfil a condition, or `enough` if there are at least as many.
    fn count(&self, env: &Env<'_>, is_so: impl Fn(Value) -> bool, enough: i64) -> i64 {
        let mut count = 0;
        self.any(env, &mut |item| {
            count += i64::from(is_so(item));
            count == enough
        });
        count
    }

    /// Whether `wanted` is one of the items.
    fn has(&self, env: &Env<'_>, wanted: Value) -> bool {
        match self {
            Self::Field(row, FieldRef(field)) => match row.row(env) {
                (Some(row), time) => field.has_item(env.world, env.state(time), row, wanted),
                (None, _) => false,
            },
            Self::Items(items) => items.iter().any(|item| item.value(env) == wanted),
            Self::Rows(..) | Self::Filter(..) | Self::Map(..) => {
                self.any(env, &mut |item| item == wanted)
            }
        }
    }

    /// Calls `stops` with each item until it returns true. Returns whether it has.
    fn any(&self, env: &Env<'_>, stops: &mut ItemSink<'_>) -> bool {
        match self {
            Self::Rows(kind, time) => {
                kind.rows(env.world).any(|row| stops(Value::Row(Some(row), *time)))
            }
            Self::Field(row, FieldRef(field)) => {
                let (Some(row), time) = row.row(env) else { return false };
                field.items_in(env.world, env.state(time), row, stops)
            }
            Self::Items(items) => items.iter().any(|item| stops(item.value(env))),
            Self::Filter(list, slot, condition) => list.any(env, &mut |item| {
                env.with(*slot, item, |env| condition.holds(env)) && stops(item)
            }),
            Self::Map(list, slot, made) => {
                list.any(env, &mut |item| stops(env.with(*slot, item, |env| made.value(env))))
            }
        }
    }
}
