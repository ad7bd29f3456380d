//! Rules of a scenario's own: what they change, and that no short cut forgets them.

mod compare;

use compare::{RuleTally, compare};

/// The worlds that are drawn, and the greatest number of their states.
const DRAWN: u64 = 40;
const SMALL: u64 = 1_500;

#[test]
fn every_short_cut_agrees_with_the_long_way_where_rules_were_drawn() {
    let mut tally = RuleTally::default();
    for seed in 0..DRAWN {
        compare(seed, SMALL, &mut tally).unwrap_or_else(|problem| panic!("{problem}"));
    }
    assert!(tally.worlds >= 20, "{tally:?}");
    assert!(tally.applied * 2 > tally.worlds, "{tally:?}");
    assert!(tally.reduced > 0, "{tally:?}");
}
