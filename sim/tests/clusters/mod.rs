//! Several processes search one world: they answer as one does.
//! `cargo run --release -p deathwatch-sim --example cluster -- 5000` compares all shipped worlds of
//! up to 5,000 states.

mod compare;

use self::compare::{ClusterTally, compare, connected};
use crate::common::worlds::small_worlds;

/// One of this many worlds is compared here.
const STEP: usize = 16;
/// The greatest number of states of a world that is compared here.
const FEW: u64 = 300;

#[test]
fn several_processes_answer_as_one_does() {
    let (clusters, mut tally) = ([connected(2), connected(4)], ClusterTally::default());
    for scenario in small_worlds().into_iter().step_by(STEP) {
        if scenario.states.is_none_or(|states| states <= FEW) {
            compare(scenario, FEW, &clusters, &mut tally)
                .unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
    println!("{tally:?}");
    assert!(tally.worlds > 20 && tally.runs > 200, "little was compared: {tally:?}");
}
