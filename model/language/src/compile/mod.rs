//! Conditions compiled to closures, each of which reads values of one type, without a walk of their
//! tree. The tree is the reference: debug builds compare both wherever a condition is evaluated.

mod bitwise;
mod list;

use std::{fmt, marker::PhantomData, sync::Arc};

use deathwatch_model::{
    agents,
    ids::EntityId,
    rows::{Row, RowKind},
};

use self::list::CompiledList;
use crate::{
    eval::{Env, View, calculate, compared_size, pair, row_of},
    fields::{TypedField, default_of, value_of},
    reads::is_of_key,
    syntax::Binary,
    tree::{FieldRef, Node, Quantifier, SUBJECT, SUBJECT_AFTER},
    types::{NameType, Time, Type, Value, life_number},
};

type Reader<T> = Box<dyn Fn(&Env<'_>) -> T + Send + Sync>;

/// A row, if there is one, and the state that it is read in.
type TimedRow = (Option<Row>, Time);

/// A compiled condition. Two are equal without a comparison: their trees are compared instead.
#[derive(Clone)]
pub(crate) enum Compiled {
    /// A condition with the same value everywhere.
    Known(bool),
    Test(Arc<dyn Fn(&Env<'_>) -> bool + Send + Sync>),
}

impl Compiled {
    pub(crate) fn new(node: &Node) -> Self {
        match node {
            Node::Value(value) => Self::Known(value.is_true()),
            _ => Self::Test(Arc::from(test(node))),
        }
    }

    #[inline]
    pub(crate) fn holds(&self, view: View<'_>, subject: Option<Row>) -> bool {
        self.holds_in(&Env::new(view, subject))
    }

    /// Whether it holds in an environment.
    #[inline]
    pub(crate) fn holds_in(&self, env: &Env<'_>) -> bool {
        match self {
            Self::Known(holds) => *holds,
            Self::Test(test) => test(env),
        }
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl PartialEq for Compiled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A type of values that closures read.
trait ReadType: Copy + PartialEq + Send + Sync + 'static {
    /// Converts a value, which the check has found to be of this type.
    fn of(value: Value) -> Self;
}

impl ReadType for Value {
    #[inline]
    fn of(value: Value) -> Self {
        value
    }
}

impl ReadType for bool {
    #[inline]
    fn of(value: Value) -> Self {
        value.is_true()
    }
}

impl ReadType for i64 {
    #[inline]
    fn of(value: Value) -> Self {
        value.number()
    }
}

impl ReadType for u8 {
    #[inline]
    fn of(value: Value) -> Self {
        value.word()
    }
}

impl ReadType for Option<EntityId> {
    #[inline]
    fn of(value: Value) -> Self {
        value.name()
    }
}

fn test(node: &Node) -> Reader<bool> {
    match node {
        Node::Lives(row, lives) => with_row(row, LifeReader(*lives)),
        Node::Not(inner) => {
            let inner = test(inner);
            Box::new(move |env| !inner(env))
        }
        Node::And(terms) => {
            if let [one, other] = &**terms {
                let (one, other) = (test(one), test(other));
                return Box::new(move |env| one(env) && other(env));
            }
            let terms: Vec<Reader<bool>> = terms.iter().map(test).collect();
            Box::new(move |env| terms.iter().all(|term| term(env)))
        }
        Node::Or(terms) => {
            if let [one, other] = &**terms {
                let (one, other) = (test(one), test(other));
                return Box::new(move |env| one(env) || other(env));
            }
            let terms: Vec<Reader<bool>> = terms.iter().map(test).collect();
            Box::new(move |env| terms.iter().any(|term| term(env)))
        }
        Node::Binary(binary, both) => compared(*binary, both),
        Node::In(wanted, list) => {
            let (wanted, list) = (reader::<Value>(wanted), CompiledList::new(list));
            Box::new(move |env| list.has(env, wanted(env)))
        }
        Node::Counts(quantifier, list, slot, condition) => {
            if let Some(counts) = bitwise::counts(*quantifier, list, *slot, condition) {
                return counts;
            }
            let (slot, list, condition) = (*slot, CompiledList::new(list), test(condition));
            let is_so = move |env: &Env<'_>, item| env.with(slot, item, |env| condition(env));
            match quantifier {
                Quantifier::All => {
                    Box::new(move |env| !list.any(env, &mut |item| !is_so(env, item)))
                }
                Quantifier::Some => {
                    Box::new(move |env| list.any(env, &mut |item| is_so(env, item)))
                }
                Quantifier::One => {
                    Box::new(move |env| list.count(env, |item| is_so(env, item), 2) == 1)
                }
            }
        }
        Node::Quiescent(time) => {
            let time = *time;
            Box::new(move |env| agents::is_quiescent(env.world, env.state(time)))
        }
        Node::Value(_)
        | Node::Variable(_)
        | Node::Variant(_)
        | Node::Field(..)
        | Node::If(_)
        | Node::Find(..)
        | Node::Pair(..)
        | Node::Size(_) => reader(node),
    }
}

/// The closure that evaluates an expression to this type.
fn reader<T: ReadType>(node: &Node) -> Reader<T> {
    match node {
        Node::Value(value) => {
            let value = T::of(*value);
            Box::new(move |_| value)
        }
        Node::Variable(slot) => {
            let slot = *slot;
            Box::new(move |env| T::of(env.variable(slot)))
        }
        Node::Variant(number) => {
            let number = *number;
            Box::new(move |env| {
                let value = env.world.variants.positions()[number];
                T::of(Value::Word(u8::try_from(value).expect("values are few")))
            })
        }
        Node::Field(row, FieldRef(field)) => {
            with_row(row, FieldReader::new(field, |value: T| value))
        }
        Node::If(parts) => {
            let [condition, yes, no] = &**parts;
            let (condition, yes, no) = (test(condition), reader(yes), reader(no));
            Box::new(move |env| if condition(env) { yes(env) } else { no(env) })
        }
        Node::Find(..) | Node::Pair(..) => {
            let row = row(node);
            Box::new(move |env| {
                let (row, time) = row(env);
                T::of(Value::Row(row, time))
            })
        }
        Node::Size(list) => {
            let list = CompiledList::new(list);
            Box::new(move |env| T::of(Value::Number(list.size(env, i64::MAX))))
        }
        Node::Binary(binary @ (Binary::Plus | Binary::Minus | Binary::Times), both) => {
            let binary = *binary;
            let [left, right] = both.each_ref().map(reader::<Value>);
            Box::new(move |env| T::of(calculate(binary, left(env), right(env))))
        }
        Node::Binary(..)
        | Node::Quiescent(_)
        | Node::Lives(..)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::In(..)
        | Node::Counts(..) => {
            let test = test(node);
            Box::new(move |env| T::of(Value::Flag(test(env))))
        }
    }
}

/// The closure of an operator with a boolean value.
fn compared(binary: Binary, both: &[Node; 2]) -> Reader<bool> {
    if let Some((list, most)) = compared_size(binary, both) {
        let (list, enough) = (CompiledList::new(list), most.saturating_add(1).max(1));
        let most = Value::Number(most);
        return Box::new(move |env| {
            calculate(binary, Value::Number(list.size(env, enough)), most).is_true()
        });
    }
    match binary {
        Binary::Same | Binary::Different => {
            let is_same = binary == Binary::Same;
            match both.each_ref().map(read_type) {
                [Some(Type::Name(_)), Some(Type::Name(_))] => {
                    same::<Option<EntityId>>(both, is_same)
                }
                [Some(Type::Number(..)), Some(Type::Number(..))] => same::<i64>(both, is_same),
                [Some(Type::Word(_)), Some(Type::Word(_))] => same::<u8>(both, is_same),
                [Some(Type::Flag), Some(Type::Flag)] => same::<bool>(both, is_same),
                _ => same::<Value>(both, is_same),
            }
        }
        _ => {
            let [left, right] = both.each_ref().map(reader::<Value>);
            Box::new(move |env| calculate(binary, left(env), right(env)).is_true())
        }
    }
}

/// The type of an expression's values, where the node alone shows it.
fn read_type(node: &Node) -> Option<Type> {
    match node {
        Node::Field(_, FieldRef(field)) => Some(field.value),
        Node::Value(Value::Flag(_)) => Some(Type::Flag),
        Node::Value(Value::Number(_)) | Node::Size(_) => Some(Type::COUNT),
        Node::Value(Value::Word(_)) => Some(Type::Word(&[])),
        Node::Value(Value::Name(_)) => Some(Type::Name(NameType::PLACEMENT)),
        _ => None,
    }
}

/// The closure that tells whether two values are equal, or whether they differ if `is_same` is
/// false.
fn same<T: ReadType>([left, right]: &[Node; 2], is_same: bool) -> Reader<bool> {
    let (left, constant) = match (left, right) {
        (left, Node::Value(value)) | (Node::Value(value), left) => (left, Some(T::of(*value))),
        _ => (left, None),
    };
    match (left, constant) {
        (Node::Field(row, FieldRef(field)), Some(value)) => {
            let make = move |read: T| (read == value) == is_same;
            with_row(row, FieldReader::new(field, make))
        }
        (_, Some(value)) => {
            let left = reader::<T>(left);
            Box::new(move |env| (left(env) == value) == is_same)
        }
        (_, None) => {
            let (left, right) = (reader::<T>(left), reader::<T>(right));
            Box::new(move |env| (left(env) == right(env)) == is_same)
        }
    }
}

/// A function of a row. `with` makes one closure of it and of the row's expression, so that rows of
/// the usual shapes need no second call.
trait RowUser {
    type Out;

    fn with<F>(self, row: F) -> Reader<Self::Out>
    where
        F: Fn(&Env<'_>) -> TimedRow + Send + Sync + 'static;
}

/// Reads whether the life of an entity is in a set of lives, a bit for each.
struct LifeReader(u8);

impl RowUser for LifeReader {
    type Out = bool;

    fn with<F>(self, row: F) -> Reader<bool>
    where
        F: Fn(&Env<'_>) -> TimedRow + Send + Sync + 'static,
    {
        let Self(lives) = self;
        Box::new(move |env| {
            let (row, time) = row(env);
            let life = row.and_then(|row| row.life(env.state(time)));
            lives >> life_number(life) & 1 == 1
        })
    }
}

/// Reads the value of a field, and applies a function to it.
struct FieldReader<T, M> {
    field: &'static TypedField,
    make: M,
    value: PhantomData<fn(T)>,
}

impl<T: ReadType, M> FieldReader<T, M> {
    fn new(field: &'static TypedField, make: M) -> Self {
        Self { field, make, value: PhantomData }
    }
}

impl<T: ReadType, O, M: Fn(T) -> O + Send + Sync + 'static> RowUser for FieldReader<T, M> {
    type Out = O;

    fn with<F>(self, row: F) -> Reader<O>
    where
        F: Fn(&Env<'_>) -> TimedRow + Send + Sync + 'static,
    {
        let Self { field, make, .. } = self;
        let missing = default_of(field.value);
        if let Some(follows) = field.follows() {
            return Box::new(move |env| {
                make(T::of(match row(env) {
                    (Some(row), time) => follows(env.world, env.state(time), row),
                    (None, _) => missing,
                }))
            });
        }
        if let Some(number) = field.number() {
            let missing = T::of(missing);
            return Box::new(move |env| {
                make(match row(env) {
                    (Some(row), time) => env.state(time).field(row, number, |shown| match shown {
                        Some(shown) => T::of(value_of(shown)),
                        None => missing,
                    }),
                    (None, _) => missing,
                })
            });
        }
        Box::new(move |env| {
            make(T::of(match row(env) {
                (Some(row), time) => field.value_in(env.world, env.states, time, row),
                (None, _) => missing,
            }))
        })
    }
}

/// The closure of a function of the row that `node` is.
fn with_row<U: RowUser>(node: &Node, user: U) -> Reader<U::Out> {
    match node {
        Node::Variable(SUBJECT) => user.with(|env| (env.subject(), Time::Before)),
        Node::Variable(SUBJECT_AFTER) => user.with(|env| (env.subject(), Time::After)),
        Node::Find(kind, name, time) if RowKind::ENTITIES.contains(kind) => {
            let (kind, time) = (*kind, *time);
            if kind == RowKind::Relation && is_of_key(name, kind) {
                return user.with(move |env| {
                    (env.subject().and_then(Row::relation).map(Row::Relation), time)
                });
            }
            if is_of_key(name, kind) {
                return user.with(move |env| {
                    let name = env.subject().and_then(Row::actor);
                    (name.and_then(|it| document_of(kind, it)), time)
                });
            }
            let name = reader::<Option<EntityId>>(name);
            user.with(move |env| (name(env).and_then(|it| document_of(kind, it)), time))
        }
        _ => user.with(row(node)),
    }
}

/// The closure of an expression that is a row.
fn row(node: &Node) -> Reader<TimedRow> {
    match node {
        Node::Find(kind, name, time) => {
            let (kind, name, time) = (*kind, reader::<Option<EntityId>>(name), *time);
            Box::new(move |env| (name(env).and_then(|it| row_of(env.world, kind, it)), time))
        }
        Node::Pair(kind, names, time) => {
            let (kind, time) = (*kind, *time);
            let [relation, unit] = names.each_ref().map(reader::<Option<EntityId>>);
            Box::new(move |env| (pair(env.world, kind, relation(env), unit(env)), time))
        }
        _ => {
            let value = reader::<Value>(node);
            Box::new(move |env| value(env).row())
        }
    }
}

/// The row of this kind for an entity of the world's, if it is the entity's own document.
#[inline]
fn document_of(kind: RowKind, entity: EntityId) -> Option<Row> {
    match (kind, entity) {
        (RowKind::Machine, EntityId::Machine(id)) => Some(Row::Machine(id)),
        (RowKind::Application, EntityId::Application(id)) => Some(Row::Application(id)),
        (RowKind::Unit, EntityId::Unit(id)) => Some(Row::Unit(id)),
        (RowKind::Relation, EntityId::Relation(id)) => Some(Row::Relation(id)),
        _ => None,
    }
}
