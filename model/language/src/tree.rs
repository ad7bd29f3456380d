//! Checked expressions.

use std::ptr;

use deathwatch_model::rows::RowKind;

use crate::{
    fields::Field,
    syntax::Binary,
    types::{Time, Value},
};

/// The number of variables: the subject before and after, the names that a rule has, and one for
/// each macro around a place.
pub(crate) const SLOTS: usize = 2 + RULE_NAMES + MOST_NESTED;

/// The number of names that a rule has: of who asks, and of what an act names.
pub(crate) const RULE_NAMES: usize = 3;

/// The greatest number of macros around a place.
pub(crate) const MOST_NESTED: usize = 6;

/// The slot of the subject; of a claim about transitions, of the subject before.
pub(crate) const SUBJECT: usize = 0;

/// The slot of the subject after the transition.
pub(crate) const SUBJECT_AFTER: usize = 1;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Value(Value),
    Variable(usize),
    /// Whether nobody can move in a state who is assumed to act.
    Quiescent(Time),
    /// The value of the variant of this number.
    Variant(usize),
    Field(Box<Node>, FieldRef),
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

/// The number of items that have to fulfil a condition.
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
    Field(Box<Node>, FieldRef),
    Items(Vec<Node>),
    /// The items that fulfil a condition on the variable in a slot.
    Filter(Box<CheckedList>, usize, Box<Node>),
    /// The value that an expression makes of each item.
    Map(Box<CheckedList>, usize, Box<Node>),
}

/// A field, compared by where it is declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRef(pub(crate) &'static Field);

impl PartialEq for FieldRef {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Node {
    /// Shows every node of the tree to `see`.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(&Self)) {
        self.clone().change(&mut |node| see(node));
    }

    /// Shows the list that a node is about, and those that it is made of, to `see`.
    pub(crate) fn visit_lists(&self, see: &mut dyn FnMut(&CheckedList)) {
        self.clone().change_lists(&mut |list| see(list));
    }

    /// Changes the list that a node is about, and those that it is made of.
    pub(crate) fn change_lists(&mut self, to: &mut dyn FnMut(&mut CheckedList)) {
        if let Self::In(_, list) | Self::Size(list) | Self::Counts(_, list, ..) = self {
            let mut list = &mut **list;
            loop {
                to(list);
                match list {
                    CheckedList::Filter(inner, ..) | CheckedList::Map(inner, ..) => list = inner,
                    CheckedList::Rows(..) | CheckedList::Field(..) | CheckedList::Items(_) => break,
                }
            }
        }
    }

    /// Changes every node of the tree, the inner ones last.
    pub(crate) fn change(&mut self, to: &mut dyn FnMut(&mut Self)) {
        to(self);
        self.change_parts(&mut |part| part.change(to));
    }

    /// Changes every node of the tree, the inner ones first.
    pub(crate) fn change_inner_first(&mut self, to: &mut dyn FnMut(&mut Self)) {
        self.change_parts(&mut |part| part.change_inner_first(to));
        to(self);
    }

    /// Changes the nodes that this one is made of.
    fn change_parts(&mut self, to: &mut dyn FnMut(&mut Self)) {
        match self {
            Self::Value(_) | Self::Variable(_) | Self::Quiescent(_) | Self::Variant(_) => {}
            Self::Field(inner, _)
            | Self::Lives(inner, _)
            | Self::Find(_, inner, _)
            | Self::Not(inner) => to(inner),
            Self::Pair(_, both, _) | Self::Binary(_, both) => both.iter_mut().for_each(to),
            Self::And(terms) | Self::Or(terms) => terms.iter_mut().for_each(to),
            Self::If(parts) => parts.iter_mut().for_each(to),
            Self::In(inner, list) => {
                to(inner);
                list.change_parts(to);
            }
            Self::Size(list) => list.change_parts(to),
            Self::Counts(_, list, _, condition) => {
                list.change_parts(to);
                to(condition);
            }
        }
    }
}

impl CheckedList {
    fn change_parts(&mut self, to: &mut dyn FnMut(&mut Node)) {
        match self {
            Self::Rows(..) => {}
            Self::Field(row, _) => to(row),
            Self::Items(items) => items.iter_mut().for_each(to),
            Self::Filter(list, _, inner) | Self::Map(list, _, inner) => {
                list.change_parts(to);
                to(inner);
            }
        }
    }
}
