//! The fields of rows, as expressions name them: declared ones, and ones that are derived from
//! constants of the world or from other rows.
//!
//! A field of a document that does not exist has no value, unless its type has a word for it: a
//! life is "gone", a name is "none". All other fields have to be guarded.

mod begun;
mod derived;
mod exists;
mod read;

use std::sync::LazyLock;

use deathwatch_model::{
    rows::{self, FieldKind, FieldSet, RowKind},
    state::State,
    world::World,
};

pub(crate) use self::read::{default_of, value_of};
use crate::{
    dependencies::Back,
    recount::Recount,
    types::{LIVES, Type, Value, quoted},
};

/// A field of a kind of row, with the type of its values.
#[derive(Debug)]
pub struct TypedField {
    pub of: RowKind,
    pub name: String,
    /// Its meaning, in a sentence or two.
    pub meaning: &'static str,
    /// The type of its value, or of each item of its list.
    pub value: Type,
    pub is_list: bool,
    /// Whether it has a value only if the document of its row exists.
    pub is_of_document: bool,
    /// Whether it is a note of a unit's agent, or is derived from one. Fields of steps are none,
    /// even where notes show the event.
    pub is_note: bool,
    /// The kinds of rows that it is read from, with the fields there; constants of the world are
    /// left out.
    pub reads: Vec<FieldRead>,
    /// Its declaration in the row; `None` for a derived field.
    pub declared: Option<&'static rows::Field>,
    access: Access,
}

/// Rows that a field is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRead {
    pub kind: RowKind,
    pub fields: FieldSet,
    /// The reverse dependency from such a row to the rows that have the field.
    pub back: Back,
}

/// The function that derives a value from a state.
type Derivation = fn(&World, &State, rows::Row) -> Value;

