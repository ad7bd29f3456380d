//! Entries: the answers of a scenario for programs, in the form of `deathwatch schema check`.

use deathwatch_model::check::Stop;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    trace::{Begins, Line},
    verdict::{self, Judged, Verdict},
};
use deathwatch_documents::schema_of;
use deathwatch_documents::{Made, headed, to_json};
use deathwatch_documents::{Run, wait_for::WaitFor};

/// The version of the form of documents. It grows with each change that a reader might notice.
const VERSION: u32 = 1;

/// The answers that a command writes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// What wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The scenarios, in the order in which they were named.
    pub runs: Vec<Entry>,
    /// Why there are none, if a limit was reached before the scenarios were loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

/// A scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Entry {
    /// One that was asked.
    Asked(Box<Asked>),
    /// One in a shard of which there is no answer.
    Missing(Missing),
}

/// The answers of a scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The name of the scenario.
    pub scenario: String,
    /// Whether it is answered as it expects.
    pub expected: bool,
    /// The answer to script and claims together: "holds", "violated" or "inconclusive".
    pub answer: String,
    /// The number of states, if there was a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The number of transitions, if there was a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// The greatest length of a shortest path to a state, if there was a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time that it took, with `--timings`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The claims, then the witnesses.
    pub claims: Vec<Claim>,
    /// What else is not as expected: of the script, and of the numbers of states and transitions.
    pub failures: Vec<String>,
    /// The claims that the engine cannot decide.
    pub left_out: Vec<String>,
    /// The limit that ended the search early.
    pub stopped: Option<String>,
    /// Why there is no answer.
    pub reason: Option<String>,
}

/// The answer to a claim, to a witness, or to whether a world keeps to its outline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The claim.
    pub name: String,
    /// Its kind, or "witness", or "refinement".
    pub kind: String,
    /// The answer: "holds", "violated", "vacuous" or "inconclusive".
    pub answer: String,
    /// The expected answer.
    pub expected: String,
    /// Where the run begins that shows the answer: "before the script" or "after the script".
    pub begins: Option<String>,
    /// Its steps, as lines of a script.
    pub trace: Option<Vec<String>>,
    /// The steps that are then repeated for ever.
    pub cycle: Option<Vec<String>>,
    /// Why the answer is open, unless it is a limit.
    pub reason: Option<String>,
    /// What is stuck, and what holds it.
    pub diagnosis: Option<String>,
    /// The same as a graph.
    pub wait_for: Option<WaitFor>,
    /// The run that violates it, if that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Shown>,
}

/// The run that violates a claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Shown {
    /// The run, with its first state.
    Run(Box<Run>),
    /// There is none, or it is too long.
    None,
}

/// A scenario in a shard of which there is no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The name of the scenario.
    pub scenario: String,
    /// Never true.
    pub expected: bool,
    /// Always "inconclusive".
    pub answer: String,
    /// Which shard is missing.
    pub reason: String,
}

/// The document of these entries, which `command` writes. They are JSON, as journals have them.
pub fn document(command: &str, entries: Vec<serde_json::Value>) -> serde_json::Value {
    headed(&Made::by(command, VERSION), "runs", entries.into())
}

/// The document of `command` if a limit was reached before the scenarios were loaded. It is one of answers,
/// and one of sweeps as well.
pub fn unloaded(command: &str, why: &str) -> serde_json::Value {
    let made = Made::by(command, VERSION);
    to_json(&Document { made, runs: Vec::new(), undecided: Some(why.to_owned()) })
}

/// The schema that every document of answers satisfies.
pub fn schema() -> serde_json::Value {
    schema_of::<Document>("Answers of deathwatch").to_value()
}

impl Entry {
    /// The entry of an answered scenario. `runs` has a run, or none, for each answer, if these are asked
    /// for.
    pub fn of(verdict: &Verdict, seconds: Option<f64>, runs: Option<Vec<Option<Run>>>) -> Self {
        let mut claims: Vec<Claim> = verdict.judged.iter().map(Claim::of).collect();
        for (claim, run) in claims.iter_mut().zip(runs.into_iter().flatten()) {
            claim.run = Some(run.map_or(Shown::None, |run| Shown::Run(Box::new(run))));
        }
        let report = verdict.report.as_ref();
        let failures = verdict.failures.iter().chain(&verdict.miscounts);
        Self::Asked(Box::new(Asked {
            scenario: verdict.scenario.clone(),
            expected: verdict.is_as_expected(),
            answer: verdict::answer(verdict.answer).to_owned(),
            states: report.map(|it| it.states),
            transitions: report.map(|it| it.transitions),
            depth: report.map(|it| it.depth),
            seconds,
            claims,
            failures: failures.cloned().collect(),
            left_out: verdict.left_out.iter().map(|claim| claim.name.to_owned()).collect(),
            stopped: verdict.stopped().map(|it| stop(it).to_owned()),
            reason: verdict.undecided_because().map(str::to_owned),
        }))
    }

    /// The entry of a scenario without an answer.
    pub fn missing(scenario: &str, why: &str) -> Self {
        Self::Missing(Missing {
            scenario: scenario.to_owned(),
            expected: false,
            answer: "inconclusive".to_owned(),
            reason: why.to_owned(),
        })
    }

    /// The entry as JSON.
    pub fn json(&self) -> serde_json::Value {
        to_json(self)
    }
}

impl Claim {
    fn of(judged: &Judged) -> Self {
        let rendered = judged.rendered.as_ref();
        Self {
            name: judged.name(),
            kind: judged.kind().to_owned(),
            answer: verdict::answer(judged.finding.answer).to_owned(),
            expected: judged.expected.to_string(),
            begins: rendered.map(|rendered| begins(rendered.begins).to_owned()),
            trace: rendered.map(|rendered| lines(&rendered.steps)),
            cycle: rendered.map(|rendered| lines(rendered.cycle())),
            reason: judged.open.clone(),
            diagnosis: rendered.and_then(|rendered| rendered.diagnosis.clone()),
            wait_for: rendered.and_then(|rendered| rendered.wait_for.clone()),
            run: None,
        }
    }
}

/// The state in which a trace begins, in a word.
fn begins(begins: Begins) -> &'static str {
    match begins {
        Begins::BeforeScript => "before the script",
        Begins::AfterScript => "after the script",
    }
}

/// The reason that ended a search early, in a word.
fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "states",
        Stop::Memory => "memory",
        Stop::Time => "time",
        Stop::Interrupted => "interrupted",
        Stop::Edges => "edges",
        Stop::Threads => "threads",
        Stop::Space => "transactions",
    }
}

fn lines(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.text.clone()).collect()
}
