//! Expectations: checks that the documents are, after its steps, what a scenario expects.

use deathwatch_model::{rows::Shown, state::State, world::World};

use super::Failure;
use crate::{
    describe,
    scenario::{Cleanup, Expectation, Scenario, cleanups, show_value},
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
        Expectation::Life(entity, expected) => {
            if entity.life(state) == *expected {
                return None;
            }
            let expected = expected.map_or("gone".to_owned(), |life| life.to_string());
            let name = describe::name(world, *entity);
            let condition = describe::condition(world, state, *entity);
            Some(format!("expected {name} {expected}, but it is {condition}"))
        }
        Expectation::Field(subject, expected_of, expected) => {
            let mut unmet = None;
            let mut see = |shown: Option<Shown<'_>>| {
                unmet = (!expected.is_shown(shown)).then(|| {
                    shown.map_or("nothing, as it does not exist".to_owned(), |shown| {
                        show_value(world, shown)
                    })
                });
            };
            subject.fields(state, &mut |field, shown| {
                if field.name == expected_of.name {
                    see(shown);
                }
            });
            let (field, name) = (expected_of.name, subject.name(world));
            let expected = expected.show(world);
            unmet
                .map(|actual| format!("expected {field} of {name}: {expected}; there is: {actual}"))
        }
        Expectation::Cleanups(expected) => {
            let actual = cleanups(world, state);
            let names = |docs: &[Cleanup]| list(docs.iter().map(|doc| doc.name(world)));
            (actual != *expected).then(|| {
                format!("expected cleanups: {}; there is: {}", names(expected), names(&actual))
            })
        }
    }
}

fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
