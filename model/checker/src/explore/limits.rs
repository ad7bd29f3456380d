//! How far a search may go.

use super::SpillFolder;
use crate::{Stop, budget::MemoryBudget};

/// How far a search may go.
pub struct SearchLimits<'l> {
    /// At most this many states are numbered.
    pub max_states: Option<u64>,
    /// At most this many bytes are in use, by the states, their table and their edges. Not
    /// counted are the program, its threads and what the workers keep.
    pub max_bytes: Option<u64>,
    /// Where edges go instead of into memory. Their states and tables stay there.
    pub spill: Option<&'l SpillFolder>,
    /// Every thread asks this every few dozen states or successors, and stops if there is a reason
    /// to.
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
