//! Shrinking: the results for random runs still violate the claim, and nothing more can be removed.

use std::{cell::Cell, collections::BTreeSet, path::Path};

use deathwatch_claims::check::CheckAnswer;
use deathwatch_model::{
    action::{Action, Outcome},
    actor::Actor,
    agents,
    protocol::{self, Effects},
    state::State,
};
use deathwatch_scenario::{Expected, Scenario, replay};
use deathwatch_study::shrink::{self, Budget, FailingRun, ShrinkResult};

use crate::common::{
    cases, dice, parse,
    shrinking::{confirmed, inspect, shipped, shrunk, violates},
};

/// A random walk: a storm in which every action may happen, then a calm without faults and
/// commands.
fn walk(scenario: &Scenario, seed: u64, storm: usize) -> Vec<Action> {
    let mut dice = dice(seed);
    let replay = replay(scenario).expect("it replays");
    let (mut state, mut actions) = (replay.state, replay.actions);
    let (mut effects, mut offers) = (Effects::default(), Vec::new());
    for index in 0..storm + 300 {
        offers.clear();
        protocol::enabled(&scenario.world, &state, &mut offers);
        if index >= storm {
            offers.retain(|it| !matches!(it.actor(), Actor::Faults | Actor::User(_)));
        }
        if offers.is_empty() {
            if index >= storm {
                break;
            }
            continue;
        }
        let action = offers[dice.index(offers.len())];
        protocol::step(&scenario.world, &mut state, action, &mut effects);
        actions.push(action);
    }
    actions
}

#[test]
fn random_runs_shrink_to_minimal_scenarios() {
    let (mut runs, mut longest, mut claims) = (0, 0, BTreeSet::new());
    for folder in ["relation-scope-bug", "findings", "caveats"] {
        for scenario in shipped(folder) {
            let violated = scenario.claims.iter().filter(|(_, it)| *it == Expected::Violated);
            for (claim, _) in violated {
                for seed in 0..cases(3, 6) {
                    let steps = walk(&scenario, seed, 60);
                    let Some(result) = shrunk(&scenario, claim, &steps) else { continue };
                    inspect(&result);
                    runs += 1;
                    longest = longest.max(result.after.steps);
                    claims.insert(claim.name);
                }
            }
        }
    }
    assert!(
        runs >= cases(75, 150) && claims.len() >= cases(12, 15),
        "{runs} runs of {} claims",
        claims.len()
    );
    assert!(longest <= 11, "{longest} steps");
}

#[test]
fn the_known_bug_shrinks_to_what_it_is_about() {
    let bug = &shipped("relation-scope-bug")[0];
    assert!(bug.name.ends_with("1-as-written"), "{}", bug.name);
    let claim = deathwatch_claims::named("a Dying relation is removed").expect("there is one");
    let found = |seed| shrunk(bug, claim, &walk(bug, seed, 200));
    let results: Vec<ShrinkResult> = (0..60).filter_map(found).collect();
    assert!(results.len() >= 5, "{} runs", results.len());
    for result in &results {
        assert!(result.before.steps > 100);
        assert_eq!(result.after.steps, 3, "{}", result.text);
        assert_eq!((result.after.machines, result.after.units), (2, 1), "{}", result.text);
    }
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(results[0].text) });
}

#[test]
fn the_same_run_shrinks_to_the_same_scenario() {
    let mut runs = 0;
    for scenario in shipped("findings") {
        for (claim, _) in &scenario.claims {
            let steps = walk(&scenario, 2, 60);
            let (one, other) = (shrunk(&scenario, claim, &steps), shrunk(&scenario, claim, &steps));
            runs += usize::from(one.is_some());
            let told = |it: Option<ShrinkResult>| it.map(|it| (it.text, it.tries));
            assert_eq!(told(one), told(other));
        }
    }
    assert!(runs >= 15, "{runs} runs");
}

