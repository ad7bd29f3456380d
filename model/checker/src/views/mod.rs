//! Views: what holds in instances with any number of processes.
//!
//! A [`Template`] has types of processes; an instance has some number of each. A state is what all
//! share, with counts of processes in it, and a local state for each process. A *view* of it is the
//! shared part, the local states of one process of each type, and how much all others, which are
//! hidden, add to each count: up to a bound, from which on more makes no difference.
//!
//! [`closure()`] finds a set of views that has every view of every state that an instance of any
//! size can reach. What each process does is known by its own moves; what the hidden ones do, by
//! exchanging them for visible ones. [`ends`] says whether without faults every run of every
//! instance ends, and [`Rest`] in which views it can. `docs/any-size.md` has the proofs.

use foldhash::fast::FixedState;
use indexmap::{IndexMap, IndexSet};

mod closure;
mod cone;
mod measure;
mod open;
mod rest;
#[cfg(test)]
mod tests;

pub use closure::{Closure, Given, MovesAt, closure};
pub use measure::{Endless, Measure, Ranked, ends};
pub use open::{OpenPairs, Pair};
pub use rest::{Rest, rest};

/// Maps and sets in the order in which they were filled.
type Map<K, V> = IndexMap<K, V, FixedState>;
type Set<T> = IndexSet<T, FixedState>;

/// The greatest number of types of processes.
pub const MOST_TYPES: usize = 4;

pub const MOST_COUNTS: usize = 12;

/// What some processes add to each count.
pub type Amounts = [u8; MOST_COUNTS];

/// The number of a local state among those of its type.
pub type LocalId = u16;

/// The number of a shared part.
pub type SharedId = u32;

/// A view of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateView {
    /// The shared part, without counts.
    pub shared: SharedId,
    /// The local state of the visible process of each type.
    pub locals: [LocalId; MOST_TYPES],
    /// What all hidden processes add to each count, up to the bound.
    pub hidden: Amounts,
}

/// Who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mover {
    /// Nobody: a fault, or what else happens finitely often.
    Fault,
    /// A user who gives a command, which is finitely often if that is assumed.
    Command,
    /// Somebody who may move and need not.
    Free,
    /// Somebody who does not stop while he can move.
    Owed,
}

/// A move: what it makes of the shared part, and of the process that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub mover: Mover,
    /// The shared part after it.
    pub shared: SharedId,
    /// The local state after it of the process that makes it; as it was, if none does.
    pub local: LocalId,
    /// What it tells all other processes, if it does, by a number that [`Template::told`] knows.
    pub broadcast: Option<u32>,
}

/// Whose move it is: an actor's that is no process, or that of a process of a type in this local
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whose {
    /// That of an actor which all share.
    Shared,
    Process(usize, LocalId),
}

/// A system of processes of several types, which know each other only through what they share.
///
/// A move of a process may depend on the shared part, its own local state and the counts, and
/// change the former two; a move of a shared actor, on the shared part and the counts. A count is
/// what the processes add to it, before and after each move.
pub trait Template {
    /// The reason why a move is not as a template has to be.
    type Error;

    /// The number of types, at most [`MOST_TYPES`].
    fn types(&self) -> usize;

    /// The number of counts, at most [`MOST_COUNTS`].
    fn counts(&self) -> usize;

    /// The bound of hidden counts: more makes no difference.
    fn bound(&self) -> u8;

    /// What a process of this type in this local state adds to each count.
    fn adds(&self, of: usize, local: LocalId) -> Amounts;

    /// The moves, where the others add this much to each count: where that is the bound, that much
    /// or more.
    ///
    /// # Errors
    /// If one of them is not as it has to be.
    fn moves(
        &mut self,
        whose: Whose,
        shared: SharedId,
        others: Amounts,
    ) -> Result<Vec<Move>, Self::Error>;

    /// The local state after a broadcast of a process of this type that was in this one.
    ///
    /// # Errors
    /// If it depends on more, or changes what the process adds to a count.
    fn told(&mut self, broadcast: u32, of: usize, local: LocalId) -> Result<LocalId, Self::Error>;

    /// The counts of which a broadcast leaves nothing, as a number above 0.
    fn clears(&self, _: u32) -> Amounts {
        [0; MOST_COUNTS]
    }

    /// Whether a count is one of those who have something pending.
    fn is_of_pending(&self, _: usize) -> bool {
        false
    }

    /// The shared part without what is pending in it; itself, where nothing can be.
    fn settled_shared(&mut self, shared: SharedId) -> SharedId {
        shared
    }

    /// The local state without what is pending in it; itself, where nothing can be.
    fn settled_local(&mut self, _: usize, local: LocalId) -> u32 {
        local.into()
    }
}

/// The sum of two amounts, up to a bound.
fn sum(one: Amounts, other: Amounts, bound: u8) -> Amounts {
    std::array::from_fn(|count| one[count].saturating_add(other[count]).min(bound))
}
