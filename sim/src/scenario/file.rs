//! What a scenario file may say: its keys, their types and their defaults.
//!
//! These types are what is read and what the JSON schema is derived from; the comments on their
//! fields are what an editor shows.

use deathwatch_model::world::Assumptions;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    known::{ClaimsFile, VariantsFile},
    simulate::file::SimulateFile,
    value::{At, Map, Most, Which},
};

/// A scenario of the Juju entity lifecycle protocol.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct File {
    /// What it shows, in one sentence.
    pub(crate) shows: At<String>,
    /// The clauses that it is about, such as "remove-unit.4"; a rule stands for all its clauses.
    #[serde(default)]
    pub(crate) rules: Vec<At<String>>,
    /// The clauses that must be carried out on some run; a rule stands for its first clause.
    #[serde(default)]
    pub(crate) witnesses: Vec<At<String>>,
    /// What happens first, a line a step: "machine-agent 0: begin remove-unit wordpress/0",
    /// "client: destroy-unit wordpress/0 => no-op". Behind => is what must come of a step that is
    /// not meant to get anywhere: no-op, refused: REASON, aborted, aborted: CLAUSE with the clause
    /// whose assert does not hold, or contended. Lines that begin with # are comments.
    pub(crate) steps: Option<At<String>>,
    /// Which variants of the documents hold, where they are not the default.
    #[serde(default)]
    pub(crate) variants: VariantsFile,
    /// What there is, and what there may be.
    pub(crate) world: WorldFile,
    /// What the user may do, in any order, and how often: "destroy-unit wordpress/0" = 1. An
    /// asterisk stands for everything that the command could name, each so often: "add-machine *",
    /// "destroy-unit --force *", and "destroy-unit wordpress/*" for one application's units. What
    /// is named more narrowly as well is excepted: that says how often.
    #[serde(default)]
    pub(crate) user: Map<At<Most>>,
    /// Which faults may strike: at any time and any number of times, but finitely often.
    #[serde(default)]
    pub(crate) faults: FaultsFile,
    /// What is assumed of the agents, of the supervisor and of the operator.
    #[serde(default)]
    pub(crate) assume: AssumeFile,
    /// Clauses that are switched off, to see who notices.
    #[serde(default)]
    pub(crate) switch_off: SwitchOffFile,
    /// The documents after the steps.
    #[serde(default)]
    pub(crate) expect: ExpectFile,
    /// The claims to check, and the answer expected. The key "all" stands for every claim.
    #[serde(default)]
    pub(crate) claims: ClaimsFile,
    /// What is known of the exhaustive check.
    #[serde(default)]
    pub(crate) check: CheckFile,
    /// How it is simulated.
    pub(crate) simulate: Option<SimulateFile>,
}

/// What there is, and what there may be.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct WorldFile {
    /// Whether anybody may act between the planning and the commit of a transaction.
    #[serde(default)]
    pub(crate) transactions: TransactionsFile,
    /// How often a command is planned before it pleads excessive contention.
    #[schemars(range(min = 1, max = 10), extend("default" = 3))]
    pub(crate) tries: Option<At<i64>>,
    /// The machines and containers, by name; "1..=1000" stands for the machines 1 to 1000.
    #[serde(default)]
    pub(crate) machines: Map<MachineFile>,
    /// The applications, by name.
    #[serde(default)]
    pub(crate) applications: Map<ApplicationFile>,
    /// The relations: "wordpress:db mysql:server", or "wordpress:cluster" for a peer relation.
    #[serde(default)]
    pub(crate) relations: Map<RelationFile>,
}

/// How transactions interleave.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TransactionsFile {
    /// Planning and committing are two actions.
    Split,
    /// Planning and committing are one action.
    #[default]
    Atomic,
}

/// A machine or a container.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct MachineFile {
    /// What it is for; to host units, unless said otherwise.
    #[schemars(extend("default" = ["host-units"]))]
    pub(crate) jobs: Option<Vec<At<Job>>>,
    /// The machine that it is a container of.
    pub(crate) host: Option<At<String>>,
    /// Whether it is there at the start, or only may be added.
    #[serde(default = "yes")]
    pub(crate) exists: bool,
    /// Whether it has an instance at the start; as its host does, unless said otherwise.
    #[schemars(extend("default" = true))]
    pub(crate) provisioned: Option<At<bool>>,
}

/// What a machine is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Job {
    /// Units can be assigned to it.
    HostUnits,
    /// The provisioner and the cleaner run in its agent.
    ManageModel,
}

/// An application.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct ApplicationFile {
    /// The machine of each unit there is at the start: wordpress/0 is on the first one. The range
    /// "1..=1000" stands for the machines 1 to 1000, a unit on each.
    #[serde(default)]
    pub(crate) units: Vec<At<String>>,
    /// Of a subordinate application, the principal of each unit there is at the start;
    /// "wordpress/*" stands for all units that wordpress has at the start.
    #[serde(default)]
    pub(crate) subordinates: Vec<At<String>>,
    /// How many units there can be at a time; as many as at the start, unless said otherwise.
    #[schemars(range(min = 1, max = 100_000))]
    pub(crate) most_units: Option<At<i64>>,
    /// Whether its charm is a subordinate one.
    #[serde(default)]
    pub(crate) subordinate: bool,
    /// Whether it is there at the start, or only may be deployed.
    #[serde(default = "yes")]
    pub(crate) exists: bool,
    /// Whether the agents of its units are installed at the start.
    #[serde(default = "yes")]
    pub(crate) deployed: bool,
}

