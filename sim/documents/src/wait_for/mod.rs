//! The graph of waits in a state in which an entity stays, and its roots.
//!
//! Text, pictures, groups of failures and documents for other programs are made of it. It has a
//! bound: of many edges for one reason it has the first, a few that lead to something unlike them,
//! and those on the way to a root; a graph of ten thousand units would say less.

mod ids;
mod text;

use std::collections::BTreeMap;

use deathwatch_claims::diagnosis::{Reason, Role, RootKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The entities that an entity waits for, directly and indirectly, and the roots of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitFor {
    /// The entity that stays, which is the first node.
    pub subject: String,
    /// The entities, from the subject on.
    pub nodes: Vec<Waiting>,
    /// The reasons why they stay.
    pub edges: Vec<Because>,
    /// The roots of everything else, one of each kind.
    pub roots: Vec<NamedRoot>,
}

/// An entity that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// Its name, as in "unit wordpress/0".
    pub entity: String,
    /// Its condition by its documents, as in "Dying, counts 1 unit and 1 relation".
    pub condition: String,
    /// The number of further edges out of it, by the ids of their reasons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
}

/// A reason why an entity stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// The entity, which is a node.
    pub from: String,
    /// The entity that it waits for, which is a node; or else one that is meant.
    pub to: Option<String>,
    /// The id of the reason.
    #[serde(with = "ids::reason")]
    #[schemars(with = "String")]
    pub reason: Reason,
    /// Whether it waits for another entity, has something yet to do, or this is a cause.
    #[serde(with = "ids::role")]
    #[schemars(with = "ids::RoleName")]
    pub role: Role,
    /// The reason in words, where the entity is "it".
    pub text: String,
    /// The passages that it rests on.
    pub passage: String,
}

/// A root: what everything else comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedRoot {
    /// Its kind: the id of a cause, "cycle(REASON+REASON)", "can-act", "kept-busy",
    /// "neglected(CLAUSE)", "switched-off(CLAUSE)", "not-allowed(RULE)", "not-assumed",
    /// "no-duty(VARIANT)", "no-duty", "still-alive" or "gone".
    #[serde(with = "ids::kind")]
    #[schemars(with = "String")]
    pub kind: RootKind,
    /// The first of the entities for which it holds.
    pub entities: Vec<String>,
    /// The number of all of them.
    pub count: u64,
    /// The step of the run that made it, if that is known; 0 if it was there from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// The kind in words, where each of the entities is "it".
    pub text: String,
    /// The passages that it rests on.
    pub passage: String,
}

impl WaitFor {
    /// The same of a run before which `steps` others are counted.
    #[must_use]
    pub fn after(mut self, steps: usize) -> Self {
        for since in self.roots.iter_mut().filter_map(|root| root.since.as_mut()) {
            *since += if *since == 0 { 0 } else { steps as u64 };
        }
        self
    }

    /// The same of the end of a run, before which `steps` are left out. What they have made is not
    /// known to have been made by a step.
    #[must_use]
    pub fn since(mut self, steps: usize) -> Self {
        for root in &mut self.roots {
            root.since =
                root.since.and_then(|it| it.checked_sub(steps as u64)).filter(|it| *it > 0);
        }
        self
    }

    /// The same of a run whose states have these numbers.
    #[must_use]
    pub fn numbered(mut self, numbers: &[u64]) -> Self {
        for since in self.roots.iter_mut().filter_map(|root| root.since.as_mut()) {
            *since = usize::try_from(*since).map_or(*since, |state| numbers[state]);
        }
        self
    }

    /// The same without the steps of a run that nobody sees.
    #[must_use]
    pub fn without_steps(mut self) -> Self {
        self.roots.iter_mut().for_each(|root| root.since = None);
        self
    }

    pub fn kinds(&self) -> impl Iterator<Item = RootKind> {
        self.roots.iter().map(|root| root.kind)
    }
}
