//! Expectations: checks that the documents are, after its steps, what a scenario expects.

use deathwatch_model::{
    claims::EntityId,
    ids::{IdSet, UnitId},
    state::State,
    txn::Marker,
    world::World,
};

use super::Failure;
use crate::{
    describe,
    scenario::{Expectation, Scenario, show_cleanup},
};

/// The expectations of `scenario` that `state` does not meet.
pub(super) fn check_expectations(scenario: &Scenario, state: &State) -> Vec<Failure> {
    let world = &scenario.world;
    let failures = scenario.expect.all.iter().filter_map(|(expectation, line)| {
        let message = unmet(world, state, expectation)?;
        Some(Failure { line: *line, message })
    });
    failures.collect()
}

/// The text of an expectation that `state` does not meet; `None` if it meets it.
fn unmet(world: &World, state: &State, expectation: &Expectation) -> Option<String> {
    match expectation {
        Expectation::Life(subject, expected) => {
            let expected_text = expected.map_or("gone".to_owned(), |life| life.to_string());
            let is_met = subject.life(state) == *expected;
            (!is_met).then(|| expected_but(world, state, *subject, &expected_text))
        }
        Expectation::Units(id, expected) => {
            let actual = state.store.application(*id).map(|application| application.units);
            let expected_text = format!("with a count of {expected} units");
            (actual != Some(*expected))
                .then(|| expected_but(world, state, EntityId::Application(*id), &expected_text))
        }
        Expectation::Relations(id, expected) => {
            let actual = state.store.application(*id).map(|application| application.relations);
            let expected_text = format!("with a count of {expected} relations");
            (actual != Some(*expected))
                .then(|| expected_but(world, state, EntityId::Application(*id), &expected_text))
        }
        Expectation::InScope(id, expected) => {
            let actual = state.store.scope(*id);
            let names =
                |set: &IdSet<UnitId>| list(set.iter().map(|id| world.unit(id).name.clone()));
            let relation = &world.relation(*id).name;
            (actual != expected).then(|| {
                let (expected, actual) = (names(expected), names(actual));
                format!("expected in scope of {relation}: {expected}; there is: {actual}")
            })
        }
        Expectation::Cleanups(expected) => {
            let actual = cleanups(world, state);
            let names =
                |docs: &[Marker]| list(docs.iter().filter_map(|doc| show_cleanup(*doc, world)));
            (actual != *expected).then(|| {
                format!("expected cleanups: {}; there is: {}", names(expected), names(&actual))
            })
        }
    }
}

fn expected_but(world: &World, state: &State, subject: EntityId, expected: &str) -> String {
    let (name, condition) =
        (describe::name(world, subject), describe::condition(world, state, subject));
    format!("expected {name} {expected}, but it is {condition}")
}

fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The cleanup documents there are, in order.
pub(crate) fn cleanups(world: &World, state: &State) -> Vec<Marker> {
    let store = &state.store;
    let mut docs: Vec<Marker> = (world.relation_ids())
        .filter(|id| store.relation_docs(*id).cleanup)
        .map(Marker::SettingsCleanup)
        .collect();
    let applications =
        world.application_ids().filter(|id| store.application_docs(*id).units_cleanup);
    docs.extend(applications.map(Marker::UnitsCleanup));
    docs.extend(world.unit_ids().filter(|id| store.unit_docs(*id).force).map(Marker::ForceUnit));
    docs.extend(
        world.machine_ids().filter(|id| store.machine_docs(*id).force).map(Marker::ForceMachine),
    );
    docs.sort_unstable();
    docs
}
