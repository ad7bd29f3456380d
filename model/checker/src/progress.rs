//! How far a search is, and why it stopped.

/// Why a search stopped before it had seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than it may number.
    States,
    /// There are more edges between a few thousand states than 32 bits can number.
    Edges,
    /// More memory is needed than it may use.
    Memory,
    Time,
    Interrupted,
    /// Not a single thread could be started, and it does not search without. [`crate::explore`]
    /// does.
    Threads,
    /// The space refused to go on ([`crate::explore::Refused`]).
    Space,
    /// What it need not keep in memory could not be written to disk
    /// ([`crate::explore::SpillFolder`]).
    Spill,
    /// Another process of the search was lost, or sent what makes no sense.
    Peer,
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Exploring,
    /// It has found all states, and decides what is true of the fair runs among them.
    Deciding,
    /// It asks for every number of processes that are alike.
    Generalizing,
}

/// How far a search is.
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
