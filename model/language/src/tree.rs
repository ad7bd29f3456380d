//! Checked expressions.

use std::ptr;

use deathwatch_model::rows::RowKind;

use crate::{
    fields::Field,
    syntax::Binary,
    types::{Time, Value},
};

/// The number of variables: the subject before and after, and one for each macro around a place.
pub(crate) const SLOTS: usize = 8;

/// The slot of the subject; of a claim about transitions, of the subject before.
pub(crate) const SUBJECT: usize = 0;

/// The slot of the subject after the transition.
pub(crate) const SUBJECT_AFTER: usize = 1;

/// A checked expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A constant.
    Value(Value),
    /// The variable in a slot.
    Variable(usize),
    /// Whether nobody can move in a state who is assumed to act.
    Quiescent(Time),
    /// The value of the variant of this number.
    Variant(usize),
    /// A field of a row.
    Field(Box<Node>, Of),
    /// Whether the life of an entity is in a set, which has a bit for each. Only what is evaluated
    /// has it.
    Lives(Box<Node>, u8),
    /// The row of the kind that belongs to the entity of this name.
    Find(RowKind, Box<Node>, Time),
    /// The row of the kind that belongs to a relation and a unit.
    Pair(RowKind, Box<[Node; 2]>, Time),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    /// A condition, and what is so if it holds or not.
    If(Box<[Node; 3]>),
    /// An operator of two values, which is not `In`.
    Binary(Binary, Box<[Node; 2]>),
    In(Box<Node>, Box<CheckedList>),
    Size(Box<CheckedList>),
    /// Whether this number of items fulfils a condition on the variable in a slot.
    Counts(Quantifier, Box<CheckedList>, usize, Box<Node>),
}

/// How many items have to fulfil a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Some,
    One,
}

/// A checked list. It is never made: its items are produced one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CheckedList {
    /// All rows of a kind that the world may have.
    Rows(RowKind, Time),
    /// The items of a field.
    Field(Box<Node>, Of),
    /// These values.
    Items(Vec<Node>),
    /// The items that fulfil a condition on the variable in a slot.
    Filter(Box<CheckedList>, usize, Box<Node>),
    /// What an expression makes of the items.
    Map(Box<CheckedList>, usize, Box<Node>),
}

/// A field, compared by where it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Of(pub(crate) &'static Field);

impl PartialEq for Of {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}
