//! Recordings: a recorded run agrees with the states of the run itself.

mod about;
mod formats;
mod reports;
mod slices;

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::{
    Run,
    run::{End, OwedIs, Presence, States, Tables},
};
use deathwatch_scenario::{Replay, Scenario, find, load, replay::replay};
use deathwatch_study::{
    recording::{Keep, Played, record},
    simulate::Simulation,
    verdict::{self, Engine, Refines, Verdict, VerdictOptions},
};
use serde_json::Value;

use crate::common::{PAIR, parse};

/// A world in which hardware is lost, a relation stays Dying, and nothing more happens.
const STUCK: &str = concat!("\n", include_str!("../../../tests/worlds/stuck.toml"));

/// A world in which an agent that always finds something else to do never leaves a relation.
const ROUND: &str = concat!("\n", include_str!("../../../tests/worlds/round.toml"));

/// The recording of the first counterexample of a scenario.
fn counterexample(scenario: &Scenario, keep: Keep) -> Run {
    let replay = replay(scenario).expect("it is possible");
    let verdict = judged(scenario, &replay);
    let mut judged = verdict.judged.iter();
    let judged = judged.find(|it| it.finding.answer == CheckAnswer::Violated).expect("violated");
    let played = Played::found(scenario, &replay, judged, verdict.report.as_ref());
    record(played.expect("a run shows it").made_by("test".into()), keep).expect("it is short")
}

fn judged(scenario: &Scenario, replay: &Replay) -> Verdict {
    let options = VerdictOptions {
        engine: Engine::Own,
        only: &[],
        refines: Refines::AsScenariosAsk,
        settings: SearchSettings::without_limits(1),
    };
    verdict::judge(scenario, replay, &options).expect("it is small")
}

fn script(scenario: &Scenario) -> Option<Run> {
    let replay = replay(scenario).expect("it is possible");
    record(Played::script(scenario, &replay), Keep::All).ok()
}

fn stuck() -> Run {
    counterexample(&parse(STUCK).expect("a scenario"), Keep::All)
}

fn round() -> Run {
    counterexample(&parse(ROUND).expect("a scenario"), Keep::All)
}

/// The states that result from the first one by the recorded changes alone.
fn followed(run: &Run) -> Vec<Tables> {
    let mut tables = run.states[0].rows.clone();
    let mut all = vec![tables.clone()];
    for step in &run.steps {
        for change in &step.changes {
            let of_kind = tables.get_mut(&change.document.kind).expect("a kind of rows");
            let row = of_kind.get_mut(&change.document.name).expect("a row");
            let before = row.insert(change.field.clone(), change.after.clone()).flatten();
            assert_eq!(before, change.before, "step {}: {change:?}", step.number);
        }
        all.push(tables.clone());
    }
    all
}

/// A state without the empty fields of clients of scripts.
fn plain(tables: &Tables) -> Value {
    let mut tables = tables.clone();
    for row in tables.get_mut("client").into_iter().flat_map(|rows| rows.values_mut()) {
        row.retain(|_, value| value.is_some());
    }
    serde_json::to_value(&tables).expect("all keys are text")
}

fn assert_is_true(run: &Run) {
    let name = &run.header.scenario;
    assert_eq!((run.kept, run.states.len()), (States::All, run.steps.len() + 1), "{name}");
    for (number, tables) in followed(run).iter().enumerate() {
        assert_eq!(plain(tables), plain(&run.states[number].rows), "{name}: state {number}");
    }
    for (step, before) in run.steps.iter().zip(&run.states) {
        let Some(chosen) = step.chosen else { continue };
        let possible = &before.possible[chosen];
        assert_eq!(possible.act.action, step.act.action, "{name}");
        assert_eq!((possible.outcome, &possible.changes), (step.outcome, &step.changes), "{name}");
        assert_eq!(possible.clauses, step.clauses, "{name}");
    }
    for state in &run.states {
        let missing = state.impossible.iter().filter(|it| it.text.is_empty());
        assert_eq!(missing.count(), 0, "{name}");
        for it in &state.impossible {
            let is_possible = state.possible.iter().any(|other| other.act.line == it.act.line);
            assert!(!is_possible, "{name}: {} is both", it.act.line);
        }
    }
    about::assert_known(run);
    let cited = run.steps.iter().flat_map(|step| &step.clauses);
    assert!(cited.into_iter().all(|clause| run.clauses.contains_key(clause)), "{name}");
    for (index, pending) in run.pending.iter().enumerate() {
        if pending.from > 0 {
            assert!(run.steps[pending.from - 1].begins.contains(&index), "{name}");
        }
        if let Some(until) = pending.until {
            assert!(run.steps[until - 1].ends.contains(&index), "{name}");
        }
    }
}

#[test]
fn what_is_written_of_scripts_is_what_happened() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let mut played = 0;
    for path in find(&[folder]).expect("there are some") {
        let scenario = load(&path).expect("it is shipped");
        if scenario.steps.is_empty() || scenario.world.units.len() > 8 {
            continue;
        }
        if let Some(run) = script(&scenario) {
            assert_is_true(&run);
            played += 1;
        }
    }
    assert!(played > 50, "{played} scripts");
}

