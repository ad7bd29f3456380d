//! The declaration of a field apart from its type: its name, meaning, and text in descriptions.

use crate::{
    action::Hook,
    ids::{Constraints, EntityId, IdSet, MachineId, Placement, UnitId},
    life::Life,
    txn::Txn,
};

/// A field of a row, as it was declared.
#[derive(Debug)]
pub struct Field {
    /// Its name in scenarios and listings.
    pub name: &'static str,
    /// Its doc comment, with a space before each line.
    pub(crate) meaning: &'static str,
    pub kind: FieldKind,
    pub texts: FieldText,
    /// The fields of the document, if it is one.
    pub parts: &'static [Field],
}

impl Field {
    /// The fields that it consists of: those of a document, or itself.
    pub fn parts(&'static self) -> &'static [Self] {
        if self.parts.is_empty() { std::slice::from_ref(self) } else { self.parts }
    }

    /// Its meaning, in a sentence or two.
    pub fn meaning(&self) -> &'static str {
        self.meaning.trim_start()
    }
}

/// A set of fields of a row, each by its number among the parts of all (`Field::parts`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FieldSet(pub(crate) u64);

impl FieldSet {
    /// Every field.
    pub const ALL: Self = Self(u64::MAX);

    pub fn one(number: usize) -> Self {
        Self(1 << number)
    }

    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Adds the field with this number.
    pub fn add(&mut self, number: usize) {
        self.0 |= 1 << number;
    }

    /// The fields in this set and not in `others`.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of them are among the others.
    pub fn is_part_of(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Whether some field is in both.
    pub fn meet(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// A kind of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Flag,
    Count,
    Life,
    /// One of a few states, by their names.
    State(&'static [&'static str]),
    /// The place of a unit, if it has one.
    Placement,
    /// A machine, if there is one.
    Machine,
    /// An application, if there is one.
    Application,
    /// A unit, if there is one.
    Unit,
    /// A relation, if there is one.
    Relation,
    Units,
    Machines,
    /// A transaction, if there is one.
    Txn,
    /// A transaction or a hook, if there is one.
    Begun,
    Constraints,
    /// For each command of the world a number.
    Commands,
    /// A document, whose fields have kinds of their own.
    Document,
}

impl FieldKind {
    /// Whether its values are pending work: begun and not finished yet.
    pub(crate) const fn is_pending(self) -> bool {
        matches!(self, Self::Txn | Self::Begun)
    }
}

/// The texts of a field, in a description of the entity that its row belongs to.
#[derive(Clone, Copy, Debug)]
pub struct FieldText {
    /// Its position in the description, in ascending order; `None` if it is not described.
    pub at: Option<u8>,
    /// The texts for an entity that exists, by the number of the shown value. "{}" stands for the
    /// value. A text that is empty or begins with a space continues the one before it.
    present: [ValueText; MOST_TEXTS],
    /// The texts for an entity that does not exist.
    absent: [ValueText; MOST_TEXTS],
    /// Whether other actors cannot read it: it is in the memory of an agent, a user or a client.
    pub is_private: bool,
    /// Whether a unit's agent keeps it on its disk or in its memory, both of which can be lost:
    /// what it has done, seen, and has still to do.
    pub is_note: bool,
    /// For a cleanup document, its name in scenarios, before the name of its entity.
    pub cleanup: Option<&'static str>,
}

/// The text of a value, and whether descriptions show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueText {
    pub text: &'static str,
    /// Whether it is unusual, and so worth saying.
    pub is_unusual: bool,
}

pub(crate) const fn shown(text: &'static str) -> ValueText {
    ValueText { text, is_unusual: true }
}

/// A text that descriptions hide, as it is the usual one.
pub(crate) const fn hidden(text: &'static str) -> ValueText {
    ValueText { text, is_unusual: false }
}

/// The greatest number of values of a field with different texts.
const MOST_TEXTS: usize = 12;

/// The given texts, filled up with empty ones.
const fn texts<const N: usize>(given: [ValueText; N]) -> [ValueText; MOST_TEXTS] {
    let (mut all, mut index) = ([hidden(""); MOST_TEXTS], 0);
    while index < N {
        all[index] = given[index];
        index += 1;
    }
    all
}

