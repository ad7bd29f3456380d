//! A run as data, whole: its steps with what each changed, the state after each step by name, who
//! runs, what is pending, what is owed, what else could have happened, and why something could not.
//!
//! States are numbered from 0, the start; step N leads from state N - 1 to state N. Clauses are
//! cited by name, and `clauses` has their texts.

mod claims;
mod header;
mod steps;
mod values;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::{
    claims::{ClaimStrip, Decided, Decision, Owed, OwedIs, RootStep},
    header::{
        Application, Assumption, Counts, Entities, Fault, Given, Header, Machine, Origin, Relation,
        Setting, SwitchedOff,
    },
    steps::{Act, ActorKind, Impossible, Moment, Possible, ReasonKind, Step, StepOutcome},
    values::{
        Because, Change, ClauseText, DocumentName, Entity, Kind, KindField, Table, Tables, Tier,
        Value,
    },
};
use crate::{
    NoReturn,
    made::{Made, to_json},
};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 4;

/// The runs that a command writes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runs {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The runs.
    pub runs: Vec<Run>,
}

impl Runs {
    /// The document of the runs that `command` writes.
    pub fn document(command: &str, runs: Vec<Run>) -> serde_json::Value {
        to_json(&Self { made: Made::by(command, VERSION), runs })
    }
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The question, and the world that it is about.
    pub header: Header,
    /// The entities that the world may have.
    pub world: Entities,
    /// The kinds of rows of a state, and the meaning of their fields.
    pub kinds: Table<Kind>,
    /// The text and the passages of each clause that is cited.
    pub clauses: Table<ClauseText>,
    /// Which states are in `states`.
    pub kept: States,
    /// The states, from the start on.
    pub states: Vec<Moment>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The whole run, if these are not all of its steps.
    pub whole: Option<WholeRun>,
    /// Its end.
    pub end: End,
    /// If it goes round, what those who are assumed to act could do on the way and never do.
    pub never_taken: Vec<NeverTaken>,
    /// For each actor, when it is there and when it acts.
    pub lanes: Vec<Lane>,
    /// Transactions and hooks, each from its begin to its end.
    pub pending: Vec<Pending>,
    /// For each claim, what is owed and since when, and where it is decided.
    pub claims: Vec<ClaimStrip>,
    /// The claims that the run decides.
    pub answers: Vec<Decision>,
    /// The expectations of the script that are not met.
    pub failures: Vec<String>,
    /// Notes on its end.
    pub notes: Vec<String>,
}

/// A run of which only those steps are written down that change something of what holds its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WholeRun {
    /// The number of all its steps.
    pub steps: usize,
    /// The first step that is written down and that, without those that are not, cannot be taken or
    /// comes to something else; none, if these steps alone lead to the same.
    pub needs_others: Option<usize>,
}

/// Which states of a run are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum States {
    /// Every state.
    All,
    /// The first one; the others follow from the changes of the steps.
    First,
    /// The one with this number alone.
    At(usize),
}

impl Run {
    /// The state with this number, if it is kept.
    pub fn moment(&self, state: usize) -> Option<&Moment> {
        match self.kept {
            States::All => self.states.get(state),
            States::First => self.states.first().filter(|_| state == 0),
            States::At(kept) => self.states.first().filter(|_| state == kept),
        }
    }

    /// The same run with its last state, to which the changes of the steps lead from the first one;
    /// `None` if the first one is not what is kept, or somebody has changed it.
    pub fn at_its_end(&self) -> Option<Self> {
        let first = self.states.first().filter(|_| self.kept == States::First)?;
        let mut rows = first.rows.clone();
        for change in self.steps.iter().flat_map(|step| &step.changes) {
            let row = rows.get_mut(&change.document.kind)?.get_mut(&change.document.name)?;
            row.insert(change.field.clone(), change.after.clone());
        }
        if !rows.keys().all(|kind| self.kinds.contains_key(kind)) {
            return None;
        }
        let quiescent = self.end == End::Quiescent;
        let last = Moment { rows, quiescent, possible: Vec::new(), impossible: Vec::new() };
        Some(Self { kept: States::At(self.steps.len()), states: vec![last], ..self.clone() })
    }

    /// Since when what the run decides first cannot follow any more, if that is known.
    pub fn no_return(&self) -> Option<&NoReturn> {
        self.answers.first()?.no_return.as_ref()
    }

    /// The number of a state in the whole run.
    pub fn number(&self, state: usize) -> usize {
        let step = state.checked_sub(1).and_then(|index| self.steps.get(index));
        step.and_then(|step| step.of_all).unwrap_or(state)
    }

    /// The number of steps that are left out before the one that leads to a state; or after the
    /// last one, if there is none.
    pub fn left_out_before(&self, state: usize) -> usize {
        let Some(whole) = self.whole else { return 0 };
        let last = state.checked_sub(1).map_or(0, |before| self.number(before));
        let next = if state > self.steps.len() { whole.steps + 1 } else { self.number(state) };
        next.saturating_sub(last + 1)
    }

    /// The entities that a row is about.
    pub fn about(&self, row: &DocumentName) -> impl Iterator<Item = (Tier, &str)> {
        let kind = self.kinds.get(&row.kind);
        kind.into_iter().flat_map(|kind| kind.entities(&row.name))
    }
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum End {
    /// Nobody can move any more who is assumed to act.
    Quiescent,
    /// It could go on.
    Open,
    /// It goes round for ever: two states are equal.
    Cycle {
        /// The first of the two.
        from: usize,
        /// The last state.
        to: usize,
    },
}

/// An action that is possible in states of a cycle, and no step of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
// The schema alone denies others: serde cannot with parts that are flattened.
#[schemars(deny_unknown_fields)]
pub struct NeverTaken {
    /// The action.
    #[serde(flatten)]
    pub act: Act,
    /// The states of the cycle in which it is possible, the first one not told again as the last.
    pub states: Vec<usize>,
    /// Whether it changes a document that an answer's subject or a root is about.
    pub would_help: bool,
}

/// The lane of an actor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    /// The actor.
    pub actor: String,
    /// The kind of actor.
    pub actor_is: ActorKind,
    /// The entity whose agent it is, if it is one.
    pub entity: Option<Entity>,
    /// Its presence, each from a state on.
    pub spans: Vec<Span>,
}

/// The presence of an actor from a state on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The state.
    pub from: usize,
    /// Its presence.
    pub is: Presence,
}

/// The presence of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// It is not there.
    Absent,
    /// Its hardware has failed, and nobody has noticed.
    Silent,
    /// It has crashed.
    Down,
    /// It has ended itself, as its entity is Dead or gone.
    Terminated,
    /// It waits for the operator, as a hook has failed.
    Waits,
    /// It runs.
    Runs,
}

/// A transaction or a hook from its begin to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// The actor that has begun it.
    pub actor: String,
    /// The operation or the hook.
    pub what: String,
    /// The first state in which it is pending.
    pub from: usize,
    /// The first state in which it is not any more.
    pub until: Option<usize>,
}
