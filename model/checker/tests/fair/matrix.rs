//! Larger graphs: fair cycles from a matrix that says which states lead to which.

use deathwatch_checker::graph::Fairness;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{
    SEED,
    cases::{ComparisonSubject, RandomCase, is, spread},
};

/// The states on some fair cycle, computed from the matrix of reachability, for graphs of any
/// shape.
pub(crate) fn in_fair_component(case: &RandomCase, states: u128, on_cycle: &mut Vec<bool>) {
    let size = case.out.len();
    let within = |state: usize| states >> state & 1 == 1;
    let lasting = |state: usize| {
        case.out[state]
            .iter()
            .filter(|(_, label)| !label.is_fault())
            .map(|&(to, label)| (to as usize, label))
    };
    let mut reach = vec![0_u128; size];
    for state in (0..size).filter(|&state| within(state)) {
        reach[state] = lasting(state).fold(0, |all, (to, _)| all | 1 << to) & states;
    }
    for middle in 0..size {
        for from in 0..size {
            if reach[from] >> middle & 1 == 1 {
                reach[from] |= reach[middle];
            }
        }
    }
    let mut left = states;
    for state in 0..size {
        let mutual = (0..size)
            .filter(|&other| reach[state] >> other & 1 == 1 && reach[other] >> state & 1 == 1)
            .fold(0, |all: u128, other| all | 1 << other);
        if mutual & left == 0 {
            continue;
        }
        left &= !mutual;
        let members = || (0..size).filter(|other| mutual >> other & 1 == 1);
        let moves = |class: usize| {
            let inside = |(to, label)| is(label, class) && mutual >> to & 1 == 1;
            members().any(|state| lasting(state).any(inside))
        };
        let still: Vec<usize> = (0..case.fairness.len()).filter(|&class| !moves(class)).collect();
        let of = |kind| still.iter().copied().filter(move |&class| case.fairness[class] == kind);
        if of(Fairness::Weak).any(|class| members().all(|state| case.able(class, state))) {
            continue;
        }
        let calm = members()
            .filter(|&state| !of(Fairness::Strong).any(|class| case.able(class, state)))
            .fold(0, |all: u128, state| all | 1 << state);
        if calm == mutual {
            members().for_each(|state| on_cycle[state] = true);
        } else {
            in_fair_component(case, calm, on_cycle);
        }
    }
}

#[test]
fn the_search_agrees_with_a_matrix_on_larger_graphs() {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut seen = Vec::new();
    for _ in 0..600 {
        let case = RandomCase::larger(&mut rng);
        let verdicts = case.verdicts(&[1, 2, 3]);
        let far_apart = case.spread().verdicts(&[1, 2, 3]);
        assert_eq!(
            far_apart,
            verdicts.iter().cloned().map(spread).collect::<Vec<_>>(),
            "{case:#?}"
        );
        for (claim, verdict) in verdicts.iter().enumerate() {
            let open = (0..case.out.len()).filter(|&state| !case.to(claim, state));
            let open = open.fold(0, |all, state| all | 1 << state);
            let mut on_cycle = vec![false; case.out.len()];
            in_fair_component(&case, open, &mut on_cycle);
            seen.push(case.compare(claim, verdict, &on_cycle));
        }
    }
    let count = |kind| seen.iter().filter(|&&one| one == kind).count();
    let counts = [
        count(ComparisonSubject::Holds),
        count(ComparisonSubject::End),
        count(ComparisonSubject::Cycle),
    ];
    println!("holds, end, cycle: {counts:?}");
    assert!(counts.iter().all(|&count| count > 1_000), "a one-sided sample: {counts:?}");
}
