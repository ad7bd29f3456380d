//! Slices of runs that are too long to be recorded whole: the steps that are left out change none
//! of the rows that the slice is about.

use std::{fs, path::Path};

use deathwatch_documents::{Run, run::Tier};
use deathwatch_scenario::replay::replay;
use deathwatch_study::{
    recording::{Keep, Played, record},
    simulate::Simulation,
};

use super::Tables;
use crate::common::parse;

/// The slices of the stuck and too long runs of the first seeds of a shipped workload, in a world
/// where agents lose their scopes with their disks.
fn slices(workload: &str, seeds: u64) -> Vec<Run> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/simulate/10-units");
    let source = fs::read_to_string(folder.join(workload)).expect("it is shipped");
    let forgetful = source.replace("\"remote-scope\"", "\"local-directory\"");
    assert_ne!(source, forgetful, "{workload} chooses how scopes are tracked");
    let scenario = parse(&forgetful).expect("a scenario");
    let replay = replay(&scenario).expect("there is no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let sliced = (0..seeds).filter_map(|seed| {
        let (run, actions, times) = simulation.timed_trace(seed, None);
        let played = Played::seed(&simulation, (&scenario, &replay), &run, (&actions, &times));
        let slice = played.slice()?;
        let recorded = record(played.sliced(slice), Keep::All).expect("a slice is short");
        assert_eq!(recorded.whole.map(|it| it.steps), Some(actions.len()));
        Some(recorded)
    });
    sliced.collect()
}

/// The roots of the answer with the fewest root entities, as in "unit wordpress/0".
fn roots(run: &Run) -> Vec<&str> {
    let graphs = run.answers.iter().filter_map(|it| it.wait_for.as_ref());
    let roots = graphs.map(|it| it.roots.iter().flat_map(|root| &root.entities).collect());
    let clearest = roots.min_by_key(|it: &Vec<&String>| it.len()).expect("something is stuck");
    clearest.into_iter().map(String::as_str).collect()
}

/// The rows that belong to these entities, as text.
fn rows_of<'a>(run: &Run, rows: &'a Tables, roots: &[&str]) -> Vec<(&'a str, &'a str, String)> {
    let mut told = Vec::new();
    for (kind, rows) in rows {
        for (name, row) in rows {
            let first = run.kinds[kind].entities(name).next();
            let named = |(tier, name): (Tier, &str)| format!("{} {name}", tier.word());
            if first.map(named).is_some_and(|it| roots.contains(&it.as_str())) {
                let said = serde_json::to_string(row).expect("a row is data");
                told.push((kind.as_str(), name.as_str(), said));
            }
        }
    }
    told
}

/// Asserts that each state of the roots is the previous one with the changes of the step between.
fn assert_is_told(run: &Run) {
    let roots = roots(run);
    let mut numbers = run.steps.iter().map(|step| run.number(step.number));
    assert!(numbers.clone().is_sorted() && numbers.next().is_some(), "there are steps");
    let left_out: usize = (0..=run.steps.len() + 1).map(|it| run.left_out_before(it)).sum();
    let whole = run.whole.expect("it is a slice").steps;
    assert_eq!(left_out + run.steps.len(), whole, "each step is shown or counted");
    for step in &run.steps {
        let [before, after] = [step.number - 1, step.number]
            .map(|state| &run.moment(state).expect("it is kept").rows);
        let mut before = before.clone();
        for change in &step.changes {
            let rows = before.get_mut(&change.document.kind);
            if let Some(row) = rows.and_then(|rows| rows.get_mut(&change.document.name)) {
                assert_eq!(row.get(&change.field), Some(&change.before), "{change:?}");
                row.insert(change.field.clone(), change.after.clone());
            }
        }
        assert_eq!(rows_of(run, &before, &roots), rows_of(run, after, &roots), "{step:?}");
    }
}

#[test]
fn what_is_left_out_changes_nothing_of_what_holds_the_end() {
    let (mut runs, mut known) = (0, 0);
    for workload in ["relation-churn.toml", "mass-removal.toml", "subordinates-everywhere.toml"] {
        for run in slices(workload, 4) {
            assert_is_told(&run);
            let whole = run.whole.expect("it is a slice");
            assert!(run.steps.len() * 5 < whole.steps, "{} of {whole:?}", run.steps.len());
            runs += 1;
            // Hooks of a relation begin because of steps of its other units.
            let shown = |number: usize| run.steps.iter().any(|it| run.number(it.number) == number);
            assert!(whole.needs_others.is_some_and(shown), "{whole:?}");
            let graphs = run.answers.iter().filter_map(|it| it.wait_for.as_ref());
            let since = graphs.flat_map(|it| &it.roots).filter_map(|root| root.since);
            known += usize::from(since.into_iter().any(|since| since > 0));
        }
    }
    println!("{runs} runs, {known} with the step that made a root");
    assert!(runs >= 6 && known * 2 > runs, "{runs} runs, {known}");
}

#[test]
fn a_run_without_anything_stuck_has_no_slice() {
    let scenario = parse(super::STUCK).expect("a scenario");
    let replay = replay(&scenario).expect("there is no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    let (run, actions, times) = simulation.timed_trace(3, None);
    let played = Played::seed(&simulation, (&scenario, &replay), &run, (&actions, &times));
    assert!(played.slice().is_none(), "it is short");
}
