//! The page of the two unit agents: the promises of D4's and of D5's, side by side, each by the
//! scenario that decides it.
//!
//! As on the page of hooks no verdict is written here: what holds and what does not is what
//! scenarios expect and have been answered. Which promise of one stands beside which of the other
//! is said here, and one that nobody has placed has a row of its own.

use std::sync::LazyLock;

use deathwatch_claims::Claim;
use deathwatch_documents::marked;
use deathwatch_model::world::{Details, World};
use deathwatch_scenario::scenario::Expected;
use minijinja::{Value, context};
use serde::Deserialize;

use super::{
    AnsweredScenario,
    claims::keeps_all_clauses,
    findings,
    hooks::{CRASHES, FORCE, HARDWARE, RELATION_HOOKS, TroubleColumn, UNIT_HOOKS, of, with},
    story,
    template::{data, render},
};

/// The detail of D5's agent.
const WORKFLOW: &str = "workflow";

/// The details of D4's agent.
const OF_D4: [&str; 4] = ["hooks", "charm", "relations", "settings"];

/// The troubles of D5's agent, in the order of the columns.
const TROUBLES: [TroubleColumn; 6] = [
    CRASHES,
    HARDWARE,
    UNIT_HOOKS,
    RELATION_HOOKS,
    FORCE,
    ("agents are cut off", |world: &World| world.faults.disconnection),
];

/// A promise that both agents may make, with the name of each one's claim.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PromisePair {
    about: String,
    newer: Vec<String>,
    older: Vec<String>,
}

#[derive(Deserialize)]
struct Pairs {
    pair: Vec<PromisePair>,
}

/// The promises, in the order of a unit's life.
static PAIRS: LazyLock<Vec<PromisePair>> =
    LazyLock::new(|| data::<Pairs>(include_str!("agents.toml")).pair);

pub(super) fn page(answered: &[AnsweredScenario]) -> String {
    let keeps_all = |it: &&AnsweredScenario| keeps_all_clauses(&it.scenario.world);
    let whole = answered.iter().filter(|it| it.figures.is_some()).filter(keeps_all);
    let (older, newer): (Vec<&AnsweredScenario>, Vec<&AnsweredScenario>) = whole
        .filter(|it| has_agent_of_d4(it) || it.scenario.world.detail.workflow)
        .partition(|it| it.scenario.world.detail.workflow);
    let sides = ScenariosByAgent { newer, older };
    let data = context! {
        pairs => PAIRS.iter().map(|pair| sides.pair(pair)).collect::<Vec<_>>(),
        removals => Claim::removals().map(|claim| sides.removal(claim)).collect::<Vec<_>>(),
        alone => sides.alone(),
        findings => findings::of(&sides.older),
    };
    render(include_str!("pages/agents.md"), data)
}

fn has_agent_of_d4(it: &AnsweredScenario) -> bool {
    it.scenario.world.detail.hooks
}

fn claims_of(details: &'static [&'static str]) -> impl Iterator<Item = &'static Claim> {
    let is_of = |claim: &&Claim| {
        claim.lacks(Details::default()).is_some_and(|detail| details.contains(&detail))
    };
    deathwatch_claims::all().filter(is_of)
}

struct ScenariosByAgent<'a> {
    /// D4's.
    newer: Vec<&'a AnsweredScenario>,
    /// D5's.
    older: Vec<&'a AnsweredScenario>,
}

impl ScenariosByAgent<'_> {
    /// Promises of both, a row for each claim of the one that has more of them.
    fn pair(&self, PromisePair { about, newer, older }: &PromisePair) -> Value {
        let named =
            |name: &String| deathwatch_claims::named(name).expect("it is the name of a claim");
        let rows = (0..newer.len().max(older.len())).map(|index| {
            let newer = newer.get(index).map(|it| verdict(named(it), &self.newer));
            let older = older.get(index).map(|it| verdict(named(it), &self.older));
            [newer, older]
        });
        context! { about, rows => rows.collect::<Vec<_>>() }
    }

    /// A removal claim, which both are asked alike.
    fn removal(&self, claim: &Claim) -> [Value; 2] {
        [&self.newer, &self.older].map(|worlds| verdict(claim, worlds))
    }

    /// Promises of one that have no counterpart in the other's document.
    fn alone(&self) -> Vec<[Option<Value>; 2]> {
        let is_placed = |claim: &&Claim| {
            let mut names = PAIRS.iter().flat_map(|it| it.newer.iter().chain(&it.older));
            claim.by_history().is_none() && !names.any(|name| *name == claim.name)
        };
        let newer = claims_of(&OF_D4).filter(is_placed);
        let older = claims_of(&[WORKFLOW]).filter(is_placed);
        let newer = newer.map(|claim| [Some(verdict(claim, &self.newer)), None]);
        let older = older.map(|claim| [None, Some(verdict(claim, &self.older))]);
        newer.chain(older).collect()
    }
}

/// The numbers of worlds in which a claim holds and is violated, the one with the most possible
/// troubles, and the first in which it is violated.
fn verdict(claim: &Claim, worlds: &[&AnsweredScenario]) -> Value {
    let (held, violated) =
        (with(claim, Expected::Holds, worlds), with(claim, Expected::Violated, worlds));
    let count = |it: &AnsweredScenario| troubles(it).len();
    let most = held.iter().map(|it| count(it)).max();
    let hardest = held.iter().find(|it| Some(count(it)) == most);
    let told =
        |it: &&AnsweredScenario| context! { troubles => troubles(it), ..story::scenario(it) };
    context! {
        name => marked(claim),
        source => claim.source,
        held => held.len(),
        all => held.len() + violated.len(),
        hardest => hardest.map(told),
        violated => violated.first().map(told),
    }
}

/// The possible troubles of a world.
fn troubles(it: &AnsweredScenario) -> Vec<&'static str> {
    let may = TROUBLES.into_iter().filter(|trouble| !of(*trouble, &[it]).is_empty());
    may.map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_side_by_side_is_promised_by_either_agent_and_once() {
        let mut placed: Vec<&str> = Vec::new();
        for PromisePair { about, newer, older } in &*PAIRS {
            assert!(!newer.is_empty() || !older.is_empty(), "{about} is promised by somebody");
            for (names, details) in [(newer, &OF_D4[..]), (older, &[WORKFLOW][..])] {
                for name in names {
                    let claim = deathwatch_claims::named(name)
                        .unwrap_or_else(|| panic!("no claim: {name}"));
                    let detail = claim.lacks(Details::default()).expect("it is of a detail");
                    assert!(details.contains(&detail), "{name} is of {detail}");
                    assert!(claim.by_history().is_none(), "{name}: history tells more");
                    assert!(!placed.contains(&name.as_str()), "{name} stands twice");
                    placed.push(name);
                }
            }
        }
    }
}
