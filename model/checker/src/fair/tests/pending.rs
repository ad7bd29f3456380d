//! What is pending where runs end, and what is left of it for the search of cycles.

use super::*;

/// What is left of one claim, pending in each of `size` states, each of which leads to the one
/// before it, and the first nowhere.
fn left_of_a_way_back(size: u32) -> Vec<u64> {
    let edges: Vec<_> = (1..size).map(|state| (state, agent(), state - 1)).collect();
    let (graph, masks) = (graph(&edges), masks(size, &[], &[], 0));
    let question = MaskedQuestion::new(&graph, &[Weak], &masks, 1);
    let mut memory = MemoryBudget::unlimited();
    let mut limits = Limits { ticks: 0, memory: &mut memory, stop: &|| None };
    let mut pending = StateValues::new(size, limits.memory).unwrap();
    (0..size).for_each(|state| pending.set(state, [1], limits.memory).unwrap());
    let is_left = obligations::trim(&question, &mut pending, &mut limits).unwrap();
    let pending: Vec<u64> = (0..size).map(|state| pending.get(state)[0]).collect();
    assert_eq!(is_left, pending.iter().any(|mask| *mask != 0));
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
        let masks = Masks::new(&[[0, u64::MAX], [ends[0], 0], [ends[1], 0]]);
        let verdicts =
            leads(&graph, &[], &masks, 64, &mut MemoryBudget::unlimited(), &|| None).unwrap();
        for (claim, verdict) in verdicts.iter().enumerate() {
            let nearest = if ends[0] >> claim & 1 == 1 { 1 } else { 2 };
            assert_eq!(verdict.lasso.as_ref().map(Lasso::entry), Some(nearest), "claim {claim}");
        }
    }
}
