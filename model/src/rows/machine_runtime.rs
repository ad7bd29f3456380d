//! A machine's hardware and its agent.

use super::{
    declare::row,
    field::{FieldKind, Shown, Told, said, unsaid},
    number::Number,
    sets::Members,
    value::{PendingTxn, Slot, below},
};
use crate::ids::{IdSet, MachineId, UnitId};

row! {
    /// A machine's hardware and its agent.
    MachineRuntime of MachineId [Default] {
        /// Its instance. The machine's document has an instance id unless this is `Absent`.
        hardware: Hardware = "hardware", |_, _| below(3),
            Told::at(20)
                .present([said("no instance"), said("running"), said("its hardware failed unnoticed")])
                .absent([unsaid("no instance"), said("running"), said("its hardware failed unnoticed")]);
        /// Whether the agent's process has crashed and has not restarted.
        down: bool = "down", |of, _| of.down(),
            Told::at(30).both([unsaid("its agent is up"), said("its agent is down")]);
        /// On the agent's disk: the units that it has deployed.
        deployed: IdSet<UnitId> = "deployed", |_, _| Members::Elsewhere, Told::NEVER;
        /// In the agent's memory: its pending transaction.
        pending: PendingTxn = "pending", |of, _| of.pending(), super::AGENT_PENDING;
    }
}

/// The hardware of a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hardware {
    /// There is no instance.
    #[default]
    Absent,
    /// The instance runs.
    Running,
    /// The instance is gone with all that was on it, and nobody has noticed.
    Silent,
}

impl Hardware {
    /// The names of its states, in order.
    const NAMES: [&'static str; 3] = ["absent", "running", "silent"];
}

impl Number for Hardware {
    const KIND: FieldKind = FieldKind::State(&Self::NAMES);

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        *self as u64
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        match number {
            0 => Self::Absent,
            1 => Self::Running,
            _ => Self::Silent,
        }
    }

    fn show(&self) -> Shown<'_> {
        Shown::State(*self as usize, Self::NAMES[*self as usize])
    }
}
