//! The explorer against a search that is too simple to be wrong.

mod checkpoints;
mod distributed;
#[path = "../common/exchange.rs"]
mod exchange;
mod limits;
mod masks;
mod processes;
mod sieve;
mod tables;

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Mutex,
};

use deathwatch_checker::{
    SearchProgress,
    explore::{ExploreOptions, SearchLimits, Space, Successors, explore},
    graph::{Graph, Label},
};
use tables::{ExpectedSearch, THREADS, TableSpace, random, run};

const BATCHES: [u32; 4] = [1, 17, 1000, 1 << 15];

#[test]
fn it_finds_what_a_simple_search_finds_for_any_threads_and_batches() {
    for seed in 0..8 {
        let space = random(seed, 50 + 300 * seed, 1 + usize::try_from(seed).unwrap() % 3);
        let plain = ExpectedSearch::search(&space);
        for threads in THREADS {
            for batch in BATCHES {
                let options = ExploreOptions { threads, batch, ..ExploreOptions::default() };
                plain.assert_is(&run(&space, options, &SearchLimits::NONE));
            }
        }
    }
}

#[test]
fn states_may_be_narrow_or_wide() {
    for words in 1..=9 {
        let space = random(100, 700, words);
        let plain = ExpectedSearch::search(&space);
        assert!(plain.states.len() > 300, "the random graph hangs together");
        for threads in [1, 2] {
            let options = ExploreOptions { threads, batch: 128, ..ExploreOptions::default() };
            plain.assert_is(&run(&space, options, &SearchLimits::NONE));
        }
    }
}

#[test]
fn states_with_the_same_hash_are_told_apart() {
    let hashes: [fn(&[u64]) -> u32; 4] =
        [|_| 0, |_| u32::MAX, |_| 0x1234_5678, |state| u32::from(state[0] % 2 == 0) << 31];
    let space = random(7, 500, 3);
    let plain = ExpectedSearch::search(&space);
    for hash in hashes {
        for threads in [1, 3] {
            let options = ExploreOptions { threads, batch: 100, hash, ..ExploreOptions::default() };
            plain.assert_is(&run(&space, options, &SearchLimits::NONE));
        }
    }
}

#[test]
fn paths_are_shortest_and_follow_edges() {
    let found = run(&random(3, 900, 2), ExploreOptions::default(), &SearchLimits::NONE);
    for id in 0..found.states {
        let path = found.graph.path_to(id);
        assert_eq!(path.len(), 1 + found.graph.depth_of(id) as usize);
        assert!(found.graph.starts().contains(&path[0]));
        assert_eq!(path.last(), Some(&id));
        for step in path.windows(2) {
            assert!(found.graph.out_edges(step[0]).any(|(target, _)| target == step[1]));
        }
    }
}

#[test]
fn a_search_without_edges_differs_in_nothing_else() {
    let space = random(5, 1000, 2);
    let [with, without] = [true, false].map(|store_edges| {
        run(
            &space,
            ExploreOptions { store_edges, ..ExploreOptions::default() },
            &SearchLimits::NONE,
        )
    });
    assert_eq!((with.states, with.transitions), (without.states, without.transitions));
    assert_eq!(with.graph.levels(), without.graph.levels());
    assert!((0..with.states).all(|id| with.graph.state(id) == without.graph.state(id)));
    assert!((0..with.states).all(|id| with.graph.parent(id) == without.graph.parent(id)));
    assert!(without.bytes < with.bytes);
}

#[test]
fn a_space_may_have_no_start() {
    let space = TableSpace { words: 1, starts: vec![], successors: BTreeMap::new(), refused: None };
    let found = run(&space, ExploreOptions::default(), &SearchLimits::NONE);
    assert_eq!((found.stopped, found.states, found.depth), (None, 0, 0));
}

#[test]
fn a_panic_of_a_worker_reaches_the_caller() {
    let mut space = random(23, 500, 1);
    // The table lacks a state, so that looking it up panics.
    let lost = ExpectedSearch::search(&space).states[200].clone();
    space.successors.remove(&lost);
    for threads in [1, 2] {
        let options = ExploreOptions { threads, ..ExploreOptions::default() };
        let result = catch_unwind(AssertUnwindSafe(|| run(&space, options, &SearchLimits::NONE)));
        assert!(result.is_err());
    }
}

#[test]
fn it_may_be_called_from_a_thread_of_another_pool() {
    let space = random(29, 500, 1);
    let plain = ExpectedSearch::search(&space);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for threads in [1, 2] {
        let options = ExploreOptions { threads, ..ExploreOptions::default() };
        pool.broadcast(|_| plain.assert_is(&run(&space, options, &SearchLimits::NONE)));
    }
}

/// A square of counters that only count up.
struct Square(u64);

impl Space for Square {
    type Worker = ();

    fn words(&self) -> usize {
        2
    }

    fn worker(&self) {}

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![vec![0, 0]]
    }

    fn expand(&self, (): &mut (), _id: u64, state: &[u64], successors: &mut Successors<'_>) {
        let [right, up] = [state[0] + 1, state[1] + 1];
        if right < self.0 {
            successors.push(&[right, state[1]], Label::FREE);
        }
        if up < self.0 {
            successors.push_changed(state, &[0, state[1] ^ up], Label::FREE);
        }
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

#[test]
fn a_space_larger_than_every_block_is_explored_to_its_last_corner() {
    let side = 700;
    let options = ExploreOptions { threads: 2, ..ExploreOptions::default() };
    let mut found = explore(&Square(side), &options, &SearchLimits::NONE, &|_| ());
    assert_eq!(found.stopped, None);
    assert_eq!(u64::from(found.states), side * side);
    assert_eq!(found.transitions, 2 * side * (side - 1));
    assert_eq!(u64::from(found.depth), 2 * (side - 1));
    let corner = found.graph.find(&[side - 1, side - 1]);
    assert_eq!(corner, Some(found.states - 1));
    assert_eq!(found.graph.find(&[side, 0]), None);
    found.graph.forget_index();
    let path = found.graph.path_to(found.states - 1);
    let sum = |id: u32| found.graph.state(id).iter().sum::<u64>();
    assert!(path.into_iter().map(sum).eq(0..=2 * (side - 1)));
}

#[test]
fn progress_never_goes_back() {
    let seen = Mutex::new(Vec::<SearchProgress>::new());
    let options = ExploreOptions { batch: 100, ..ExploreOptions::default() };
    let note = |now| seen.lock().unwrap().push(now);
    let found = explore(&Square(50), &options, &SearchLimits::NONE, &note);
    let seen = seen.into_inner().unwrap();
    assert!(seen.is_sorted_by_key(|now| (now.states, now.transitions, now.depth)));
    let last = seen.last().unwrap();
    assert_eq!((last.states, last.transitions, last.frontier), (2500, found.transitions, 0));
    assert!(seen.iter().all(|now| now.bytes <= found.bytes));
}
