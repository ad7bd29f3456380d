//! The tasks that run in the agent of a manager machine, one of each at a time.

use super::{
    bounds::Bounds,
    declare::row,
    field::{Told, said},
    value::PendingTxn,
};
use crate::ids::Id;

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

row! {
    /// The memory of a manager task, which is lost with the agent that it runs in.
    TaskRuntime of ManagerTask [Default] {
        /// Its pending transaction.
        pending: PendingTxn = "pending", Bounds::task_pending,
            Told::at(10).both([said("no transaction pending"), said("about to commit {}")]).in_mind();
    }
}
