//! Random input: everything read from outside is understood or refused, in time and without a
//! panic. `cargo run -p deathwatch-sim --example fuzz -- 600` does the same for ten minutes.

mod properties;

use std::sync::atomic::Ordering;

use properties::{
    Property,
    expressions::{self, EVALUATED},
    http, journals,
    scenarios::{self, ACCEPTED},
    with_seed,
};

/// Asserts a property for `cases` inputs, which are the same in every run.
fn holds(property: Property, cases: u32) {
    let mut runner = with_seed(0, cases);
    if let Err(failure) = property(&mut runner) {
        panic!("{failure}");
    }
}

#[test]
fn changed_scenarios_are_read_or_refused_with_a_place() {
    holds(scenarios::changed, 1_000);
    let accepted = ACCEPTED.load(Ordering::Relaxed);
    assert!(accepted > 30, "{accepted} were good, too few to be a test of replays");
}

#[test]
fn any_text_is_read_or_refused_with_a_place() {
    holds(scenarios::any_text, 300);
    holds(scenarios::any_bytes, 100);
}

#[test]
fn any_steps_are_carried_out_or_refused_with_a_place() {
    holds(scenarios::steps, 800);
}

#[test]
fn changed_journals_are_merged_or_refused() {
    holds(journals::damaged, 80);
    holds(journals::changed, 300);
}

#[test]
fn nested_conditions_are_refused_or_have_a_value_in_time() {
    holds(expressions::nested, 600);
    let evaluated = EVALUATED.load(Ordering::Relaxed);
    assert!(evaluated > 100, "{evaluated} had a value, too few to be a test");
}

#[test]
fn requests_are_let_through_only_from_the_page_itself() {
    holds(http::any_bytes, 400);
    holds(http::changed, 600);
}

#[test]
fn a_guard_answers_whatever_comes() {
    holds(http::served, 100);
}

#[test]
fn the_explorer_answers_whatever_an_address_says() {
    holds(http::explored, 400);
}
