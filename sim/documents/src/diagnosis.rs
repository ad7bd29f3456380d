//! The diagnosis of a real model of Juju: the holders, and whether each can be freed. The screen,
//! the page and the JSON are made of it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::{
    made::{Made, to_json},
    run::Run,
};

/// The version of this form. It grows with each change that a reader might notice.
const VERSION: u32 = 3;

/// The document of `diagnose`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagnosisDocument {
    /// The program and the form that wrote it.
    #[serde(flatten)]
    made: Made,
    /// The diagnosis.
    diagnosis: ModelDiagnosis,
}

impl ModelDiagnosis {
    pub fn document(self) -> Value {
        to_json(&DiagnosisDocument { made: Made::by("diagnose", VERSION), diagnosis: self })
    }
}

/// The diagnosis of a model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ModelDiagnosis {
    /// The name of the model.
    pub model: String,
    /// The version of its Juju.
    pub juju: String,
    /// Whether it is being destroyed, and so waits for everything in it.
    pub destroying: bool,
    /// The answer.
    pub verdict: StuckVerdict,
    /// The things that are not Alive, in groups that hold nothing of each other.
    pub groups: Vec<StuckGroup>,
    /// Sentences on what the search does not know of.
    pub notes: Vec<String>,
}

/// Whether something is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StuckVerdict {
    /// Everything is Alive, or goes by itself.
    GoesByItself,
    /// It depends on what Juju did not print.
    Depends,
    /// It could not be decided.
    Undecided,
    /// It goes if somebody does something.
    UntilYouAct,
    /// Nobody can take the next step.
    ForEver,
    /// Documents disagree.
    Inconsistent,
}

impl StuckVerdict {
    pub fn code(self) -> u8 {
        match self {
            Self::GoesByItself => 0,
            Self::UntilYouAct | Self::ForEver | Self::Inconsistent => 1,
            Self::Depends | Self::Undecided => 3,
        }
    }
}

/// A group of what holds and is held.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct StuckGroup {
    /// The answer.
    pub verdict: StuckVerdict,
    /// The things that are not Alive, by name.
    pub things: Vec<String>,
    /// The answers: one, or one for each value of the fact that decides.
    pub cases: Vec<Case>,
    /// The commands that tell the cases apart.
    pub tell: Vec<String>,
    /// The number of states that Juju's output allows.
    pub states: usize,
    /// Whether facts that seldom matter were taken as usual, as there are too many states.
    pub settled: bool,
    /// The units that are like others here, and were left out of the search.
    pub alike: Vec<String>,
    /// Things that may hold it, too, and are not modelled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Why it is not decided, if it is not.
    pub undecided: Option<String>,
    /// The outcome of runs that were drawn, where its worlds are too large for a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
}

/// The outcome of a group in runs that were drawn. They prove nothing.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Simulated {
    /// The number of states that Juju's output allows.
    pub fitting: usize,
    /// The number of these that runs began in.
    pub states: usize,
    /// The number of runs.
    pub runs: u64,
    /// The number of those in which all went by itself.
    pub by_itself: u64,
    /// The number of those in which all went after an operator had put everything right.
    pub put_right: u64,
    /// The things that stayed in some run all the same, by name.
    pub stays: Vec<String>,
}

/// An answer, and what it is about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// The values of the facts that decide; none if all states have this answer.
    pub when: Vec<String>,
    /// The answer.
    pub verdict: StuckVerdict,
    /// The disagreements in the store, because of which no run of the protocol leads there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    /// The number of states that have it.
    pub states: usize,
    /// The number of states that follow one of these.
    pub following: u64,
    /// The things that hold everything else.
    pub holders: Vec<Holder>,
    /// The graph of waits.
    pub waits: Vec<WaitsFor>,
    /// The next steps, and who has to take them.
    pub next: Vec<NextStep>,
    /// The steps that follow then.
    pub then: Vec<String>,
    /// The outcome of each thing.
    pub goes: Vec<ThingOutcome>,
    /// The outcomes if somebody did something: first if nobody does anything. None if all goes by
    /// itself.
    pub what_if: Vec<WhatIf>,
    /// The known bugs that it looks like.
    pub like: Vec<String>,
}

/// Something that holds, and what waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Holder {
    /// Its name, as in "unit pg/7".
    pub name: String,
    /// Why it stays.
    pub says: String,
    /// Since when it is so, if Juju says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// The things that wait for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Holder>,
}

/// A thing, and one that it waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WaitsFor {
    /// The name of the one that waits.
    pub thing: String,
    /// The name of the other one.
    #[serde(rename = "for")]
    pub other: String,
}

/// Something that can be done, and what becomes of the things then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WhatIf {
    /// The kind of act.
    pub kind: WhatIfKind,
    /// The act, as in "resolve each hook error".
    pub doing: String,
    /// The way to do it: commands of Juju, or sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub how: Vec<String>,
    /// Whether all goes then.
    pub goes: WhatIfGoes,
    /// The things that stay then, by name, as far as that is the same in all these states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stays: Vec<String>,
    /// The number of states in which it was tried, if not in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<usize>,
    /// The number of states that follow the first of these, if they were searched for this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub following: Option<u64>,
}

/// A kind of what can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatIfKind {
    /// Nobody does anything.
    Nothing,
    /// An operator does what the protocol has them do.
    Act,
    /// Another Juju is installed.
    Upgrade,
    /// Something is removed by force.
    Force,
}

/// Whether all goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhatIfGoes {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It does in some of the states, and not in others.
    InSomeStates,
    /// A search ended at a limit before that was decided.
    Undecided,
}

/// A run by which all goes, or one without steps where there is none.
#[derive(Clone, Debug)]
pub struct FreeingRun {
    /// The run, by the names of the model.
    pub run: Run,
    /// Each step in the words of an operator; none if nobody waits for it.
    pub words: Vec<Option<NextStep>>,
    pub frees: bool,
}

/// Something that has to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NextStep {
    /// The one to take it: "you", an agent, or "nobody".
    pub who: String,
    /// The act.
    pub what: String,
}

/// The outcome of a thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ThingOutcome {
    /// Its name.
    pub thing: String,
    /// Whether it goes without anybody's doing.
    pub by_itself: bool,
    /// The smallest sets of what somebody has to see to; none if nothing will do.
    pub needs: Vec<Vec<String>>,
}
