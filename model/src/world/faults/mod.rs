//! The faults that may happen: a row for each switch.
//!
//! The switches of a world, their keys in scenarios, the faults that each allows and the rates of
//! simulations are made from the rows.

mod strikes;
mod switch;

use switch::IsSwitch;
pub use switch::{Switch, SwitchMut};

use crate::{
    action::Fault,
    actor::{Agent, Client},
    ids::{MachineId, RelationId, UnitId, UserId},
};

/// The row of a switch.
#[derive(Clone, Copy, Debug)]
pub struct FaultRow {
    pub meaning: &'static str,
    /// Its name in reports, "hook failures".
    pub plural: &'static str,
    pub strikes: Strikes,
    /// The detail without which its faults cannot happen.
    pub needs: Option<&'static str>,
    /// The rate at which a simulation injects one, and the meaning of the rate.
    pub rate: Option<(Rate, &'static str)>,
}

/// The faults that a switch allows: their constructor, with the kind of their victims.
#[derive(Clone, Copy, Debug)]
pub enum Strikes {
    /// None: the switch is a property of other faults.
    Nothing,
    Agents(fn(Agent) -> Fault),
    /// The machines that the switch names.
    Machines(fn(MachineId) -> Fault),
    /// Any client but those of scripts.
    Clients(fn(Client) -> Fault),
    Users(fn(UserId) -> Fault),
    /// Any unit, by each of several faults; the first one that can happen is drawn.
    Units(&'static [fn(UnitId) -> Fault]),
    /// Any unit, in any relation that it may be in.
    Members(fn(UnitId, RelationId) -> Fault),
}

/// A rate of a fault, by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// The mean time between two, in milliseconds; `None` is never.
    Every(Option<u64>),
    /// The number of times in a thousand that it takes the place of a step.
    PerMille(u32),
}

/// Makes the switches of rows: variant, field and its type, key, plural, meaning, the kind of
/// victims and the faults that it allows, if any, its rate with its meaning, and the detail without
/// which its faults cannot happen.
macro_rules! faults {
    ($($kind:ident $field:ident: $type:ty, $key:literal $plural:literal $meaning:literal
        ($($victims:ident $($fault:ident)+)?) $rate:expr $(, needs $needs:literal)?;)+) => {
        /// The faults that may happen, at any time and any number of times, but finitely often.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Faults {
            $(#[doc = $meaning] pub $field: $type),+
        }

        /// A switch of the table `[faults]`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FaultKind {
            $(#[doc = $meaning] $kind),+
        }

        impl FaultKind {
            /// Every kind, in order.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The keys of all kinds, in the same order.
            pub const KEYS: &'static [&'static str] = &[$($key),+];

            /// The rows, in the same order.
            const ROWS: &'static [FaultRow] = &[$(FaultRow {
                meaning: $meaning,
                plural: $plural,
                strikes: faults!(@strikes $($victims $($fault)+)?),
                needs: faults!(@needs $($needs)?),
                rate: $rate,
            }),+];
        }

        impl FaultKind {
            /// The switch that allows `fault`.
            pub fn of(fault: Fault) -> Self {
                match fault { $($($(Fault::$fault { .. } => Self::$kind,)+)?)+ }
            }
        }

        impl Faults {
            /// The value of a switch.
            pub fn switch(&self, kind: FaultKind) -> Switch<'_> {
                match kind { $(FaultKind::$kind => self.$field.value()),+ }
            }

            /// The value of a switch, to be changed.
            pub fn switch_mut(&mut self, kind: FaultKind) -> SwitchMut<'_> {
                match kind { $(FaultKind::$kind => self.$field.value_mut()),+ }
            }
        }
    };
    (@strikes Units $($fault:ident)+) => { Strikes::Units(&[$(Fault::$fault),+]) };
    (@strikes $victims:ident $fault:ident) => { Strikes::$victims(Fault::$fault) };
    (@strikes) => { Strikes::Nothing };
    (@needs $needs:literal) => { Some($needs) };
    (@needs) => { None };
}

