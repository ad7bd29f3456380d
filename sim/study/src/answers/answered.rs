//! What reports say of one scenario.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::verdict::Status;

/// The answers of a scenario, as far as any report says them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// Whether it was answered as it expects.
    pub status: Status,
    /// Whether its world could be searched, or needed no search.
    pub is_asked: bool,
    /// The flag of the limit that was reached before there was an answer.
    pub limit: Option<String>,
    /// The numbers of its claims by their answers.
    pub counts: Counts,
    /// The number of states that were found, if there was a search.
    pub states: Option<u64>,
    /// The answers in half a line.
    pub gist: String,
    /// The lines below, each with its indent.
    pub details: Vec<(usize, String)>,
    /// The lines below if somebody wants to know more.
    pub more: Vec<(usize, String)>,
    /// The command that answers it again, with all that there is to say.
    pub command: String,
    /// What a page says of it, if one is asked for or may be.
    pub page: Option<String>,
    /// The entry of the scenario for programs.
    pub json: Value,
    /// The cases for build servers.
    pub cases: Vec<Case>,
}

/// The numbers of claims by their answers; in a scenario that is as expected, all are expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Claims that are violated.
    pub violated: usize,
    /// Claims that something is reachable, which is not.
    pub never_reached: usize,
    /// Claims that hold.
    pub hold: usize,
    /// Claims that something is reachable, which is reached.
    pub reached: usize,
    /// Claims of which nothing is ever asked.
    pub vacuous: usize,
}

/// A case for build servers: a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The question.
    pub name: String,
    /// Whether its answer is the expected one.
    pub status: Status,
    /// The answer in lines; none, if it is the expected one.
    pub says: String,
}

impl Counts {
    /// Adds those of another scenario.
    pub fn add(&mut self, other: Self) {
        self.violated += other.violated;
        self.never_reached += other.never_reached;
        self.hold += other.hold;
        self.reached += other.reached;
        self.vacuous += other.vacuous;
    }
}
