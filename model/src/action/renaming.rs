//! The renaming of acts.

use super::{Act, Hook, HookAct, TxnAct};
use crate::{
    ids::{Rename, Renaming},
    operation::Operation,
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

impl Rename for Operation {
    fn renamed(&self, by: &Renaming) -> Self {
        table::renamed(*self, by)
    }
}

impl Rename for Hook {
    fn renamed(&self, by: &Renaming) -> Self {
        table::renamed(*self, by)
    }
}

impl Rename for TxnAct {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Run(operation) => Self::Run(operation.renamed(by)),
            Self::Begin(operation) => Self::Begin(operation.renamed(by)),
            Self::Commit | Self::Abort => *self,
        }
    }
}

impl Rename for HookAct {
    fn renamed(&self, by: &Renaming) -> Self {
        match *self {
            Self::Decide(hook) => Self::Decide(hook.renamed(by)),
            Self::Run(hook) => Self::Run(hook.renamed(by)),
            Self::Begin(hook) => Self::Begin(hook.renamed(by)),
            Self::Exit | Self::End => *self,
        }
    }
}
