//! A second opinion on claims of the kind leads: the definition of fair runs, followed to the
//! letter, gives the answers of the checker, and so do the automata exported for other tools.
//! `cargo run --release -p deathwatch-sim --example fair_runs -- 20000` does the same in all
//! shipped worlds of up to 20,000 states.

mod automaton;
mod compare;
mod hoa;
mod world;

use compare::{AnswerTally, compare};
use deathwatch_scenario::Scenario;

use crate::common::{cases, worlds};

/// The greatest number of states of a world that is decided here.
const FEW: u16 = 1_500;

#[test]
fn every_claim_about_what_must_follow_is_answered_by_the_definition_of_fair_runs() {
    let mut tally = AnswerTally::default();
    let is_small = |it: &Scenario| it.states.is_none_or(|states| states <= FEW.into());
    let every = cases(2, 1);
    let sample = worlds::small_worlds().into_iter().filter(is_small).skip(every - 1);
    for scenario in sample.step_by(every) {
        if let Err(difference) = compare(scenario, FEW.into(), &mut tally) {
            panic!("{difference}");
        }
    }
    let AnswerTally { worlds, holds, violated, cycles, vacuous, returns, .. } = tally;
    println!("{tally:?}");
    assert!(worlds * every > 250, "only {worlds} worlds were decided");
    let least = holds.min(violated).min(vacuous).min(5 * cycles);
    assert!(least > 100, "a one-sided sample: {tally:?}");
    assert!(returns.iter().all(|runs| *runs > 10), "a one-sided sample: {tally:?}");
}
