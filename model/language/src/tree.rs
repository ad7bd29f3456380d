//! Checked expressions, as trees.

use std::ptr;

use deathwatch_model::rows::RowKind;

use crate::{
    fields::TypedField,
    syntax::Binary,
    types::{Time, Value},
};

/// The number of variables: the subject before and after, the names of a rule, and one for each
/// nested macro.
pub(crate) const SLOTS: usize = 2 + RULE_NAMES + MOST_NESTED;

/// The number of names of a rule: the asking agent's, and those of the act.
pub(crate) const RULE_NAMES: usize = 3;

/// The greatest depth of nested macros.
pub(crate) const MOST_NESTED: usize = 6;

/// The slot of the subject; in a claim about transitions, of the subject before.
pub(crate) const SUBJECT: usize = 0;

/// The slot of the subject after the transition.
pub(crate) const SUBJECT_AFTER: usize = 1;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Value(Value),
    Variable(usize),
    /// Whether a state is quiescent: no actor that is assumed to act can move.
    Quiescent(Time),
    /// The value of the variant with this number.
    Variant(usize),
    Field(Box<Node>, FieldRef),
    /// Whether the life of an entity is in a set, a bit for each life. Only simplified trees have
    /// it.
    Lives(Box<Node>, u8),
    /// The row of the kind that belongs to the entity of this name.
    Find(RowKind, Box<Node>, Time),
    /// The row of the kind that belongs to a relation and a unit.
    Pair(RowKind, Box<[Node; 2]>, Time),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    /// A condition, the value if it holds, and the value if it does not.
    If(Box<[Node; 3]>),
    /// An operator of two values, which is not `In`.
    Binary(Binary, Box<[Node; 2]>),
    In(Box<Node>, Box<CheckedList>),
    Size(Box<CheckedList>),
    /// Whether this many items fulfil a condition on the variable in a slot.
    Counts(Quantifier, Box<CheckedList>, usize, Box<Node>),
}

/// The number of items that have to fulfil a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    All,
    Some,
    One,
}

/// A checked list. It is never built: its items are produced one by one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CheckedList {
    /// All rows of a kind that the world has room for.
    Rows(RowKind, Time),
    Field(Box<Node>, FieldRef),
    Items(Vec<Node>),
    /// The items that fulfil a condition on the variable in a slot.
    Filter(Box<CheckedList>, usize, Box<Node>),
    /// The value that an expression makes of each item.
    Map(Box<CheckedList>, usize, Box<Node>),
}

/// A field, compared by its address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRef(pub(crate) &'static TypedField);

impl PartialEq for FieldRef {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Node {
    /// Calls `see` with every node of the tree.
    pub(crate) fn visit(&self, see: &mut dyn FnMut(&Self)) {
        self.clone().change(&mut |node| see(node));
    }

    /// Calls `see` with the list of this node, if it has one, and with the lists that it is
    /// filtered or mapped from.
    pub(crate) fn visit_lists(&self, see: &mut dyn FnMut(&CheckedList)) {
        self.clone().change_lists(&mut |list| see(list));
    }

    /// Changes the list of this node, if it has one, and the lists that it is filtered or mapped
    /// from.
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

    /// Changes every node of the tree, parents before their parts.
    pub(crate) fn change(&mut self, to: &mut dyn FnMut(&mut Self)) {
        to(self);
        self.change_parts(&mut |part| part.change(to));
    }

    /// Changes every node of the tree, parts before their parents.
    pub(crate) fn change_inner_first(&mut self, to: &mut dyn FnMut(&mut Self)) {
        self.change_parts(&mut |part| part.change_inner_first(to));
        to(self);
    }

    /// Changes the parts of this node.
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
