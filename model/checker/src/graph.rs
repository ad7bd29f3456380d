//! The graph of a state space: who moved from which state to which.
//!
//! States are numbered in the order in which breadth-first search first found them, so that a
//! smaller number is never further from the start than a larger one.

use std::ops::Range;

/// The most states that a graph can have: the fair-run search keeps a number and a bit in 32 bits.
pub const MOST_STATES: u32 = (1 << 31) - 1;

const _: () = assert!(MOST_STATES == u32::MAX >> 1, "a bit is left beside the number of a state");

/// The mover of an edge, as far as fairness is concerned.
///
/// A label is a fault, which happens finitely often on every run; or free, which means that its
/// actor never has to move; or a fairness class, of which more can be assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u16);

impl Label {
    /// A fault: happens at any time, but only finitely often.
    pub const FAULT: Self = Self(u16::MAX);
    /// A mover that may move at any time and for ever, but never has to.
    pub const FREE: Self = Self(u16::MAX - 1);
    /// The number of fairness classes that there can be, 65,534: the other labels take two numbers.
    pub const MOST_CLASSES: u16 = Self::FREE.0;

    /// A move of fairness class `class`.
    ///
    /// # Panics
    /// If `class` is not below [`Self::MOST_CLASSES`].
    #[inline]
    pub fn class(class: u16) -> Self {
        assert!(class < Self::MOST_CLASSES, "fairness classes are few");
        Self(class)
    }

    /// The fairness class, or `None` for a fault or a free actor.
    #[inline]
    pub fn as_class(self) -> Option<u16> {
        (self.0 < Self::MOST_CLASSES).then_some(self.0)
    }

    /// A number that no other label has.
    pub(crate) fn code(self) -> u16 {
        self.0
    }

    pub(crate) fn of_code(code: u16) -> Self {
        Self(code)
    }

    #[inline]
    pub fn is_fault(self) -> bool {
        self == Self::FAULT
    }
}

/// The assumption about a fairness class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Fairness {
    /// No assumption: the mover may stop for ever, although it could move.
    #[default]
    None,
    /// Weak fairness: a mover that from some moment on can always move, moves again.
    Weak,
    /// Strong fairness: a mover that can move again and again, moves again and again.
    Strong,
}

/// A finite labelled graph with states `0..len`.
pub trait Graph {
    fn len(&self) -> u32;

    /// Whether the graph has no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges out of `state`, always in the same order.
    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_;

    /// The states in which runs begin.
    fn starts(&self) -> &[u32];

    /// The group that renames movers along edges, if a state stands for several that differ only in
    /// names.
    fn turns(&self) -> Option<&dyn Turns> {
        None
    }

    /// The edges out of `state` as [`Self::edges`] has them, each with the number of the turn that
    /// it takes.
    fn turned_edges(&self, state: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        self.edges(state).map(|(next, label)| (next, label, 0))
    }
}

/// A graph that several processes share: each has the edges out of the states that it keeps, which
/// have places there.
pub trait SharedGraph {
    /// The number of states of all processes together.
    fn states(&self) -> u32;

    /// The states that a process keeps of these numbers, in their order, each with its place there.
    fn kept_by(
        &self,
        process: usize,
        numbers: Range<u32>,
    ) -> impl DoubleEndedIterator<Item = (u32, u32)> + '_;

    /// The edges out of the state at this place of this process, each with the number of the turn
    /// that it takes; that is 0 where there are no turns.
    fn turned_edges(&self, place: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_;

    /// The same edges without their turns.
    fn edges(&self, place: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.turned_edges(place).map(|(next, label, _)| (next, label))
    }

    /// The turns of [`Graph::turns`].
    fn turns(&self) -> Option<&dyn Turns> {
        None
    }
}

/// A group of turns, each of which exchanges movers: a class at the end of an edge has another name
/// at its beginning.
///
/// An edge with the turn `g` to a state where `c` moves is one to a state where `g` of `c` does, as
/// its source sees it. Turn 0 changes nothing.
pub trait Turns {
    fn count(&self) -> usize;

    /// The turn that does `first`, and after it `then`.
    fn product(&self, then: usize, first: usize) -> usize;

    /// The turn that takes this one back.
    fn inverse(&self, turn: usize) -> usize;

    /// The label that takes the place of `label` under this turn.
    fn renamed(&self, turn: usize, label: Label) -> Label;
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Edgeless(u32);

    impl Graph for Edgeless {
        fn len(&self) -> u32 {
            self.0
        }

        fn edges(&self, _: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
            std::iter::empty()
        }

        fn starts(&self) -> &[u32] {
            &[]
        }
    }

    #[test]
    fn a_label_is_a_fault_or_free_or_a_class() {
        let last = u16::MAX - 2;
        for class in [0, 1, 77, last] {
            let label = Label::class(class);
            assert_eq!((label.as_class(), label.is_fault()), (Some(class), false));
        }
        assert_eq!((Label::FAULT.as_class(), Label::FAULT.is_fault()), (None, true));
        assert_eq!((Label::FREE.as_class(), Label::FREE.is_fault()), (None, false));
        for class in [last + 1, last + 2] {
            assert!(std::panic::catch_unwind(|| Label::class(class)).is_err());
        }
    }

    #[test]
    fn a_graph_without_states_is_empty() {
        assert!(Edgeless(0).is_empty() && !Edgeless(1).is_empty());
    }
}
