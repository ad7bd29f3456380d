//! What a scenario says of its simulation: the table `[simulate]`.
//!
//! `file` is what may be written there, `read` makes sense of it.

pub(super) mod file;
mod read;

use std::ops::RangeInclusive;

use deathwatch_model::{claims::Claim, world::Command};

pub(super) use self::read::read;
use super::Expected;

/// What a run of a scenario is drawn from. All times are virtual, in milliseconds.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// Whether the scenario says anything of it, and so is meant to be simulated.
    pub is_given: bool,
    /// The seeds that once failed, which run first.
    pub seeds: Vec<u64>,
    /// Whether each seed draws its own subset and rates of faults and commands.
    pub swarm: bool,
    /// How long faults and user go on.
    pub storm: u64,
    /// How many steps the calm may take to settle.
    pub calm_steps: u64,
    /// What the user is up to.
    pub workload: Workload,
    /// How likely each kind of command is, in the order of [`COMMANDS`].
    pub rates: [u32; COMMANDS.len()],
    /// How long the user waits between commands.
    pub pause: RangeInclusive<u64>,
    /// What goes wrong how often.
    pub faults: FaultRates,
    /// How long steps take.
    pub latency: Latency,
    /// The claims and the answers expected of a sweep, where they are not those of `check`.
    pub claims: Option<Vec<(&'static Claim, Expected)>>,
}

/// The kinds of commands, as they are called in `[simulate.rates]`.
pub const COMMANDS: [&str; 10] = [
    "deploy",
    "add-unit",
    "add-machine",
    "integrate",
    "destroy-machine",
    "destroy-unit",
    "destroy-relation",
    "destroy-application",
    "force-destroy-unit",
    "force-destroy-machine",
];

/// The kind of a command: its index in [`COMMANDS`].
pub fn kind_of(command: Command) -> usize {
    match command {
        Command::Deploy(..) => 0,
        Command::AddUnit(_) => 1,
        Command::AddMachine(_) => 2,
        Command::Integrate(_) => 3,
        Command::DestroyMachine(_) => 4,
        Command::DestroyUnit(_) => 5,
        Command::DestroyRelation(_) => 6,
        Command::DestroyApplication(_) => 7,
        Command::ForceDestroyUnit(_) => 8,
        Command::ForceDestroyMachine(_) => 9,
    }
}

/// What the user is up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// Any allowed command, at the given rates.
    #[default]
    Any,
    /// Units come and go; now and then an application or a relation does.
    SteadyChurn,
    /// All at once: every application is destroyed, and deployed again later.
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

/// What goes wrong how often. Only what the scenario's `[faults]` allow does.
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
    /// How many machines are in a rack.
    pub rack: u32,
    /// The mean time between two outages of the provisioner and the cleaner.
    pub provisioner_outage: Option<u64>,
    /// The mean time between two storms in which every transaction on one document aborts.
    pub abort_storm: Option<u64>,
    /// How many transactions in a thousand abort for no reason of ours.
    pub abort: u32,
    /// How often in a thousand an agent crashes just where that loses something: between plan and
    /// commit, or between entering a scope and writing it down.
    pub crash_before_commit: u32,
    /// How many restarts in a thousand end in another crash.
    pub crash_at_restart: u32,
    /// How many steps of the user's commands in a thousand lose their connection.
    pub lost_connection: u32,
    /// How many hooks in a thousand fail.
    pub hook_failure: u32,
}

/// How long steps take: each time is drawn from its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Until a watcher tells an actor that something changed.
    pub watch: RangeInclusive<u64>,
    /// From planning a transaction to its commit.
    pub transaction: RangeInclusive<u64>,
    /// Any other step of an agent.
    pub step: RangeInclusive<u64>,
    /// A hook.
    pub hook: RangeInclusive<u64>,
    /// Until a crashed agent is back.
    pub restart: RangeInclusive<u64>,
    /// Until the operator looks after what only the operator can see to.
    pub operator: RangeInclusive<u64>,
    /// Starting an instance, or giving one back.
    pub instance: RangeInclusive<u64>,
    /// How long an outage lasts, or a storm of aborts.
    pub outage: RangeInclusive<u64>,
}
