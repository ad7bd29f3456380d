//! Candidates: all actions of this world at any time. For those that a state does not allow, the
//! reason is asked.
//!
//! They are found by a short search from the start of the run, and on the run itself. An action
//! that can be done only in a state far from both is not among them.

use std::collections::{BTreeSet, VecDeque};

use deathwatch_model::{
    action::Action,
    protocol::{self, Effects},
    rows::RowKind,
    state::State,
    world::World,
};

/// The greatest number of states that are searched.
const SEARCHED: usize = 1_000;
/// The greatest number of rows in all states that are searched.
const ROWS: usize = 2_000_000;

/// The actions, of all actors, that are enabled in one of the first states that follow `start`.
pub(super) fn candidates(world: &World, start: &State) -> BTreeSet<Action> {
    let rows: usize = RowKind::ALL.into_iter().map(|kind| kind.count(world)).sum();
    let searched = SEARCHED.min(ROWS / (rows + 1));
    let mut found = BTreeSet::new();
    let mut known: BTreeSet<State> = BTreeSet::from([start.clone()]);
    let mut waiting = VecDeque::from([start.clone()]);
    let mut effects = Effects::default();
    while let Some(state) = waiting.pop_front() {
        let mut enabled = Vec::new();
        protocol::enabled(world, &state, &mut enabled);
        for action in enabled {
            if known.len() < searched {
                let mut next = state.clone();
                protocol::step(world, &mut next, action, &mut effects);
                if known.insert(next.clone()) {
                    waiting.push_back(next);
                }
            }
            found.insert(action);
        }
    }
    found
}
