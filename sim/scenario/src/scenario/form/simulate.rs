//! The form of `[simulate]`: its keys, their types and their defaults.

use deathwatch_simulator::settings::Workload;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    fault_rates::Rates,
    known::{ClaimsFile, CommandRates, RowKeyedTable},
};
use crate::scenario::value::Located;

/// The settings of a simulation. Times are virtual, and written "500ms", "10s", "5m" or "1h"; two
/// of them with .. between them are a range from which each time is drawn.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SimulateFile {
    /// The seeds that once failed. They run first.
    pub seeds: Vec<Located<i64>>,
    /// Whether each seed draws its own subset and rates of faults and of commands.
    #[schemars(extend("default" = true))]
    pub swarm: bool,
    /// Whether each seed draws, too, which of the details of the world are on.
    #[schemars(extend("default" = false))]
    pub draw_details: Option<Located<bool>>,
    /// The time during which faults happen and the user acts.
    #[schemars(extend("default" = "10s"))]
    pub storm: Option<Located<String>>,
    /// The greatest number of steps of the calm that follows; by default a hundred thousand, and
    /// two hundred for each machine and unit that may exist.
    pub calm_steps: Option<u64>,
    /// The workload: what the user does.
    pub workload: Workload,
    /// The weight of each kind of command. Only commands that `[user]` allows are given.
    pub rates: RowKeyedTable<CommandRates>,
    /// The time between two commands of the user.
    #[schemars(extend("default" = "1ms..1s"))]
    pub pause: Option<Located<String>>,
    /// The rate of each fault. Only faults that `[faults]` allows happen.
    pub faults: RowKeyedTable<Rates>,
    /// The time that steps take.
    pub latency: LatencyFile,
    /// The claims to check, and the answers expected of a sweep, if they are not those of
    /// `[claims]`. A claim that is expected to be violated must be violated by some seed. If
    /// neither table has a claim, every claim is expected to hold, unless the scenario has only a
    /// script.
    pub claims: Option<ClaimsFile>,
}

impl Default for SimulateFile {
    fn default() -> Self {
        Self {
            seeds: Vec::new(),
            swarm: true,
            draw_details: None,
            storm: None,
            calm_steps: None,
            workload: Workload::default(),
            rates: RowKeyedTable::default(),
            pause: None,
            faults: RowKeyedTable::default(),
            latency: LatencyFile::default(),
            claims: None,
        }
    }
}

/// The time that steps take: ranges from which each time is drawn.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct LatencyFile {
    /// The time until a watcher notifies an actor of a change.
    #[schemars(extend("default" = "1ms..100ms"))]
    pub watch: Option<Located<String>>,
    /// The time from planning a transaction to its commit.
    #[schemars(extend("default" = "1ms..50ms"))]
    pub transaction: Option<Located<String>>,
    /// The time of any other step of an agent.
    #[schemars(extend("default" = "1ms..20ms"))]
    pub step: Option<Located<String>>,
    /// The time of the hooks of a departure, or of a hook that has no name.
    #[schemars(extend("default" = "10ms..2s"))]
    pub hook: Option<Located<String>>,
    /// The time of a hook that has a name, by the detail `hooks`.
    #[schemars(extend("default" = "100ms..5s"))]
    pub named_hook: Option<Located<String>>,
    /// The time until a crashed agent is back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub restart: Option<Located<String>>,
    /// The time until the operator acts.
    #[schemars(extend("default" = "1s..10s"))]
    pub operator: Option<Located<String>>,
    /// The time to start an instance, or to give one back.
    #[schemars(extend("default" = "100ms..2s"))]
    pub instance: Option<Located<String>>,
    /// The time that an outage lasts, or that transactions on one document abort.
    #[schemars(extend("default" = "1s..20s"))]
    pub outage: Option<Located<String>>,
}
