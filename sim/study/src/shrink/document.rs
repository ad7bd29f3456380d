//! The types of the result of shrinking as data, from which its schema is made, too.

use deathwatch_documents::{Made, to_json};
use deathwatch_model::check::Answer;
use deathwatch_scenario::describe;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Shrunk, Size};
use crate::verdict;

/// The version of the form of documents. It grows with each change that a reader might notice.
const VERSION: u32 = 1;

/// What `shrink` says.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The run.
    pub run: Reduced,
}

/// A run after shrinking, and what it was before.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reduced {
    /// The claim that it violates, or shows to be reached.
    pub claim: String,
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
    /// The answer of an exhaustive search from the end of its script on, unless the world is too large.
    pub check: Option<String>,
    /// The steps, as scenarios and traces have them: those of the script, then those that follow.
    pub steps: Vec<String>,
    /// The scenario, as a file.
    pub text: String,
}

impl Reduced {
    /// What is said of `shrunk`, of which a search has `confirmed` this answer.
    pub fn new(shrunk: &Shrunk, confirmed: Option<Answer>) -> Self {
        let world = &shrunk.scenario.world;
        Self {
            claim: shrunk.claim.name.to_owned(),
            subject: describe::subject_of(world, shrunk.claim, shrunk.subject),
            root: shrunk.root.map(|root| root.to_string()),
            before: shrunk.before,
            after: shrunk.after,
            tries: shrunk.tries,
            minimal: shrunk.is_minimal,
            check: confirmed.map(|answer| verdict::answer(answer).to_owned()),
            steps: shrunk.steps.iter().map(|step| world.show(step)).collect(),
            text: shrunk.text.clone(),
        }
    }
}

/// What the command says of a run.
pub fn document(run: Reduced) -> Value {
    to_json(&Document { made: Made::by("shrink", VERSION), run })
}

/// The schema that every such document satisfies.
pub fn schema() -> Value {
    deathwatch_documents::schema_of::<Document>("Shrunk runs of deathwatch").to_value()
}
