//! Cases of answers and of sweeps, and the formats that are made of them: `JUnit`, workflow
//! commands and summaries of GitHub, SARIF.

mod answer;
mod github;
mod junit;
mod sarif;
mod sweep;

use deathwatch_documents::{
    Status,
    case::{QuestionCase, Readers},
};

pub use self::{
    answer::of_answer,
    github::{annotated, of_unloaded, summary},
    junit::{junit, junit_of_unloaded},
    sarif::{sarif, sarif_of_unloaded},
    sweep::of_sweep,
};

/// The question that every script is.
const SCRIPT: &str = "the script does what it expects";
const ANSWERED: &str = "the scenario is answered";

/// The question of warnings: a permission that is never used tells nothing of a claim.
const WARNED_OF: &str = "all that is allowed can happen";

/// A case with no more than the fields of all cases.
fn case(question: &str, status: Status, message: String) -> QuestionCase {
    QuestionCase {
        question: question.to_owned(),
        source: None,
        line: None,
        status,
        known: None,
        brief: String::new(),
        message,
        steps: Vec::new(),
        readers: Readers::All,
    }
}

/// An address without which scenario of its file it is.
fn file(address: &str) -> String {
    let end = address.find(".toml#").map_or(address.len(), |at| at + ".toml".len());
    address[..end].to_owned()
}

/// The line that a failure of a script begins with, as in "line 4: …".
fn line_of(failure: &str) -> Option<usize> {
    failure.strip_prefix("line ")?.split_once(':')?.0.parse().ok()
}