#[derive(Clone, Copy, Debug)]
enum Access {
    /// The number of the declared field among those of its row, parts of documents counted.
    Declared(usize),
    Derived(Derivation),
    /// A value derived from the states before a step and after it.
    Step(fn(&World, [&State; 2], rows::Row) -> Value),
    /// A derived list, and the greatest number of its items; `None` in a world without such rows.
    List(fn(&World, &State, rows::Row, &mut ItemSink<'_>) -> bool, fn(&World) -> Option<usize>),
    /// A derived list with shorter ways to its length and to membership.
    Set(&'static LargeList),
}

/// A derived list with functions for membership and length, which need not produce all items.
#[derive(Debug)]
struct LargeList {
    /// Calls the sink with its items, as for other lists.
    each: fn(&World, &State, rows::Row, &mut ItemSink<'_>) -> bool,
    /// The greatest number of its items.
    most: fn(&World) -> Option<usize>,
    /// Whether the value is one of the items.
    has: fn(&World, &State, rows::Row, Value) -> bool,
    /// The number of items; `None` if they have to be counted.
    size: fn(&State, Option<&Recount>, rows::Row) -> Option<usize>,
}

/// Receives the items of a list one by one; returns true to stop.
pub(crate) type ItemSink<'a> = dyn FnMut(Value) -> bool + 'a;

/// The kinds of rows that expressions can be about: all but the clients of scripts, whose number a
/// world does not fix.
pub const KINDS: [RowKind; RowKind::ALL.len() - 1] = {
    let mut kinds = [RowKind::Machine; RowKind::ALL.len() - 1];
    let (mut at, mut count) = (0, 0);
    while at < RowKind::ALL.len() {
        if !matches!(RowKind::ALL[at], RowKind::Client) {
            kinds[count] = RowKind::ALL[at];
            count += 1;
        }
        at += 1;
    }
    kinds
};

/// The fields of every kind of row, those of one kind next to each other.
static FIELDS: LazyLock<Vec<Vec<TypedField>>> =
    LazyLock::new(|| RowKind::ALL.iter().map(|kind| all_of(*kind)).collect());

pub fn fields(kind: RowKind) -> &'static [TypedField] {
    &FIELDS[kind as usize]
}

/// The name of a kind of row in expressions.
pub fn kind_name(kind: RowKind) -> String {
    kind.name().replace('-', "_")
}

pub fn kind_named(name: &str) -> Option<RowKind> {
    KINDS.into_iter().find(|kind| kind.name() == name)
}

/// The name of the list of all rows of a kind: the plural of its name, which some names are
/// already.
pub fn list_name(kind: RowKind) -> String {
    let name = kind_name(kind);
    match name.strip_suffix('y') {
        Some(stem) if name.ends_with("ry") => format!("{stem}ies"),
        _ if name.ends_with('s') => name,
        _ => name + "s",
    }
}

/// The declared field with this name in expressions, as a set; all fields if there is none.
fn parts_called(kind: RowKind, name: &str) -> FieldSet {
    let parts = kind.fields().iter().flat_map(rows::Field::parts);
    let number = parts.into_iter().position(|part| part.name.replace('-', "_") == name);
    number.map_or(FieldSet::ALL, FieldSet::one)
}

/// Whether the declared field with this name in expressions is a note of a unit's agent.
fn is_note_called(kind: RowKind, name: &str) -> bool {
    let mut parts = kind.fields().iter().flat_map(rows::Field::parts);
    parts.any(|part| part.texts.is_note && part.name.replace('-', "_") == name)
}

fn all_of(kind: RowKind) -> Vec<TypedField> {
    let mut all = derived::of(kind);
    let mut number = 0;
    for field in kind.fields() {
        let is_document = field.kind == FieldKind::Document;
        // A user's command in progress is written as a document in expectations, but it always
        // exists.
        let is_of_document = is_document && field.name != "transaction";
        for part in field.parts() {
            number += 1;
            let Some((value, is_list)) = Type::of(part.kind) else { continue };
            all.push(TypedField {
                of: kind,
                name: part.name.replace('-', "_"),
                meaning: part.meaning(),
                value,
                is_list,
                is_of_document,
                is_note: part.texts.is_note,
                reads: vec![FieldRead {
                    kind,
                    fields: FieldSet::one(number - 1),
                    back: Back::Same,
                }],
                declared: Some(part),
                access: match value {
                    Type::Word(words) if words == LIVES => {
                        Access::Derived(|_, state, row| Value::life(row.life(state)))
                    }
                    _ => Access::Declared(number - 1),
                },
            });
        }
    }
    all
}

impl TypedField {
    /// Whether this is the field for the existence of the row's document.
    pub(crate) fn is_exists(&self) -> bool {
        self.name == exists::EXISTS
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.declared.is_none() && self.reads.is_empty()
    }

    /// Whether it is about a step, and not about a state.
    pub fn is_of_step(&self) -> bool {
        matches!(self.access, Access::Step(_))
    }

    /// Whether it can be read only where the row's document is known to exist; for a row that may
    /// not exist at all, only where the row does.
    pub fn needs_guard(&self, is_row_certain: bool) -> bool {
        let is_always_there = self.is_exists() || !self.is_list && self.value.has_nothing();
        !is_always_there && (self.is_of_document || !is_row_certain)
    }

    /// The greatest number of items of its list in this world.
    pub(crate) fn most_items(&self, world: &World) -> usize {
        let Type::Name(names) = self.value else { unreachable!("the items of fields are names") };
        match self.access {
            Access::List(_, most) | Access::Set(&LargeList { most, .. }) => {
                most(world).unwrap_or(0)
            }
            Access::Declared(_) | Access::Derived(_) | Access::Step(_) => {
                let kinds = RowKind::ENTITIES.into_iter().filter(|kind| names.has(*kind));
                kinds.map(|kind| kind.count(world)).sum()
            }
        }
    }

    /// The form of its values, for listings.
    pub fn values(&self) -> String {
        let is_txn = self.declared.is_some_and(|field| field.kind == FieldKind::Txn);
        match (self.is_list, self.value) {
            _ if is_txn => "a transaction or \"none\"".to_owned(),
            (true, value) => format!("a list, each {}", value.shown()),
            (false, Type::Word(words)) => format!("one of {}", quoted(words)),
            (false, value) => value.shown(),
        }
    }
}
