//! Reads of an expression, known before it runs.

use deathwatch_model::{
    history::KeptHistory,
    rows::{FieldSet, RowKind},
};

use crate::{
    dependencies::{Back, Reads},
    fields::{FieldRead, TypedField},
    tree::{CheckedList, FieldRef, Node, SLOTS, SUBJECT, SUBJECT_AFTER},
    types::Value,
};

/// The rows and fields that an expression reads, and the fields of history among them.
pub(crate) fn of(node: &Node) -> (Reads, KeptHistory) {
    let mut reader = ReadCollector::default();
    reader.node(node);
    (reader.reads, reader.keeps)
}

pub(crate) fn is_subject(node: &Node) -> bool {
    matches!(node, Node::Variable(SUBJECT | SUBJECT_AFTER))
}

/// Whether a field is one of the names in its row's constants: the unit, relation, machine or
/// application, or the ends of a relation.
fn is_constant(field: &TypedField) -> bool {
    let names = ["unit", "relation", "machine", "application", "ends"];
    names.contains(&field.name.as_str()) && field.is_constant()
}

/// Whether this node is the name of the entity of a kind in the subject's key.
pub(crate) fn is_of_key(name: &Node, kind: RowKind) -> bool {
    match name {
        Node::Field(row, FieldRef(field)) => {
            let is_entity = RowKind::ENTITIES.contains(&field.of);
            is_subject(row) && !is_entity && field.is_constant() && field.name == kind.name()
        }
        _ => false,
    }
}

/// Whether this node is the name of the subject's machine or principal.
fn is_placement(name: &Node) -> bool {
    match name {
        Node::Field(row, FieldRef(field)) => {
            let is_one = ["machine", "principal"].contains(&field.name.as_str());
            is_subject(row) && is_one && field.of == RowKind::Unit
        }
        _ => false,
    }
}

#[derive(Default)]
struct ReadCollector {
    reads: Reads,
    keeps: KeptHistory,
    /// The slots whose variables are names in the constants of the subject.
    names: [bool; SLOTS],
}

impl ReadCollector {
    /// Whether this node is a name in the constants of the subject.
    fn is_name_of_subject(&self, name: &Node) -> bool {
        match name {
            Node::Field(row, FieldRef(field)) => is_subject(row) && is_constant(field),
            Node::Variable(slot) => self.names[*slot],
            _ => false,
        }
    }

    /// Notes whether the variable in a slot is a name in the constants of the subject.
    fn bind(&mut self, slot: usize, list: &CheckedList) {
        self.names[slot] = match list {
            CheckedList::Field(row, FieldRef(field)) => is_subject(row) && is_constant(field),
            _ => false,
        };
    }

    fn field(&mut self, row: &Node, field: &'static TypedField) {
        let kept = field.declared.and_then(|declared| KeptHistory::of(field.of, declared.name));
        self.keeps = self.keeps | kept.unwrap_or_default();
        self.reads.notes |= field.is_note;
        for FieldRead { kind, fields, back } in &field.reads {
            self.reads.notice(*kind, *fields);
            match row {
                Node::Variable(SUBJECT | SUBJECT_AFTER) => self.reads.derive(*kind, *back),
                _ if *back != Back::Same => self.reads.any.add(*kind),
                Node::Value(Value::Row(Some(row), _)) if row.kind() == *kind => {
                    self.reads.add(*row);
                }
                Node::Find(found, name, _) if self.is_name_of_subject(name) => {
                    self.reads.link(*kind, *found);
                }
                Node::Find(found, name, _) if is_placement(name) => {
                    self.reads.place(*kind, *found);
                }
                Node::Pair(found, names, _)
                    if names.iter().all(|name| self.is_name_of_subject(name)) =>
                {
                    self.reads.link(*kind, *found);
                }
                Node::Pair(found, names, _)
                    if found == kind && self.is_name_of_subject(&names[0]) =>
                {
                    self.reads.related.add(*kind);
                }
                _ => self.reads.any.add(*kind),
            }
        }
        self.node(row);
    }

    /// Notes that rows of this kind are asked for, whether or not a field of them is read.
    fn rows(&mut self, kind: RowKind) {
        self.keeps = self.keeps | KeptHistory::rows_of(kind);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Value(Value::Row(Some(row), _)) => self.rows(row.kind()),
            Node::Value(_) | Node::Variable(_) | Node::Variant(_) => {}
            Node::Quiescent(_) => {
                // What is enabled depends on no history.
                for kind in RowKind::ALL.into_iter().filter(|kind| !kind.is_history()) {
                    self.reads.any.add(kind);
                    self.reads.notice(kind, FieldSet::ALL);
                }
            }
            Node::Field(row, FieldRef(field)) => self.field(row, field),
            Node::Lives(..) => unreachable!("what is read is known before it is simplified"),
            Node::Find(kind, inner, _) => {
                self.rows(*kind);
                self.node(inner);
            }
            Node::Not(inner) => self.node(inner),
            Node::Pair(kind, both, _) => {
                self.rows(*kind);
                both.iter().for_each(|it| self.node(it));
            }
            Node::Binary(_, both) => both.iter().for_each(|it| self.node(it)),
            Node::And(terms) | Node::Or(terms) => terms.iter().for_each(|it| self.node(it)),
            Node::If(parts) => parts.iter().for_each(|it| self.node(it)),
            Node::In(inner, list) => {
                self.node(inner);
                self.list(list);
            }
            Node::Size(list) => self.list(list),
            Node::Counts(_, list, slot, condition) => {
                self.list(list);
                self.bind(*slot, list);
                self.node(condition);
            }
        }
    }

    fn list(&mut self, list: &CheckedList) {
        match list {
            CheckedList::Rows(kind, _) => self.rows(*kind),
            CheckedList::Field(row, FieldRef(field)) => self.field(row, field),
            CheckedList::Items(items) => items.iter().for_each(|it| self.node(it)),
            CheckedList::Filter(list, slot, inner) | CheckedList::Map(list, slot, inner) => {
                self.list(list);
                self.bind(*slot, list);
                self.node(inner);
            }
        }
    }
}
