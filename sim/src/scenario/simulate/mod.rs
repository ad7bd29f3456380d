//! The settings of a scenario's simulation: the table `[simulate]`.
//!
//! `file` has the form of the table, and `read` turns it into settings.

pub(super) mod file;
mod read;

use std::ops::{Index, IndexMut, RangeInclusive};

use deathwatch_model::{claims::Claim, world::CommandKind};

pub(super) use self::read::read;
use super::Expected;

/// The settings from which the runs of a scenario are drawn. All times are virtual, in
/// milliseconds.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// Whether the scenario has the table, and so is meant to be simulated.
    pub is_given: bool,
    /// The seeds that once failed. They run first.
    pub seeds: Vec<u64>,
    /// Whether each seed draws its own subset and rates of faults and commands.
    pub swarm: bool,
    /// The time during which faults happen and the user acts.
    pub storm: u64,
    /// The greatest number of steps of the calm.
    pub calm_steps: u64,
    /// The workload: what the user does.
    pub workload: Workload,
    /// The weight of each kind of command.
    pub rates: PerCommand<u32>,
    /// The time between two commands of the user.
    pub pause: RangeInclusive<u64>,
    /// The rate of each fault.
    pub faults: FaultRates,
    /// The time that steps take.
    pub latency: Latency,
    /// The claims and the answers expected of a sweep, if they are not those of `check`.
    pub claims: Option<Vec<(&'static Claim, Expected)>>,
}

/// Something for each kind of command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerCommand<T>([T; CommandKind::ALL.len()]);

impl<T> PerCommand<T> {
    /// What `make` makes for each kind.
    pub fn of(make: impl Fn(CommandKind) -> T) -> Self {
        Self(std::array::from_fn(|index| make(CommandKind::ALL[index])))
    }

    /// All of it, in the order of the kinds.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// All of it, in the order of the kinds.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Index<CommandKind> for PerCommand<T> {
    type Output = T;

    fn index(&self, kind: CommandKind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<CommandKind> for PerCommand<T> {
    fn index_mut(&mut self, kind: CommandKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// The workload: what the user does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Any allowed command, at the given rates.
    #[default]
    Any,
    /// Units come and go; now and then an application or a relation does.
    SteadyChurn,
    /// Every application is destroyed at once, and deployed again later.
    MassRemoval,
    /// Unit after unit is destroyed, and another one added for it.
    RollingReplacement,
    /// Relations are destroyed and made again under the same names.
    RelationChurn,
    /// Relations with subordinates come and go, and so do their principals.
    SubordinatesEverywhere,
    /// Machines are emptied and destroyed, one after the other, and added anew.
    MachineEvacuation,
}

/// The rates of faults. Only faults that the scenario's `[faults]` allows happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRates {
    /// The mean time between two crashes of agents, in the whole world.
    pub crash: Option<u64>,
    /// The mean time between two detected failures of hardware.
    pub hardware_failure: Option<u64>,
    /// The mean time between two failures that nobody detects.
    pub undetected_hardware_failure: Option<u64>,
    /// The mean time between two failures of a rack: machines next to each other, all at once.
    pub rack_failure: Option<u64>,
    /// The number of machines in a rack.
    pub rack: u32,
    /// The mean time between two outages of the provisioner and the cleaner.
    pub provisioner_outage: Option<u64>,
    /// The mean time between two periods in which every transaction on one document aborts.
    pub abort_storm: Option<u64>,
    /// The number of transactions in a thousand that abort although their asserts hold.
    pub abort: u32,
    /// The number of times in a thousand that an agent crashes where it loses something: between
    /// plan and commit, or between entering a scope and writing its directory.
    pub crash_before_commit: u32,
    /// The number of restarts in a thousand that end in another crash.
    pub crash_at_restart: u32,
    /// The number of steps of the user's commands in a thousand that lose their connection.
    pub lost_connection: u32,
    /// The number of hooks in a thousand that fail.
    pub hook_failure: u32,
}

/// The time that steps take. Each time is drawn from its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latency {
    /// The time until a watcher notifies an actor of a change.
    pub watch: RangeInclusive<u64>,
    /// The time from planning a transaction to its commit.
    pub transaction: RangeInclusive<u64>,
    /// The time of any other step of an agent.
    pub step: RangeInclusive<u64>,
    /// The time of a hook.
    pub hook: RangeInclusive<u64>,
    /// The time until a crashed agent is back.
    pub restart: RangeInclusive<u64>,
    /// The time until the operator acts.
    pub operator: RangeInclusive<u64>,
    /// The time to start an instance, or to give one back.
    pub instance: RangeInclusive<u64>,
    /// The time that an outage lasts, or that transactions on one document abort.
    pub outage: RangeInclusive<u64>,
}
