//! What an expression reads, known before it runs.

use deathwatch_model::{claims::Reads, rows::RowKind};

use crate::{
    fields::Field,
    tree::{List, Node, Of, SUBJECT, SUBJECT_AFTER},
    types::Value,
};

/// What an expression reads; in one without a subject, there are no variables of the subject.
pub(crate) fn of(node: &Node) -> Reads {
    let mut reader = Reader(Reads::default());
    reader.node(node);
    reader.0
}

/// Collects what is read.
struct Reader(Reads);

impl Reader {
    fn field(&mut self, row: &Node, field: &Field) {
        for kind in &field.reads {
            match row {
                Node::Variable(SUBJECT | SUBJECT_AFTER) => self.0.own.add(*kind),
                Node::Value(Value::Row(Some(row), _)) if row.kind() == *kind => {
                    self.0.add(*row);
                }
                _ => self.0.any.add(*kind),
            }
        }
        self.node(row);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Value(_) | Node::Variable(_) => {}
            Node::Quiescent(_) => RowKind::ALL.iter().for_each(|kind| self.0.any.add(*kind)),
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
