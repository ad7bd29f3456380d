//! The explorer against a search that is too simple to be wrong, and against its limits.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use deathwatch_checker::explore::{
    Ended, Explored, Limits, Options, Progress, Space, Stop, Successors, explore,
};
use deathwatch_checker::graph::{Graph, Label};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const THREADS: [usize; 4] = [1, 2, 3, 7];
const BATCHES: [u32; 4] = [1, 17, 1000, 1 << 15];

/// A space given as a table. A worker notes which states it was shown.
struct Table {
    words: usize,
    starts: Vec<Vec<u64>>,
    successors: BTreeMap<Vec<u64>, Vec<(Vec<u64>, Label)>>,
    /// Refuses to go on at this state.
    refused: Option<Vec<u64>>,
}

impl Space for Table {
    type Worker = Vec<u32>;

    fn words(&self) -> usize {
        self.words
    }

    fn worker(&self) -> Vec<u32> {
        Vec::new()
    }

    fn starts(&self) -> Vec<Vec<u64>> {
        self.starts.clone()
    }

    fn expand(
        &self,
        seen: &mut Vec<u32>,
        id: u32,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), String> {
        seen.push(id);
        let next = &self.successors[state];
        // A refusal must not depend on how far the list had come.
        let refused = self.refused.as_deref() == Some(state);
        for (target, label) in &next[..if refused { next.len() / 2 } else { next.len() }] {
            successors.push(target, *label);
        }
        if refused { Err("this is enough".into()) } else { Ok(()) }
    }

    fn merge(&self, into: &mut Vec<u32>, from: Vec<u32>) {
        into.extend(from);
    }
}

/// A packed state that shares all its words but one with others.
fn packed(node: u64, words: usize) -> Vec<u64> {
    let mut state = vec![u64::MAX; words];
    state[usize::try_from(node).unwrap() % words] = node;
    state
}

fn random(seed: u64, nodes: u64, words: usize) -> Table {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let most = dice.random_range(2..6);
    let starts = (0..dice.random_range(1..4)).map(|node| packed(node % 2, words)).collect();
    let mut successors = BTreeMap::new();
    for node in 0..nodes {
        let mut edges = Vec::new();
        // A few states, and all starts, have more successors than are looked up at once.
        let degree =
            if node < 2 || dice.random_ratio(1, 50) { 100 } else { dice.random_range(0..=most) };
        for _ in 0..degree {
            let label = match dice.random_range(0..6) {
                0 => Label::FAULT,
                1 => Label::FREE,
                2 => Label::class(dice.random_range(0..2000)),
                class => Label::class(class),
            };
            edges.push((packed(dice.random_range(0..nodes), words), label));
        }
        successors.insert(packed(node, words), edges);
    }
    Table { words, starts, successors, refused: None }
}

/// What a search should find.
#[derive(Default)]
struct Plain {
    states: Vec<Vec<u64>>,
    numbers: BTreeMap<Vec<u64>, u32>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    edges: Vec<Vec<(u32, Label)>>,
    starts: Vec<u32>,
}

impl Plain {
    fn search(space: &Table) -> Self {
        let mut plain = Self::default();
        for start in &space.starts {
            let id = plain.number(start, None);
            if !plain.starts.contains(&id) {
                plain.starts.push(id);
            }
        }
        while plain.edges.len() < plain.states.len() {
            let id = plain.edges.len();
            let mut edges = Vec::new();
            for (target, label) in &space.successors[&plain.states[id]] {
                edges.push((plain.number(target, Some(id)), *label));
            }
            plain.edges.push(edges);
        }
        plain
    }

    fn number(&mut self, state: &[u64], from: Option<usize>) -> u32 {
        if let Some(id) = self.numbers.get(state) {
            return *id;
        }
        let id = u32::try_from(self.states.len()).unwrap();
        self.states.push(state.to_vec());
        self.numbers.insert(state.to_vec(), id);
        self.parents.push(from.map_or(id, |from| u32::try_from(from).unwrap()));
        self.depths.push(from.map_or(0, |from| self.depths[from] + 1));
        id
    }

