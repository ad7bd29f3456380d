//! Conditions compiled to closures: the shapes that most conditions are made of, without a walk of
//! their tree. All else is evaluated as the tree that it is, which is the reference: debug builds
//! compare both wherever a condition is evaluated.

use std::{fmt, sync::Arc};

use deathwatch_model::{
    ids::EntityId,
    rows::{Row, RowKind},
};

use crate::{
    eval::{Env, row_of},
    fields::default_of,
    syntax::Binary,
    tree::{Node, Of},
    types::{GONE, Time, Value},
};

type Test = Box<dyn for<'a> Fn(&mut Env<'a>) -> bool + Send + Sync>;
type Reader = Box<dyn for<'a> Fn(&mut Env<'a>) -> Value + Send + Sync>;
type RowReader = Box<dyn for<'a> Fn(&mut Env<'a>) -> (Option<Row>, Time) + Send + Sync>;

/// A compiled condition. It is the same as another if their trees are.
#[derive(Clone)]
pub(crate) struct Compiled(Arc<Test>);

impl Compiled {
    pub(crate) fn new(node: &Node) -> Self {
        Self(Arc::new(test(node)))
    }

    /// Whether it holds.
    #[inline]
    pub(crate) fn holds(&self, env: &mut Env<'_>) -> bool {
        (self.0)(env)
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

fn test(node: &Node) -> Test {
    match node {
        Node::Value(value) => {
            let holds = value.is_true();
            Box::new(move |_| holds)
        }
        Node::Lives(inner, lives) => {
            let lives = *lives;
            let is_in = move |(row, time): (Option<Row>, Time), env: &Env<'_>| {
                let life = row.and_then(|row| row.life(env.state(time)));
                lives >> life.map_or(GONE, |life| life as u8) & 1 == 1
            };
            if let Node::Variable(slot) = **inner {
                return Box::new(move |env| is_in(env.row_in(slot), env));
            }
            let row = row(inner);
            Box::new(move |env| {
                let row = row(env);
                is_in(row, env)
            })
        }
        Node::Not(inner) => {
            let inner = test(inner);
            Box::new(move |env| !inner(env))
        }
        Node::And(terms) => {
            if let [one, other] = &**terms {
                let (one, other) = (test(one), test(other));
                return Box::new(move |env| one(env) && other(env));
            }
            let terms: Vec<Test> = terms.iter().map(test).collect();
            Box::new(move |env| terms.iter().all(|term| term(env)))
        }
        Node::Or(terms) => {
            if let [one, other] = &**terms {
                let (one, other) = (test(one), test(other));
                return Box::new(move |env| one(env) || other(env));
            }
            let terms: Vec<Test> = terms.iter().map(test).collect();
            Box::new(move |env| terms.iter().any(|term| term(env)))
        }
        Node::If(parts) => {
            let [condition, yes, no] = parts.each_ref().map(test);
            Box::new(move |env| if condition(env) { yes(env) } else { no(env) })
        }
        Node::Binary(binary @ (Binary::Same | Binary::Different), both)
            if !both.iter().any(|it| matches!(it, Node::Size(_))) =>
        {
            let same = *binary == Binary::Same;
            let left = value(&both[0]);
            match &both[1] {
                Node::Value(Value::Word(word)) => {
                    let word = *word;
                    Box::new(move |env| matches!(left(env), Value::Word(it) if it == word) == same)
                }
                Node::Value(Value::Name(None)) => {
                    Box::new(move |env| matches!(left(env), Value::Name(None)) == same)
                }
                Node::Value(right) => {
                    let right = *right;
                    Box::new(move |env| (left(env) == right) == same)
                }
                right => {
                    let right = value(right);
                    Box::new(move |env| {
                        let left = left(env);
                        (left == right(env)) == same
                    })
                }
            }
        }
        Node::Field(..) => {
            let value = value(node);
            Box::new(move |env| value(env).is_true())
        }
        _ => {
            let node = node.clone();
            Box::new(move |env| node.holds(env))
        }
    }
}

fn value(node: &Node) -> Reader {
    match node {
        Node::Value(value) => {
            let value = *value;
            Box::new(move |_| value)
        }
        Node::Field(inner, Of(field)) => {
            let field = *field;
            let missing = default_of(field.value);
            match (&**inner, field.follows()) {
                (Node::Variable(slot), Some(follows)) => {
                    let slot = *slot;
                    Box::new(move |env| match env.row_in(slot) {
                        (Some(row), time) => follows(env.world, env.state(time), row),
                        (None, _) => missing,
                    })
                }
                (_, Some(follows)) => {
                    let row = row(inner);
                    Box::new(move |env| match row(env) {
                        (Some(row), time) => follows(env.world, env.state(time), row),
                        (None, _) => missing,
                    })
                }
                (_, None) => {
                    let row = row(inner);
                    Box::new(move |env| match row(env) {
                        (Some(row), time) => field.value_in(env.world, env.states, time, row),
                        (None, _) => missing,
                    })
                }
            }
        }
        _ => {
            let node = node.clone();
            Box::new(move |env| node.value(env))
        }
    }
}

fn row(node: &Node) -> RowReader {
    match node {
        Node::Variable(slot) => {
            let slot = *slot;
            Box::new(move |env| env.row_in(slot))
        }
        Node::Find(kind, name, time) => {
            let (kind, time) = (*kind, *time);
            if let Node::Field(subject, Of(field)) = &**name
                && let (Node::Variable(slot), Some(follows)) = (&**subject, field.follows())
                && RowKind::ENTITIES.contains(&kind)
            {
                let slot = *slot;
                return Box::new(move |env| {
                    let (Some(subject), of) = env.row_in(slot) else { return (None, time) };
                    let name = follows(env.world, env.state(of), subject).name();
                    (name.and_then(|it| document_of(kind, it)), time)
                });
            }
            let name = value(name);
            Box::new(move |env| {
                let name = name(env).name();
                (name.and_then(|it| row_of(env.world, kind, it)), time)
            })
        }
        _ => {
            let node = node.clone();
            Box::new(move |env| node.row(env))
        }
    }
}

/// The document of this kind that belongs to an entity of the world.
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
