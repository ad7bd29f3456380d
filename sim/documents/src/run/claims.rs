//! Claims in a run: obligations and decisions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DocumentName;
use crate::{NoReturn, WaitFor};

/// A claim along a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimStrip {
    /// The claim.
    pub claim: String,
    /// Its kind.
    pub kind: String,
    /// The passage that it rests on.
    pub source: String,
    /// The obligations, in the order in which they arise.
    pub owed: Vec<Owed>,
    /// The state or the step that decides it.
    pub decided: Option<Decided>,
}

/// An obligation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Owed {
    /// Its subject.
    pub subject: Option<DocumentName>,
    /// The first state in which it is open.
    pub since: usize,
    /// The first state in which it is not any more.
    pub until: Option<usize>,
    /// Its outcome.
    pub is: OwedIs,
}

impl Owed {
    /// Whether it is open in the state with this number.
    pub fn is_open_at(&self, state: usize) -> bool {
        self.since <= state && self.until.is_none_or(|until| state < until)
    }
}

/// The outcome of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OwedIs {
    /// It was met.
    Done,
    /// It is open at the end of a run that could go on.
    Open,
    /// It is never met: the run ends, or goes round, with it open.
    Violated,
}

/// The place where a claim is decided, and the state or step there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The state, or the state that the step led to.
    pub state: usize,
    /// The subject that decides it, unless it is the whole state.
    pub subject: Option<DocumentName>,
}

/// A claim that a run decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The claim.
    pub claim: String,
    /// Its kind.
    pub kind: String,
    /// The passage that it rests on.
    pub source: Option<String>,
    /// Whether it reads what agents note: where an agent forgets something, so does the claim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notes: bool,
    /// The answer: "violated", "holds" of what can be reached.
    pub answer: String,
    /// The expected answer.
    pub expected: String,
    /// The subject, unless it is the whole state.
    pub subject: Option<DocumentName>,
    /// The state by which it is decided.
    pub state: usize,
    /// The things that are stuck, and their holders.
    pub diagnosis: Option<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
    /// Since when what must follow cannot follow any more, if a search has found the run.
    pub no_return: Option<NoReturn>,
    /// The steps that made its roots, in the order of the roots.
    pub made: Vec<RootStep>,
}

/// The step that made a root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RootStep {
    /// The index of the root.
    pub root: usize,
    /// The number of the step.
    pub step: usize,
    /// The index in `pending` of the transaction that the step commits, if it was begun by a step.
    pub commits: Option<usize>,
    /// The steps of others since it was begun that changed what the root is about.
    pub meanwhile: Vec<usize>,
}