impl FieldText {
    /// A field that is not described.
    pub(crate) const NEVER: Self = Self {
        at: None,
        present: texts([]),
        absent: texts([]),
        is_private: false,
        is_note: false,
        cleanup: None,
    };

    /// The field at this position of a description.
    pub(crate) const fn at(at: u8) -> Self {
        Self { at: Some(at), ..Self::NEVER }
    }

    /// The field with these texts, whether the entity exists or not.
    pub(crate) const fn both<const N: usize>(self, given: [ValueText; N]) -> Self {
        Self { present: texts(given), absent: texts(given), ..self }
    }

    /// The field with these texts for an entity that exists.
    pub(crate) const fn present<const N: usize>(self, given: [ValueText; N]) -> Self {
        Self { present: texts(given), ..self }
    }

    /// The field with these texts for an entity that does not exist.
    pub(crate) const fn absent<const N: usize>(self, given: [ValueText; N]) -> Self {
        Self { absent: texts(given), ..self }
    }

    /// The field as one that no other actor can read.
    pub(crate) const fn private(mut self) -> Self {
        self.is_private = true;
        self
    }

    /// The field as one that a unit's agent notes.
    pub(crate) const fn note(mut self) -> Self {
        self.is_note = true;
        self
    }

    /// The field as a cleanup document with this name in scenarios, before the name of its entity.
    pub(crate) const fn cleanup(mut self, name: &'static str) -> Self {
        self.cleanup = Some(name);
        self
    }

    /// The text for a shown value of an entity that exists, or does not; `None` if the document is
    /// missing.
    pub fn text(&self, shown: Option<ShownValue<'_>>, exists: bool) -> ValueText {
        match shown {
            None => self.absent[0],
            Some(shown) if exists => self.present[shown.number()],
            Some(shown) => self.absent[shown.number()],
        }
    }
}

/// A value as a description shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShownValue<'a> {
    Flag(bool),
    Count(u64),
    Life(Life),
    /// One of a few states, by number and name.
    State(usize, &'static str),
    Placement(Placement),
    /// An entity, if there is one.
    Name(Option<EntityId>),
    Units(&'a IdSet<UnitId>),
    Machines(&'a IdSet<MachineId>),
    /// A transaction, if there is one.
    Txn(Option<&'a Txn>),
    Hook(Hook),
    Constraints(Constraints),
    /// The number of aborts of a transaction, and whether it is to be planned again.
    Aborts(u8, bool),
    /// For each command of the world a number.
    Commands(&'a [u8]),
}

impl ShownValue<'_> {
    /// The index of its text; that of the default value is 0.
    pub fn number(self) -> usize {
        match self {
            ShownValue::Flag(holds) => holds.into(),
            ShownValue::Count(count) => usize::from(count != 1),
            ShownValue::Life(life) => life as usize,
            ShownValue::State(number, _) => number,
            ShownValue::Placement(Placement::Nowhere) | ShownValue::Aborts(0, _) => 0,
            ShownValue::Placement(Placement::Machine(_)) => 1,
            ShownValue::Placement(Placement::Principal(_)) | ShownValue::Hook(_) => 2,
            ShownValue::Name(entity) => entity.is_some().into(),
            ShownValue::Constraints(set) => usize::from(set != Constraints::NONE),
            ShownValue::Units(units) => usize::from(!units.is_empty()),
            ShownValue::Machines(machines) => usize::from(!machines.is_empty()),
            ShownValue::Txn(txn) => txn.is_some().into(),
            ShownValue::Commands(counts) => counts.iter().any(|count| *count > 0).into(),
            ShownValue::Aborts(_, is_again) => 1 + usize::from(is_again),
        }
    }
}

/// The reason why a field cannot be set to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// There is no field of this name.
    NoField,
    /// The field has values of another kind.
    Kind,
    /// The document of the field does not exist.
    NoDocument,
    /// Its value is derived from fields of other rows.
    Follows,
    /// A transaction cannot be set: its plan depends on the state.
    Txn,
    /// Its values have numbers below this one in this world; with one value it never changes.
    Bound(u32),
    /// This cannot be in the set in this world.
    Member(EntityId),
    /// A principal is on a machine, and a subordinate with a principal.
    NoHost,
}
