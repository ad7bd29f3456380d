//! The document of a run after shrinking.

use deathwatch_claims::check::CheckAnswer;
use deathwatch_documents::{self as documents, Outcome};
use deathwatch_scenario::describe;

use super::Shrunk;

/// The document of `shrunk`, with the answer of the search that has confirmed it.
pub fn document(shrunk: &Shrunk, confirmed: Option<CheckAnswer>) -> documents::Shrunk {
    let world = &shrunk.scenario.world;
    documents::Shrunk {
        claim: shrunk.claim.name.to_owned(),
        kind: shrunk.claim.kind().into(),
        subject: describe::subject_of(world, shrunk.claim, shrunk.subject),
        root: shrunk.root.map(|root| root.to_string()),
        before: shrunk.before,
        after: shrunk.after,
        tries: shrunk.tries,
        minimal: shrunk.is_minimal,
        check: confirmed.map(Outcome::from),
        steps: shrunk.steps.iter().map(|step| world.show(step)).collect(),
        text: shrunk.text.clone(),
    }
}
