//! Views: an abstraction of instances with any number of processes.
//!
//! A [`Template`] has types of processes; an instance has some number of each. A state is a shared
//! part, with counts of processes in it, and a local state for each process. A *view* of it is the
//! shared part, the local states of one visible process of each type, and the amount that all other
//! processes, the hidden ones, add to each count, up to a bound from which on more does not matter.
//!
//! [`closure()`] finds a set of views that has every view of every state that an instance of any
//! size can reach. A visible process makes its own moves; moves of hidden ones are found by
//! exchanging a hidden process for the visible one of its type. [`ends`] shows that without faults
//! every run of every instance ends, and [`RestViews`] has the views in which it can.
//! `docs/any-size.md` has the proofs.

use foldhash::fast::FixedState;
use indexmap::{IndexMap, IndexSet};

mod closure;
mod cone;
mod measure;
mod open;
mod rest;
#[cfg(test)]
mod tests;

pub use closure::{Closure, MovesAt, NoClosure, closure};
pub use measure::{Measure, MeasureFailure, Ranked, ends};
pub use open::{OpenPairs, Pair};
pub use rest::{RestViews, rest};

/// Maps and sets that iterate in the order in which they were filled.
type OrderedMap<K, V> = IndexMap<K, V, FixedState>;
type OrderedSet<T> = IndexSet<T, FixedState>;

/// The greatest number of types of processes.
pub const MOST_TYPES: usize = 4;

/// The greatest number of counts.
pub const MOST_COUNTS: usize = 12;

/// The amount that some processes add to each count.
pub type Amounts = [u8; MOST_COUNTS];

/// Index of a local state among those of its type.
pub type LocalId = u16;

/// Index of a shared part.
pub type SharedId = u32;

/// A view of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateView {
    /// The shared part, without counts.
    pub shared: SharedId,
    /// The local state of the visible process of each type.
    pub locals: [LocalId; MOST_TYPES],
    /// The amount that all hidden processes add to each count, up to the bound.
    pub hidden: Amounts,
}

/// The kind of actor that makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoverKind {
    /// No actor: a fault, or another event that happens finitely often.
    Fault,
    /// A user who gives a command. A question may assume that commands are finitely many.
    Command,
    /// An actor that may move but need not.
    Free,
    /// An actor that does not stop while it can move.
    Owed,
}

/// A move: the shared part after it, and the local state of the process that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewMove {
    pub mover: MoverKind,
    /// The shared part after it.
    pub shared: SharedId,
    /// The local state after it of the process that makes it; unchanged, if no process does.
    pub local: LocalId,
    /// The broadcast to all other processes, if any: a number that [`Template::told`] knows.
    pub broadcast: Option<u32>,
}

/// The origin of a move: a shared actor, or a process of a type in a local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// An actor that all processes share.
    Shared,
    Process(usize, LocalId),
}

/// A system of processes of several types, which know each other only through the shared part.
///
/// A move of a process may depend on the shared part, its own local state and the counts, and
/// change the first two. A move of a shared actor may depend on the shared part and the counts. A
/// count is the sum of what the processes add to it, before and after each move.
pub trait Template {
    /// The reason why a move violates the conditions of a template.
    type Error;

    /// The number of types, at most [`MOST_TYPES`].
    fn types(&self) -> usize;

    /// The number of counts, at most [`MOST_COUNTS`].
    fn counts(&self) -> usize;

    /// The bound of hidden counts: a greater one makes no difference.
    fn bound(&self) -> u8;

    /// The amount that a process of this type in this local state adds to each count.
    fn adds(&self, of: usize, local: LocalId) -> Amounts;

    /// The moves, if the others add `others` to the counts; the bound stands for that much or more.
    ///
    /// # Errors
    /// If one of them violates the conditions of a template.
    fn moves(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Amounts,
    ) -> Result<Vec<ViewMove>, Self::Error>;

    /// The local state that a process of this type has after a broadcast that finds it in `local`.
    ///
    /// # Errors
    /// If it depends on more than that, or changes the amount that the process adds to a count.
    fn told(&mut self, broadcast: u32, of: usize, local: LocalId) -> Result<LocalId, Self::Error>;

    /// The counts that a broadcast sets to zero, each marked by a number above 0.
    fn clears(&self, _: u32) -> Amounts {
        [0; MOST_COUNTS]
    }

    /// Whether this count is of processes that have something pending.
    fn is_of_pending(&self, _: usize) -> bool {
        false
    }

    /// The shared part without its pending transactions; unchanged, if there are none.
    fn settled_shared(&mut self, shared: SharedId) -> SharedId {
        shared
    }

    /// The local state without its pending transactions; unchanged, if there are none.
    fn settled_local(&mut self, _: usize, local: LocalId) -> u32 {
        local.into()
    }
}

/// The sum of two amounts, up to a bound.
fn sum(one: Amounts, other: Amounts, bound: u8) -> Amounts {
    std::array::from_fn(|count| one[count].saturating_add(other[count]).min(bound))
}
