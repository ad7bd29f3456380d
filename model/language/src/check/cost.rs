//! The cost of an expression in a world: how many parts are evaluated at most.

use std::ops::Range;

use deathwatch_model::{rows::RowKind, world::World};

use crate::{
    Error,
    tree::{List, Node, Of},
    types::Type,
};

/// The greatest number of steps that an expression may take.
pub(crate) const MOST_STEPS: u64 = 10_000_000;

/// Checks that an expression ends soon enough.
pub(super) fn check(world: &World, node: &Node, span: &Range<usize>) -> Result<(), Error> {
    let steps = steps(world, node);
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let message = format!("this takes up to {steps} steps in this world");
    let expected = format!("at most {MOST_STEPS} were expected: nest fewer lists");
    Err(Error::new(span, message, expected))
}

/// The steps that an expression takes at most, if there are not too many to be counted.
fn steps(world: &World, node: &Node) -> u64 {
    let all =
        |nodes: &[Node]| nodes.iter().fold(1, |sum: u64, it| sum.saturating_add(steps(world, it)));
    match node {
        Node::Value(_) | Node::Variable(_) => 1,
        // Each task is looked at, and may look at the rows that it is about.
        Node::Quiescent(_) => {
            RowKind::ALL.iter().map(|kind| kind.count(world) as u64).sum::<u64>().saturating_mul(10)
        }
        Node::Field(inner, _) | Node::Find(_, inner, _) | Node::Not(inner) => {
            steps(world, inner).saturating_add(1)
        }
        Node::Pair(_, both, _) | Node::Binary(_, both) => all(&both[..]),
        Node::And(terms) | Node::Or(terms) => all(terms),
        Node::If(parts) => all(&parts[..]),
        Node::In(inner, list) => {
            let (items, made) = items(world, list);
            steps(world, inner).saturating_add(made).saturating_add(items)
        }
        Node::Size(list) => {
            let (items, made) = items(world, list);
            made.saturating_add(items)
        }
        Node::Counts(_, list, _, condition) => each(world, list, condition),
    }
}

/// The steps of a list with an expression for each of its items.
fn each(world: &World, list: &List, inner: &Node) -> u64 {
    let (items, made) = items(world, list);
    made.saturating_add(items.saturating_mul(steps(world, inner)))
}

/// The number of items of a list at most, and the steps that it takes to produce them.
fn items(world: &World, list: &List) -> (u64, u64) {
    let count = |kind: RowKind| kind.count(world) as u64;
    match list {
        List::Rows(kind, _) => (count(*kind), 1 + count(*kind)),
        List::Field(row, Of(field)) => {
            let Type::Name(names) = field.value else {
                unreachable!("the items of fields are names")
            };
            let kinds = RowKind::ENTITIES.into_iter().filter(|kind| names.has(*kind));
            let items = kinds.map(count).sum();
            (items, items.saturating_add(steps(world, row)))
        }
        List::Items(nodes) => (nodes.len() as u64, nodes.len() as u64),
        List::Filter(inner, _, node) | List::Map(inner, _, node) => {
            (items(world, inner).0, each(world, inner, node))
        }
    }
}

/// The greatest number of items that a list can have.
pub(super) fn most_items(world: &World, list: &List) -> i64 {
    i64::try_from(items(world, list).0).unwrap_or(i64::MAX)
}
