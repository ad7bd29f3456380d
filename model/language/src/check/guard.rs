//! Guards: what is known to exist where an expression holds, or where it does not.

use crate::{
    syntax::Binary,
    tree::{List, Node, Of},
    types::{GONE, LIVES, Type, Value},
};

/// The rows whose documents exist, and the names that are not "none", if `node` is `holds`.
pub(super) fn implied(node: &Node, holds: bool) -> Vec<Node> {
    known(node, holds).unwrap_or_default()
}

/// What is implied; `None` if `node` never is `holds`.
fn known(node: &Node, holds: bool) -> Option<Vec<Node>> {
    match node {
        Node::Value(value) => (value.is_true() == holds).then(Vec::new),
        Node::Field(row, Of(field)) if field.is_exists() && holds => Some(vec![(**row).clone()]),
        Node::Not(inner) => known(inner, !holds),
        Node::And(terms) if holds => together(terms.iter().map(|it| known(it, holds))),
        Node::Or(terms) if !holds => together(terms.iter().map(|it| known(it, holds))),
        Node::And(terms) | Node::Or(terms) => common(terms.iter().map(|it| known(it, holds))),
        Node::If(parts) => {
            let [condition, yes, no] = &**parts;
            let case = |condition_holds, part| {
                together([known(condition, condition_holds), known(part, holds)].into_iter())
            };
            common([case(true, yes), case(false, no)].into_iter())
        }
        Node::Binary(binary @ (Binary::Same | Binary::Different), both) => {
            let is_same = (*binary == Binary::Same) == holds;
            let [left, right] = &**both;
            Some(match (left, right) {
                (Node::Value(value), other) | (other, Node::Value(value)) => {
                    compared(other, *value, is_same)
                }
                _ => Vec::new(),
            })
        }
        Node::In(wanted, list) if holds => match &**list {
            List::Items(items) => common(items.iter().map(|item| match item {
                Node::Value(value) => Some(compared(wanted, *value, true)),
                _ => Some(Vec::new()),
            })),
            List::Rows(..) | List::Field(..) | List::Filter(..) | List::Map(..) => Some(Vec::new()),
        },
        Node::Variable(_)
        | Node::Quiescent(_)
        | Node::Field(..)
        | Node::Find(..)
        | Node::Pair(..)
        | Node::Binary(..)
        | Node::In(..)
        | Node::Size(_)
        | Node::Counts(..) => Some(Vec::new()),
    }
}

/// What is known if `node` has this value, or has not.
fn compared(node: &Node, value: Value, is_same: bool) -> Vec<Node> {
    let is_nothing = value == Value::Name(None);
    match node {
        Node::Field(row, Of(field)) if field.value == Type::Word(LIVES) => {
            let exists = (value != Value::Word(GONE)) == is_same;
            if exists { vec![(**row).clone()] } else { Vec::new() }
        }
        _ if matches!(value, Value::Name(_)) && is_nothing != is_same => vec![node.clone()],
        _ => Vec::new(),
    }
}

/// What is known if all of these are so.
fn together(parts: impl Iterator<Item = Option<Vec<Node>>>) -> Option<Vec<Node>> {
    let parts: Option<Vec<Vec<Node>>> = parts.collect();
    Some(parts?.into_iter().flatten().collect())
}

/// What is known in all cases that there can be.
fn common(cases: impl Iterator<Item = Option<Vec<Node>>>) -> Option<Vec<Node>> {
    cases.flatten().reduce(|known, case| known.into_iter().filter(|it| case.contains(it)).collect())
}