#[test]
fn counterexamples_end_in_quiescence_or_go_round() {
    let stuck = stuck();
    assert_is_true(&stuck);
    assert_eq!(stuck.end, End::Quiescent);
    assert!(stuck.states.last().expect("a state").quiescent);

    let round = round();
    assert_is_true(&round);
    let End::Cycle { from, to } = round.end else { panic!("{:?}", round.end) };
    assert!(from < to && to == round.steps.len());
    let (first, last) = (&round.states[from].rows, &round.states[to].rows);
    assert_eq!(plain(first), plain(last), "the two states are equal");
    assert!((from..to).all(|it| round.states[it].rows != *last || it == from));
}

#[test]
fn obligations_are_told_from_their_begin_to_their_end() {
    for run in [stuck(), round()] {
        let strip = run.claims.iter().find(|it| it.claim == "a Dying relation is removed");
        let owed = &strip.expect("it is asked").owed;
        let destroyed = run
            .steps
            .iter()
            .find(|it| it.act.action == "destroy-relation wordpress:db mysql:server");
        let since = destroyed.expect("it is destroyed").number;
        let violated: Vec<_> = owed.iter().filter(|it| it.is == OwedIs::Violated).collect();
        assert_eq!(violated.len(), 1, "{owed:?}");
        assert_eq!((violated[0].since, violated[0].until), (since, None));
        for it in owed.iter().filter(|it| it.is != OwedIs::Violated) {
            assert!(it.until.is_some_and(|until| until > it.since), "{owed:?}");
        }
    }
}

#[test]
fn lanes_end_where_hardware_fails_and_begin_again() {
    let run = stuck();
    let lane = |actor: &str| {
        let lane = run.lanes.iter().find(|it| it.actor == actor).expect("a lane");
        lane.spans.iter().map(|span| span.is).collect::<Vec<_>>()
    };
    let again = [Presence::Runs, Presence::Absent, Presence::Runs];
    assert_eq!(lane("unit-agent mysql/0"), again);
    assert_eq!(lane("machine-agent 2"), again);
    assert_eq!(lane("unit-agent wordpress/0"), [Presence::Runs]);
}

#[test]
fn what_is_not_possible_has_a_reason_with_its_clauses() {
    let run = stuck();
    let last = run.states.last().expect("a state");
    let leave = "unit-agent mysql/0: leave-scope mysql/0 wordpress:db mysql:server";
    let leave = last.impossible.iter().find(|it| it.act.line == leave).expect("it would help");
    let told = serde_json::to_value(leave).expect("it is text");
    assert_eq!(told["reason"], "unknown", "{told}");
    assert_eq!(told["text"], "the agent of mysql/0 has no directory for this and does not know it");
    let destroy = "user: destroy-relation wordpress:db mysql:server";
    let destroy = last.impossible.iter().find(|it| it.act.line == destroy).expect("it was given");
    assert_eq!(serde_json::to_value(destroy.reason).expect("text"), "no-op");
    let enter = last.impossible.iter().find(|it| it.act.action.starts_with("enter-scope"));
    if let Some(enter) = enter.filter(|it| it.text.starts_with("refused")) {
        assert!(!enter.clauses.is_empty(), "{enter:?}");
    }
}

#[test]
fn transactions_and_hooks_are_told_from_begin_to_end() {
    let source = format!(
        "shows = \"A pair.\"\nsteps = \"\"\"\nclient: begin destroy-unit wordpress/0\n\
         user: begin destroy-unit wordpress/0\nuser: commit\nclient: abort\n\"\"\"\n\
         [world]\ntransactions = \"split\"\n{PAIR}\n[user]\n\"destroy-unit wordpress/0\" = 1\n"
    );
    let run = script(&parse(&source).expect("a scenario")).expect("it is short");
    assert_is_true(&run);
    let spans: Vec<_> =
        run.pending.iter().map(|it| (it.actor.as_str(), it.from, it.until)).collect();
    assert_eq!(spans, [("client", 1, Some(4)), ("user", 2, Some(3))]);
    let because = run.steps[3].because.as_ref().expect("it aborts");
    assert_eq!(because.document.as_deref(), Some("unit wordpress/0"));
    assert!(because.clauses[0].starts_with("destroy-unit."), "{because:?}");
}

#[test]
fn the_run_of_a_seed_has_its_times() {
    let source = STUCK.replace("\"violated\"", "\"holds\"");
    let scenario = parse(&source).expect("a scenario");
    let replay = replay(&scenario).expect("there is no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let (run, actions, times) = simulation.timed_trace(3, None);
    let played = Played::seed(&simulation, (&scenario, &replay), &run, (&actions, &times));
    let recorded = record(played, Keep::All).expect("it is short");
    assert_is_true(&recorded);
    let told: Vec<u64> = recorded.steps.iter().filter_map(|step| step.milliseconds).collect();
    assert_eq!((told.len(), told.is_sorted()), (actions.len(), true));
    assert!(told.last() > told.first());
}

#[test]
fn of_a_long_run_the_first_state_is_kept() {
    let scenario = parse(STUCK).expect("a scenario");
    let (all, first) = (stuck(), counterexample(&scenario, Keep::First));
    assert_eq!((first.kept, first.states.len()), (States::First, 1));
    let last = &all.states.last().expect("a state").rows;
    assert_eq!(followed(&first).last(), Some(last));
    let end = first.at_its_end().expect("its first state is kept");
    assert_eq!(end.moment(end.steps.len()).map(|it| &it.rows), Some(last));
    assert!(all.at_its_end().is_none());
}
