//! The faults that may happen: a row for each switch.
//!
//! The switches of a world, their keys in scenarios, the faults that each allows and the rate at
//! which a simulation injects them are made from the rows.

use super::WorldBuilder;
use crate::{
    action::{Agent, Client, Fault},
    ids::{Id, MachineId, RelationId, UnitId},
};

/// The row of a switch.
#[derive(Clone, Copy, Debug)]
pub struct FaultRow {
    /// Its meaning, as a sentence.
    pub meaning: &'static str,
    /// Its name in reports, "hook failures".
    pub plural: &'static str,
    /// The faults that it allows.
    pub strikes: Strikes,
    /// The rate at which a simulation injects one, and the meaning of the rate.
    pub rate: Option<(Rate, &'static str)>,
}

/// The faults that a switch allows: their constructor, with the kind of their victims.
#[derive(Clone, Copy, Debug)]
pub enum Strikes {
    /// None: it is a property of others.
    Nothing,
    /// Any agent.
    Agents(fn(Agent) -> Fault),
    /// The machines that the switch names.
    Machines(fn(MachineId) -> Fault),
    /// Any client but those of scripts.
    Clients(fn(Client) -> Fault),
    /// Nobody in particular.
    All(Fault),
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

/// The value of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch<'a> {
    /// Whether it is on.
    Whole(bool),
    /// The machines for which it is on, in ascending order.
    For(&'a [MachineId]),
}

/// The value of a switch, to be changed.
#[derive(Debug)]
pub enum SwitchMut<'a> {
    /// Whether it is on.
    Whole(&'a mut bool),
    /// The machines for which it is on, in ascending order.
    For(&'a mut Vec<MachineId>),
}

/// A type of switches.
trait IsSwitch {
    fn value(&self) -> Switch<'_>;
    fn value_mut(&mut self) -> SwitchMut<'_>;
}

impl IsSwitch for bool {
    fn value(&self) -> Switch<'_> {
        Switch::Whole(*self)
    }

    fn value_mut(&mut self) -> SwitchMut<'_> {
        SwitchMut::Whole(self)
    }
}

impl IsSwitch for Vec<MachineId> {
    fn value(&self) -> Switch<'_> {
        Switch::For(self)
    }

    fn value_mut(&mut self) -> SwitchMut<'_> {
        SwitchMut::For(self)
    }
}

/// Makes the switches of rows: variant, field and its type, key, plural, meaning, the faults that
/// it allows, and their rate with its meaning.
macro_rules! faults {
    ($($kind:ident $field:ident: $type:ty, $key:literal $plural:literal $meaning:literal
        $strikes:expr, $rate:expr;)+) => {
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
                strikes: $strikes,
                rate: $rate,
            }),+];
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
}

faults! {
    Crash crash: bool, "crash" "crashes"
        "An agent's process ends: what it had in memory is lost, its disk is kept."
        Strikes::Agents(Fault::Crash),
        Some((Rate::Every(Some(500)), "The mean time between two crashes of agents."));
    // Without it a crashed agent is back at once, which no claim can tell apart while restarts are
    // assumed.
    Downtime downtime: bool, "downtime" "downtime"
        "A crashed agent is seen to be down until it restarts."
        Strikes::Nothing, None;
    HardwareFailure hardware_failure: Vec<MachineId>, "hardware-failure" "hardware failures"
        "Machines or ranges whose hardware may fail, and the provisioner notices; true for all."
        Strikes::Machines(Fault::FailHardware),
        Some((
            Rate::Every(Some(2_000)),
            "The mean time between two detected failures of hardware.",
        ));
    UndetectedHardwareFailure undetected_hardware_failure: Vec<MachineId>,
        "undetected-hardware-failure" "undetected hardware failures"
        "Machines or ranges whose hardware may fail, and nobody notices; true for all."
        Strikes::Machines(Fault::FailHardwareUnnoticed),
        Some((
            Rate::Every(Some(3_000)),
            "The mean time between two failures of hardware that nobody detects.",
        ));
    Abort abort: bool, "abort" "spurious aborts"
        "A pending transaction aborts although its asserts hold."
        Strikes::Clients(Fault::AbortTxn),
        Some((
            Rate::PerMille(50),
            "The number of transactions in a thousand that abort although their asserts hold.",
        ));
    LostConnection lost_connection: bool, "lost-connection" "lost connections"
        "The connection is lost between two transactions of one command."
        Strikes::All(Fault::LoseConnection),
        Some((
            Rate::PerMille(100),
            "The number of steps of the user's commands in a thousand that lose their connection.",
        ));
    HookFailure hook_failure: bool, "hook-failure" "hook failures"
        "A hook fails, and waits for the operator."
        Strikes::Members(Fault::FailHooks),
        Some((Rate::PerMille(100), "The number of hooks in a thousand that fail."));
}