/// The state after the whole run of `result` in the world of `scenario`, and whether no actor moves
/// there; `None` if a step of it is not possible.
fn end(scenario: &Scenario, result: &ShrinkResult) -> Option<(State, bool)> {
    let (world, mut state) = (&scenario.world, scenario.start.clone());
    let mut effects = Effects::default();
    for step in result.steps.iter().chain(&result.afterwards) {
        let outcome = protocol::step(world, &mut state, *step, &mut effects);
        if outcome == Outcome::NotEnabled {
            return None;
        }
    }
    let is_over = agents::is_quiescent(world, &state);
    Some((state, is_over))
}

/// A variant that is left out has no effect on the run: with it the run ends in the same state.
/// Later removals may change that, but rarely do.
#[test]
fn a_variant_that_is_left_out_makes_no_difference() {
    let (mut runs, mut others, mut left_out) = (0, 0, 0);
    for scenario in shipped("findings").into_iter().chain(shipped("relation-scope-bug")) {
        let violated = scenario.claims.iter().filter(|(_, it)| *it == Expected::Violated);
        for (seed, (claim, _)) in violated.flat_map(|it| [(0, it), (1, it), (2, it)]) {
            let steps = walk(&scenario, seed, 60);
            let Some(result) = shrunk(&scenario, claim, &steps) else { continue };
            let mut file: toml::Table = toml::from_str(&result.text).expect("it is a scenario");
            let all = scenario.table();
            let Some(all) = all.get("variants").and_then(toml::Value::as_table) else { continue };
            let kept = file.entry("variants").or_insert_with(|| toml::Table::new().into());
            let kept = kept.as_table_mut().expect("it is a table");
            for (name, value) in all {
                left_out += usize::from(kept.insert(name.clone(), value.clone()).is_none());
            }
            let whole = parse(&toml::to_string(&file).expect("it was read")).expect("a scenario");
            let [one, other] = [&result.scenario, &whole].map(|it| end(it, &result));
            assert!(one.is_some(), "{}", result.text);
            runs += 1;
            others += usize::from(one != other);
        }
    }
    assert!(20 * others <= runs, "{others} of {runs} runs end otherwise");
    assert!(left_out > 20, "{left_out} variants");
}

/// Many units on many machines, and a long storm.
const CROWD: &str = concat!("\n", include_str!("../../tests/worlds/crowd.toml"));

#[test]
fn long_runs_of_many_units_shrink_too() {
    let (crowd, mut results) = (crate::common::good(CROWD), Vec::new());
    let claim = crowd.claims[0].0;
    for seed in 0..4 {
        let steps = walk(&crowd, seed, 3_000);
        results.extend(shrunk(&crowd, claim, &steps));
    }
    assert!(results.len() >= 2, "{} runs", results.len());
    for result in results {
        assert!(result.before.steps >= 3_000);
        assert!(result.after.steps <= 5, "{}", result.text);
        inspect(&result);
    }
}

#[test]
fn the_best_so_far_is_returned_when_the_tries_are_used_up() {
    let crowd = crate::common::good(CROWD);
    let claim = crowd.claims[0].0;
    let all: Vec<Vec<Action>> = (0..8).map(|seed| walk(&crowd, seed, 150)).collect();
    let fails = |steps: &&Vec<Action>| violates(&crowd, claim, None, steps);
    let steps = all.iter().find(fails).expect("some run fails");
    let mut before = usize::MAX;
    for tries in [0, 10, 40] {
        let failing = FailingRun { scenario: &crowd, claim, subject: None, steps, root: None };
        let told = Cell::new(0);
        let budget =
            Budget { tries, stop: &|| false, progress: &|progress| told.set(progress.tries) };
        let result = shrink::shrink(&failing, "a walk", budget).expect("it fails");
        assert_eq!((result.tries, told.get(), result.is_minimal), (tries, tries, false));
        assert_eq!(replay(&result.scenario).expect("possible").failures, []);
        assert!(result.after.steps < before, "more tries leave out more");
        before = result.after.steps;
    }
}

/// The agent sets its unit Dead, and then no agent is left to remove it.
const DEAD: &str = concat!("\n", include_str!("../../tests/worlds/dead.toml"));

