//! The answers to a scenario.
//!
//! Whatever a command says of them is a function of these types, and journals keep them. So a
//! report is the same bytes, whether it is made of a search just now or of the journals of several
//! machines.

use deathwatch_claims::{Claim, ClaimKind, check};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AnySize, Limit, Run, Status,
    made::{Made, to_json},
    trace::TraceText,
};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 9;

/// The answers that a command writes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answers<'a> {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    pub made: Made,
    /// The scenarios, in the order in which they were named.
    pub runs: Vec<&'a Answer>,
    /// Why there are none, if a limit was reached before the scenarios were loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
}

impl<'a> Answers<'a> {
    /// The document of the answers that `command` writes.
    pub fn document(command: &str, runs: Vec<&'a Answer>) -> serde_json::Value {
        to_json(&Self { made: Made::by(command, VERSION), runs, undecided: None })
    }

    /// The document of `command` if a limit was reached before the scenarios were loaded. It is one
    /// of answers, and one of sweeps as well.
    pub fn unloaded(command: &str, why: &str) -> serde_json::Value {
        let undecided = Some(why.to_owned());
        to_json(&Self { made: Made::by(command, VERSION), runs: Vec::new(), undecided })
    }
}

/// The answers to a scenario.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The line of its file at which it begins, from 1; null if nobody has answered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The sentence on what it shows.
    pub shows: String,
    /// The command that answers it again, with all that there is to say.
    pub command: String,
    /// Whether it is answered as it expects.
    pub status: Status,
    /// Whether a baseline has the same answers, if one is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The answer to script and claims together: violated if any is, else undecided if any is,
    /// else they hold.
    pub answer: Outcome,
    /// Whether nobody has answered it: the shard that should have is not there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswered: bool,
    /// The number of steps of its script.
    pub steps: usize,
    /// The number of states, if there was a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The number of states that were explored, if they stand for others that differ only in which
    /// of some units and machines is which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub representatives: Option<u64>,
    /// The units and machines that were exchanged for that: pairs that take each other's place at
    /// once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanged: Vec<Vec<[String; 2]>>,
    /// The pairs that were not exchanged though they are alike at the start: a step, a claim or an
    /// assumption of fairness tells them apart, or there were too many with the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_exchanged: Vec<Vec<[String; 2]>>,
    /// The answers for every number of units, if that is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_size: Option<AnySize>,
    /// The number of transitions, if there was a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transitions: Option<u64>,
    /// The greatest length of a shortest path to a state, if there was a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The time that it took, with `--timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The phases of the search, one after the other, with `--timings`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseTime>,
    /// The memory that the search took, in bytes, with `--timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The transitions that are on disk in the end, in bytes, with `--timings` and `--spill`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spilled_bytes: Option<u64>,
    /// Settings that can have no effect in its world, so that they tell nothing of a claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The claims, then the witnesses.
    pub claims: Vec<ClaimAnswer>,
    /// The expectations that its script does not meet.
    pub failures: Vec<String>,
    /// The numbers of states and transitions that are not the expected ones.
    pub miscounts: Vec<String>,
    /// The claims that the engine cannot decide.
    pub left_out: Vec<String>,
    /// The limit that ended the search early.
    pub stopped: Option<Limit>,
    /// Why its world cannot be searched at all.
    pub too_large: Option<String>,
    /// Why there is no answer.
    pub reason: Option<String>,
}

/// The answer to a claim, to a witness, or to whether a world keeps to its outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimAnswer {
    /// The claim.
    pub name: String,
    /// Its kind.
    pub kind: QuestionKind,
    /// The line of the file that says what is expected of it, from 1; if none does, the first one
    /// of the scenario.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The passages that it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether it reads what agents note: where an agent forgets something, so does the claim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notes: bool,
    /// The answer.
    pub answer: Outcome,
    /// The expected answer.
    pub expected: Expected,
    /// Whether a baseline has the same answer, if one is given and it is not the expected one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// Why the answer is open, unless it is a limit.
    pub reason: Option<String>,
    /// Why it is vacuous, if the constants of the world show it: the end of "vacuous, as …".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<String>,
    /// The run that shows the answer.
    pub trace: Option<TraceText>,
    /// The run that violates it as data, if that is asked for: there may be none, or it may be too
    /// long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<Run>>,
}

