//! The premises of claims: the smallest sets of assumptions and variants under which they hold, the
//! smallest sets of changes with which all hold, and the waits for a cure that never comes.

mod repaired;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use self::repaired::{
    Amendment, ClaimOf, Elsewhere, EmptiedBy, OpenSet, OtherScenarios, Repair, Repaired, TriedSets,
};
use crate::{
    QuestionKind, WaitFor,
    made::{Made, to_json},
};

/// The version of these forms. It grows with each change that a reader might notice.
const VERSION: u32 = 4;

/// Variants with their values.
pub type Choice = IndexMap<String, String>;

/// The document of `assume`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssumeDocument {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    made: Made,
    /// The scenarios.
    runs: Vec<AssumedRun>,
}

/// A scenario: with `--stuck`, what waits for cures; with `--all-claims`, all scenarios together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum AssumedRun {
    /// The needs of its claims.
    Assumed(Assumed),
    /// The things that wait for cures.
    Stuck(StuckRun),
    /// The changes that repair them.
    Repaired(Repaired),
}

/// The needs of the claims of a scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumed {
    /// The name of the scenario.
    pub scenario: String,
    /// Whether every choice of variants was decided.
    pub decided: bool,
    /// The number of states of the world as the scenario has it, if it was explored.
    pub states: Option<u64>,
    /// The number of choices of variants.
    pub choices: usize,
    /// The values that were tried, by variant.
    pub tried: IndexMap<String, Vec<String>>,
    /// The values that make no difference.
    pub indifferent: Vec<Choice>,
    /// The questions: claims, then witnesses.
    pub questions: Vec<Needs>,
    /// The choices that could not be decided.
    pub open: Vec<OpenChoice>,
    /// Why the world is decided as it is only, and with no other choice.
    pub others: Option<String>,
}

/// The needs of a question.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// The claim or the witness.
    pub name: String,
    /// Its kind.
    pub kind: QuestionKind,
    /// The minimal sets with which it holds or is reached.
    pub holds: Vec<Premise>,
    /// The minimal sets with which it is vacuous.
    pub vacuous: Vec<Premise>,
    /// The choices of variants for which it is open.
    pub open: Vec<Choice>,
}

/// A set of assumptions and variants.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Premise {
    /// The assumptions, as `[assume]` names them; `per` stands for `per = "duty"`.
    pub assume: Vec<String>,
    /// The frequency of each fault, as `[faults]` names it.
    pub faults: IndexMap<String, String>,
    /// Both in words.
    pub says: Vec<String>,
    /// The variants that are changed.
    pub variants: Choice,
    /// Whether no smaller set will do.
    pub minimal: bool,
    /// The smallest further changes of variants with which it is not enough any more.
    pub lost_with: Vec<Choice>,
}

/// A choice of variants that could not be decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenChoice {
    /// The variants that are changed.
    pub variants: Choice,
    /// Why it could not be decided.
    pub reason: String,
}

/// The things that wait for each cure that a scenario may need.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StuckRun {
    /// The name of the scenario.
    pub scenario: String,
    /// The cures, each with what waits for it.
    pub stuck: Vec<StuckWithout>,
}

/// The things that wait for a cure that never comes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StuckWithout {
    /// The assumption that is not made, as `[assume]` names it.
    pub without: String,
    /// The same in words.
    pub says: String,
    /// The claims that do not hold without it.
    pub waits: Vec<WaitingClaim>,
}

/// A claim that does not hold without a cure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingClaim {
    /// The claim.
    pub claim: String,
    /// Its subject.
    pub subject: String,
    /// The chain of waits, in sentences without full stops: the roots first.
    pub chain: Vec<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
}

impl Assumed {
    pub fn document(runs: Vec<Self>) -> Value {
        document(runs.into_iter().map(AssumedRun::Assumed).collect())
    }
}

impl StuckRun {
    pub fn document(runs: Vec<Self>) -> Value {
        document(runs.into_iter().map(AssumedRun::Stuck).collect())
    }
}

impl Repaired {
    /// The document of these repairs.
    pub fn document(self) -> Value {
        document(vec![AssumedRun::Repaired(self)])
    }
}

fn document(runs: Vec<AssumedRun>) -> Value {
    to_json(&AssumeDocument { made: Made::by("assume", VERSION), runs })
}
