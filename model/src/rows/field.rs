//! What is declared of a field besides its type: its name, what it means, and how it is told.

use crate::{
    ids::{EntityId, IdSet, MachineId, UnitId},
    life::Life,
    store::Placement,
    txn::Txn,
};

/// A field of a row, as it was declared.
#[derive(Debug)]
pub struct Field {
    /// What it is called in scenarios and listings.
    pub name: &'static str,
    /// The comment on it, with a space before each line.
    pub(super) meaning: &'static str,
    /// How it is told.
    pub told: Told,
    /// If it is a document, the fields of that.
    pub parts: &'static [Field],
}

impl Field {
    /// What it means, in a sentence or two.
    pub fn meaning(&self) -> &'static str {
        self.meaning.trim_start()
    }
}

/// How a field is told, in a description of the entity that its row belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Its place in the description: what has a smaller one comes before it. `None` if it is not
    /// told.
    pub at: Option<u8>,
    /// The texts for an entity that exists, by the number of what is shown. "{}" stands for what
    /// is shown. A text that is empty or begins with a space goes on where the one before it ends.
    present: [Text; 3],
    /// The texts where the entity does not exist.
    absent: [Text; 3],
    /// It is nothing that others can look at: what an agent, a user or a client has in mind.
    pub is_in_mind: bool,
    /// If it is a cleanup document: what scenarios call it, before the name of its entity.
    pub cleanup: Option<&'static str>,
}

/// A text, and whether it is worth saying in a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: &'static str,
    /// It is not as usual.
    pub is_worth_saying: bool,
}

/// A text that is worth saying.
pub(super) const fn said(text: &'static str) -> Text {
    Text { text, is_worth_saying: true }
}

/// A text that goes without saying.
pub(super) const fn unsaid(text: &'static str) -> Text {
    Text { text, is_worth_saying: false }
}

/// At most three texts; the others are never asked for.
const fn texts<const N: usize>(given: [Text; N]) -> [Text; 3] {
    let (mut all, mut index) = ([unsaid(""); 3], 0);
    while index < N {
        all[index] = given[index];
        index += 1;
    }
    all
}

impl Told {
    /// It is not told.
    pub(super) const NEVER: Self =
        Self { at: None, present: texts([]), absent: texts([]), is_in_mind: false, cleanup: None };

    /// It is told at this place of a description.
    pub(super) const fn at(at: u8) -> Self {
        Self { at: Some(at), ..Self::NEVER }
    }

    /// In these texts, whether there is an entity or not.
    pub(super) const fn both<const N: usize>(self, given: [Text; N]) -> Self {
        Self { present: texts(given), absent: texts(given), ..self }
    }

    /// In these texts if there is an entity.
    pub(super) const fn present<const N: usize>(self, given: [Text; N]) -> Self {
        Self { present: texts(given), ..self }
    }

    /// In these texts if there is no entity.
    pub(super) const fn absent<const N: usize>(self, given: [Text; N]) -> Self {
        Self { absent: texts(given), ..self }
    }

    /// Nobody else can look at it.
    pub(super) const fn in_mind(mut self) -> Self {
        self.is_in_mind = true;
        self
    }

    /// It is a cleanup document, which scenarios call this before the name of its entity.
    pub(super) const fn cleanup(mut self, name: &'static str) -> Self {
        self.cleanup = Some(name);
        self
    }

    /// The text for what is shown of an entity that exists, or does not. Of a document that is
    /// missing there is nothing to show.
    pub fn text(&self, shown: Option<Shown<'_>>, exists: bool) -> Text {
        match shown {
            None => self.absent[0],
            Some(shown) if exists => self.present[shown.number()],
            Some(shown) => self.absent[shown.number()],
        }
    }
}

/// What there is to say of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown<'a> {
    /// Whether something is so.
    Flag(bool),
    /// How many there are.
    Count(u64),
    /// A life.
    Life(Life),
    /// One of a few states, by number and name.
    State(usize, &'static str),
    /// Where a unit belongs.
    Placement(Placement),
    /// An entity, if there is one.
    Name(Option<EntityId>),
    /// Units.
    Units(&'a IdSet<UnitId>),
    /// Machines.
    Machines(&'a IdSet<MachineId>),
    /// A transaction, if there is one.
    Txn(Option<&'a Txn>),
    /// How often a transaction has aborted, and whether it is to be planned again.
    Aborts(u8, bool),
    /// Numbers that mean nothing by themselves.
    List,
}

impl Shown<'_> {
    /// The number of the text that tells it; the default has 0.
    pub fn number(self) -> usize {
        match self {
            Shown::Flag(holds) => holds.into(),
            Shown::Count(count) => usize::from(count != 1),
            Shown::Life(life) => life as usize,
            Shown::State(number, _) => number,
            Shown::Placement(Placement::Nowhere) => 0,
            Shown::Placement(Placement::Machine(_)) => 1,
            Shown::Placement(Placement::Principal(_)) => 2,
            Shown::Name(entity) => entity.is_some().into(),
            Shown::Units(units) => usize::from(!units.is_empty()),
            Shown::Machines(machines) => usize::from(!machines.is_empty()),
            Shown::Txn(txn) => txn.is_some().into(),
            Shown::Aborts(0, _) | Shown::List => 0,
            Shown::Aborts(_, is_again) => 1 + usize::from(is_again),
        }
    }
}
