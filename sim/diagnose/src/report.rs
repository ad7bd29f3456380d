//! What is said of a model, as data: the screen and the JSON are made of it.

use serde::Serialize;

/// What is said of a model.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Report {
    /// The name of the model.
    pub model: String,
    /// The version of its Juju.
    pub juju: String,
    /// Whether it is being destroyed, and so waits for everything in it.
    pub destroying: bool,
    /// The answer.
    pub verdict: StuckVerdict,
    /// What is not Alive, in groups that hold nothing of each other.
    pub groups: Vec<StuckGroup>,
    /// What the search does not know of, in sentences.
    pub notes: Vec<String>,
}

/// Whether something is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::GoesByItself => 0,
            Self::UntilYouAct | Self::ForEver | Self::Inconsistent => 1,
            Self::Depends | Self::Undecided => 3,
        }
    }
}

/// A group of what holds and is held.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StuckGroup {
    /// The answer.
    pub verdict: StuckVerdict,
    /// What is not Alive, by name.
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
    /// What may hold it, too, and is not modelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<String>,
    /// Why it is not decided, if it is not.
    pub undecided: Option<String>,
}

/// An answer, and what it is about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Case {
    /// The values of the facts that decide; none if all states have this answer.
    pub when: Vec<String>,
    /// The answer.
    pub verdict: StuckVerdict,
    /// What is broken in the store, so that no run of the protocol leads there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    /// The number of states that have it.
    pub states: usize,
    /// The number of states that follow one of these.
    pub following: u64,
    /// What holds everything else.
    pub holders: Vec<Holder>,
    /// What has to happen next, and who has to do it.
    pub next: Vec<NextStep>,
    /// What follows then.
    pub then: Vec<String>,
    /// What becomes of each thing.
    pub goes: Vec<ThingOutcome>,
    /// What would help where nothing that an operator can do does.
    pub fixes: Vec<String>,
    /// The known bugs that it looks like.
    pub like: Vec<String>,
}

/// Something that holds, and what waits for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Holder {
    /// Its name, as in "unit pg/7".
    pub name: String,
    /// Why it stays.
    pub says: String,
    /// Since when it is so, if Juju says.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub since: String,
    /// What waits for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Holder>,
}

/// Something that has to happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NextStep {
    /// Who has to do it: "you", an agent, or "nobody".
    pub who: String,
    /// What has to be done.
    pub what: String,
}

/// What becomes of a thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct ThingOutcome {
    /// Its name.
    pub thing: String,
    /// Whether it goes without anybody's doing.
    pub by_itself: bool,
    /// The smallest sets of what somebody has to see to; none if nothing will do.
    pub needs: Vec<Vec<String>>,
}
