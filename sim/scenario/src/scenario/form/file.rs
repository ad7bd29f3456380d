//! The form of a scenario file: its keys, their types and their defaults.
//!
//! The file is read into these types. The JSON schema and its descriptions are derived from them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    also::AlsoTables,
    assume::AssumeFile,
    detail::Levels,
    faults::Switches,
    finding::FindingFile,
    hook::HookFile,
    known::{ClaimsFile, RowKeyedTable, VariantsFile},
    machine::MachineFile,
    own::OwnFile,
    rule::RuleFile,
    simulate::SimulateFile,
};
use crate::scenario::{
    expect::file::{ExpectFile, StartFile},
    value::{CommandLimit, Located, Map},
};

/// The number of users who give commands at the same time: a key of `[user]` among commands.
pub const SESSIONS: &str = "sessions";

/// The place of a unit that has no machine.
pub const UNASSIGNED: &str = "unassigned";

/// A scenario of the Juju entity lifecycle protocol.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct File {
    /// A sentence on the scenario, as lists and reports have it.
    pub shows: Located<String>,
    /// The clauses that it is about, such as "remove-unit.4"; a rule stands for all its clauses.
    #[serde(default)]
    pub rules: Vec<Located<String>>,
    /// The clauses that must be carried out on some run; a rule stands for its first clause.
    #[serde(default)]
    pub witnesses: Vec<Located<String>>,
    /// The mistake of the documents that it shows. Some claim has to be violated.
    pub finding: Option<FindingFile>,
    /// The script, a line for each step: "machine-agent 0: begin remove-unit wordpress/0", "client:
    /// destroy-unit wordpress/0 => no-op". After => stands the outcome of a step that is not meant
    /// to do anything: no-op, refused: REASON, aborted, aborted: CLAUSE with the clause whose
    /// assert does not hold, or contended. "run cleaner" lets an actor act until it has nothing
    /// left to do, "run user" finishes the command in progress, and "run all" lets everybody act
    /// who is assumed to. "machine-agent 0: retry remove-unit wordpress/0" begins and commits,
    /// again if it aborts. Lines that begin with # are comments.
    pub steps: Option<Located<String>>,
    /// The steps that are repeated for ever after these, line by line. They lead back to the state
    /// in which they begin, and have to be fair to all actors that are assumed to act.
    #[serde(rename = "loop")]
    pub again: Option<Located<String>>,
    /// The variants of the documents, where they are not the default.
    #[serde(default)]
    pub variants: VariantsFile,
    /// The details that the world has beside the protocol of D1 and D2.
    #[serde(default)]
    pub detail: RowKeyedTable<Levels>,
    /// The entities that exist at the start, or may be added.
    pub world: WorldFile,
    /// The commands that the user may give, in any order, and how often: "destroy-unit wordpress/0"
    /// = 1. An asterisk stands for all that the command could name: "add-machine *", "destroy-unit
    /// wordpress/*". A narrower key has precedence over a wider one. With `sessions = 2` two users
    /// give them at once, each command as often as it says by both together.
    #[serde(default)]
    #[schemars(extend("properties" = { SESSIONS: {
        "description": "The number of users who give commands at once.",
        "type": "integer", "minimum": 1, "maximum": 8, "default": 1,
    } }))]
    pub user: Map<Located<CommandLimit>>,
    /// The faults that may happen: at any time and any number of times, but finitely often.
    #[serde(default)]
    pub faults: RowKeyedTable<Switches>,
    /// The assumptions about agents, supervisor and operator.
    #[serde(default)]
    pub assume: AssumeFile,
    /// Clauses that are switched off, to see which claims notice.
    #[serde(default)]
    pub switch_off: SwitchOffFile,
    /// The documents, agents and users before the steps, where they are not as `[world]` alone
    /// says: the same names and values as in `[expect]`.
    pub start: Option<StartFile>,
    /// The documents after the steps.
    #[serde(default)]
    pub expect: ExpectFile,
    /// The claims to check, and no others; "all" stands for every claim. Without this table: its
    /// own claims, which have to hold, or its script's expectations, or else that no claim is
    /// violated.
    #[schemars(default, with = "ClaimsFile")]
    pub claims: Option<ClaimsFile>,
    /// Claims of the scenario's own, by name. Each has one of `always`, `step`, `leads` and
    /// `reachable`, with conditions in CEL.
    #[serde(default)]
    pub own: Map<OwnFile>,
    /// Rules of the scenario's own, by name, which change the protocol: each adds a duty (`act`),
    /// lets an act be done only under a condition (`only`), makes something else of a refusal
    /// (`refusal`), or picks a branch by another condition (`clause`). A rule is a clause: its name
    /// can stand where `unit-agent.6` can.
    #[serde(default)]
    pub rule: Map<RuleFile>,
    /// The pinned results of the exhaustive check.
    #[serde(default)]
    pub check: CheckFile,
    /// The settings of the simulation.
    pub simulate: Option<SimulateFile>,
    /// Further scenarios, by name: `[also."with the fix"]` says what differs from the rest of the
    /// file. Tables are merged key by key, and any other value replaces the one of the file; a
    /// claim in `own` or a rule is replaced as a whole, and so is `claims` where the new one says
    /// something of `all`. What is about one scenario is not inherited: its numbers of states and
    /// transitions, and its seeds.
    #[serde(default, rename = "also")]
    pub(crate) _also: AlsoTables,
}

