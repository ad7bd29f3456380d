//! Answers for every number of units, against instances.
//!
//! Every view of every state that an instance reaches has to be one of the views, which begin with
//! one size alone: the views of smaller instances would hide a wrong bound of hidden counts.

use std::{collections::HashSet, path::Path};

use deathwatch_claims::check::{Instance, SearchSettings, Views};
use deathwatch_model::{
    protocol::{self, Effects},
    state::State,
};
use deathwatch_scenario::{
    Scenario, replay,
    scenario::{self, Address},
};

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(1);

fn shipped(address: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios").join(address);
    scenario::load(Address::given(&path)).expect("a scenario that loads")
}

/// Every state that an instance reaches, up to a number, by the protocol alone.
fn reached(instance: &Instance, most: usize) -> Vec<State> {
    let mut known = HashSet::from([instance.start.clone()]);
    let (mut states, mut done) = (vec![instance.start.clone()], 0);
    while done < states.len() && states.len() < most {
        let mut actions = Vec::new();
        protocol::enabled(&instance.world, &states[done], &mut actions);
        for action in actions {
            let mut next = states[done].clone();
            protocol::step(&instance.world, &mut next, action, &mut Effects::default());
            if known.insert(next.clone()) {
                states.push(next);
            }
        }
        done += 1;
    }
    states
}

/// How many views of the states of an instance are not among the views that begin with this size.
fn missing(scenario: &Scenario, from: &[usize], sizes: &[usize], most: usize) -> (usize, usize) {
    let start = replay(scenario).expect("every step is possible").state;
    let mut views =
        Views::of(&scenario.world, &start, Some(from), &SETTINGS).expect("it is a template");
    let instance = views.instance(sizes).expect("it is a template");
    let (mut all, mut missing) = (0, 0);
    for state in reached(&instance, most) {
        for view in views.views_of(&instance, &state).expect("it is a template") {
            all += 1;
            missing += usize::from(!views.has(&view));
        }
    }
    (all, missing)
}

#[test]
fn every_view_of_every_state_of_an_instance_is_known() {
    for (address, from, sizes) in [
        ("relation-scope-bug/1-as-written.toml", [1, 1], [1, 1]),
        ("relation-scope-bug/1-as-written.toml", [2, 1], [2, 1]),
        ("relation-scope-bug/1-as-written.toml", [3, 1], [4, 1]),
        ("relation-scope-bug/3-no-fault-no-bug.toml", [2, 1], [2, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml", [2, 2], [2, 2]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [1, 1], [1, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [2, 1], [2, 1]),
        ("relation-scope-bug/7-two-units-a-side-as-written.toml#split", [3, 1], [4, 1]),
    ] {
        let scenario = shipped(address);
        let (all, missing) = missing(&scenario, &from, &sizes, 30_000);
        println!("{address} {from:?} {sizes:?}: {missing} of {all}");
        assert!(all > 100);
        assert_eq!(missing, 0, "{address} from {from:?}, {sizes:?}: of {all}");
    }
}