faults! {
    Crash crash: bool, "crash" "crashes"
        "An agent's process ends: what it had in memory is lost, its disk is kept."
        (Agents Crash)
        Some((Rate::Every(Some(500)), "The mean time between two crashes of agents."));
    // Without it a crashed agent is back at once; while restarts are assumed, no claim can
    // distinguish the two.
    Downtime downtime: bool, "downtime" "downtime"
        "A crashed agent is seen to be down until it restarts."
        () None;
    HardwareFailure hardware_failure: Vec<MachineId>, "hardware-failure" "hardware failures"
        "Machines or ranges whose hardware may fail, and the provisioner notices; true for all."
        (Machines FailHardware)
        Some((
            Rate::Every(Some(2_000)),
            "The mean time between two detected failures of hardware.",
        ));
    UndetectedHardwareFailure undetected_hardware_failure: Vec<MachineId>,
        "undetected-hardware-failure" "undetected hardware failures"
        "Machines or ranges whose hardware may fail, and nobody notices; true for all."
        (Machines FailHardwareUnnoticed)
        Some((
            Rate::Every(Some(3_000)),
            "The mean time between two failures of hardware that nobody detects.",
        ));
    Abort abort: bool, "abort" "spurious aborts"
        "A pending transaction aborts although its asserts hold."
        (Clients AbortTxn)
        Some((
            Rate::PerMille(50),
            "The number of transactions in a thousand that abort although their asserts hold.",
        ));
    LostConnection lost_connection: bool, "lost-connection" "lost connections"
        "The connection is lost between two transactions of one command."
        (Users LoseConnection)
        Some((
            Rate::PerMille(100),
            "The number of steps of the user's commands in a thousand that lose their connection.",
        ));
    HookFailure hook_failure: bool, "hook-failure" "hook failures"
        "A hook about a relation fails (joined, changed, departed, broken), and waits for the operator."
        (Members FailHooks)
        Some((Rate::PerMille(100), "The number of hooks about relations in a thousand that fail."));
    UnitHookFailure unit_hook_failure: bool, "unit-hook-failure" "failures of unit hooks"
        "A hook of a unit itself fails (install, config-changed, start, upgrade-charm, stop), and waits for the operator."
        (Units FailStopHook FailUnitHook)
        Some((Rate::Every(Some(1_000)), "The mean time between two failures of units' own hooks."));
    StartFailure start_failure: Vec<MachineId>, "start-failure" "failed starts"
        "Machines or ranges of which the start of an instance may fail; true for all."
        (Machines FailStart)
        Some((Rate::PerMille(100), "The number of starts of instances in a thousand that fail.")), needs "provisioning";
    FailOver fail_over: Vec<MachineId>, "fail-over" "fail-overs"
        "Machines or ranges for which a provisioner that starts an instance may be replaced while it still runs; true for all."
        (Machines FailOver)
        Some((
            Rate::PerMille(50),
            "The number of starts of instances in a thousand during which another provisioner takes over.",
        )), needs "provisioning";
    StartTimeout start_timeout: Vec<MachineId>, "start-timeout" "starts that time out"
        "Machines or ranges of which the start of an instance may time out, so that it counts as failed, while the instance comes up; true for all."
        (Machines TimeOutStart)
        Some((Rate::PerMille(50), "The number of starts of instances in a thousand that time out.")), needs "provisioning";
    Disconnection disconnection: bool, "disconnection" "disconnections"
        "The connection of a unit's agent to the store is lost, for a while."
        (Units Disconnect)
        Some((
            Rate::Every(Some(1_000)),
            "The mean time between two losses of the connection of a unit's agent.",
        )), needs "workflow";
    Reboot reboot: Vec<MachineId>, "reboot" "reboots"
        "Machines or ranges that may be rebooted: the processes of all agents there and in containers end at once, their disks are kept; true for all."
        (Machines Reboot)
        Some((Rate::Every(Some(3_000)), "The mean time between two reboots of machines."));
}

impl FaultKind {
    pub fn row(self) -> &'static FaultRow {
        &Self::ROWS[self as usize]
    }

    /// Its key in `[faults]`, and in `[simulate.faults]` if it has a rate.
    pub fn key(self) -> &'static str {
        Self::KEYS[self as usize]
    }

    pub fn names_machines(self) -> bool {
        matches!(Faults::default().switch(self), Switch::For(_))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_switch_names_machines_if_its_faults_strike_machines() {
        for kind in FaultKind::ALL {
            let strikes_machines = matches!(kind.row().strikes, Strikes::Machines(_));
            assert_eq!(kind.names_machines(), strikes_machines, "{kind:?}");
        }
        let keys: BTreeSet<&str> = FaultKind::KEYS.iter().copied().collect();
        assert_eq!(keys.len(), FaultKind::KEYS.len(), "no two share a key");
    }
}
