//! Differences: how two scenarios are answered differently, or what two journals say differently.
//!
//! The two sides are called A and B, in the order in which they were named.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    Outcome, QuestionKind, Run,
    made::{Made, to_json},
    run::{Because, Change, DocumentName, Possible, ReasonKind, Table, Value},
};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 5;

/// The document of `check --diff`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Differences {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    made: Made,
    /// The two sides: an address with the variants that were set, or a journal.
    pub compared: Sides<String>,
    /// The scenarios that are answered differently, or that have an open answer.
    pub scenarios: Vec<Difference>,
    /// The scenarios of which only one journal has an answer.
    pub alone: Sides<Vec<String>>,
    /// The scenarios some seeds of which have other runs.
    pub sweeps: Vec<SeedDifferences>,
}

/// The same thing of both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sides<T> {
    /// The value of A.
    pub a: T,
    /// The value of B.
    pub b: T,
}

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// The difference between two answers to a scenario.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The scenarios.
    pub scenario: Sides<String>,
    /// The settings of the world that differ.
    pub settings: Vec<Setting>,
    /// The fields that have other values at the start.
    pub start: Vec<StartDifference>,
    /// The sizes that differ.
    pub counts: Vec<CountDifference>,
    /// The clauses that only one side carries out, in any of its runs; null unless sizes are all
    /// that differs. A journal of `check` does not say them.
    pub carried_out: Option<Sides<Vec<String>>>,
    /// The claims that are answered differently, or that are violated by another run.
    pub claims: Vec<ClaimDifference>,
    /// The claims that are answered differently for every number of units.
    pub every_number: Vec<ClaimDifference>,
    /// The claims that have no answer on some side.
    pub open: Vec<String>,
    /// The expectations that the script does not meet, where they differ.
    pub failures: Option<Sides<Vec<String>>>,
    /// The shortest run that decides a claim on one side only; of journals, perhaps one that does
    /// it by other steps.
    pub run: Option<RunDifference>,
}

/// Something that the scenarios say differently of the world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The name of a variant, of a fault, or of an assumption, a command, …
    pub name: String,
    /// Its value; null if there is none.
    pub value: Sides<Option<String>>,
}

/// A field that has another value at the start.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartDifference {
    /// The row.
    pub document: DocumentName,
    /// The field.
    pub field: String,
    /// Its value.
    pub value: Sides<Option<Value>>,
}

/// A size that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CountDifference {
    /// The thing that is counted.
    pub of: Counted,
    /// The number; null if there was no search.
    pub count: Sides<Option<u64>>,
}

/// The thing that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// States.
    States,
    /// Transitions.
    Transitions,
    /// The greatest length of a shortest path to a state.
    Depth,
    /// Views, for every number of units.
    Views,
}

/// A claim that is answered differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimDifference {
    /// The claim.
    pub name: String,
    /// Its kind.
    pub kind: QuestionKind,
    /// The answer; null if it is not asked.
    pub answer: Sides<Option<Outcome>>,
    /// Whether the scenarios mean different claims by the name.
    pub is_other: bool,
    /// The number of steps of the run that decides it, if one does.
    pub steps: Sides<Option<usize>>,
}

/// A run of one side, and what the other side makes of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunDifference {
    /// The claim that it decides: it violates it, or it reaches what can be reached.
    pub claim: String,
    /// The kind of the claim.
    pub kind: QuestionKind,
    /// The side that has it.
    pub side: Side,
    /// The number of its first steps that come to the same on the other side.
    pub alike: usize,
    /// The steps up to there that change something else on the other side.
    pub changes: Vec<StepDifference>,
    /// The step at which it parts; null if that is its end.
    pub step: Option<usize>,
    /// Why it parts there.
    pub parting: Parting,
    /// The run; on the other side the steps of it that are possible there, and what the agents
    /// then do by themselves. A journal may have none.
    pub runs: Sides<Option<Run>>,
    /// The number of first steps of the run on the other side that are steps of the one on this.
    pub followed: usize,
}

/// A step that changes something else on the other side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepDifference {
    /// The step.
    pub step: usize,
    /// The changes that it makes on one side only.
    pub changes: Sides<Vec<Change>>,
}

