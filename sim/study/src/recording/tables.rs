//! States by name: each field of a row as its declaration describes it, and the changes of a step.

use std::collections::BTreeSet;

use deathwatch_documents::run::{
    Because, Change, DocumentName, Entity, Kind, KindField, Table, Tables, Tier, Value,
};
use deathwatch_model::{
    ids::{Constraints, EntityId, Id as _, Placement},
    life::Life,
    rows::{Field, FieldKind, Row, RowKind, ShownValue},
    state::State,
    txn::Op,
    world::World,
};
use deathwatch_scenario::{describe, scenario::NamedSubject};

/// The rows of a run: those that the world may have, and others that it touched, such as those of
/// the clients of a script.
pub(super) struct RunRows(BTreeSet<Row>);

impl RunRows {
    /// The rows of `world`, and others.
    pub(super) fn of(world: &World, others: impl IntoIterator<Item = Row>) -> Self {
        let all = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world));
        Self(all.chain(others).collect())
    }

    pub(super) fn only(rows: impl IntoIterator<Item = Row>) -> Self {
        Self(rows.into_iter().collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn tables(&self, world: &World, state: &State) -> Tables {
        let mut tables = Tables::new();
        for row in &self.0 {
            let DocumentName { kind, name } = document_name(world, *row);
            let fields = fields(world, state, *row);
            let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            tables.entry(kind).or_default().insert(name, fields);
        }
        tables
    }

    /// The kinds of the rows, each with its subject and the meanings of its fields.
    pub(super) fn kinds(&self, world: &World) -> Table<Kind> {
        let mut kinds: Table<Kind> = Table::new();
        for row in &self.0 {
            let DocumentName { kind, name } = document_name(world, *row);
            let kind = kinds.entry(kind).or_insert_with(|| Self::kind(*row));
            let about = row.about().map(|it| entity(world, it).name);
            kind.rows.insert(name, about.collect());
        }
        kinds
    }

    /// The kind of a row, without its rows.
    fn kind(row: Row) -> Kind {
        let parts = row.kind().fields().iter().flat_map(|field| {
            let is_document = field.kind == FieldKind::Document;
            field.parts().iter().map(move |part| (part, is_document))
        });
        let fields = parts.map(|(field, is_part)| {
            let (means, optional) = (field.meaning().to_owned(), is_part || is_optional(field));
            (field.name.to_owned(), KindField { means, optional })
        });
        Kind {
            means: row.kind().about().to_owned(),
            about: row.about().map(tier).collect(),
            rows: Table::new(),
            fields: fields.collect(),
        }
    }
}

/// A state by name, with all rows that the world may have.
pub fn tables(world: &World, state: &State) -> Tables {
    RunRows::of(world, []).tables(world, state)
}

/// The tables of these rows of a state, by name.
pub(crate) fn tables_of(
    world: &World,
    state: &State,
    rows: impl IntoIterator<Item = Row>,
) -> Tables {
    RunRows::only(rows).tables(world, state)
}

/// Whether a field may name nothing.
fn is_optional(field: &Field) -> bool {
    matches!(
        field.kind,
        FieldKind::Placement
            | FieldKind::Machine
            | FieldKind::Application
            | FieldKind::Unit
            | FieldKind::Relation
            | FieldKind::Txn
            | FieldKind::Begun
            | FieldKind::Constraints
    )
}

pub fn document_name(world: &World, row: Row) -> DocumentName {
    let about: Vec<&str> = row.about().map(|it| describe::bare_name(world, it)).collect();
    let name =
        if about.is_empty() { NamedSubject::Row(row).key(world) } else { about.join(" in ") };
    DocumentName { kind: row.kind().name().to_owned(), name }
}

pub(super) fn entity(world: &World, id: EntityId) -> Entity {
    Entity { tier: tier(id), name: describe::bare_name(world, id).to_owned() }
}

fn tier(id: EntityId) -> Tier {
    match id {
        EntityId::Machine(_) => Tier::Machine,
        EntityId::Application(_) => Tier::Application,
        EntityId::Unit(_) => Tier::Unit,
        EntityId::Relation(_) => Tier::Relation,
    }
}

/// The fields of a row by name.
fn fields(world: &World, state: &State, row: Row) -> Vec<(&'static str, Option<Value>)> {
    some_fields(world, state, row, &|_| true)
}

/// The tables of some fields of these rows.
fn some_fields(
    world: &World,
    state: &State,
    row: Row,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<(&'static str, Option<Value>)> {
    let mut fields = Vec::new();
    if is_there(state, row) {
        state.fields(row, &mut |field, shown| {
            if is_wanted(field.name) {
                fields.push((field.name, shown.and_then(|shown| value(world, shown))));
            }
        });
    }
    fields
}

/// The fields of a row that may differ between two states. What is equal need not be put into
/// words, which takes long where there are thousands of names.
pub(super) fn differing(before: &State, after: &State, row: Row) -> Vec<&'static str> {
    let mut differing = Vec::new();
    let is_new = !is_there(before, row);
    after.fields(row, &mut |field, new| {
        let mut differs = is_new;
        if !is_new {
            before.fields(row, &mut |known, old| differs |= known.name == field.name && old != new);
        }
        if differs {
            differing.push(field.name);
        }
    });
    differing
}

/// Whether a state has the row: clients have one only if they have begun something so far.
fn is_there(state: &State, row: Row) -> bool {
    !matches!(row, Row::Client(id) if id.index() >= state.runtime.clients().len())
}

pub(super) fn changes(
    world: &World,
    before: &State,
    after: &State,
    touched: &[Row],
) -> Vec<Change> {
    let touched: BTreeSet<Row> = touched.iter().copied().collect();
    let mut changes = Vec::new();
    for row in touched {
        let differing = differing(before, after, row);
        let is_wanted = |field: &str| differing.contains(&field);
        let (old, new) = (
            some_fields(world, before, row, &is_wanted),
            some_fields(world, after, row, &is_wanted),
        );
        for (index, (field, after)) in new.into_iter().enumerate() {
            let before = old.get(index).and_then(|(_, value)| value.clone());
            if before != after {
                let document = document_name(world, row);
                changes.push(Change { document, field: field.to_owned(), before, after });
            }
        }
    }
    changes
}

fn value(world: &World, shown: ShownValue<'_>) -> Option<Value> {
    Some(match shown {
        ShownValue::Flag(holds) => Value::Flag(holds),
        ShownValue::Count(count) => Value::Count(count),
        ShownValue::Life(life) => Value::Word(Life::word(Some(life)).to_owned()),
        ShownValue::State(_, name) => Value::Word(name.to_owned()),
        ShownValue::Placement(Placement::Machine(id)) => {
            Value::Machine { machine: world.machine(id).name.clone() }
        }
        ShownValue::Placement(Placement::Principal(id)) => {
            Value::Unit { unit: world.unit(id).name.clone() }
        }
        ShownValue::Name(Some(entity)) => {
            Value::Word(describe::bare_name(world, entity).to_owned())
        }
        ShownValue::Units(ids) => {
            Value::Names(ids.iter().map(|id| world.unit(id).name.clone()).collect())
        }
        ShownValue::Machines(ids) => {
            Value::Names(ids.iter().map(|id| world.machine(id).name.clone()).collect())
        }
        ShownValue::Txn(Some(txn)) => Value::Transaction {
            transaction: world.show_operation(txn.operation),
            ops: txn.ops.iter().map(|op| condition(world, op)).collect(),
        },
        ShownValue::Hook(hook) => Value::Hook { hook: world.show_hook(hook) },
        ShownValue::Constraints(set) if set != Constraints::NONE => {
            Value::Word(world.constraints.name(set).to_owned())
        }
        ShownValue::Aborts(aborts, again) => Value::Aborts { aborts, again },
        ShownValue::Commands(counts) => {
            let counts = world.commands.iter().zip(counts);
            Value::Commands(
                counts.map(|(it, count)| (world.show_command(it.command), *count)).collect(),
            )
        }
        ShownValue::Placement(Placement::Nowhere)
        | ShownValue::Name(None)
        | ShownValue::Txn(None)
        | ShownValue::Constraints(_) => return None,
    })
}

/// The assert of an op, and whether the op changes something.
fn condition(world: &World, op: &Op) -> Because {
    let (document, expects) = (world.show_doc(op.doc()), op.expected(world));
    Because {
        clauses: vec![op.clause.to_string()],
        text: format!("{} expects {document} {expects}", op.clause),
        document: Some(document),
        expects: Some(expects),
        changes: op.changes(),
    }
}
