//! The tasks that run in the agent of a manager machine, one of each at a time.

use super::{
    bounds::WorldBounds,
    declare::row,
    field::{FieldText, hidden, shown},
    number::states,
    value::PendingTxn,
};
use crate::ids::{Id, unchanged};

/// A task in the agent of a manager machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ManagerTask {
    /// The provisioner, which starts and decommissions instances.
    Provisioner,
    /// The cleaner, which executes cleanup documents.
    Cleaner,
}

impl ManagerTask {
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
        pending: PendingTxn = "pending", WorldBounds::task_pending,
            FieldText::at(10).both([shown("no transaction pending"), shown("about to commit {}")]).private();
        /// The progress of the start whose record is its pending transaction.
        stage: Stage = "stage", WorldBounds::stage,
            FieldText::at(20).both([
                hidden("nothing is to be done before"),
                shown("it has read the machine, and asked for no instance"),
                shown("it has read the machine, of which the document names another start by now"),
                shown("it has named the start, and asked for no instance"),
            ]).private();
    }
}

states! {
    /// The progress of the provisioner with a start, before its record can be committed.
    Stage {
        /// It has asked for the instance, if it starts one.
        Asked "asked";
        /// It has read the machine's document.
        Read "read";
        /// It has read the machine's document, in which another start was named since.
        Outdated "outdated";
        /// It has named the start in the machine's document.
        Named "named";
    }
}

unchanged! { ManagerTask }
