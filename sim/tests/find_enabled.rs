//! The look-up of one enabled action, compared on random walks with the list of all.

use std::collections::BTreeSet;

use deathwatch_model::{
    action::{Act, Action, TxnAct},
    agents::{self, Enabled},
    free_ids::Scan,
    protocol::{self, Effects},
};
use deathwatch_scenario::{Scenario, replay};

use crate::common::{
    dice,
    worlds::{scenarios, small_worlds},
};

/// Looks up, in each state of a random walk, every action that is enabled now or was before.
/// Returns the number of actions found.
fn walk(scenario: &Scenario, seed: u64, steps: usize) -> usize {
    let world = &scenario.world;
    let mut state = replay(scenario).expect("it replays").state;
    let (mut dice, mut effects, mut enabled) = (dice(seed), Effects::default(), Enabled::default());
    let mut known: BTreeSet<Action> = BTreeSet::new();
    let mut found = 0;
    for _ in 0..steps {
        let mut all = Vec::new();
        protocol::enabled(world, &state, &mut all);
        known.extend(all.iter().map(|action| Action { duty: None, ..*action }));
        for known in &known {
            let fits = |it: &&Action| {
                it.actor() == known.actor()
                    && (it.act == known.act || finishes(it.act) && finishes(known.act))
            };
            let listed = all.iter().find(fits).copied();
            let answer = agents::find_enabled(world, &state, *known, &Scan, &mut enabled);
            assert_eq!(answer.map(|(action, _)| action), listed, "{}", world.show(known));
            found += usize::from(listed.is_some());
        }
        let Some(action) = (!all.is_empty()).then(|| all[dice.index(all.len())]) else { break };
        protocol::step(world, &mut state, action, &mut effects);
    }
    found
}

fn finishes(act: Act) -> bool {
    matches!(act.txn(), Some(TxnAct::Commit | TxnAct::Abort))
}

#[test]
fn an_action_is_found_where_it_is_enabled_and_nowhere_else() {
    let all = small_worlds().into_iter().chain(scenarios());
    let found: usize =
        all.enumerate().map(|(index, scenario)| walk(&scenario, index as u64, 120)).sum();
    assert!(found > 25_000, "only {found}");
}