/// The entities that exist at the start, or may be added.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WorldFile {
    /// Whether others can act between the planning and the commit of a transaction.
    #[serde(default)]
    pub transactions: TransactionsFile,
    /// The number of times that a command is planned before it fails with excessive contention, by
    /// default 3.
    #[schemars(range(min = 1, max = 10), extend("default" = 3))]
    pub tries: Option<Located<i64>>,
    /// Whether agents run the hooks of departures and stop hooks as actions of their own; by
    /// default they run those that can fail.
    pub hooks: Option<Located<bool>>,
    /// The number of times that a failed transition of a workflow is tried again, by default 1. It
    /// needs the detail `workflow`.
    #[schemars(range(min = 0, max = 3), extend("default" = 1))]
    pub retries: Option<Located<i64>>,
    /// The sets of constraints that commands may name, such as "mem=2G" or "cpu-power=400,mem=2G".
    /// It needs the detail `constraints`.
    #[serde(default)]
    pub constraints: Vec<Located<String>>,
    /// The kinds of hardware that the provider has, such as "mem=2G" or "cpu-power=400,mem=2G"; by
    /// default whatever is asked for. No instance starts of a machine whose constraints none of
    /// them satisfies. It needs the details `constraints` and `provisioning`.
    pub hardware: Option<Located<Vec<Located<String>>>>,
    /// The machines and containers, by name, in the order in which they are looked at for a unit;
    /// "1..=1000" stands for the machines 1 to 1000. Without this table: machine 0, which manages
    /// the model, and the machines that units are on.
    #[serde(rename = "machines")]
    #[schemars(default, with = "Map<MachineFile>")]
    pub named_machines: Option<Map<MachineFile>>,
    /// The machines and containers, once patterns are written out.
    #[serde(skip)]
    pub machines: Map<MachineFile>,
    /// The applications, by name.
    #[serde(default)]
    pub applications: Map<ApplicationFile>,
    /// The relations: "wordpress:db mysql:server", or "wordpress:cluster" for a peer relation.
    #[serde(default)]
    pub relations: Map<RelationFile>,
}

/// The interleaving of transactions.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransactionsFile {
    /// Planning and committing are two actions.
    Split,
    /// Planning and committing are one action.
    #[default]
    Atomic,
}

