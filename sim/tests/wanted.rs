//! Whether one certain action is possible, against a list of everything that is: on random walks
//! both must say the same.

mod common;

use std::collections::BTreeSet;

use common::{
    Dice,
    worlds::{scenarios, small_worlds},
};
use deathwatch_model::{
    action::{Act, Action},
    agents::{self, Enabled},
    free_ids::Scan,
    protocol::{self, Effects},
};
use deathwatch_sim::{Scenario, replay};

/// Looks for everything that is possible now or was before, in each state of a random walk.
fn walk(scenario: &Scenario, seed: u64, steps: usize) -> usize {
    let world = &scenario.world;
    let mut state = replay(scenario).expect("it replays").state;
    let (mut dice, mut effects, mut offered) = (Dice(seed), Effects::default(), Enabled::default());
    let mut known: BTreeSet<Action> = BTreeSet::new();
    let mut found = 0;
    for _ in 0..steps {
        let mut all = Vec::new();
        protocol::enabled(world, &state, &mut all);
        known.extend(all.iter().map(|action| Action { duty: None, ..*action }));
        for wanted in &known {
            let fits = |offer: &&Action| {
                offer.actor == wanted.actor
                    && (offer.act == wanted.act || finishes(offer.act) && finishes(wanted.act))
            };
            let listed = all.iter().find(fits).copied();
            let answer = agents::find_enabled(world, &state, *wanted, &Scan, &mut offered);
            assert_eq!(answer.map(|(action, _)| action), listed, "{}", world.show(wanted));
            found += usize::from(listed.is_some());
        }
        let Some(action) = (!all.is_empty()).then(|| all[dice.below(all.len())]) else { break };
        protocol::step(world, &mut state, action, &mut effects);
    }
    found
}

fn finishes(act: Act) -> bool {
    matches!(act, Act::Commit | Act::Abort)
}

#[test]
fn what_is_wanted_is_found_where_it_is_possible_and_nowhere_else() {
    let all = small_worlds().into_iter().chain(scenarios());
    let found: usize =
        all.enumerate().map(|(index, scenario)| walk(&scenario, index as u64, 120)).sum();
    assert!(found > 25_000, "only {found}");
}
