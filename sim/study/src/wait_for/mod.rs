//! Diagnoses as data that leave the program: who waits for whom and why, and the roots of that.
//!
//! A [`WaitFor`] says with names what a [`Diagnosis`] of the model says with identifiers. Text,
//! pictures, groups of failures and documents for other programs are made of it. It has a bound: of
//! many edges for one reason it has the first, a few that lead to something unlike them, and those on
//! the way to a root; a graph of ten thousand units would say less.

mod ids;
mod limited;
mod text;

use std::collections::BTreeMap;

use deathwatch_model::{
    claims::{
        Diagnosis,
        diagnosis::{Condition, Edge, Reason, Role, Root, RootKind},
    },
    life::Life,
    runtime::Mark,
    world::World,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::limited::Limited;
use deathwatch_scenario::describe::name;

/// The number of entities of a root that are named.
const NAMED: usize = 10;

/// What an entity waits for, directly and indirectly, and the roots of that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitFor {
    /// The entity that stays, which is the first node.
    pub subject: String,
    /// The entities, from the subject on.
    pub nodes: Vec<Waiting>,
    /// The reasons why they stay.
    pub edges: Vec<Because>,
    /// What everything else comes from, one of each kind.
    pub roots: Vec<NamedRoot>,
}

/// An entity that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// Its name, as in "unit wordpress/0".
    pub entity: String,
    /// What its documents say of it, as in "Dying, counts 1 unit and 1 relation".
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
    /// Its kind: the id of a cause, "cycle(REASON+REASON)", "can-act", "kept-busy", "neglected(CLAUSE)",
    /// "switched-off(CLAUSE)", "not-assumed", "no-duty(VARIANT)", "no-duty", "still-alive" or "gone".
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
    /// The diagnosis with names; `None` if its subject is no entity's.
    pub fn of(world: &World, diagnosis: &Diagnosis) -> Option<Self> {
        let subject = diagnosis.subject.actor()?;
        let roots = diagnosis.roots();
        let limited = Limited::of(diagnosis, subject, &roots);
        let mut it = Self {
            subject: name(world, subject),
            nodes: Vec::new(),
            edges: Vec::new(),
            roots: roots.iter().map(|root| NamedRoot::of(world, root)).collect(),
        };
        for (entity, edges, left_out) in limited.nodes {
            let from = name(world, entity);
            let left_out = left_out.into_iter().map(|(it, count)| (it.row().id.to_owned(), count));
            it.edges.extend(edges.into_iter().map(|edge| Because::of(world, from.clone(), edge)));
            it.nodes.push(Waiting {
                entity: from,
                condition: condition(diagnosis.node(entity).condition),
                left_out: left_out.collect(),
            });
        }
        Some(it)
    }

    /// The same of a run before which `steps` others are counted.
    #[must_use]
    pub fn after(mut self, steps: usize) -> Self {
        for since in self.roots.iter_mut().filter_map(|root| root.since.as_mut()) {
            *since += if *since == 0 { 0 } else { steps as u64 };
        }
        self
    }

    /// The same without the steps of a run that nobody sees.
    #[must_use]
    pub fn without_steps(mut self) -> Self {
        self.roots.iter_mut().for_each(|root| root.since = None);
        self
    }

    /// The kinds of its roots.
    pub fn kinds(&self) -> impl Iterator<Item = RootKind> {
        self.roots.iter().map(|root| root.kind)
    }
}

impl Because {
    fn of(world: &World, from: String, edge: Edge) -> Self {
        let row = edge.reason.row();
        let text = match edge.hook {
            Some(hook) => format!("its {} hook is due and does not run", Mark::of(hook).name()),
            None => row.says.to_owned(),
        };
        Self {
            from,
            to: edge.to.map(|to| name(world, to)),
            reason: edge.reason,
            role: row.role,
            text,
            passage: row.source.to_owned(),
        }
    }
}

impl NamedRoot {
    fn of(world: &World, root: &Root) -> Self {
        let named = root.entities.iter().take(NAMED);
        Self {
            kind: root.kind,
            entities: named.map(|entity| name(world, *entity)).collect(),
            count: root.entities.len() as u64,
            since: root.since.map(|since| since as u64),
            text: root.kind.says(),
            passage: root.kind.source(),
        }
    }
}

/// What the documents say of an entity.
fn condition(condition: Condition) -> String {
    match condition {
        Condition::Gone => "gone".to_owned(),
        Condition::LeftSettings => "gone, but the settings of its units are left".to_owned(),
        Condition::Life(life) => life.to_string(),
        Condition::Counts(life, units, relations) => {
            let (units, relations) = (count(units, "unit"), count(relations, "relation"));
            format!("{life}, counts {units} and {relations}")
        }
        Condition::Scopes(Life::Alive, _) => Life::Alive.to_string(),
        Condition::Scopes(life, units) => {
            format!("{life}, counts {} in scope", count(units, "unit"))
        }
    }
}

fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
