//! The upgrade of the agents that neglect duties, which the operator makes.

/// Whether the neglectful agents have been upgraded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Upgrade {
    /// They have been.
    pub done: bool,
}
