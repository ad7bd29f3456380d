//! The limits of a search.

use super::SpillFolder;
use crate::{Stop, budget::MemoryBudget};

/// The number of words after which numbering asks whether to stop: making room for a single large
/// word can take long.
pub(super) const POLL: usize = 1 << 11;

/// The limits of a search; it stops at the first that it reaches.
pub struct SearchLimits<'l> {
    /// The greatest number of states that are numbered.
    pub max_states: Option<u64>,
    /// The greatest number of bytes in use by the states, their table and their edges. The program,
    /// its threads and what the workers keep are not counted.
    pub max_bytes: Option<u64>,
    /// The folder to which edges are written to save memory. Their states and tables stay in
    /// memory.
    pub spill: Option<&'l SpillFolder>,
    /// A reason to stop now, which every thread asks for every few dozen states or successors.
    pub stop: &'l (dyn Fn() -> Option<Stop> + Sync),
}

impl SearchLimits<'static> {
    pub const NONE: Self = Self { max_states: None, max_bytes: None, spill: None, stop: &|| None };
}

impl SearchLimits<'_> {
    /// The memory and the states that there may be, of these at most `most`.
    pub(crate) fn budget(&self, most: u64) -> MemoryBudget {
        let max_states = self.max_states.map_or(most, |states| states.min(most));
        MemoryBudget::new(self.max_bytes, max_states)
    }
}
