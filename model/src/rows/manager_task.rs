//! The tasks that run in the agent of a manager machine, one of each at a time.

use crate::{ids::Id, runtime::PendingTxn};

/// A task in the agent of a manager machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ManagerTask {
    /// The provisioner, which starts and decommissions instances.
    Provisioner,
    /// The cleaner, which executes cleanup documents.
    Cleaner,
}

impl ManagerTask {
    /// Both tasks.
    pub const ALL: [Self; 2] = [Self::Provisioner, Self::Cleaner];
}

impl Id for ManagerTask {
    fn new(index: usize) -> Self {
        Self::ALL[index]
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// What a manager task has in memory, which is lost with the agent that it runs in.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskRuntime {
    /// The transaction that it is about to commit.
    pub pending: PendingTxn,
}