/// Why a run of one side parts from what the other side can do.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Parting {
    /// The step is about something that the other side does not have.
    NotKnown {
        /// Why the other side cannot read it.
        text: String,
    },
    /// The step is not possible on the other side.
    NotPossible {
        /// The kind of reason.
        reason: ReasonKind,
        /// The clauses that say so.
        clauses: Vec<String>,
        /// The reason in words.
        text: String,
        /// Advice on what can be done about it.
        advice: Option<String>,
    },
    /// The step has another outcome.
    OtherOutcome {
        /// The outcomes in words.
        outcome: Sides<String>,
        /// Why it was refused or aborted.
        because: Sides<Option<Because>>,
    },
    /// The step changes something else.
    OtherChanges,
    /// All steps can be done, and somebody who is assumed to act can go on.
    GoesOn {
        /// The steps that are possible.
        can: Vec<Possible>,
    },
    /// All steps can be done, and on the other side the last ones cannot be repeated for ever.
    NotForEver {
        /// The reason in words: the steps do not lead back to where they begin; or an actor is kept
        /// from acting, and when it could act.
        text: Vec<String>,
    },
    /// All steps can be done, but the script of the other side is another one.
    OtherScript,
    /// It is a run of both sides, which decides the claim on one of them only.
    OtherClaim,
    /// Both sides have a run of their own.
    OtherRun,
    /// A journal has the answers of a world, and not the world.
    NotPlayed,
}

/// The seeds of a scenario that have other runs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedDifferences {
    /// The scenario.
    pub scenario: String,
    /// The number of seeds that both sides have.
    pub seeds: u64,
    /// The number of seeds that only one side has.
    pub alone: Sides<u64>,
    /// The number of seeds whose runs differ, although they come to the same.
    pub other_runs: u64,
    /// For each claim, the number of seeds that violate it, where they are not the same.
    pub claims: Table<Sides<u64>>,
    /// The seeds that come to something else.
    pub other_ends: Vec<SeedDifference>,
    /// The clauses that only one side carries out, in the runs of the seeds that both have.
    pub carried_out: Sides<Vec<String>>,
}

/// A seed that comes to something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedDifference {
    /// The seed.
    pub seed: u64,
    /// Its outcome: how it ends unless it settles, and the claims that it violates.
    pub comes_to: Sides<Vec<String>>,
}

impl Differences {
    pub fn of(compared: Sides<String>) -> Self {
        Self {
            made: Made::by("check --diff", VERSION),
            compared,
            scenarios: Vec::new(),
            alone: Sides::default(),
            sweeps: Vec::new(),
        }
    }

    /// Adds a scenario, if there is anything to say of it.
    pub fn add(&mut self, difference: Difference) {
        if difference.is_any() || !difference.open.is_empty() {
            self.scenarios.push(difference);
        }
    }

    pub fn is_any(&self) -> bool {
        let is_alone = !self.alone.a.is_empty() || !self.alone.b.is_empty();
        is_alone || !self.sweeps.is_empty() || self.scenarios.iter().any(Difference::is_any)
    }

    pub fn is_open(&self) -> bool {
        self.scenarios.iter().any(|it| !it.open.is_empty())
    }

    pub fn document(&self) -> serde_json::Value {
        to_json(self)
    }
}

impl Difference {
    /// Whether anything is answered differently. What scenarios say differently is none: it may
    /// make no difference.
    pub fn is_any(&self) -> bool {
        !self.counts.is_empty() || self.is_any_answer()
    }

    /// Whether nothing is answered differently, and only sizes differ.
    pub fn is_of_counts(&self) -> bool {
        !self.counts.is_empty() && !self.is_any_answer()
    }

    fn is_any_answer(&self) -> bool {
        !self.claims.is_empty() || !self.every_number.is_empty() || self.failures.is_some()
    }
}

impl SeedDifferences {
    pub fn is_any(&self) -> bool {
        let is_alone = self.alone != Sides::default();
        is_alone || self.other_runs > 0 || !self.other_ends.is_empty()
    }
}

impl<T> Sides<T> {
    /// The same of both, made by `make`.
    pub fn map<'a, U>(&'a self, mut make: impl FnMut(&'a T) -> U) -> Sides<U> {
        Sides { a: make(&self.a), b: make(&self.b) }
    }

    pub fn of(&self, side: Side) -> &T {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// Both, `this` on one side and `other` on the other.
    pub fn placed(side: Side, this: T, other: T) -> Self {
        match side {
            Side::A => Self { a: this, b: other },
            Side::B => Self { a: other, b: this },
        }
    }
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

impl Counted {
    pub fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Transitions => "transitions",
            Self::Depth => "depth",
            Self::Views => "views",
        }
    }
}
