//! Pending claims in terminal states, and those that are left for the search of cycles.

use super::{pending_claims::PendingClaims, *};

/// The claims left by `trim` in a chain of `size` states, each of which leads to the one before it.
/// One claim is pending in all of them. A thread trims `chunk` states at once.
fn left_of_a_way_back(size: u32, chunk: u32) -> Vec<u64> {
    let edges: Vec<_> = (1..size).map(|state| (state, agent(), state - 1)).collect();
    let (graph, masks) = (graph(&edges), masks(size, &[], &[], 0));
    let question = MaskedQuestion::new(&graph, &[Weak], &masks, 1);
    let mut memory = MemoryBudget::unlimited();
    let mut limits = DecisionLimits { ticks: 0, memory: &mut memory, stop: &|| None };
    let pending = PendingClaims::new(size, limits.memory).unwrap();
    (0..size).for_each(|state| pending.set(state, 1));
    let team = Team::new(size, LeadsOptions { chunk, ..TOGETHER });
    let is_left = obligations::trim(&question, &pending, &team, &mut limits).unwrap();
    let pending: Vec<u64> = (0..size).map(|state| pending.get(state)).collect();
    assert_eq!(is_left, pending.iter().any(|mask| *mask != 0));
    pending
}

#[test]
fn a_sweep_is_repeated_while_it_takes_more_than_an_eighth_of_what_it_leaves() {
    // Each sweep goes against the numbers, so it finds only the last state of the chain to be an
    // end, also within a span.
    for chunk in [1, 5, 64] {
        assert_eq!(left_of_a_way_back(8, chunk), [0; 8]);
        assert_eq!(left_of_a_way_back(9, chunk), [0, 1, 1, 1, 1, 1, 1, 1, 1]);
    }
}

#[test]
fn all_claims_that_there_can_be_may_be_pending_at_one_end() {
    let graph = graph(&[(0, USER, 1), (0, USER, 2)]);
    for ends in [[!1, 1], [u64::MAX, 0], [1, u64::MAX]] {
        let masks = Masks::new(&[[0, u64::MAX], [ends[0], 0], [ends[1], 0]]);
        let mut memory = MemoryBudget::unlimited();
        let verdicts = leads(&graph, &[], &masks, 64, TOGETHER, &mut memory, &|| None).unwrap();
        for (claim, verdict) in verdicts.iter().enumerate() {
            let nearest = if ends[0] >> claim & 1 == 1 { 1 } else { 2 };
            assert_eq!(verdict.lasso.as_ref().map(Lasso::entry), Some(nearest), "claim {claim}");
        }
    }
}

#[test]
fn a_cycle_is_found_however_many_edges_lead_to_it() {
    for ways in 250..260 {
        let ends = (1..=ways).flat_map(|way| [(0, agent(), way), (way, agent(), ways + 1)]);
        let mut edges: Vec<_> = ends.collect();
        edges.push((ways + 1, agent(), ways + 2));
        assert_eq!(shown(&edges, &[Weak], &[0], &[ways + 2]), "holds");
        edges.push((ways + 2, agent(), ways + 1));
        let lasso = verdict(&graph(&edges), &[Weak], &[0], &[]).lasso.expect("there is a cycle");
        assert_eq!((lasso.entry(), lasso.cycle.len()), (ways + 1, 2), "{ways}");
    }
}

#[test]
fn nothing_is_left_pending_where_cycles_need_a_fault() {
    // The claim that state 4 opens is carried back to 1 by a fault, so states are visited again.
    let way = (0..4).flat_map(|state| [(state, agent(), state + 1), (state, USER, 4)]);
    let graph = graph(&way.chain([(4, FAULT, 1), (3, FAULT, 3)]).collect::<Vec<_>>());
    let masks = masks(5, &[4], &[], 0);
    let question = MaskedQuestion::new(&graph, &[Weak], &masks, 1);
    for options in [ALONE, TOGETHER] {
        let mut memory = MemoryBudget::unlimited();
        let mut limits = DecisionLimits { ticks: 0, memory: &mut memory, stop: &|| None };
        let found = obligations::carried_on(&question, &Team::new(5, options), &mut limits);
        let found = found.unwrap();
        assert_eq!((found.at_terminals, found.from_states[0]), (1, 1));
        assert!(!found.pending.is_any());
    }
}