/// An answer in a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It holds on every run.
    Holds,
    /// It holds, but nothing that it is about ever happens.
    Vacuous,
    /// A run violates it.
    Violated,
    /// Nobody knows.
    #[default]
    Undecided,
}

/// The answer to a claim that a scenario expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// It holds.
    Holds,
    /// It is violated.
    Violated,
    /// It holds, but nothing that it is about ever happens.
    Vacuous,
    /// It holds or is vacuous: no run violates it.
    NotViolated,
}

/// The end of the demand that a clause is carried out, behind its name.
pub const IS_CARRIED_OUT: &str = " is carried out";

/// The demand that a world keeps to its outline, in words.
pub const KEEPS_TO_ITS_OUTLINE: &str =
    "with the details hidden, every run is one of the world without them";

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// Something holds in every state.
    Always,
    /// Something holds of every transition.
    Step,
    /// One thing leads to another.
    Leads,
    /// Some state can be reached.
    Reachable,
    /// A clause is carried out on some run.
    Witness,
    /// The world keeps to its outline.
    Refinement,
}

/// The numbers of claims by their answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimCounts {
    pub violated: usize,
    /// Claims that something is reachable, which is not.
    pub never_reached: usize,
    pub hold: usize,
    /// Claims that something is reachable, which is reached.
    pub reached: usize,
    /// Claims of which nothing is ever asked.
    pub vacuous: usize,
}

impl Answer {
    /// The answer to a scenario of which there is none, for this reason.
    pub fn missing(scenario: &str, file: &str, command: String, why: String) -> Self {
        Self {
            scenario: scenario.to_owned(),
            file: file.to_owned(),
            command,
            unanswered: true,
            reason: Some(why),
            ..Self::default()
        }
    }

    pub fn drop_runs(&mut self) {
        self.claims.iter_mut().for_each(|it| it.run = None);
    }

    /// The numbers of its claims by their answers.
    pub fn counts(&self) -> ClaimCounts {
        let mut counts = ClaimCounts::default();
        for claim in self.claims.iter().filter(|it| it.is_claim()) {
            let is_wanted = claim.kind == QuestionKind::Reachable;
            match (claim.answer, is_wanted) {
                (Outcome::Violated, false) => counts.violated += 1,
                (Outcome::Violated, true) => counts.never_reached += 1,
                (Outcome::Holds, false) => counts.hold += 1,
                (Outcome::Holds, true) => counts.reached += 1,
                (Outcome::Vacuous, _) => counts.vacuous += 1,
                (Outcome::Undecided, _) => {}
            }
        }
        counts
    }
}

impl ClaimAnswer {
    /// Whether the question is a claim: neither a witness, nor whether the world keeps to its
    /// outline.
    pub fn is_claim(&self) -> bool {
        !matches!(self.kind, QuestionKind::Witness | QuestionKind::Refinement)
    }

    /// Whether the question is a witness.
    pub fn is_witness(&self) -> bool {
        self.kind == QuestionKind::Witness
    }

    /// Whether the answer is the expected one.
    pub fn status(&self) -> Status {
        match self.answer.status(self.expected) {
            Status::Unexpected if self.known == Some(true) => Status::Known,
            status => status,
        }
    }

    /// The answer in a word or two.
    pub fn word(&self) -> &'static str {
        match (self.kind, self.answer) {
            (QuestionKind::Reachable, Outcome::Holds) => "reached",
            (QuestionKind::Reachable, Outcome::Violated) => "never reached",
            (_, answer) => answer.name(),
        }
    }
}

impl Outcome {
    /// Whether it is the expected one.
    pub fn status(self, expected: Expected) -> Status {
        match (self, expected) {
            (Self::Undecided, _) => Status::Undecided,
            (Self::Holds, Expected::Holds | Expected::NotViolated)
            | (Self::Vacuous, Expected::Vacuous | Expected::NotViolated)
            | (Self::Violated, Expected::Violated) => Status::AsExpected,
            (Self::Holds | Self::Vacuous | Self::Violated, _) => Status::Unexpected,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Vacuous => "vacuous",
            Self::Violated => "violated",
            Self::Undecided => "undecided",
        }
    }
}

impl From<check::CheckAnswer> for Outcome {
    fn from(answer: check::CheckAnswer) -> Self {
        match answer {
            check::CheckAnswer::Holds => Self::Holds,
            check::CheckAnswer::Vacuous => Self::Vacuous,
            check::CheckAnswer::Violated => Self::Violated,
            check::CheckAnswer::Undecided => Self::Undecided,
        }
    }
}

