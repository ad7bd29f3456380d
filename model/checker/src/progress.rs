//! Progress of a search, and the reasons why it stops.

/// Why a search stopped before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The states are more than the search may number.
    States,
    /// The edges between a few thousand states are more than 32 bits can number.
    Edges,
    /// More memory is needed than it may use.
    Memory,
    Time,
    Interrupted,
    /// The system started not a single thread, and this search needs one; [`crate::explore`] does
    /// not.
    Threads,
    /// The space refused to go on ([`crate::explore::Refused`]).
    Space,
    /// The disk could not take the edges that need not be kept in memory
    /// ([`crate::explore::SpillFolder`]).
    Spill,
    /// Another process of the search was lost, or sent a message that cannot be read.
    Peer,
}

impl Stop {
    /// All reasons, each at the place of its number, by which processes tell it to each other.
    pub const ALL: [Self; 9] = [
        Self::States,
        Self::Edges,
        Self::Memory,
        Self::Time,
        Self::Interrupted,
        Self::Threads,
        Self::Space,
        Self::Spill,
        Self::Peer,
    ];
}

/// The phase of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Exploring,
    /// All states were found; which claims hold on the fair runs among them is decided.
    Deciding,
    /// The claims are asked for every number of processes that are alike.
    Generalizing,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchProgress {
    pub phase: Phase,
    pub states: u64,
    pub transitions: u64,
    /// The greatest number of steps from a start to a state found.
    pub depth: u32,
    /// States found and not expanded yet.
    pub frontier: u64,
    /// Memory in use, in bytes.
    pub bytes: u64,
}