#[test]
fn a_script_ends_where_a_search_can_go_on() {
    let scenario = crate::common::good(DEAD);
    let claim = scenario.claims[0].0;
    let actions = replay(&scenario).expect("possible").actions;
    let failing =
        FailingRun { scenario: &scenario, claim, subject: None, steps: &actions, root: None };
    let budget = Budget { tries: 0, stop: &|| false, progress: &|_| () };
    let result = shrink::shrink(&failing, "a script", budget).expect("it fails");
    insta::with_settings!({omit_expression => true}, { insta::assert_snapshot!(result.text) });
    assert_eq!(confirmed(&result), Some(CheckAnswer::Violated));
    inspect(&shrunk(&scenario, claim, &actions).expect("it fails"));
}

#[test]
fn a_detail_that_the_run_does_not_need_is_switched_off() {
    let without_hooks =
        DEAD.replace("wordpress.units = [\"1\"]", "wordpress = { units = [\"1\"], hooks = [] }");
    let scenario = crate::common::good(&format!("{without_hooks}[detail]\nhooks = true\n"));
    let claim = scenario.claims[0].0;
    let actions = replay(&scenario).expect("possible").actions;
    let failing =
        FailingRun { scenario: &scenario, claim, subject: None, steps: &actions, root: None };
    let budget = Budget { tries: 0, stop: &|| false, progress: &|_| () };
    let whole = shrink::shrink(&failing, "a script", budget).expect("it fails");
    assert!(whole.text.contains("\n[detail]\nhooks = true\n"), "{}", whole.text);
    assert!(whole.scenario.world.detail.hooks);
    let shrunk = shrunk(&scenario, claim, &actions).expect("it fails");
    assert!(!shrunk.text.contains("[detail]"), "{}", shrunk.text);
    assert!(!shrunk.scenario.world.detail.any());
    inspect(&shrunk);
}

#[test]
fn a_run_that_violates_nothing_is_not_shrunk() {
    let scenario = crate::common::good(DEAD);
    let claim = scenario.claims[0].0;
    let actions = replay(&scenario).expect("possible").actions;
    assert!(shrunk(&scenario, claim, &actions[..2]).is_none(), "its deployer removes the unit");
    let other = deathwatch_claims::named("a Dying machine is removed").expect("there is one");
    assert!(shrunk(&scenario, other, &actions).is_none());
}

#[test]
fn a_claim_of_a_scenario_goes_on_being_about_the_units_that_it_names() {
    let with = |own: &str| {
        let text = format!(
            "shows = \"A test.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
             2 = {{}}\n3 = {{}}\n[world.applications]\nmysql.units = [\"1\", \"2\", \"3\"]\n\
             [user]\n\"destroy-unit mysql/*\" = 1\n[own.\"as it is asked\"]\n{own}\n"
        );
        deathwatch_scenario::scenario::parse(Path::new("own.toml"), text).expect("a scenario")
    };
    for (own, units, now) in [
        ("always = 'unit(\"mysql/2\").life != \"dying\"'", 1, "unit(\"mysql/0\")"),
        (
            "each = \"unit\"\nstep = 'before.name != \"mysql/1\" || after.life != \"dying\" || \
             unit(\"mysql/2\").life == \"alive\"'",
            2,
            "before.name != \"mysql/0\" || after.life != \"dying\" || unit(\"mysql/1\")",
        ),
        (
            "each = \"machine-agent\"\nalways = 'it.pending != \"set-unit-dead mysql/2\" && \
             !units.exists(u, u.life == \"dead\" && u.name == \"mysql/1\")'",
            2,
            "u.name == \"mysql/0\"",
        ),
    ] {
        let scenario = with(own);
        let (claim, _) = scenario.claims[0];
        let found = (0..20).filter_map(|seed| shrunk(&scenario, claim, &walk(&scenario, seed, 60)));
        let found: Vec<ShrinkResult> = found.collect();
        assert!(!found.is_empty(), "{own}");
        for result in &found {
            inspect(result);
            assert_eq!(result.after.units, units, "{}", result.text);
            let text = result.text.replace("\\\"", "\"");
            assert!(text.contains(now), "{text}");
        }
    }
}
