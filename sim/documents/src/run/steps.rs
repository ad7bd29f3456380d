//! Steps, and what can follow a state.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Because, Change, Tables};

/// The outcome of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepOutcome {
    /// Something local happened.
    Done,
    /// A transaction was planned.
    Planned,
    /// A transaction was committed.
    Committed,
    /// A transaction was aborted.
    Aborted,
    /// A transaction was aborted so often that its client gave up.
    Contended,
    /// There was nothing to do.
    NoOp,
    /// It was refused.
    Refused,
    /// It was not possible.
    NotEnabled,
}

/// A kind of those who act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActorKind {
    /// A user.
    User,
    /// A client of a script.
    Client,
    /// The agent of a unit.
    UnitAgent,
    /// The agent of a machine.
    MachineAgent,
    /// The provisioner.
    Provisioner,
    /// The cleaner.
    Cleaner,
    /// The faults.
    Faults,
    /// The operator.
    Operator,
    /// The supervisor.
    Supervisor,
}

/// An action, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The actor.
    pub actor: String,
    /// The kind of actor.
    pub actor_is: ActorKind,
    /// Its act.
    pub action: String,
    /// Both, as a line of a script.
    pub line: String,
    /// The clause that obliges an agent to do it.
    pub duty: Option<String>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
// The schema alone denies others: serde cannot with parts that are flattened.
#[schemars(deny_unknown_fields)]
pub struct Step {
    /// Its number, from 1: that of the state that it leads to.
    pub number: usize,
    /// Its number in the whole run, if that is longer.
    pub of_all: Option<usize>,
    /// The action.
    #[serde(flatten)]
    pub act: Act,
    /// Its outcome.
    pub outcome: StepOutcome,
    /// Why it aborted or was refused.
    pub because: Option<Because>,
    /// The clauses that it carries out.
    pub clauses: Vec<String>,
    /// Its changes.
    pub changes: Vec<Change>,
    /// Outcome and changes in words, a line each.
    pub said: Vec<String>,
    /// The indices in `pending` of what it begins.
    pub begins: Vec<usize>,
    /// The indices in `pending` of what it ends, or takes away.
    pub ends: Vec<usize>,
    /// The index of the action among those that were possible, if it was one.
    pub chosen: Option<usize>,
    /// The line of the scenario that asks for it.
    pub line_of_file: Option<usize>,
    /// When it happened, in virtual milliseconds since the simulation began.
    pub milliseconds: Option<u64>,
}

/// A state, and what can follow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The rows.
    pub rows: Tables,
    /// Whether nobody can move who is assumed to act.
    pub quiescent: bool,
    /// The actions that are possible; on a page of the explorer, those of a client come last.
    pub possible: Vec<Possible>,
    /// The actions that are possible at another time, and why they are not now.
    pub impossible: Vec<Impossible>,
}

/// An action that can be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
// The schema alone denies others: serde cannot with parts that are flattened.
#[schemars(deny_unknown_fields)]
pub struct Possible {
    /// The action.
    #[serde(flatten)]
    pub act: Act,
    /// Its outcome, if it were taken.
    pub outcome: StepOutcome,
    /// The clauses that it would carry out.
    pub clauses: Vec<String>,
    /// Its changes, if it were taken.
    pub changes: Vec<Change>,
}

/// An action that cannot be done now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
// The schema alone denies others: serde cannot with parts that are flattened.
#[schemars(deny_unknown_fields)]
pub struct Impossible {
    /// The action.
    #[serde(flatten)]
    pub act: Act,
    /// The kind of reason.
    pub reason: ReasonKind,
    /// The clauses that say so.
    pub clauses: Vec<String>,
    /// The reason in words.
    pub text: String,
    /// Advice on what can be done about it.
    pub advice: Option<String>,
}

/// A kind of reason why something is not possible.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// Its actor is not there, or waits for somebody else.
    Absent,
    /// Its actor has a transaction pending, or none.
    Pending,
    /// Transactions are written differently in this world.
    Atomicity,
    SwitchedOff,
    Neglected,
    /// A fault is not switched on.
    FaultOff,
    /// The user is not allowed the command, or not so often, or has not finished another one.
    Command,
    NoOp,
    Refused,
    /// An assert does not hold.
    Aborts,
    /// The agent does not know what it would act on.
    Unknown,
    /// A rule of the scenario's own does not allow it.
    Rule,
    NotAsked,
}
