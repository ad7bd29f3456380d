//! The settings of a scenario's simulation: the table `[simulate]`.
//!
//! `file` has the form of the table, `fault_rates` the rows of its table of faults, and `read` turns
//! them into settings.

mod fault_rates;
pub(super) mod file;
mod read;

use std::ops::{Index, IndexMut, RangeInclusive};

use deathwatch_model::{claims::Claim, world::CommandKind};

pub use self::fault_rates::{Chance, FaultRates, TimedFault};
pub(super) use self::{fault_rates::rates_lacking, read::read};
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
    /// Whether each seed draws which of the details of the world are on.
    pub draws_details: bool,
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
