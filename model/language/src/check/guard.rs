//! Guards: the rows that must exist where an expression holds, or where it does not.

use crate::{
    syntax::Binary,
    tree::{CheckedList, FieldRef, Node},
    types::{GONE, LIVES, Type, Value},
};

/// The rows whose documents exist, and the names that are not "none", wherever the value of `node`
/// is `holds`.
pub(super) fn implied(node: &Node, holds: bool) -> Vec<Node> {
    let [if_not, if_so] = known(node);
    let known = if holds { if_so } else { if_not };
    known.unwrap_or_default()
}

/// Facts known in a case; `None` if the case is impossible.
type Implied = Option<Vec<Node>>;

/// The facts that follow if `node` is false, and if it is true. Both are computed at once, as each
/// case of a condition depends on both cases of its parts.
fn known(node: &Node) -> [Implied; 2] {
    match node {
        Node::Value(value) => [false, true].map(|it| (value.is_true() == it).then(Vec::new)),
        Node::Field(row, FieldRef(field)) if field.is_exists() => {
            [Some(Vec::new()), Some(vec![(**row).clone()])]
        }
        Node::Not(inner) => {
            let [if_not, if_so] = known(inner);
            [if_so, if_not]
        }
        Node::And(terms) => {
            let [if_not, if_so] = of_each(terms);
            [common(if_not), together(if_so)]
        }
        Node::Or(terms) => {
            let [if_not, if_so] = of_each(terms);
            [together(if_not), common(if_so)]
        }
        Node::If(parts) => {
            let [[condition_not, condition_so], yes, no] = parts.each_ref().map(known);
            let case = |yes: Implied, no: Implied| {
                let yes = together(vec![condition_so.clone(), yes]);
                common(vec![yes, together(vec![condition_not.clone(), no])])
            };
            let ([yes_not, yes_so], [no_not, no_so]) = (yes, no);
            [case(yes_not, no_not), case(yes_so, no_so)]
        }
        Node::Binary(binary @ (Binary::Same | Binary::Different), both) => {
            let case = |is_same| match &**both {
                [Node::Value(value), other] | [other, Node::Value(value)] => {
                    compared(other, *value, is_same)
                }
                _ => Vec::new(),
            };
            [*binary != Binary::Same, *binary == Binary::Same].map(|is_same| Some(case(is_same)))
        }
        Node::In(wanted, list) => {
            let known = match &**list {
                CheckedList::Items(items) => common(items.iter().map(|item| match item {
                    Node::Value(value) => Some(compared(wanted, *value, true)),
                    _ => Some(Vec::new()),
                })),
                CheckedList::Rows(..)
                | CheckedList::Field(..)
                | CheckedList::Filter(..)
                | CheckedList::Map(..) => Some(Vec::new()),
            };
            [Some(Vec::new()), known]
        }
        Node::Variable(_)
        | Node::Quiescent(_)
        | Node::Variant(_)
        | Node::Field(..)
        | Node::Lives(..)
        | Node::Find(..)
        | Node::Pair(..)
        | Node::Binary(..)
        | Node::Size(_)
        | Node::Counts(..) => [Some(Vec::new()), Some(Vec::new())],
    }
}

/// The facts that follow from each term, if it is false and if it is true.
fn of_each(terms: &[Node]) -> [Vec<Implied>; 2] {
    let (if_not, if_so) = terms.iter().map(known).map(|[if_not, if_so]| (if_not, if_so)).unzip();
    [if_not, if_so]
}

/// The facts that follow if `node` has this value, or if it has another one.
fn compared(node: &Node, value: Value, is_same: bool) -> Vec<Node> {
    let is_nothing = value == Value::Name(None);
    match node {
        Node::Field(row, FieldRef(field)) if field.value == Type::Word(LIVES) => {
            let exists = (value != Value::Word(GONE)) == is_same;
            if exists { vec![(**row).clone()] } else { Vec::new() }
        }
        _ if matches!(value, Value::Name(_)) && is_nothing != is_same => vec![node.clone()],
        _ => Vec::new(),
    }
}

/// The facts that follow if all parts hold: `None` if one of them cannot.
fn together(parts: Vec<Implied>) -> Implied {
    let parts: Option<Vec<Vec<Node>>> = parts.into_iter().collect();
    Some(parts?.into_iter().flatten().collect())
}

/// The facts that follow in every possible case.
fn common(cases: impl IntoIterator<Item = Implied>) -> Implied {
    let cases = cases.into_iter().flatten();
    cases.reduce(|known, case| known.into_iter().filter(|it| case.contains(it)).collect())
}
