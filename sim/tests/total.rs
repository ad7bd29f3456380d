//! Steps are total: any act may be tried in any state. One that is not enabled changes nothing, and
//! the world goes on.

use deathwatch_model::{
    action::{Act, Action, Fault, Outcome, TxnAct},
    actor::Client,
    ids::UserId,
    protocol::{self, Effects},
    state::State,
    world::{World, every},
};
use deathwatch_scenario::{Scenario, replay};
use deathwatch_simulator::dice::Dice;

use crate::common::{
    dice,
    worlds::{scenarios, small_worlds},
};

fn enabled(world: &World, state: &State) -> Vec<Action> {
    let mut all = Vec::new();
    protocol::enabled(world, state, &mut all);
    all
}

/// Whether `act` is one of `listed`. The caller cannot choose whether a transaction commits or
/// aborts, and a script's client may begin any operation.
fn is_listed(state: &State, listed: &[Action], act: Act) -> bool {
    match act {
        Act::Txn(client @ Client::Script(_), TxnAct::Commit | TxnAct::Abort) => {
            protocol::pending(state, client).is_some()
        }
        Act::Txn(client @ Client::Script(_), TxnAct::Begin(_)) => {
            protocol::pending(state, client).is_none()
        }
        Act::Txn(Client::Script(_), TxnAct::Run(_)) => true,
        Act::Txn(client, TxnAct::Commit | TxnAct::Abort) => listed.iter().any(|it| {
            let ends = [TxnAct::Commit, TxnAct::Abort];
            ends.map(|end| Act::Txn(client, end)).contains(&it.act)
        }),
        act => listed.iter().any(|it| it.act == act),
    }
}

/// Does `act` in `state`, whether it is enabled or not, and checks the result.
fn check(world: &World, state: &mut State, act: Act, effects: &mut Effects) -> bool {
    let listed = enabled(world, state);
    let before = state.clone();
    let action = Action { act, duty: None };
    let outcome = protocol::step(world, state, action, effects);
    let shown = world.show(&action);
    let is_enabled = is_listed(&before, &listed, act);
    if !is_enabled {
        let is_told = matches!(outcome, Outcome::NotEnabled | Outcome::NoOp | Outcome::Refused(_));
        assert!(is_told, "{shown} is not enabled: {outcome:?}");
        assert_eq!(*state, before, "{shown} is not enabled and changes something");
        assert!(effects.touched.is_empty() && effects.clauses.is_empty(), "{shown}");
    }
    assert!(!is_enabled || outcome != Outcome::NotEnabled, "{shown} is enabled");
    is_enabled
}

/// A walk with random acts of any actor, and enabled steps in between so that it gets somewhere.
/// Returns the numbers of acts that were enabled, and that were not.
fn walk(scenario: &Scenario, dice: &mut Dice, length: usize) -> [usize; 2] {
    let world = &scenario.world;
    let acts = every(world);
    let mut state = replay(scenario).expect("it replays").state;
    let (mut effects, mut counts) = (Effects::default(), [0, 0]);
    for _ in 0..length {
        let is_enabled = check(world, &mut state, acts[dice.index(acts.len())], &mut effects);
        counts[usize::from(!is_enabled)] += 1;
        let listed = enabled(world, &state);
        if let Some(action) = listed.get(dice.index(listed.len().max(1))) {
            let outcome = protocol::step(world, &mut state, *action, &mut effects);
            assert!(outcome != Outcome::NotEnabled, "{}", world.show(action));
        }
    }
    counts
}

#[test]
fn what_is_not_enabled_changes_nothing() {
    let mut sums = [0, 0];
    for (index, scenario) in small_worlds().into_iter().chain(scenarios()).enumerate() {
        for seed in 0..2 {
            let mut dice = dice(2 * index as u64 + seed);
            let counts = walk(&scenario, &mut dice, 150);
            sums = [sums[0] + counts[0], sums[1] + counts[1]];
        }
    }
    assert!(sums[0] > 500 && sums[1] > 10_000, "{sums:?} acts");
}

/// Every act, from the start of each world.
#[test]
fn any_act_can_be_asked_of_anybody_at_the_start() {
    for scenario in scenarios() {
        let (world, start) = (&scenario.world, &scenario.start);
        let mut effects = Effects::default();
        for act in every(world) {
            let mut state = start.clone();
            check(world, &mut state, act, &mut effects);
            enabled(world, &state);
        }
    }
}

/// An abort without a pending transaction, which is then planned again: this was a panic.
#[test]
fn nothing_pending_cannot_abort() {
    let scenario = crate::common::good(&format!(
        "shows = \"Nothing is pending.\"\n[world]\ntransactions = \"split\"\n{}[user]\n\
         \"destroy-unit wordpress/0\" = 1\n[faults]\nabort = true\n",
        crate::common::PAIR
    ));
    let (world, mut state) = (&scenario.world, scenario.start.clone());
    let abort =
        Action { act: Act::Faults(Fault::AbortTxn(Client::User(UserId::FIRST))), duty: None };
    let mut effects = Effects::default();
    assert_eq!(protocol::step(world, &mut state, abort, &mut effects), Outcome::NotEnabled);
    assert_eq!(state, scenario.start);
    assert!(!enabled(world, &state).is_empty());
}
