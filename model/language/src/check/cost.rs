//! The cost of an expression in a world: the greatest number of steps of its evaluation.

use std::ops::Range;

use deathwatch_model::{rows::RowKind, world::World};

use crate::{
    Error, ExpressionKind,
    tree::{CheckedList, FieldRef, Node, SUBJECT, SUBJECT_AFTER},
};

/// The greatest number of steps that an expression may take in a state, for all its subjects.
pub(crate) const MOST_STEPS: u64 = 10_000_000;

/// Checks the bound of steps for all subjects together: a changed row may concern all of them, and
/// in the first state each one is evaluated.
pub(super) fn check(
    world: &World,
    form: ExpressionKind,
    node: &Node,
    span: &Range<usize>,
) -> Result<(), Error> {
    let subjects = form.each().map_or(1, |kind| kind.count(world) as u64);
    let steps = Cost { world, subjects }.steps(node).saturating_mul(subjects);
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let of_all = form.each().map(|_| format!(" for its {subjects} subjects")).unwrap_or_default();
    let message = format!("this takes up to {steps} steps in this world{of_all}");
    let expected = format!("at most {MOST_STEPS} were expected: nest fewer lists");
    Err(Error::new(span, message, expected))
}

#[derive(Clone, Copy)]
struct Cost<'a> {
    world: &'a World,
    /// The number of subjects, by which the declared lists of a subject are averaged: a unit is in
    /// the list of one machine, so all these lists together have as many items as there are units.
    /// Inside such a list this is 1, as the square of a mean is no bound.
    subjects: u64,
}

/// The greatest number of items of a list, and the steps that it takes to produce them.
struct Items {
    most: u64,
    made: u64,
    /// Whether `most` is the mean over all subjects.
    is_mean: bool,
}

impl Cost<'_> {
    /// The greatest number of steps of an expression; saturates.
    fn steps(self, node: &Node) -> u64 {
        match node {
            Node::Value(_) | Node::Variable(_) | Node::Variant(_) => 1,
            // Each task is evaluated, and may read the rows that it is about.
            Node::Quiescent(_) => {
                let rows = RowKind::ALL.iter().map(|kind| kind.count(self.world) as u64);
                rows.sum::<u64>().saturating_mul(10)
            }
            Node::Field(inner, _)
            | Node::Lives(inner, _)
            | Node::Find(_, inner, _)
            | Node::Not(inner) => self.steps(inner).saturating_add(1),
            Node::Pair(_, both, _) | Node::Binary(_, both) => self.all(&both[..]),
            Node::And(terms) | Node::Or(terms) => self.all(terms),
            Node::If(parts) => self.all(&parts[..]),
            Node::In(inner, list) => {
                let Items { most, made, .. } = self.items(list);
                self.steps(inner).saturating_add(made).saturating_add(most)
            }
            Node::Size(list) => {
                let Items { most, made, .. } = self.items(list);
                made.saturating_add(most)
            }
            Node::Counts(_, list, _, condition) => self.each(&self.items(list), condition),
        }
    }

    fn all(self, nodes: &[Node]) -> u64 {
        nodes.iter().fold(1, |sum: u64, it| sum.saturating_add(self.steps(it)))
    }

    /// The steps of a list together with an expression for each of its items.
    fn each(self, items: &Items, inner: &Node) -> u64 {
        let inside = if items.is_mean { Self { subjects: 1, ..self } } else { self };
        items.made.saturating_add(items.most.saturating_mul(inside.steps(inner)))
    }

    fn items(self, list: &CheckedList) -> Items {
        match list {
            CheckedList::Rows(kind, _) => {
                let most = kind.count(self.world) as u64;
                Items { most, made: 1 + most, is_mean: false }
            }
            CheckedList::Field(row, FieldRef(field)) => {
                let is_own = matches!(**row, Node::Variable(SUBJECT | SUBJECT_AFTER));
                let is_mean = is_own && field.declared.is_some();
                let all = field.most_items(self.world) as u64;
                let most = if is_mean { all.div_ceil(self.subjects.max(1)) } else { all };
                Items { most, made: most.saturating_add(self.steps(row)), is_mean }
            }
            CheckedList::Items(nodes) => {
                Items { most: nodes.len() as u64, made: self.all(nodes), is_mean: false }
            }
            CheckedList::Filter(inner, _, node) | CheckedList::Map(inner, _, node) => {
                let inner = self.items(inner);
                Items { made: self.each(&inner, node), ..inner }
            }
        }
    }
}

/// The greatest number of items that a list can have.
pub(super) fn most_items(world: &World, list: &CheckedList) -> i64 {
    let Items { most, .. } = Cost { world, subjects: 1 }.items(list);
    i64::try_from(most).unwrap_or(i64::MAX)
}
