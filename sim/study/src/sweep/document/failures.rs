//! Groups of failures as data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use deathwatch_documents::wait_for::WaitFor;

/// Failures that come from the same.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they come from: a kind of root, or a claim and the rule of the step that violates it.
    pub kind: String,
    /// The same in words, if it is a kind of root.
    pub text: Option<String>,
    /// The passages that it rests on, if it is a kind of root.
    pub passage: Option<String>,
    /// Whether they are expected.
    pub expected: bool,
    /// The number of seeds.
    pub seeds: u64,
    /// The number of seeds among them in which everything stuck comes from this alone.
    pub alone: u64,
    /// The claims that are violated.
    pub claims: Vec<ClaimSeeds>,
    /// For each fault that struck in these seeds, the number of them in which it did.
    pub faults: BTreeMap<String, u64>,
    /// The smallest seed. What follows is about its failure.
    pub first_seed: u64,
    /// The claim that it violates.
    pub claim: String,
    /// The number of steps up to the violation.
    pub step: u64,
    /// The number of steps of its run.
    pub steps: u64,
    /// The document that violates the claim.
    pub subject: String,
    /// The rule of the step that violates it, if it is about states or steps.
    pub rule: Option<String>,
    /// What is stuck and what holds it, in words.
    pub diagnosis: Option<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
    /// The command that replays the run.
    pub replay: String,
    /// The command that shrinks it.
    pub shrink: String,
    /// The seed that explains most: of fewest roots, then of fewest steps.
    pub clearest_seed: u64,
    /// The number of steps of its run.
    pub clearest_steps: u64,
    /// What is stuck in it and what holds that, as a graph.
    pub clearest_wait_for: Option<WaitFor>,
    /// The command that replays its run.
    pub replay_clearest: String,
    /// The command that shrinks it.
    pub shrink_clearest: String,
    /// The shortest of both runs after shrinking; only with `--shrink-kinds`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shrunk: Option<ShrunkRun>,
}

/// A claim, and how many of the seeds violate it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimSeeds {
    /// The claim.
    pub name: String,
    /// The number of seeds.
    pub seeds: u64,
}

/// A run after shrinking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShrunkRun {
    /// The seed whose run it was.
    pub seed: u64,
    /// The claim that it violates.
    pub claim: String,
    /// The document that violates it.
    pub subject: String,
    /// The number of steps of the run before.
    pub from_steps: usize,
    /// The steps, as scenarios and traces have them.
    pub steps: Vec<String>,
    /// Whether nothing more can be removed; else it was cut short.
    pub minimal: bool,
    /// The scenario, as a file.
    pub text: String,
}
