//! The renaming of acts.

use super::{Act, HookAct, TxnAct};
use crate::{
    ids::{Rename, Renaming},
    table,
};

impl Rename for Act {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Txn(client, act) => Self::Txn(client.renamed(by), act.renamed(by)),
            Self::Hook(id, act) => Self::Hook(id.renamed(by), act.renamed(by)),
            Self::UnitAgent(id, act) => Self::UnitAgent(id.renamed(by), table::renamed(act, by)),
            Self::MachineAgent(id, act) => {
                Self::MachineAgent(id.renamed(by), table::renamed(act, by))
            }
            Self::Provisioner(act) => Self::Provisioner(table::renamed(act, by)),
            Self::Cleaner(act) => Self::Cleaner(table::renamed(act, by)),
            Self::Faults(act) => Self::Faults(table::renamed(act, by)),
            Self::Operator(act) => Self::Operator(table::renamed(act, by)),
            Self::Supervisor(act) => Self::Supervisor(table::renamed(act, by)),
        }
    }
}

impl Rename for TxnAct {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Run(operation) => Self::Run(table::renamed(operation, by)),
            Self::Begin(operation) => Self::Begin(table::renamed(operation, by)),
            Self::Commit | Self::Abort => *self,
        }
    }
}

impl Rename for HookAct {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Decide(hook) => Self::Decide(table::renamed(hook, by)),
            Self::Run(hook) => Self::Run(table::renamed(hook, by)),
            Self::Begin(hook) => Self::Begin(table::renamed(hook, by)),
            Self::Exit | Self::End => *self,
        }
    }
}
