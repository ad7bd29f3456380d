//! Expectations: checks of the documents after the steps of a scenario.

use deathwatch_model::{rows::ShownValue, state::State, world::World};

use super::Failure;
use crate::{
    describe,
    scenario::{Cleanup, Expectation, Number, Scenario, cleanups, show_value},
};

/// The expectations of `scenario` that `state` does not meet.
pub(super) fn check_expectations(scenario: &Scenario, state: &State) -> Vec<Failure> {
    let (world, expect) = (&scenario.world, &scenario.expect);
    let all = expect.all.iter().filter_map(|(expectation, line)| {
        let instead = instead(world, state, expectation)?;
        Some(Failure {
            line: *line,
            message: format!("expected {}{instead}", expectation_text(world, expectation)),
        })
    });
    let numbers = expect.numbers.iter().filter_map(|(number, line)| {
        let there_is = number.of(world, state);
        let message = || format!("expected {number}; there is: {there_is}");
        (there_is != number.count).then(|| Failure { line: *line, message: message() })
    });
    let mut failures: Vec<Failure> = all.chain(numbers).collect();
    failures.sort_by_key(|failure| failure.line);
    failures
}

/// The expectations of `scenario` that `state` meets, as texts in the order of their lines.
pub fn met_expectations(scenario: &Scenario, state: &State) -> Vec<String> {
    let (world, expect) = (&scenario.world, &scenario.expect);
    let is_met = |(it, _): &&(Expectation, usize)| instead(world, state, it).is_none();
    let all =
        expect.all.iter().filter(is_met).map(|(it, line)| (*line, expectation_text(world, it)));
    let is_so = |(it, _): &&(Number, usize)| it.of(world, state) == it.count;
    let numbers = expect.numbers.iter().filter(is_so).map(|(it, line)| (*line, it.to_string()));
    let mut met: Vec<(usize, String)> = all.chain(numbers).collect();
    met.sort_by_key(|(line, _)| *line);
    met.into_iter().map(|(_, text)| text).collect()
}

fn expectation_text(world: &World, expectation: &Expectation) -> String {
    match expectation {
        Expectation::Life(entity, expected) => {
            let expected = expected.map_or("gone".to_owned(), |life| life.to_string());
            format!("{} {expected}", describe::name(world, *entity))
        }
        Expectation::Field(subject, field, expected) => {
            format!("{} of {}: {}", field.name, subject.name(world), expected.show(world))
        }
        Expectation::Cleanups(expected) => format!("cleanups: {}", named(world, expected)),
    }
}

/// The actual value as the end of a failure; `None` if the expectation is met.
fn instead(world: &World, state: &State, expectation: &Expectation) -> Option<String> {
    match expectation {
        Expectation::Life(entity, expected) => {
            let condition = || describe::condition(world, state, *entity);
            (entity.life(state) != *expected).then(|| format!(", but it is {}", condition()))
        }
        Expectation::Field(subject, expected_of, expected) => {
            let mut unmet = None;
            let mut see = |shown: Option<ShownValue<'_>>| {
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
            unmet.map(|actual| format!("; there is: {actual}"))
        }
        Expectation::Cleanups(expected) => {
            let actual = cleanups(world, state);
            (actual != *expected).then(|| format!("; there is: {}", named(world, &actual)))
        }
    }
}

fn named(world: &World, docs: &[Cleanup]) -> String {
    list(docs.iter().map(|doc| doc.name(world)))
}

fn list(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
