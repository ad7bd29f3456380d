//! Clauses that only restrict actors: no step carries them out, but without one of them a script
//! can take a step that is not possible with it, or ends in another state.

use std::collections::BTreeMap;

use deathwatch_model::clause::Clause;
use deathwatch_scenario::{Scenario, replay};
use serde::Deserialize;

use crate::common::good;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardFile {
    worlds: BTreeMap<String, String>,
    guard: Vec<GuardCase>,
    silent: Vec<GuardCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GuardCase {
    clause: String,
    world: String,
    steps: String,
    /// A duty that is neglected in both runs.
    neglected: Option<String>,
    /// The expectations after the steps with the clause, and without it.
    with: Option<String>,
    without: Option<String>,
}

fn file() -> GuardFile {
    toml::from_str(include_str!("guards.toml")).unwrap_or_else(|it| panic!("{it}"))
}

impl GuardCase {
    fn scenario(&self, worlds: &BTreeMap<String, String>, is_on: bool) -> Scenario {
        let Self { clause, world, steps, neglected, with, without } = self;
        let expected = if is_on { with } else { without }.as_deref().unwrap_or_default();
        let off = if is_on { None } else { Some(clause) };
        good(&format!(
            "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\"\"\"\n{}[switch-off]\n\
             clauses = {:?}\nneglected = {:?}\n[expect]\n{expected}\n",
            worlds[world],
            off.into_iter().collect::<Vec<_>>(),
            neglected.iter().collect::<Vec<_>>(),
        ))
    }
}

#[test]
fn a_guard_prevents_what_is_possible_without_it() {
    let GuardFile { worlds, guard, .. } = file();
    for it in &guard {
        let clause = &it.clause;
        let impossible = replay(&it.scenario(&worlds, true)).expect_err(clause);
        let done = impossible.reached.actions.len();
        let without = replay(&it.scenario(&worlds, false));
        let without = without.unwrap_or_else(|it| panic!("{clause}: {:?}", it.problem));
        assert_eq!(without.actions.len(), done + 1, "{clause} prevents the last step");
    }
}

#[test]
fn without_a_silent_clause_something_else_is_so() {
    let GuardFile { worlds, silent, .. } = file();
    for it in &silent {
        for is_on in [true, false] {
            let replayed = replay(&it.scenario(&worlds, is_on)).expect("it can be done");
            assert!(replayed.failures.is_empty(), "{}: {:?}", it.clause, replayed.failures);
        }
        assert_ne!(it.with, it.without, "{}", it.clause);
    }
}

#[test]
fn every_guard_is_tried() {
    let GuardFile { guard, silent, .. } = file();
    let tried = |it: &Clause| guard.iter().chain(&silent).any(|its| its.clause == it.to_string());
    let untried: Vec<Clause> =
        Clause::all().filter(|it| it.is_guard()).filter(|it| !tried(it)).collect();
    assert_eq!(untried, []);
    for GuardCase { clause, .. } in &guard {
        assert!(Clause::named(clause).is_some_and(Clause::is_guard), "{clause}");
    }
}
