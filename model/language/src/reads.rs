//! What an expression reads, known before it runs.

use deathwatch_model::rows::{Row, RowKind};

use crate::{
    fields::Field,
    tree::{List, Node, Of, SUBJECT, SUBJECT_AFTER},
    types::Value,
};

/// A set of kinds of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u16);

impl Kinds {
    fn add(&mut self, kind: RowKind) {
        self.0 |= 1 << kind as u16;
    }

    /// Whether the kind is one of them.
    pub fn contains(self, kind: RowKind) -> bool {
        self.0 >> kind as u16 & 1 == 1
    }
}

/// The rows that an expression may read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reads {
    /// Rows of these kinds that belong to the subject.
    pub own: Kinds,
    /// Any rows of these kinds.
    pub any: Kinds,
    /// These rows.
    pub fixed: Vec<Row>,
}

impl Reads {
    /// What an expression reads; in one without a subject, there are no variables of the subject.
    pub(crate) fn of(node: &Node) -> Self {
        let mut reads = Self::default();
        reads.node(node);
        reads
    }

    /// What is read by this expression or the other.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.own.0 |= other.own.0;
        self.any.0 |= other.any.0;
        for row in &other.fixed {
            if !self.fixed.contains(row) {
                self.fixed.push(*row);
            }
        }
        self
    }

    fn field(&mut self, row: &Node, field: &Field) {
        for kind in &field.reads {
            match row {
                Node::Variable(SUBJECT | SUBJECT_AFTER) => self.own.add(*kind),
                Node::Value(Value::Row(Some(row), _)) if row.kind() == *kind => {
                    if !self.fixed.contains(row) {
                        self.fixed.push(*row);
                    }
                }
                _ => self.any.add(*kind),
            }
        }
        self.node(row);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Value(_) | Node::Variable(_) => {}
            Node::Field(row, Of(field)) => self.field(row, field),
            Node::Find(_, inner, _) | Node::Not(inner) => self.node(inner),
            Node::Pair(_, both, _) | Node::Binary(_, both) => {
                both.iter().for_each(|it| self.node(it));
            }
            Node::And(terms) | Node::Or(terms) => terms.iter().for_each(|it| self.node(it)),
            Node::If(parts) => parts.iter().for_each(|it| self.node(it)),
            Node::In(inner, list) => {
                self.node(inner);
                self.list(list);
            }
            Node::Size(list) => self.list(list),
            Node::Counts(_, list, _, condition) => {
                self.list(list);
                self.node(condition);
            }
        }
    }

    fn list(&mut self, list: &List) {
        match list {
            List::Rows(..) => {}
            List::Field(row, Of(field)) => self.field(row, field),
            List::Items(items) => items.iter().for_each(|it| self.node(it)),
            List::Filter(list, _, inner) | List::Map(list, _, inner) => {
                self.list(list);
                self.node(inner);
            }
        }
    }
}
