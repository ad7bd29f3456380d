//! The settings of a simulation: what runs are drawn from.
//!
//! All times are virtual, in milliseconds. A run that swarms draws its own settings from these.

use std::ops::{Index, IndexMut, RangeInclusive};

use deathwatch_model::world::{CommandKind, FaultKind};

/// The settings from which the runs of a world are drawn.
#[derive(Clone, Debug)]
pub struct SimulationSettings {
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
    pub faults: FaultRates,
    pub latency: Latency,
}

/// Something for each kind of command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerCommand<T>([T; CommandKind::ALL.len()]);

impl<T> PerCommand<T> {
    /// The values that `make` makes for each kind.
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

/// A fault that comes by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedFault {
    Of(FaultKind),
    /// Machines next to each other fail at once.
    RackFailure,
    /// Provisioner and cleaner are gone for a while.
    ProvisionerOutage,
    /// Every transaction on one document aborts for a while.
    AbortStorm,
}

/// A fault that takes the place of a step, or comes right after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    Of(FaultKind),
    /// An agent crashes where it loses something: between plan and commit, or between entering a
    /// scope and writing its directory.
    CrashBeforeCommit,
    /// An agent crashes as soon as it was restarted.
    CrashAtRestart,
    /// A hook that has a name fails.
    NamedHookFailure,
}

/// The rates of faults. Only faults that the world allows happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRates {
    /// The mean time between two faults of a kind in the whole world, in milliseconds; `None` is
    /// never.
    pub timed: Vec<(TimedFault, Option<u64>)>,
    /// The number of times in a thousand.
    pub chances: Vec<(Chance, u32)>,
    /// The number of machines in a rack.
    pub rack: u32,
}

impl Chance {
    pub(crate) const COUNT: usize = FaultKind::ALL.len() + 3;

    pub(crate) fn index(self) -> usize {
        match self {
            Self::Of(kind) => 3 + kind as usize,
            Self::CrashBeforeCommit => 0,
            Self::CrashAtRestart => 1,
            Self::NamedHookFailure => 2,
        }
    }
}

impl FaultRates {
    /// The mean time between two such faults, in milliseconds; `None` is never.
    pub fn every(&self, fault: TimedFault) -> Option<u64> {
        self.timed.iter().find(|(known, _)| *known == fault).and_then(|(_, mean)| *mean)
    }
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
    /// The time of the hooks of a departure, or of a hook that has no name.
    pub hook: RangeInclusive<u64>,
    /// The time of a hook that has a name.
    pub named_hook: RangeInclusive<u64>,
    /// The time until a crashed agent is back.
    pub restart: RangeInclusive<u64>,
    /// The time until the operator acts.
    pub operator: RangeInclusive<u64>,
    /// The time to start an instance, or to give one back.
    pub instance: RangeInclusive<u64>,
    /// The time that an outage lasts, or that transactions on one document abort.
    pub outage: RangeInclusive<u64>,
}
