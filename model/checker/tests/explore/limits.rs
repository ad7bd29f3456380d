//! The limits of a search, and that nothing depends on the number of threads.

use std::sync::{
    Mutex,
    atomic::{AtomicU32, Ordering},
};

use crate::tables::{ExpectedSearch, THREADS, TableSpace, random, run};
use deathwatch_checker::{
    Stop,
    explore::{ExploreOptions, NewStates, Refused, SearchLimits, Space, Successors, explore},
    graph::Label,
};

#[test]
fn the_bound_of_states_is_exact() {
    let space = random(11, 400, 2);
    let plain = ExpectedSearch::search(&space);
    let all = plain.states.len() as u64;
    for max_states in (0..all + 3).step_by(7).chain([1, 2, all - 1, all, all + 1]) {
        for (threads, batch) in [(1, 1), (2, 64), (3, 1000)] {
            let options = ExploreOptions { threads, batch, ..ExploreOptions::default() };
            let found = run(
                &space,
                options,
                &SearchLimits { max_states: Some(max_states), ..SearchLimits::NONE },
            );
            assert_eq!(u64::from(found.states), max_states.min(all));
            let exhausted = found.stopped.is_none();
            assert_eq!(exhausted, max_states >= all, "{max_states} of {all}");
            assert!(exhausted || found.stopped == Some(Stop::States));
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
    let plain = ExpectedSearch::search(&space);
    let whole = run(&space, ExploreOptions::default(), &SearchLimits::NONE);
    let mut stopped = Vec::new();
    let mut max_bytes = 1000;
    while max_bytes < 4 * whole.bytes {
        let limits = SearchLimits { max_bytes: Some(max_bytes), ..SearchLimits::NONE };
        let [one, two, seven] = [1, 2, 7].map(|threads| {
            run(
                &space,
                ExploreOptions { threads, batch: 2000, ..ExploreOptions::default() },
                &limits,
            )
        });
        assert!(one.bytes <= max_bytes, "{} of {max_bytes}", one.bytes);
        plain.assert_begins_with(&one);
        for other in [two, seven] {
            assert_eq!(other.stopped, one.stopped);
            assert_eq!((other.states, other.expanded), (one.states, one.expanded));
            assert_eq!((other.transitions, other.bytes), (one.transitions, one.bytes));
        }
        stopped.push(one.stopped);
        max_bytes += max_bytes / 8;
    }
    let small = stopped.iter().take_while(|stopped| **stopped == Some(Stop::Memory)).count();
    assert!(small > 10, "small bounds stop it");
    assert!(stopped[small..].iter().all(Option::is_none) && small < stopped.len());
}

#[test]
fn it_stops_when_it_is_told() {
    let space = random(17, 3000, 1);
    let plain = ExpectedSearch::search(&space);
    for threads in THREADS {
        for calls in [0, 1, 2, 5, 10, 30] {
            let left = AtomicU32::new(calls);
            let stop = || {
                let left =
                    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
                left.is_err().then_some(Stop::Time)
            };
            let limits = SearchLimits { stop: &stop, ..SearchLimits::NONE };
            let found = run(
                &space,
                ExploreOptions { threads, batch: 500, ..ExploreOptions::default() },
                &limits,
            );
            assert_eq!(found.stopped, Some(Stop::Time));
            plain.assert_begins_with(&found);
        }
    }
}

/// A state with successors without end, and a few others before it.
struct EndlessSpace;

impl Space for EndlessSpace {
    type Worker = ();

    fn words(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn starts(&self) -> Vec<Vec<u64>> {
        vec![vec![0]]
    }

    fn expand(&self, (): &mut (), id: u64, state: &[u64], successors: &mut Successors<'_>) {
        successors.push(&[state[0] + 1], Label::FREE);
        let mut next = state[0] + 2;
        while id == 3 && successors.ask().is_ok() {
            successors.push(&[next], Label::FREE);
            next += 1;
        }
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

#[test]
fn it_stops_in_the_middle_of_a_state_when_it_is_told() {
    for threads in THREADS {
        let left = AtomicU32::new(1000);
        let stop = || {
            let left =
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
            left.is_err().then_some(Stop::Time)
        };
        let limits = SearchLimits { stop: &stop, ..SearchLimits::NONE };
        let options = ExploreOptions { threads, batch: 500, ..ExploreOptions::default() };
        let found = explore(&EndlessSpace, &options, &limits, &|_| ());
        assert_eq!((found.stopped, found.expanded), (Some(Stop::Time), 3));
    }
}

#[test]
fn a_refusal_of_the_space_ends_the_search_before_the_batch_that_found_the_refused_state() {
    let mut space = random(19, 2000, 2);
    let plain = ExpectedSearch::search(&space);
    let batch = 100;
    for refused in [5, 300, plain.states.len() - 1] {
        space.refused = Some(plain.states[refused].clone());
        // Batches end where they would without the refusal.
        let (mut expanded, mut states) = (0, plain.starts.len());
        loop {
            let end = states.min(expanded + batch);
            let found = plain.edges[expanded..end].iter().flatten();
            let more = found.map(|(id, _)| *id as usize + 1).max().unwrap_or(0).max(states);
            if refused < more {
                break;
            }
            (expanded, states) = (end, more);
        }
        for threads in THREADS {
            let batch = u32::try_from(batch).unwrap();
            let options = ExploreOptions { threads, batch, ..ExploreOptions::default() };
            let found = run(&space, options, &SearchLimits::NONE);
            assert_eq!(found.stopped, Some(Stop::Space));
            assert_eq!((found.expanded as usize, found.states as usize), (expanded, states));
            plain.assert_begins_with(&found);
        }
    }
}

#[test]
fn a_start_may_be_refused() {
    let mut space = random(19, 20, 1);
    space.refused = Some(space.starts[0].clone());
    let found = run(&space, ExploreOptions::default(), &SearchLimits::NONE);
    assert_eq!((found.stopped, found.states), (Some(Stop::Space), 0));
}

/// A table whose states are packed as numbers, handed out as threads come by.
struct Interned {
    table: TableSpace,
    known: Mutex<StateNumbers>,
}

/// States by number. Numbers that are not final yet are large, and fall.
#[derive(Default)]
struct StateNumbers {
    last: Vec<Vec<u64>>,
    provisional: Vec<Vec<u64>>,
}

const PROVISIONAL: u64 = 1 << 40;

impl StateNumbers {
    fn number(&mut self, state: &[u64]) -> u64 {
        if let Some(number) = self.last.iter().position(|other| other == state) {
            return number as u64;
        }
        let known = self.provisional.iter().position(|other| other == state);
        PROVISIONAL
            - known.unwrap_or_else(|| {
                self.provisional.push(state.to_vec());
                self.provisional.len() - 1
            }) as u64
    }
}

impl Space for Interned {
    type Worker = ();

    fn words(&self) -> usize {
        1
    }

    fn worker(&self) {}

    fn starts(&self) -> Vec<Vec<u64>> {
        let mut known = self.known.lock().unwrap();
        self.table.starts.iter().map(|start| vec![known.number(start)]).collect()
    }

    fn expand(&self, (): &mut (), _: u64, state: &[u64], successors: &mut Successors<'_>) {
        let state = self.known.lock().unwrap().last[usize::try_from(state[0]).unwrap()].clone();
        for (next, label) in &self.table.successors[&state] {
            let number = self.known.lock().unwrap().number(next);
            // Others come by in between.
            std::thread::yield_now();
            successors.push(&[number], *label);
        }
    }

    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        let mut known = self.known.lock().unwrap();
        let provisional = std::mem::take(&mut known.provisional);
        new.for_each(|state| {
            if let Some(number) = PROVISIONAL.checked_sub(state[0])
                && let Some(value) = provisional.get(usize::try_from(number).unwrap())
            {
                if !known.last.contains(value) {
                    known.last.push(value.clone());
                }
                state[0] = known.number(value);
            }
        });
        Ok(())
    }

    fn merge(&self, (): &mut (), (): ()) {}
}

#[test]
fn numbers_that_threads_hand_out_as_they_come_do_not_show() {
    let table = || random(31, 700, 2);
    let plain = ExpectedSearch::search(&table());
    assert!(plain.states.len() > 300, "the random graph hangs together");
    for max_bytes in [None, Some(30_000), Some(20_000), Some(10_000)] {
        let limits = SearchLimits { max_bytes, ..SearchLimits::NONE };
        let found = THREADS.map(|threads| {
            let space = Interned { table: table(), known: Mutex::default() };
            let found = explore(
                &space,
                &ExploreOptions { threads, batch: 200, ..ExploreOptions::default() },
                &limits,
                &|_| (),
            );
            // Each state is a value of its own, so it has the number of its value.
            assert!((0..found.states).all(|id| found.graph.state(id) == [u64::from(id)]));
            for id in 0..found.expanded {
                let edges: Vec<(u32, Label)> = found.graph.out_edges(id).collect();
                assert_eq!(edges, plain.edges[id as usize]);
            }
            (found.stopped, found.states, found.expanded, found.transitions, found.bytes)
        });
        assert_eq!(found[0].0.is_some(), max_bytes.is_some(), "{found:?}");
        assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    }
}
