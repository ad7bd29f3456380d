//! A run after shrinking.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    Outcome, QuestionKind,
    made::{Made, to_json},
};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 2;

/// The document of `shrink`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShrunkDocument {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    made: Made,
    /// The run.
    run: Shrunk,
}

/// A run after shrinking, and what it was before.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shrunk {
    /// The claim that it violates, or shows to be reached.
    pub claim: String,
    /// Its kind.
    #[serde(skip)]
    pub kind: QuestionKind,
    /// The document that does.
    pub subject: String,
    /// The kind of root that what is stuck comes from, before and after.
    pub root: Option<String>,
    /// The size of the run before.
    pub before: Size,
    /// Its size now.
    pub after: Size,
    /// The number of candidates that were tried.
    pub tries: u64,
    /// Whether nothing more can be removed.
    pub minimal: bool,
    /// The answer of an exhaustive search from the end of its script on, unless the world is too
    /// large.
    pub check: Option<Outcome>,
    /// The steps, as scenarios and traces have them: those of the script, then those that follow.
    pub steps: Vec<String>,
    /// The scenario, as a file.
    pub text: String,
}

impl Shrunk {
    pub fn document(self) -> Value {
        to_json(&ShrunkDocument { made: Made::by("shrink", VERSION), run: self })
    }
}

/// The size of a run and of its world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// The number of steps of the run.
    pub steps: usize,
    /// The greatest possible number of machines.
    pub machines: usize,
    /// The greatest possible number of applications.
    pub applications: usize,
    /// The greatest possible number of units.
    pub units: usize,
    /// The greatest possible number of relations.
    pub relations: usize,
}
