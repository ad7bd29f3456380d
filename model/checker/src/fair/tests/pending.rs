//! What is pending where runs end, and what is left of it for the search of cycles.

use super::*;

/// What is left of one claim, pending in each of `size` states, each of which leads to the one
/// before it, and the first nowhere.
fn left_of_a_way_back(size: u32) -> Vec<u64> {
    let edges: Vec<_> = (1..size).map(|state| (state, agent(), state - 1)).collect();
    let (graph, masks) = (graph(&edges), masks(size, &[], &[], 0));
    let question = MaskedQuestion::new(&graph, &[Weak], &masks, 1);
    let mut pending = vec![1; size as usize];
    obligations::trim(&question, &mut pending, &mut Cancel { ticks: 0, stop: &|| None }).unwrap();
    pending
}

#[test]
fn a_sweep_is_repeated_while_it_takes_more_than_an_eighth_of_what_it_leaves() {
    // Each sweep goes against the numbers, and finds only the last state of the way to be an end.
    assert_eq!(left_of_a_way_back(8), [0; 8]);
    assert_eq!(left_of_a_way_back(9), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn all_claims_that_there_can_be_may_be_pending_at_one_end() {
    let graph = graph(&[(0, USER, 1), (0, USER, 2)]);
    for ends in [[!1, 1], [u64::MAX, 0], [1, u64::MAX]] {
        let masks = Masks { from: vec![0, ends[0], ends[1]], to: vec![u64::MAX, 0, 0] };
        let verdicts = leads(&graph, &[], &masks, 64, &|| None).unwrap();
        for (claim, verdict) in verdicts.iter().enumerate() {
            let nearest = if ends[0] >> claim & 1 == 1 { 1 } else { 2 };
            assert_eq!(verdict.lasso.as_ref().map(Lasso::entry), Some(nearest), "claim {claim}");
        }
    }
}