    /// Asserts that `found` is this, as far as it goes.
    fn assert_begins_with<W>(&self, found: &Explored<W>) {
        let graph = &found.graph;
        assert_eq!((graph.states(), graph.len()), (found.states, found.states));
        assert!(found.expanded <= found.states);
        for id in 0..found.states {
            let at = id as usize;
            assert_eq!(graph.state(id), self.states[at], "state {id}");
            assert_eq!(graph.parent(id), self.parents[at], "parent of {id}");
            assert_eq!(graph.depth_of(id), self.depths[at], "depth of {id}");
            assert_eq!(graph.find(&self.states[at]), Some(id), "number of state {id}");
        }
        assert!(
            self.states[found.states as usize..].iter().all(|state| graph.find(state).is_none())
        );
        for id in 0..found.expanded {
            assert!(graph.out_edges(id).eq(self.edges[id as usize].iter().copied()), "edges {id}");
        }
        assert!((found.expanded..found.states).all(|id| graph.edges(id).next().is_none()));
        let edges = &self.edges[..found.expanded as usize];
        assert_eq!(found.transitions, edges.iter().map(|out| out.len() as u64).sum::<u64>());
        let depth = found.states.checked_sub(1).map_or(0, |last| self.depths[last as usize]);
        assert_eq!((found.depth, graph.depth()), (depth, depth));
    }

    /// Asserts that `found` is this, all of it.
    fn assert_is(&self, found: &Explored<Vec<u32>>) {
        assert_eq!(found.ended, Ended::Exhausted);
        assert_eq!(found.states as usize, self.states.len());
        assert_eq!(found.expanded, found.states);
        self.assert_begins_with(found);
        assert_eq!(found.graph.starts(), self.starts);
        let mut seen = found.findings.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..found.states), "every state is expanded once");
    }
}

fn run(space: &Table, options: Options, limits: &Limits<'_>) -> Explored<Vec<u32>> {
    explore(space, &options, limits, &|_| ())
}

#[test]
fn it_finds_what_a_simple_search_finds_for_any_threads_and_batches() {
    for seed in 0..8 {
        let space = random(seed, 50 + 300 * seed, 1 + usize::try_from(seed).unwrap() % 3);
        let plain = Plain::search(&space);
        for threads in THREADS {
            for batch in BATCHES {
                let options = Options { threads, batch, ..Options::default() };
                plain.assert_is(&run(&space, options, &Limits::NONE));
            }
        }
    }
}

#[test]
fn states_may_be_narrow_or_wide() {
    for words in 1..=9 {
        let space = random(100, 700, words);
        let plain = Plain::search(&space);
        assert!(plain.states.len() > 300, "the random graph hangs together");
        for threads in [1, 2] {
            let options = Options { threads, batch: 128, ..Options::default() };
            plain.assert_is(&run(&space, options, &Limits::NONE));
        }
    }
}

#[test]
fn states_with_the_same_hash_are_told_apart() {
    let hashes: [fn(&[u64]) -> u32; 4] =
        [|_| 0, |_| u32::MAX, |_| 0x1234_5678, |state| u32::from(state[0] % 2 == 0) << 31];
    let space = random(7, 500, 3);
    let plain = Plain::search(&space);
    for hash in hashes {
        for threads in [1, 3] {
            let options = Options { threads, batch: 100, hash, ..Options::default() };
            plain.assert_is(&run(&space, options, &Limits::NONE));
        }
    }
}

#[test]
fn paths_are_shortest_and_follow_edges() {
    let found = run(&random(3, 900, 2), Options::default(), &Limits::NONE);
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
        run(&space, Options { store_edges, ..Options::default() }, &Limits::NONE)
    });
    assert_eq!((with.states, with.transitions), (without.states, without.transitions));
    assert_eq!(with.graph.levels(), without.graph.levels());
    assert!((0..with.states).all(|id| with.graph.state(id) == without.graph.state(id)));
    assert!((0..with.states).all(|id| with.graph.parent(id) == without.graph.parent(id)));
    assert!(without.bytes < with.bytes);
}

#[test]
fn a_space_may_have_no_start() {
    let space = Table { words: 1, starts: vec![], successors: BTreeMap::new(), refused: None };
    let found = run(&space, Options::default(), &Limits::NONE);
    assert_eq!((found.ended, found.states, found.depth), (Ended::Exhausted, 0, 0));
}

#[test]
fn the_bound_of_states_is_exact() {
    let space = random(11, 400, 2);
    let plain = Plain::search(&space);
    let all = plain.states.len() as u64;
    for max_states in (0..all + 3).step_by(7).chain([1, 2, all - 1, all, all + 1]) {
        for (threads, batch) in [(1, 1), (2, 64), (3, 1000)] {
            let options = Options { threads, batch, ..Options::default() };
            let found =
                run(&space, options, &Limits { max_states: Some(max_states), ..Limits::NONE });
            assert_eq!(u64::from(found.states), max_states.min(all));
            let exhausted = found.ended == Ended::Exhausted;
            assert_eq!(exhausted, max_states >= all, "{max_states} of {all}");
            assert!(exhausted || found.ended == Ended::Stopped(Stop::States));
            plain.assert_begins_with(&found);
            // It expanded as far as it could.
            let next = plain.edges.get(found.expanded as usize);
            let beyond =
                |edges: &Vec<(u32, Label)>| edges.iter().any(|(id, _)| *id >= found.states);
            assert!(next.is_none_or(beyond) || found.states == 0);
        }
    }
}