impl QuestionKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Step => "step",
            Self::Leads => "leads",
            Self::Reachable => "reachable",
            Self::Witness => "witness",
            Self::Refinement => "refinement",
        }
    }

    /// Whether a single run shows that it holds; of others one shows that they are violated.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Reachable | Self::Witness)
    }

    /// The verb for a run that decides it.
    pub fn decides(self) -> &'static str {
        match self {
            Self::Reachable => "reaches",
            Self::Witness => "shows",
            Self::Always | Self::Step | Self::Leads | Self::Refinement => "violates",
        }
    }

    /// The participle for a claim that a run decides.
    pub fn decided(self) -> &'static str {
        if self == Self::Reachable { "reached" } else { "violated" }
    }
}

impl From<check::FindingSubject> for QuestionKind {
    fn from(asked: check::FindingSubject) -> Self {
        match asked {
            check::FindingSubject::Claim(claim) => claim.kind().into(),
            check::FindingSubject::Witness(_) => Self::Witness,
            check::FindingSubject::Refinement => Self::Refinement,
        }
    }
}

impl From<ClaimKind> for QuestionKind {
    fn from(kind: ClaimKind) -> Self {
        match kind {
            ClaimKind::Always => Self::Always,
            ClaimKind::Step => Self::Step,
            ClaimKind::Leads => Self::Leads,
            ClaimKind::Reachable => Self::Reachable,
        }
    }
}

impl Expected {
    /// The expectation of the seeds: a run that decides a claim violates it, unless the claim is
    /// that something can be reached; then a run that decides it is what holds. It is its own
    /// inverse.
    #[must_use]
    pub fn of_seeds(self, claim: &Claim) -> Self {
        match (claim.kind(), self) {
            (ClaimKind::Reachable, Self::Holds | Self::Vacuous | Self::NotViolated) => {
                Self::Violated
            }
            (ClaimKind::Reachable, Self::Violated) => Self::Holds,
            (ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads, expected) => expected,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Vacuous => "vacuous",
            Self::NotViolated => "not-violated",
        }
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl ClaimCounts {
    pub fn add(&mut self, other: Self) {
        self.violated += other.violated;
        self.never_reached += other.never_reached;
        self.hold += other.hold;
        self.reached += other.reached;
        self.vacuous += other.vacuous;
    }
}

/// Something that a scenario says and that can have no effect in its world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The kind of setting.
    pub of: WarningOf,
    /// The key of the file that says it, or the command.
    pub key: String,
    /// Why it can have no effect.
    pub because: String,
    /// The warning as it is told.
    pub text: String,
}

impl Warning {
    pub fn new(of: WarningOf, key: String, because: &str) -> Self {
        let text = match of {
            WarningOf::Fault => format!("the fault `{key}` can strike nothing here: {because}"),
            WarningOf::Command => format!("the command `{key}` can do nothing here: {because}"),
            WarningOf::Limit => format!("`{key}` can limit nothing here: {because}"),
            WarningOf::Variant => format!("the variant `{key}` can change nothing here: {because}"),
            WarningOf::Clause => format!("switching off `{key}` changes nothing here: {because}"),
            WarningOf::Claim => format!("the claim \"{key}\" is about nothing here: {because}"),
            WarningOf::Rule => format!("the rule \"{key}\" never applies here: {because}"),
        };
        Self { of, key, because: because.to_owned(), text }
    }
}

/// The kinds of settings that can have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WarningOf {
    /// A fault that is switched on.
    Fault,
    /// A command that the user may give.
    Command,
    /// A limit.
    Limit,
    /// A variant.
    Variant,
    /// A clause that is switched off, is not asserted, or is neglected.
    Clause,
    /// A claim of its own.
    Claim,
    /// A rule of its own.
    Rule,
}

/// The time of a part of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhaseTime {
    pub phase: SearchPhase,
    pub seconds: f64,
    /// The part of it in which all threads were at work, in seconds; absent if there is one thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_busy: Option<f64>,
}

/// The phase of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchPhase {
    /// It finds the states.
    Exploring,
    /// It decides what is true of the fair runs among them.
    Deciding,
    /// It asks for every number of units.
    Generalizing,
}
