//! The shipped worlds with details, compared with the oracle.

use std::path::Path;

use deathwatch_claims::check::{CheckAnswer, SearchSettings};
use deathwatch_model::world::{Transactions, World};
use deathwatch_scenario::{find, load, replay};
use deathwatch_study::verdict::Engine;

use super::{RefinementCase, SETTINGS, ask, oracle, shown};

/// The greatest number of states of a world that is compared.
const LARGEST: u64 = 300;

#[test]
fn the_explorer_agrees_with_the_oracle_on_shipped_worlds_with_details() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let (mut transactions, mut answers) = (Vec::new(), Vec::new());
    for file in find(&[folder]).expect("there are some") {
        let mut scenario = load(&file).expect("a scenario");
        if !scenario.world.detail.any() || scenario.states.is_none_or(|states| states > LARGEST) {
            continue;
        }
        scenario.start = replay(&scenario).expect("every step is possible").state;
        let (name, outline) = (scenario.name.clone(), scenario.world.outline());
        let case = RefinementCase { name: "", scenario, outline, hide: World::hide, keeps: true };
        let found = oracle(&case);
        let answer = if found.is_none() { CheckAnswer::Holds } else { CheckAnswer::Violated };
        for threads in [1, 2] {
            let finding = ask(&case, &[], &SearchSettings { threads, ..SETTINGS }, Engine::Own);
            assert_eq!(finding.answer, answer, "{name} by {threads}");
            assert_eq!(shown(&case, finding), found, "{name} by {threads}");
        }
        transactions.push(case.scenario.world.transactions);
        answers.push(answer);
    }
    for both in [Transactions::Split, Transactions::Atomic] {
        assert!(transactions.contains(&both), "{} worlds", transactions.len());
    }
    for either in [CheckAnswer::Holds, CheckAnswer::Violated] {
        assert!(answers.contains(&either), "{} worlds", answers.len());
    }
}