#[test]
fn the_bound_of_memory_is_kept_and_does_not_depend_on_threads() {
    let space = random(13, 20_000, 2);
    let plain = Plain::search(&space);
    let whole = run(&space, Options::default(), &Limits::NONE);
    let mut ended = Vec::new();
    let mut max_bytes = 1000;
    while max_bytes < 4 * whole.bytes {
        let limits = Limits { max_bytes: Some(max_bytes), ..Limits::NONE };
        let [one, two, seven] = [1, 2, 7].map(|threads| {
            run(&space, Options { threads, batch: 2000, ..Options::default() }, &limits)
        });
        assert!(one.bytes <= max_bytes, "{} of {max_bytes}", one.bytes);
        plain.assert_begins_with(&one);
        for other in [two, seven] {
            assert_eq!(other.ended, one.ended);
            assert_eq!((other.states, other.expanded), (one.states, one.expanded));
            assert_eq!((other.transitions, other.bytes), (one.transitions, one.bytes));
        }
        ended.push(one.ended);
        max_bytes += max_bytes / 8;
    }
    let stopped = ended.iter().take_while(|ended| **ended == Ended::Stopped(Stop::Memory)).count();
    assert!(stopped > 10, "small bounds stop it");
    assert!(
        ended[stopped..].iter().all(|ended| *ended == Ended::Exhausted) && stopped < ended.len()
    );
}

#[test]
fn it_stops_when_it_is_told() {
    let space = random(17, 3000, 1);
    let plain = Plain::search(&space);
    for threads in THREADS {
        for calls in [0, 1, 2, 5, 10, 30] {
            let left = AtomicU32::new(calls);
            let stop = || {
                let left =
                    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
                left.is_err().then_some(Stop::Time)
            };
            let limits = Limits { stop: &stop, ..Limits::NONE };
            let found = run(&space, Options { threads, batch: 500, ..Options::default() }, &limits);
            assert_eq!(found.ended, Ended::Stopped(Stop::Time));
            plain.assert_begins_with(&found);
        }
    }
}

#[test]
fn a_refusal_of_the_space_ends_the_search_at_the_first_refused_state() {
    let mut space = random(19, 2000, 2);
    let plain = Plain::search(&space);
    for refused in [0, 1, 5, 300, plain.states.len() - 1] {
        space.refused = Some(plain.states[refused].clone());
        for threads in THREADS {
            let found =
                run(&space, Options { threads, batch: 700, ..Options::default() }, &Limits::NONE);
            assert_eq!(found.ended, Ended::Stopped(Stop::Space("this is enough".into())));
            assert_eq!(found.expanded as usize, refused);
            plain.assert_begins_with(&found);
        }
    }
}

#[test]
fn a_panic_of_a_worker_reaches_the_caller() {
    let mut space = random(23, 500, 1);
    // The table lacks a state, so that looking it up panics.
    let lost = Plain::search(&space).states[200].clone();
    space.successors.remove(&lost);
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let result = catch_unwind(AssertUnwindSafe(|| run(&space, options, &Limits::NONE)));
        assert!(result.is_err());
    }
}

#[test]
fn it_may_be_called_from_a_thread_of_another_pool() {
    let space = random(29, 500, 1);
    let plain = Plain::search(&space);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        pool.broadcast(|_| plain.assert_is(&run(&space, options, &Limits::NONE)));
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

    fn expand(
        &self,
        (): &mut (),
        _id: u32,
        state: &[u64],
        successors: &mut Successors<'_>,
    ) -> Result<(), String> {
        for axis in 0..2 {
            let mut next = [state[0], state[1]];
            next[axis] += 1;
            if next[axis] < self.0 {
                successors.push(&next, Label::FREE);
            }
        }
        Ok(())
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

#[test]
fn a_space_larger_than_every_block_is_explored_to_its_last_corner() {
    let side = 700;
    let options = Options { threads: 2, ..Options::default() };
    let mut found = explore(&Square(side), &options, &Limits::NONE, &|_| ());
    assert_eq!(found.ended, Ended::Exhausted);
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
    let seen = std::cell::RefCell::new(Vec::<Progress>::new());
    let options = Options { batch: 100, ..Options::default() };
    let found = explore(&Square(50), &options, &Limits::NONE, &|now| seen.borrow_mut().push(now));
    let seen = seen.into_inner();
    assert!(seen.is_sorted_by_key(|now| (now.states, now.transitions, now.depth)));
    let last = seen.last().unwrap();
    assert_eq!((last.states, last.transitions, last.frontier), (2500, found.transitions, 0));
    assert!(seen.iter().all(|now| now.bytes <= found.bytes));
}
