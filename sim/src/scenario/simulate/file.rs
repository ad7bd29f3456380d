//! What `[simulate]` may say: its keys, their types and their defaults.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Workload;
use crate::scenario::{known::ClaimsFile, value::At};

/// How a scenario is simulated. Times are virtual, and written "500ms", "10s", "5m" or "1h"; two
/// of them with .. between them are a range that each time is drawn from.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct SimulateFile {
    /// The seeds that once failed. They run first.
    pub(crate) seeds: Vec<At<i64>>,
    /// Whether each seed draws its own subset and rates of faults and of commands.
    #[schemars(extend("default" = true))]
    pub(crate) swarm: bool,
    /// How long faults and user go on.
    #[schemars(extend("default" = "10s"))]
    pub(crate) storm: Option<At<String>>,
    /// How many steps the calm that follows may take to settle; unless said otherwise, a hundred
    /// thousand, and two hundred for each machine and unit there may be.
    pub(crate) calm_steps: Option<u64>,
    /// What the user is up to.
    pub(crate) workload: Workload,
    /// How likely each kind of command is. Only what `[user]` allows is given.
    pub(crate) rates: RatesFile,
    /// How long the user waits between commands.
    #[schemars(extend("default" = "1ms..1s"))]
    pub(crate) pause: Option<At<String>>,
    /// What goes wrong how often. Only what `[faults]` allow does.
    pub(crate) faults: FaultRatesFile,
    /// How long steps take.
    pub(crate) latency: LatencyFile,
    /// The claims to watch, and the answers expected of a sweep, where they are not those of
    /// `[claims]`: a claim that is expected to be violated must be so by some seed. Where nothing
    /// is claimed at all, every claim is expected to hold, unless there is only a script.
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

/// How likely each kind of command is: numbers that are compared with each other, 10 unless said
/// otherwise.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct RatesFile {
    pub(crate) deploy: Option<u16>,
    pub(crate) add_unit: Option<u16>,
    pub(crate) add_machine: Option<u16>,
    pub(crate) integrate: Option<u16>,
    pub(crate) destroy_machine: Option<u16>,
    pub(crate) destroy_unit: Option<u16>,
    pub(crate) destroy_relation: Option<u16>,
    pub(crate) destroy_application: Option<u16>,
    pub(crate) force_destroy_unit: Option<u16>,
    pub(crate) force_destroy_machine: Option<u16>,
}

/// What goes wrong how often: the mean time between two, in the whole world, or "never"; or how
/// often in a thousand.
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
    /// How many machines are in a rack.
    #[schemars(range(min = 1, max = 100_000), extend("default" = 4))]
    pub(crate) rack: Option<At<i64>>,
    /// The mean time between two outages of the provisioner and the cleaner.
    #[schemars(extend("default" = "never"))]
    pub(crate) provisioner_outage: Option<At<String>>,
    /// The mean time between two storms in which every transaction on one document aborts.
    #[schemars(extend("default" = "never"))]
    pub(crate) abort_storm: Option<At<String>>,
    /// How many transactions in a thousand abort for no reason of ours.
    #[schemars(range(min = 0, max = 1000), extend("default" = 50))]
    pub(crate) abort: Option<At<i64>>,
    /// How often in a thousand an agent crashes just where that loses something: between plan and
    /// commit, or between entering a scope and writing it down.
    #[schemars(range(min = 0, max = 1000), extend("default" = 50))]
    pub(crate) crash_before_commit: Option<At<i64>>,
    /// How many restarts in a thousand end in another crash.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) crash_at_restart: Option<At<i64>>,
    /// How many steps of the user's commands in a thousand lose their connection.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) lost_connection: Option<At<i64>>,
    /// How many hooks in a thousand fail.
    #[schemars(range(min = 0, max = 1000), extend("default" = 100))]
    pub(crate) hook_failure: Option<At<i64>>,
}

/// How long steps take: ranges that each time is drawn from.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct LatencyFile {
    /// Until a watcher tells an actor that something changed.
    #[schemars(extend("default" = "1ms..100ms"))]
    pub(crate) watch: Option<At<String>>,
    /// From planning a transaction to its commit.
    #[schemars(extend("default" = "1ms..50ms"))]
    pub(crate) transaction: Option<At<String>>,
    /// Any other step of an agent.
    #[schemars(extend("default" = "1ms..20ms"))]
    pub(crate) step: Option<At<String>>,
    /// A hook.
    #[schemars(extend("default" = "10ms..2s"))]
    pub(crate) hook: Option<At<String>>,
    /// Until a crashed agent is back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub(crate) restart: Option<At<String>>,
    /// Until the operator looks after what only the operator can see to.
    #[schemars(extend("default" = "1s..10s"))]
    pub(crate) operator: Option<At<String>>,
    /// Starting an instance, or giving one back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub(crate) instance: Option<At<String>>,
    /// How long an outage lasts, or a storm of aborts.
    #[schemars(extend("default" = "1s..20s"))]
    pub(crate) outage: Option<At<String>>,
}
