//! The claims of the shipped scenarios as the only judge of the protocol, which mutation tests ask
//! (`.ci/mutants`). `cargo test` leaves it out, as other tests say the same and more; its name
//! brings it in: `cargo test -p deathwatch-sim --test claims`.
//!
//! It fails if some claim is violated that no scenario expects to be; that a world keeps to its
//! outline is such a claim, too, where a scenario asks for it. Nothing else is a violation: no
//! number of states, no witness, no script that is not possible any more.
//!
//! A mutant that takes away what can happen violates nothing, as it leaves no run that could. So
//! the test fails in other words where a claim is not violated that should be, or says nothing any
//! more ("is answered otherwise"), and where the tool itself gives up, as it panics or as a world
//! has grown too large ("cannot be judged"). The log of a mutant tells these apart.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    path::Path,
};

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::{Outcome, Status};
use deathwatch_scenario::{Scenario, find, load, replay};
use deathwatch_study::verdict::{self, Engine, Refines, VerdictOptions, stopped};

/// The greatest number of states that a scenario may say its world has. What larger worlds show,
/// smaller ones do, too, and a mutant that no claim notices is asked of all of them.
const MOST: u64 = 100_000;

/// A mutant may have more states than the protocol by this factor.
const MORE: u64 = 4;

/// The number of states that a mutant may have in any world: a small one easily grows by more.
const ENOUGH: u64 = 40_000;

/// The answers of a scenario that it does not expect.
#[derive(Default)]
struct Unexpected {
    /// The claims that are violated and should not be.
    violated: Vec<String>,
    /// The claims that are not violated, with the answer, where another one is expected.
    otherwise: Vec<String>,
    /// The reason why the search of its world gave up, if it did.
    gives_up: Option<&'static str>,
}

/// Asks a scenario for its claims.
fn judge(scenario: &Scenario) -> Unexpected {
    let Ok(replay) = replay(scenario) else { return Unexpected::default() };
    let states = ENOUGH.max(MORE * scenario.states.unwrap_or(MOST));
    let settings = SearchSettings { max_states: Some(states), ..SearchSettings::without_limits(2) };
    let options = VerdictOptions {
        engine: Engine::Own,
        only: &[],
        refines: Refines::AsScenariosAsk,
        settings,
    };
    let Ok(verdict) = verdict::judge(scenario, &replay, &options) else {
        return Unexpected::default();
    };
    let stop = verdict.report.as_ref().and_then(|report| report.stopped);
    let mut unexpected = Unexpected { gives_up: stop.map(stopped), ..Unexpected::default() };
    for it in verdict.judged.iter().filter(|it| !it.is_witness()) {
        let (name, answer) = (it.name(), it.finding.answer);
        match (it.status(), answer) {
            (Status::AsExpected | Status::Known | Status::Undecided, _)
            | (_, CheckAnswer::Inconclusive) => {}
            (Status::Unexpected, CheckAnswer::Violated) => {
                unexpected.violated.push(format!("\"{name}\" is violated"));
            }
            (Status::Unexpected, CheckAnswer::Holds | CheckAnswer::Vacuous) => {
                let told = Outcome::from(answer).name();
                unexpected.otherwise.push(format!("\"{name}\" is answered otherwise: {told}"));
            }
        }
    }
    unexpected
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
    let (mut panics, mut given_up, mut otherwise) = (0, 0, None);
    let violated = scenarios.iter().find_map(|scenario| {
        let Ok(found) = catch_unwind(AssertUnwindSafe(|| judge(scenario))) else {
            panics += 1;
            return None;
        };
        if let Some(reason) = found.gives_up {
            given_up += 1;
            println!("{} is given up: {reason}", scenario.name);
        }
        let of = |told: &String| format!("{}: {told}", scenario.name);
        otherwise = otherwise.take().or_else(|| found.otherwise.first().map(of));
        found.violated.first().map(of)
    });
    set_hook(hook);
    println!("of {} scenarios {panics} panic and {given_up} are given up", scenarios.len());
    if let Some(told) = violated.or(otherwise) {
        panic!("{told}");
    }
    assert!(panics + given_up == 0, "{} scenarios cannot be judged", panics + given_up);
}