/// A relation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct RelationFile {
    /// Which units see each other in it.
    pub(crate) scope: Option<At<ScopeFile>>,
    /// Whether it is there at the start, or only may be added.
    #[serde(default = "yes")]
    pub(crate) exists: bool,
    /// The units that are in its scope at the start; their agents know, if they are deployed.
    /// "wordpress/*" stands for all units that wordpress has at the start.
    #[serde(default)]
    pub(crate) entered: Vec<At<String>>,
}

/// Which units see each other in a relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ScopeFile {
    /// All of them. The default.
    #[default]
    Global,
    /// A principal and its subordinate.
    Container,
}

/// Which faults may strike.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each fault is switched on its own")]
pub(crate) struct FaultsFile {
    /// An agent's process ends: what it had in memory is lost, its disk is kept.
    pub(crate) crash: bool,
    /// A crashed agent is seen to be down until it restarts.
    pub(crate) downtime: bool,
    /// Machines or ranges of them whose hardware may fail, which the provisioner notices; true for
    /// all.
    pub(crate) hardware_failure: Which,
    /// Machines or ranges of them whose hardware may fail without anybody noticing; true for all.
    pub(crate) undetected_hardware_failure: Which,
    /// A transaction pending aborts for no reason of ours.
    pub(crate) abort: bool,
    /// The connection is lost between two transactions of one command.
    pub(crate) lost_connection: bool,
    /// A hook fails, and waits for the operator.
    pub(crate) hook_failure: bool,
}

/// The fairness assumptions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each assumption is switched on its own")]
pub(crate) struct AssumeFile {
    /// Agents keep acting.
    #[schemars(extend("default" = true))]
    pub(crate) agents_act: bool,
    /// Crashed agents restart.
    #[schemars(extend("default" = true))]
    pub(crate) crashed_agents_restart: bool,
    /// The operator terminates failed hardware that nobody detected.
    #[schemars(extend("default" = true))]
    pub(crate) failed_hardware_is_terminated: bool,
    /// The operator resolves hook errors.
    #[schemars(extend("default" = true))]
    pub(crate) hook_errors_are_resolved: bool,
    /// Neglectful agents are upgraded.
    #[schemars(extend("default" = true))]
    pub(crate) agents_are_upgraded: bool,
    /// A command that was begun goes on until it is finished or its connection is lost.
    #[schemars(extend("default" = true))]
    pub(crate) commands_finish: bool,
    /// What fairness is asked of: each agent, or each duty of each agent.
    pub(crate) per: PerFile,
    /// Agents are strongly fair: what can be done again and again is done.
    pub(crate) strong: bool,
}

impl Default for AssumeFile {
    fn default() -> Self {
        let default = Assumptions::default();
        Self {
            agents_act: default.agents_act,
            crashed_agents_restart: default.crashed_agents_restart,
            failed_hardware_is_terminated: default.failed_hardware_is_terminated,
            hook_errors_are_resolved: default.hook_errors_are_resolved,
            agents_are_upgraded: default.agents_are_upgraded,
            commands_finish: default.commands_finish,
            per: PerFile::default(),
            strong: default.strong,
        }
    }
}

/// What fairness is asked of.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PerFile {
    /// An agent that keeps moving may keep choosing among its duties as it likes.
    #[default]
    Agent,
    /// Each duty of an agent is done in its turn.
    Duty,
}

/// Clauses that are switched off.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct SwitchOffFile {
    /// Clauses that nobody carries out.
    pub(crate) clauses: Vec<At<String>>,
    /// Clauses whose changes are made without their asserts.
    pub(crate) asserts: Vec<At<String>>,
    /// Duties that agents neglect until they are upgraded.
    pub(crate) neglected: Vec<At<String>>,
}

/// The documents after the steps.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct ExpectFile {
    /// Machines, applications, units and relations that are Alive.
    pub(crate) alive: Vec<At<String>>,
    /// Those that are Dying.
    pub(crate) dying: Vec<At<String>>,
    /// Those that are Dead.
    pub(crate) dead: Vec<At<String>>,
    /// Those that have no document.
    pub(crate) gone: Vec<At<String>>,
    /// How many units an application counts.
    pub(crate) units: Map<At<u32>>,
    /// How many relations an application counts.
    pub(crate) relations: Map<At<u32>>,
    /// The units in scope of a relation, all of them.
    pub(crate) in_scope: Map<At<Vec<At<String>>>>,
    /// The cleanup documents, all of them: "settings of wordpress:db mysql:server", "units of
    /// wordpress", "force unit wordpress/0", "force machine 1".
    pub(crate) cleanups: Option<At<Vec<At<String>>>>,
}

/// What is known of the exhaustive check.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct CheckFile {
    /// The exact number of reachable states.
    pub(crate) states: Option<u64>,
    /// The exact number of transitions between them.
    pub(crate) transitions: Option<u64>,
}

fn yes() -> bool {
    true
}