/// An application.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ApplicationFile {
    /// The machine of each unit that exists at the start, in order; "1..=1000" is one unit on each.
    /// "unassigned" is a unit without a machine.
    #[serde(default)]
    pub units: Vec<Located<String>>,
    /// For a subordinate application, the principals of its units at the start, such as
    /// "wordpress/*".
    #[serde(default)]
    pub subordinates: Vec<Located<String>>,
    /// The greatest number of units at a time; by default the number at the start.
    #[schemars(range(min = 1, max = 100_000))]
    pub most_units: Option<Located<i64>>,
    /// Whether its charm is a subordinate one.
    #[serde(default)]
    pub subordinate: bool,
    /// The series that its charm is for, such as "precise". It needs the detail `series`.
    pub series: Option<Located<String>>,
    /// The hooks of its charm, by default all; others count as run. It needs `hooks` or `workflow`.
    pub hooks: Option<Located<Vec<HookFile>>>,
    /// The hooks that may fail, by default all. It needs the detail `hooks` or `workflow`.
    pub may_fail: Option<Located<Vec<HookFile>>>,
    /// The hooks that fail each time that they run, by default none. It needs the detail `hooks`.
    pub never_succeeds: Option<Located<Vec<HookFile>>>,
    /// The hooks that write their units' settings, by default none: in their relation, or
    /// config-changed in all; with the detail `settings` in any. They always write the same, so to
    /// write again changes nothing. It needs the detail `relations`.
    pub writes: Option<Located<Vec<HookFile>>>,
    /// Hooks as in `writes`, but each time they write others than there are.
    pub writes_new: Option<Located<Vec<HookFile>>>,
    /// The hooks that read settings: of units that are related, or were, in any relation, and their
    /// own unit's. It needs the detail `settings`.
    pub reads: Option<Located<Vec<HookFile>>>,
    /// The hooks that may open the port of their unit. It needs the detail `charm`.
    pub open_port: Option<Located<Vec<HookFile>>>,
    /// The hooks that may close the port of their unit. It needs the detail `charm`.
    pub close_port: Option<Located<Vec<HookFile>>>,
    /// The hooks that read the configuration. It needs the detail `charm`.
    pub config_get: Option<Located<Vec<HookFile>>>,
    /// Whether it exists at the start; otherwise it may be deployed.
    #[serde(default = "super::machine::yes")]
    pub exists: bool,
    /// Whether the agents of its units are installed at the start.
    #[serde(default = "super::machine::yes")]
    pub deployed: bool,
}

/// A relation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RelationFile {
    /// Its scope: which units see each other in it.
    pub scope: Option<Located<ScopeFile>>,
    /// Whether it exists at the start; otherwise it may be added.
    #[serde(default = "super::machine::yes")]
    pub exists: bool,
    /// The units in its scope at the start, such as "wordpress/*"; their agents know, if deployed.
    #[serde(default)]
    pub entered: Vec<Located<String>>,
}

/// The scope of a relation: which units see each other in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeFile {
    /// All of them. The default.
    #[default]
    Global,
    /// A principal and its subordinate, or two subordinates of one principal.
    Container,
}

/// Clauses that are switched off. A rule of the scenario's own is one, by its name.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SwitchOffFile {
    /// Clauses that are never carried out. With the name of an entity behind it, "unit-agent.1
    /// wordpress/0", a clause is off for that entity alone.
    pub clauses: Vec<Located<String>>,
    /// Clauses whose changes are made without their asserts.
    pub asserts: Vec<Located<String>>,
    /// Duties that agents neglect until they run a new version; with the name of an agent behind
    /// it, "machine-agent.5 machine-agent 1", that one alone.
    pub neglected: Vec<Located<String>>,
}

/// The pinned results of the exhaustive check.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct CheckFile {
    /// The exact number of reachable states.
    pub states: Option<u64>,
    /// The exact number of transitions between them.
    pub transitions: Option<u64>,
    /// Whether every run is, with the details hidden, a run of the world without them.
    pub refines: Option<Located<bool>>,
    /// Whether claims are answered for every number of units of each application, too, and the
    /// expected numbers.
    pub any_size: Option<AnySizeFile>,
}

/// The pinned results of the answers for every number of units.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct AnySizeFile {
    /// The exact number of views.
    pub views: Option<u64>,
    /// The exact number of claims of which views say nothing. All others are compared with what
    /// `claims` expects of them.
    pub not_asked: Option<u64>,
}
