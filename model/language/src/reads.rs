//! What an expression reads, known before it runs.

use deathwatch_model::{
    claims::Reads,
    history::Kept,
    rows::{Parts, Row, RowKind},
    state::State,
    world::World,
};

use crate::{
    fields::Field,
    tree::{CheckedList, Node, Of, SUBJECT, SUBJECT_AFTER},
    types::Value,
};

/// What an expression reads; in one without a subject, there are no variables of the subject.
pub(crate) fn of(node: &Node) -> (Reads, NoticedFields) {
    let mut reader = ReadCollector { reads: Reads::default(), noticed: NoticedFields::default() };
    reader.node(node);
    (reader.reads, reader.noticed)
}

/// Whether this is a name in the key of the subject: that of its unit, its relation or its machine.
fn is_key_of_subject(name: &Node) -> bool {
    match name {
        Node::Field(row, Of(field)) => {
            let is_subject = matches!(**row, Node::Variable(SUBJECT | SUBJECT_AFTER));
            let is_key = ["unit", "relation", "machine"].contains(&field.name.as_str());
            is_subject && is_key && field.declared.is_none() && field.reads.is_empty()
        }
        _ => false,
    }
}

/// What an expression notices of a row: the fields that it reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NoticedFields {
    /// The fields of history that are read.
    keeps: Kept,
    /// The declared fields that are read, of each kind of rows.
    declared: Vec<(RowKind, Parts)>,
    /// The fields that are read and follow from others.
    derived: Vec<Of>,
    /// Whether it asks for quiescence, which any change may change.
    is_all: bool,
}

impl NoticedFields {
    /// The fields of history that are read.
    pub(crate) fn keeps(&self) -> Kept {
        self.keeps
    }

    fn add(&mut self, field: &'static Field) {
        let kept = field.declared.and_then(|declared| Kept::of(field.of, declared.name));
        self.keeps = self.keeps | kept.unwrap_or_default();
        match field.number() {
            Some(number) => {
                let place = self.declared.iter().position(|(kind, _)| *kind == field.of);
                let place = place.unwrap_or_else(|| {
                    self.declared.push((field.of, Parts::default()));
                    self.declared.len() - 1
                });
                self.declared[place].1.add(number);
            }
            None if self.derived.contains(&Of(field)) => {}
            None => self.derived.push(Of(field)),
        }
    }

    /// Whether a row that has changed in these fields differs in one that is read.
    pub(crate) fn differs(
        &self,
        world: &World,
        before: &State,
        after: &State,
        (row, changed): (Row, Parts),
    ) -> bool {
        let is_read = |(kind, parts): &(RowKind, Parts)| *kind == row.kind() && parts.meet(changed);
        if self.is_all || self.declared.iter().any(is_read) {
            return true;
        }
        let is_read = |field: &&Field| field.reads.contains(&row.kind());
        let mut derived = self.derived.iter().map(|Of(field)| *field).filter(is_read);
        derived.any(|field| {
            let reader = Reads::reader_of(row, field.of);
            if reader.index(world).is_none() {
                // A client may make rows of a relation and a unit that it does not concern.
                return false;
            }
            let value = |state| field.value_in(world, state, reader);
            // Two lists are not compared, as that takes as long as most conditions on them.
            field.is_list || value(before) != value(after)
        })
    }
}

/// Collects what is read.
struct ReadCollector {
    reads: Reads,
    noticed: NoticedFields,
}

impl ReadCollector {
    fn field(&mut self, row: &Node, field: &'static Field) {
        self.noticed.add(field);
        for kind in &field.reads {
            match row {
                Node::Variable(SUBJECT | SUBJECT_AFTER) => self.reads.own.add(*kind),
                Node::Value(Value::Row(Some(row), _)) if row.kind() == *kind => {
                    self.reads.add(*row);
                }
                Node::Find(found, name, _) if is_key_of_subject(name) => {
                    self.reads.link(*kind, *found);
                }
                Node::Pair(found, names, _) if names.iter().all(is_key_of_subject) => {
                    self.reads.link(*kind, *found);
                }
                _ => self.reads.any.add(*kind),
            }
        }
        self.node(row);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Value(_) | Node::Variable(_) => {}
            Node::Quiescent(_) => {
                for kind in RowKind::ALL {
                    self.reads.any.add(kind);
                }
                self.noticed.is_all = true;
            }
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

    fn list(&mut self, list: &CheckedList) {
        match list {
            CheckedList::Rows(..) => {}
            CheckedList::Field(row, Of(field)) => self.field(row, field),
            CheckedList::Items(items) => items.iter().for_each(|it| self.node(it)),
            CheckedList::Filter(list, _, inner) | CheckedList::Map(list, _, inner) => {
                self.list(list);
                self.node(inner);
            }
        }
    }
}
