//! Whether the documents are what a scenario expects after its steps.

use deathwatch_model::{
    ids::ApplicationId,
    life::Life,
    state::State,
    store::Application,
    txn::Doc,
    world::World,
};

use super::Failure;
use crate::{
    describe,
    scenario::{Expectation, Scenario, show_cleanup},
};

/// What `scenario` expects of the documents and is not so.
pub(super) fn judge(scenario: &Scenario, state: &State) -> Vec<Failure> {
    let world = &scenario.world;
    let failures = scenario.expect.all.iter().filter_map(|(expectation, line)| {
        let message = miss(world, state, expectation)?;
        Some(Failure { line: *line, message })
    });
    failures.collect()
}

fn miss(world: &World, state: &State, expectation: &Expectation) -> Option<String> {
    match expectation {
        Expectation::Life(subject, expected) => {
            let life = describe::life(state, *subject);
            let document = || describe::document(world, state, *subject);
            (life != *expected).then(|| format!("expected {}, but {}", show(*expected), document()))
        }
        Expectation::Units(id, expected) => {
            miscounted(world, state, *id, *expected, |application| application.units)
        }
        Expectation::Relations(id, expected) => {
            miscounted(world, state, *id, *expected, |application| application.relations)
        }
        Expectation::InScope(id, expected) => {
            let actual = &state.store.relation_docs(*id).scope;
            let names = |set: &deathwatch_model::ids::IdSet<_>| {
                list(set.iter().map(|id| world.unit(id).name.clone()))
            };
            let relation = &world.relation(*id).name;
            (actual != expected).then(|| {
                let (expected, actual) = (names(expected), names(actual));
                format!("expected in scope of {relation}: {expected}; there is: {actual}")
            })
        }
        Expectation::Cleanups(expected) => {
            let actual = cleanups(world, state);
            let names = |docs: &[Doc]| {
                list(docs.iter().filter_map(|doc| show_cleanup(*doc, world)))
            };
            (actual != *expected).then(|| {
                format!("expected cleanups: {}; there is: {}", names(expected), names(&actual))
            })
        }
    }
}

fn show(life: Option<Life>) -> String {
    life.map_or_else(|| "it gone".to_owned(), |life| format!("it {life}"))
}

fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn miscounted(
    world: &World,
    state: &State,
    id: ApplicationId,
    expected: u32,
    count: fn(&Application) -> u32,
) -> Option<String> {
    let actual = state.store.application(id).map(count);
    let document = || describe::document(world, state, deathwatch_model::claims::Subject::Application(id));
    (actual != Some(expected)).then(|| format!("expected a count of {expected}, but {}", document()))
}

/// The cleanup documents there are, in order.
pub(crate) fn cleanups(world: &World, state: &State) -> Vec<Doc> {
    let store = &state.store;
    let mut docs: Vec<Doc> = (world.relation_ids())
        .filter(|id| store.relation_docs(*id).cleanup)
        .map(Doc::SettingsCleanup)
        .collect();
    let applications = world.application_ids().filter(|id| store.application_docs(*id).units_cleanup);
    docs.extend(applications.map(Doc::UnitsCleanup));
    docs.extend(world.unit_ids().filter(|id| store.unit_docs(*id).force).map(Doc::ForceUnit));
    docs.extend(world.machine_ids().filter(|id| store.machine_docs(*id).force).map(Doc::ForceMachine));
    docs.sort_unstable();
    docs
}
