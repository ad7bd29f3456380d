//! The claims of the shipped scenarios as the only judge of the protocol, for mutation tests
//! (`.ci/mutants`). `cargo test` leaves it out, as other tests check the same and more; its name
//! brings it in: `cargo test -p deathwatch-sim --test claims`.
//!
//! It fails if a claim is violated that no scenario expects to be. Where a scenario asks for
//! refinement, that its world keeps to its outline is such a claim, too. Nothing else is a
//! violation: no number of states, no witness, no script that is not possible any more.
//!
//! A mutant that removes behaviour violates nothing, as it leaves no run that could. So the test
//! fails with other words where an expected violation is missing or a claim has become vacuous ("is
//! answered otherwise"), and where the tool itself gives up, by a panic or at a limit of states
//! ("cannot be judged"). The log of a mutant tells these apart.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook},
    path::Path,
};

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_documents::{Outcome, Status};
use deathwatch_scenario::{Scenario, find, load, replay};
use deathwatch_study::verdict::{self, Engine, Refines, VerdictOptions, stopped};

/// The greatest number of states that a scenario's file may state. Larger worlds show nothing that
/// smaller ones do not, and a mutant that no claim notices is checked in all of them.
const MOST: u64 = 100_000;

/// The factor by which a mutant may have more states than the protocol.
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
    /// The reason why the search gave up, if it did.
    gives_up: Option<&'static str>,
}

/// Answers the claims of a scenario.
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
            | (_, CheckAnswer::Undecided) => {}
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
    // Most mutants are noticed in small worlds.
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
