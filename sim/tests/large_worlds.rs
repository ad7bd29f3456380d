//! Worlds with more than 64 machines, units or relations: their states are packed into as many
//! words as they need, and every explorer finds the same states.

use std::collections::BTreeSet;

use deathwatch_claims::check::{self, CheckQuestion, SearchSettings, TooLarge};
use deathwatch_model::{
    protocol::{self, Effects},
    state::State,
};
use deathwatch_scenario::Scenario;

use crate::common::good;

const SETTINGS: SearchSettings<'static> = SearchSettings::without_limits(2);

/// Two applications of 75 units each on the same 75 machines, and a relation between them. Units
/// after the 64th leave, and a machine goes.
fn many(transactions: &str, user: &str) -> Scenario {
    let entered: Vec<String> = (0..75)
        .flat_map(|number| ["mysql", "wordpress"].map(|name| format!("\"{name}/{number}\"")))
        .collect();
    let entered = entered.join(", ");
    good(&format!(
        r#"
shows = "A few things happen in a world of many."
[world]
transactions = "{transactions}"
[world.machines]
0 = {{ jobs = ["manage-model"] }}
"1..=75" = {{}}
"75/lxc/0" = {{ host = "75" }}
[world.applications]
mysql = {{ units = ["1..=75"] }}
redis = {{ units = ["75/lxc/0"] }}
wordpress = {{ units = ["1..=75"], most-units = 76 }}
[world.relations]
"wordpress:db mysql:server" = {{ entered = [{entered}] }}
[user]
{user}
"#
    ))
}

/// The number of states, found by a search that is too simple to be wrong.
fn plainly(scenario: &Scenario) -> usize {
    let (mut known, mut waiting) = (BTreeSet::new(), vec![scenario.start.clone()]);
    known.insert(scenario.start.clone());
    let (mut actions, mut effects) = (Vec::new(), Effects::default());
    while let Some(state) = waiting.pop() {
        actions.clear();
        protocol::enabled(&scenario.world, &state, &mut actions);
        for action in &actions {
            let mut next: State = state.clone();
            protocol::step(&scenario.world, &mut next, *action, &mut effects);
            if known.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    known.len()
}

#[test]
fn every_explorer_finds_the_same_states_in_a_world_of_many() {
    let two = "\"destroy-unit mysql/70\" = 1\n\"destroy-unit wordpress/74\" = 1";
    let more = "\"destroy-unit redis/0\" = 1\n\"destroy-machine 75/lxc/0\" = 1";
    for (transactions, user) in [("split", two.into()), ("atomic", format!("{two}\n{more}"))] {
        let scenario = many(transactions, &user);
        let (world, start) = (&scenario.world, &scenario.start);
        assert!(world.units.len() > 128 && world.machines.len() > 64);
        let claims = deathwatch_claims::all_in(world).collect();
        let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
        let own = check::check(&question, &SETTINGS).expect("it is not too large");
        let other = deathwatch_stateright::check(&question, &SETTINGS).expect("nor for that");
        assert_eq!((own.stopped, other.stopped), (None, None));
        assert_eq!(own.states, other.states, "{transactions}");
        assert_eq!(own.states, plainly(&scenario) as u64, "{transactions}");
        assert!(own.states > 90, "{} states are too few", own.states);
        assert!(own.bytes_per_state > 1000, "each machine has a bit for each unit");
    }
}

#[test]
fn a_state_that_takes_too_many_bits_is_refused() {
    let scenario = good(
        "shows = \"There is much.\"\n[world.machines]\n\"1..=2000\" = {}\n\
         [world.applications]\nwordpress = { units = [\"1..=2000\"] }\n",
    );
    let (world, start) = (&scenario.world, &scenario.start);
    let question =
        CheckQuestion { world, start, claims: Vec::new(), witnesses: Vec::new(), refines: None };
    let refused = check::check(&question, &SETTINGS).map(|report| report.states);
    assert_eq!(refused, Err(TooLarge::State));
}
