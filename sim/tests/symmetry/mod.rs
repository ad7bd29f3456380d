//! Symmetry reduction: one state stands for its orbit under exchanges of units and machines, and
//! the answers are those of a search of every state.

mod compare;

use self::compare::{SymmetryTally, compare};
use crate::common::{cases, worlds::small_worlds};

#[test]
fn one_state_for_several_is_answered_as_all_of_them_are() {
    let mut tally = SymmetryTally::default();
    for scenario in small_worlds().into_iter().step_by(cases(2, 1)) {
        if scenario.states.is_none_or(|states| states <= 600) {
            compare(&scenario, 600, &mut tally).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
    println!("{tally:?}");
    assert!(
        tally.worlds > cases(200, 400) && tally.reduced > cases(10, 20),
        "little was compared: {tally:?}"
    );
    assert!(tally.representatives < tally.states * 9 / 10, "little is saved: {tally:?}");
}