impl FaultKind {
    /// Its row.
    pub fn row(self) -> &'static FaultRow {
        &Self::ROWS[self as usize]
    }

    /// Its key in `[faults]`, and in `[simulate.faults]` if it has a rate.
    pub fn key(self) -> &'static str {
        Self::KEYS[self as usize]
    }

    /// The kind with this key.
    pub fn with_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.key() == key)
    }

    /// Whether it names machines.
    pub fn names_machines(self) -> bool {
        matches!(Faults::default().switch(self), Switch::For(_))
    }

    /// The number of faults that it allows in `world`.
    pub fn count(self, world: &WorldBuilder) -> usize {
        let switch = world.faults.switch(self);
        if !switch.is_on() {
            return 0;
        }
        match self.row().strikes {
            Strikes::Nothing => 0,
            Strikes::Agents(_) => agents(world),
            Strikes::Machines(_) => switch.machines().len(),
            Strikes::Clients(_) => agents(world) + OTHERS.len(),
            Strikes::All(_) => 1,
            Strikes::Members(_) => members(world).count(),
        }
    }

    /// The fault with this index, below the number of those that it allows in `world`.
    pub fn nth(self, world: &WorldBuilder, index: usize) -> Option<Fault> {
        match self.row().strikes {
            Strikes::Nothing => None,
            Strikes::Agents(fault) => agent(world, index).map(fault),
            Strikes::Machines(fault) => {
                world.faults.switch(self).machines().get(index).copied().map(fault)
            }
            Strikes::Clients(fault) => client(world, index).map(fault),
            Strikes::All(fault) => (index == 0).then_some(fault),
            Strikes::Members(fault) => members(world).nth(index).map(|(id, of)| fault(id, of)),
        }
    }

    /// Calls `look` with each fault that it allows in `world`, in order.
    pub fn each(self, world: &WorldBuilder, mut look: impl FnMut(Fault)) {
        match self.row().strikes {
            Strikes::Members(fault) if world.faults.switch(self).is_on() => {
                members(world).for_each(|(id, of)| look(fault(id, of)));
            }
            _ => (0..self.count(world)).filter_map(|it| self.nth(world, it)).for_each(look),
        }
    }
}

impl<'a> Switch<'a> {
    /// Whether some fault is allowed.
    pub fn is_on(self) -> bool {
        match self {
            Self::Whole(is_on) => is_on,
            Self::For(machines) => !machines.is_empty(),
        }
    }

    /// The machines that it names.
    pub fn machines(self) -> &'a [MachineId] {
        match self {
            Self::Whole(_) => &[],
            Self::For(machines) => machines,
        }
    }

    /// Whether it allows what `other` allows, a value of the same switch.
    pub fn covers(self, other: Self) -> bool {
        (self.is_on() || !other.is_on())
            && other.machines().iter().all(|id| self.machines().contains(id))
    }
}

impl SwitchMut<'_> {
    /// Switches it on, as far as possible in a world with `machines`.
    pub fn turn_on(self, machines: impl Iterator<Item = MachineId>) {
        match self {
            Self::Whole(is_on) => *is_on = true,
            Self::For(these) => *these = machines.collect(),
        }
    }
}

/// The clients that are no agents of their own.
const OTHERS: [Client; 3] = [Client::Provisioner, Client::Cleaner, Client::User];

/// The number of agents: those of units, then those of machines.
fn agents(world: &WorldBuilder) -> usize {
    world.units.len() + world.machines.len()
}

fn agent(world: &WorldBuilder, index: usize) -> Option<Agent> {
    let machine = || index.checked_sub(world.units.len()).map(MachineId::new).map(Agent::Machine);
    let unit = (index < world.units.len()).then(|| Agent::Unit(UnitId::new(index)));
    unit.or_else(machine).filter(|_| index < agents(world))
}

fn client(world: &WorldBuilder, index: usize) -> Option<Client> {
    let other = || OTHERS.get(index.checked_sub(agents(world))?).copied();
    let agent = agent(world, index).map(|agent| match agent {
        Agent::Unit(id) => Client::Unit(id),
        Agent::Machine(id) => Client::Machine(id),
    });
    agent.or_else(other)
}

/// Every unit, with every relation that it may be in.
fn members(world: &WorldBuilder) -> impl Iterator<Item = (UnitId, RelationId)> + '_ {
    world.unit_ids().flat_map(|id| world.relations_of(id).iter().map(move |of| (id, *of)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_names_machines_if_its_faults_strike_machines() {
        for kind in FaultKind::ALL {
            let strikes_machines = matches!(kind.row().strikes, Strikes::Machines(_));
            assert_eq!(kind.names_machines(), strikes_machines, "{kind:?}");
            assert_eq!(FaultKind::with_key(kind.key()), Some(*kind), "no two share a key");
        }
    }
}
