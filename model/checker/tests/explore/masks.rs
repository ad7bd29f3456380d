//! Tests of masks: claims read each state alike with any number of threads, and can be interrupted.

use std::sync::atomic::{AtomicU64, Ordering};

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::{ExploreOptions, ExploredSpace, SearchLimits, explore},
    fair::Masks,
};

use crate::{Square, tables::THREADS};

/// More states than a few threads judge before they ask whether to stop.
const SIDE: u64 = 200;

fn explored() -> ExploredSpace<()> {
    explore(&Square(SIDE), &ExploreOptions::default(), &SearchLimits::NONE, &|_| ())
}

#[test]
fn every_state_has_the_masks_that_it_was_judged_by() {
    let graph = explored().graph;
    for threads in THREADS {
        let judge = |scratch: &mut Vec<u64>, state: &[u64]| {
            scratch.clear();
            scratch.extend_from_slice(state);
            (scratch[0], scratch[1])
        };
        let mut memory = MemoryBudget::unlimited();
        let masks = Masks::of(&graph, threads, &mut memory, &|| None, Vec::new, judge).unwrap();
        assert_eq!(masks.len(), graph.states() as usize);
        assert!((0..graph.states()).all(|id| graph.state(id) == masks.get(id)));
        assert_eq!(memory.used(), masks.bytes());
    }
}

#[test]
fn masks_are_equal_if_each_state_has_the_same() {
    let (of, masks) = (Masks::new, [[1, 2], [3, 4], [1, 2]]);
    assert_eq!(of(&masks), of(&masks));
    for others in [&masks[1..], &[[1, 2], [3, 4], [3, 4]], &[[3, 4], [1, 2], [3, 4]]] {
        assert_ne!(of(&masks), of(others));
    }
}

#[test]
fn judging_stops_when_it_is_told_to() {
    let graph = explored().graph;
    for threads in THREADS {
        let judged = AtomicU64::new(0);
        let stop = || (judged.load(Ordering::Relaxed) > 0).then_some(Stop::Time);
        let judge = |(): &mut (), _: &[u64]| {
            judged.fetch_add(1, Ordering::Relaxed);
            (0, 0)
        };
        let mut memory = MemoryBudget::unlimited();
        let masks = Masks::of(&graph, threads, &mut memory, &stop, || (), judge);
        assert_eq!(masks.err(), Some(Stop::Time));
        let judged = judged.into_inner();
        assert!(judged > 0 && judged < SIDE * SIDE / 2, "{threads} threads judged {judged}");
    }
}
