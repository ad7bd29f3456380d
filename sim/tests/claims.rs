//! The claims of the shipped scenarios as the only judge of the protocol, which mutation tests ask
//! (`.ci/mutants`). `cargo test` leaves it out, as other tests say the same and more; its name brings it in:
//! `cargo test -p deathwatch-sim --test claims`.
//!
//! It fails if some claim is violated that no scenario expects to be. Nothing else counts: no number of
//! states, no witness, no script that is not possible any more, nor a claim that holds where a violation is
//! expected. Even a panic does not, as nobody could say of what is claimed that it is wrong.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    path::Path,
};

use deathwatch_model::{
    check::{Answer, Settings},
    claims::Claim,
};
use deathwatch_sim::{
    Expected, Scenario, find, load, replay,
    verdict::{self, Engine, Options, Refines},
};

/// The greatest number of states that a scenario may say its world has. What larger worlds show, smaller
/// ones do, too, and a mutant that no claim notices is asked of all of them.
const MOST: u64 = 100_000;

/// A mutant may have more states than the protocol by this factor.
const MORE: u64 = 4;

/// The claims that are violated and should not be.
fn violated(scenario: &Scenario) -> Vec<&'static str> {
    let only: Vec<&'static Claim> = scenario.claims.iter().map(|(claim, _)| *claim).collect();
    let Ok(replay) = replay(scenario) else { return Vec::new() };
    let states = MORE * scenario.states.unwrap_or(MOST);
    let settings = Settings { max_states: Some(states), ..Settings::without_limits(2) };
    let options =
        Options { engine: Engine::Own, only: &only, refines: Refines::AsScenariosAsk, settings };
    let Ok(verdict) = verdict::judge(scenario, &replay, &options) else { return Vec::new() };
    let is_wrong = |it: &&verdict::Judged| {
        it.finding.answer == Answer::Violated && it.expected != Expected::Violated
    };
    verdict.judged.iter().filter(is_wrong).filter_map(|it| Some(it.claim()?.name)).collect()
}

#[test]
fn no_claim_is_violated_that_should_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[folder]).expect("a folder of scenarios");
    let mut scenarios: Vec<Scenario> = files.iter().filter_map(|file| load(file).ok()).collect();
    let is_asked = |it: &Scenario| !it.claims.is_empty() && it.states.is_none_or(|it| it <= MOST);
    scenarios.retain(is_asked);
    assert!(scenarios.len() > 200, "the scenarios were not found");
    // Most mutants are noticed where there is little to search.
    scenarios.sort_by_key(|it| it.states.unwrap_or(MOST));
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let mut panics = 0;
    let found = scenarios.iter().find_map(|scenario| {
        let violated = catch_unwind(AssertUnwindSafe(|| violated(scenario)));
        panics += u32::from(violated.is_err());
        let claim = *violated.ok()?.first()?;
        Some((&scenario.name, claim))
    });
    set_hook(hook);
    println!("{panics} of {} scenarios panic", scenarios.len());
    if let Some((scenario, claim)) = found {
        panic!("{scenario}: \"{claim}\" is violated");
    }
}
