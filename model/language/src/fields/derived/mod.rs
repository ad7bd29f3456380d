//! Derived fields, which no row declares: they follow from constants, or from other rows.

mod agents;
mod constants;
mod documents;
mod sightings;
mod steps;

use deathwatch_model::rows::RowKind::{self, Machine, Relation, Unit};

use super::{
    Access::{self, List, Set},
    FieldRead, TypedField,
    exists::exists,
    is_note_called, parts_called,
};
use crate::{
    dependencies::Back,
    types::{NameType, Type},
};

/// A derived field: the kinds of rows that have it, its name, the type of its value or of its
/// list's items, the kinds of rows that it is derived from (each with the field there, or "" for
/// any, and the reverse dependency), the way to read it, and its meaning.
struct Follows(
    &'static [RowKind],
    &'static str,
    Type,
    &'static [(RowKind, &'static str, Back)],
    Access,
    &'static str,
);

const MACHINES: Type = Type::Name(NameType::of(Machine).or_none());
const UNITS: Type = Type::Name(NameType::of(Unit).or_none());
const RELATIONS: Type = Type::Name(NameType::of(Relation).or_none());

/// The kinds of hooks, after the word for none. Without named hooks, those of a departure are one
/// kind.
const HOOKS: &[&str] = &[
    "none",
    "install",
    "config-changed",
    "start",
    "stop",
    "upgrade-charm",
    "relation-joined",
    "relation-changed",
    "relation-departed",
    "relation-broken",
    "departure",
];

/// The derived fields of a kind of row.
pub(super) fn of(kind: RowKind) -> Vec<TypedField> {
    let all = [constants::ALL, documents::ALL, agents::ALL, sightings::ALL, steps::ALL];
    let mine = all.into_iter().flatten().filter(|Follows(of, ..)| of.contains(&kind));
    let mine = mine.map(|Follows(_, name, value, reads, access, meaning)| TypedField {
        of: kind,
        name: (*name).to_owned(),
        meaning,
        value: if *name == "name" { Type::Name(NameType::of(kind)) } else { *value },
        is_list: matches!(access, List(..) | Set(_)),
        is_of_document: false,
        is_note: !matches!(access, Access::Step(_))
            && reads.iter().any(|(kind, name, _)| is_note_called(*kind, name)),
        reads: reads.iter().map(|read| read_of(*read)).collect(),
        declared: None,
        access: *access,
    });
    [exists(kind)].into_iter().chain(mine).collect()
}

fn read_of((kind, name, back): (RowKind, &str, Back)) -> FieldRead {
    FieldRead { kind, fields: parts_called(kind, name), back }
}
