//! Answers for every number of units.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Run;

/// The answers for every number of units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnySize {
    /// The applications whose units may be any number.
    pub applications: Vec<String>,
    /// The units that are there once, whatever these numbers are.
    pub beside: Vec<Beside>,
    /// The number of views.
    pub views: u64,
    /// The number of shared parts of views.
    pub shared: usize,
    /// The number of local states of a unit of each application.
    pub locals: Vec<usize>,
    /// The number of views at rest.
    pub at_rest: usize,
    /// The claims that hold for every number of units.
    pub hold: Vec<String>,
    /// The claims that are violated with some number of units.
    pub violated: Vec<ShownWith>,
    /// The claims that something can be reached, which is reached with some number of units.
    pub reached: Vec<ShownWith>,
    /// The claims that something can be reached, which is reached with no number of units.
    pub never_reached: Vec<String>,
    /// The claims of which views do not rule out that some number of units decides them, as is said
    /// above, and that no instance decides that was searched.
    pub undecided: Vec<OpenClaim>,
    /// The claims of which views say nothing, each with the reason.
    pub not_asked: Vec<NotAsked>,
    /// The number of units of each application in the instances that were searched whole, for what
    /// views do not decide.
    pub searched: Vec<Vec<usize>>,
}

/// A unit that is there once, whatever the numbers of others are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// Its name.
    pub unit: String,
    /// Why it is not one of any number, as what is said of it.
    pub because: String,
}

/// A claim, and a number of units that decides it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShownWith {
    /// The claim.
    pub claim: String,
    /// The number of units of each application.
    pub units: Vec<usize>,
}

/// A claim that views do not decide, and no instance that was searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenClaim {
    /// The claim.
    pub claim: String,
    /// Whether something may be stuck in the view, that is if the claim is about what must follow.
    pub may_be_stuck: bool,
    /// A view that does not rule out what would decide the claim: units that may be so.
    pub view: OpenView,
}

/// One unit of each application, with all that they share, as they may be beside any number of
/// others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenView {
    /// Documents, agents and machines, in words. What documents count has the others in it.
    pub world: Vec<String>,
    /// The others: for each count how many of them it counts, in words; empty if none does.
    pub others: Vec<String>,
    /// The same as a run without steps, unless the world is too large for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Box<Run>>,
}

/// A claim of which views say nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotAsked {
    /// The claim.
    pub claim: String,
    /// The reason.
    pub because: String,
}
