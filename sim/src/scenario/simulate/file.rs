//! The form of `[simulate]`: its keys, their types and their defaults.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Workload;
use crate::scenario::{
    known::{ClaimsFile, RatesFile},
    value::At,
};

/// The settings of a simulation. Times are virtual, and written "500ms", "10s", "5m" or "1h"; two
/// of them with .. between them are a range from which each time is drawn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct SimulateFile {
    /// The seeds that once failed. They run first.
    pub(crate) seeds: Vec<At<i64>>,
    /// Whether each seed draws its own subset and rates of faults and of commands.
    #[schemars(extend("default" = true))]
    pub(crate) swarm: bool,
    /// The time during which faults happen and the user acts.
    #[schemars(extend("default" = "10s"))]
    pub(crate) storm: Option<At<String>>,
    /// The greatest number of steps of the calm that follows; by default a hundred thousand, and
    /// two hundred for each machine and unit that may exist.
    pub(crate) calm_steps: Option<u64>,
    /// The workload: what the user does.
    pub(crate) workload: Workload,
    /// The weight of each kind of command. Only commands that `[user]` allows are given.
    pub(crate) rates: RatesFile,
    /// The time between two commands of the user.
    #[schemars(extend("default" = "1ms..1s"))]
    pub(crate) pause: Option<At<String>>,
    /// The rate of each fault. Only faults that `[faults]` allows happen.
    pub(crate) faults: FaultRatesFile,
    /// The time that steps take.
    pub(crate) latency: LatencyFile,
    /// The claims to check, and the answers expected of a sweep, if they are not those of
    /// `[claims]`. A claim that is expected to be violated must be violated by some seed. If
    /// neither table has a claim, every claim is expected to hold, unless the scenario has only a
    /// script.
    pub(crate) claims: Option<ClaimsFile>,
}

impl Default for SimulateFile {
    fn default() -> Self {
        Self {
            seeds: Vec::new(),
            swarm: true,
            storm: None,
            calm_steps: None,
            workload: Workload::default(),
            rates: RatesFile::default(),
            pause: None,
            faults: FaultRatesFile::default(),
            latency: LatencyFile::default(),
            claims: None,
        }
    }
}

/// The rates of faults: the mean time between two in the whole world, or "never"; or the number in
/// a thousand.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct FaultRatesFile {
    /// The mean time between two crashes of agents.
    #[schemars(extend("default" = "500ms"))]
    pub(crate) crash: Option<At<String>>,
    /// The mean time between two detected failures of hardware.
    #[schemars(extend("default" = "2s"))]
    pub(crate) hardware_failure: Option<At<String>>,
    /// The mean time between two failures of hardware that nobody detects.
    #[schemars(extend("default" = "3s"))]
    pub(crate) undetected_hardware_failure: Option<At<String>>,
    /// The mean time between two failures of a rack: machines next to each other, all at once.
    #[schemars(extend("default" = "never"))]
    pub(crate) rack_failure: Option<At<String>>,
    /// The number of machines in a rack.
    #[schemars(range(min = 1, max = 100_000), extend("default" = 4))]
    pub(crate) rack: Option<At<i64>>,
    /// The mean time between two outages of the provisioner and the cleaner.
    #[schemars(extend("default" = "never"))]
    pub(crate) provisioner_outage: Option<At<String>>,
    /// The mean time between two periods in which every transaction on one document aborts.
    #[schemars(extend("default" = "never"))]
    pub(crate) abort_storm: Option<At<String>>,
    /// The number of transactions in a thousand that abort although their asserts hold.
    #[schemars(range(min = 0, max = 1000), extend("default" = 50))]
    pub(crate) abort: Option<At<i64>>,
    /// The number of times in a thousand that an agent crashes where it loses something: between
    /// plan and commit, or between entering a scope and writing its directory.
    #[schemars(range(min = 0, max = 1000), extend("default" = 50))]
    pub(crate) crash_before_commit: Option<At<i64>>,
    /// The number of restarts in a thousand that end in another crash.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) crash_at_restart: Option<At<i64>>,
    /// The number of steps of the user's commands in a thousand that lose their connection.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) lost_connection: Option<At<i64>>,
    /// The number of hooks in a thousand that fail.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) hook_failure: Option<At<i64>>,
}

/// The time that steps take: ranges from which each time is drawn.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct LatencyFile {
    /// The time until a watcher notifies an actor of a change.
    #[schemars(extend("default" = "1ms..100ms"))]
    pub(crate) watch: Option<At<String>>,
    /// The time from planning a transaction to its commit.
    #[schemars(extend("default" = "1ms..50ms"))]
    pub(crate) transaction: Option<At<String>>,
    /// The time of any other step of an agent.
    #[schemars(extend("default" = "1ms..20ms"))]
    pub(crate) step: Option<At<String>>,
    /// The time of a hook.
    #[schemars(extend("default" = "10ms..2s"))]
    pub(crate) hook: Option<At<String>>,
    /// The time until a crashed agent is back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub(crate) restart: Option<At<String>>,
    /// The time until the operator acts.
    #[schemars(extend("default" = "1s..10s"))]
    pub(crate) operator: Option<At<String>>,
    /// The time to start an instance, or to give one back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub(crate) instance: Option<At<String>>,
    /// The time that an outage lasts, or that transactions on one document abort.
    #[schemars(extend("default" = "1s..20s"))]
    pub(crate) outage: Option<At<String>>,
}
