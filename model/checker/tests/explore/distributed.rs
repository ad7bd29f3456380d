//! Several processes, each in a thread of its own, find what one finds.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{
    exchange::{Damage, in_processes, intact},
    tables::{ExpectedSearch, TableSpace, random},
};
use deathwatch_checker::{
    Stop,
    explore::{
        Distributed, Exchange, ExploreOptions, ExploredPart, KnownPaths, NewStates, PeerLost,
        Refused, SearchLimits, StateGraph, explore, explore_distributed,
    },
    graph::{Graph as _, MOST_STATES},
};

impl Distributed for TableSpace {
    fn unsettled(&self, _: &NewStates<'_>) -> Vec<u32> {
        Vec::new()
    }

    fn settle(
        &self,
        _: &mut Vec<u64>,
        _: &[Vec<u64>],
        _: &mut NewStates<'_>,
    ) -> Result<(), Refused> {
        Ok(())
    }

    fn add_findings(&self, worker: &mut Vec<u64>, findings: &[u8]) -> Result<(), Refused> {
        let (ids, []) = findings.as_chunks() else { return Err(Refused) };
        worker.extend(ids.iter().map(|id| u64::from_le_bytes(*id)));
        // Each state is expanded by one process.
        worker.sort_unstable();
        Ok(())
    }
}

/// Numbers of the first state: 0 as everywhere else; and others, from which on the numbers of
/// states soon have more than 32 bits, or have them at once.
pub(crate) const FIRSTS: [u64; 3] = [0, (1 << 32) - 100, 1 << 33];

pub(crate) fn explored(
    space: &TableSpace,
    first: u64,
    exchange: &dyn Exchange,
    limits: &SearchLimits<'_>,
) -> ExploredPart<Vec<u64>> {
    // The number of threads and that of states in a batch do not matter, nor that they differ.
    let threads = 1 + exchange.process() % 2;
    let options = ExploreOptions { threads, first, ..ExploreOptions::default() };
    explore_distributed(space, exchange, &options, limits, None, &|_| ())
}

pub(crate) fn states(graph: &StateGraph) -> impl PartialEq + std::fmt::Debug + use<> {
    let each = |id| (graph.state(id), graph.parent(id), graph.out_edges(id).collect::<Vec<_>>());
    let all: Vec<_> = (0..graph.states()).map(each).collect();
    (all, graph.levels().to_vec(), graph.starts().to_vec())
}

#[test]
fn any_number_of_processes_finds_what_one_finds() {
    for (seed, size, words) in [(1, 40, 1), (2, 300, 2), (3, 5000, 3), (4, 20_000, 1)] {
        let space = random(seed, size, words);
        let alone = explore(&space, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
        ExpectedSearch::search(&space).assert_is(&alone);
        let all = u64::from(alone.states);
        for (processes, first) in [1, 2, 3, 7].into_iter().flat_map(|it| FIRSTS.map(|of| (it, of)))
        {
            let found = in_processes(processes, &intact, |exchange| {
                let found = explored(&space, first, exchange, &SearchLimits::NONE);
                let graph = found.part.of_graph(found.states).unwrap();
                let graph = graph.gather(exchange, &SearchLimits::NONE).unwrap();
                (found, graph)
            });
            for (found, _) in &found {
                assert_eq!((found.stopped, found.states), (None, all));
                assert_eq!((found.depth, found.transitions), (alone.depth, alone.transitions));
                let expanded = found.findings.iter().copied();
                assert!(expanded.eq(first..first + all), "each is expanded");
            }
            assert_eq!(found.iter().map(|(it, _)| it.part.len()).sum::<u32>(), alone.states);
            assert!(states(&found[0].1) == states(&alone.graph), "{processes} from {first} on");
        }
    }
}

#[test]
fn more_states_than_a_graph_can_have_are_none() {
    let space = random(1, 40, 1);
    in_processes(2, &intact, |exchange| {
        let part = explored(&space, 0, exchange, &SearchLimits::NONE).part;
        let most = u64::from(MOST_STATES);
        assert!(part.of_graph(most).is_ok());
        for states in [most + 1, 1 << 32, (1 << 32) + 40, 1 << 40] {
            assert_eq!(part.of_graph(states).err(), Some(Stop::States));
        }
    });
}

#[test]
fn states_with_the_same_hash_are_told_apart_by_their_owner() {
    let space = random(7, 500, 3);
    let alone = explore(&space, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
    let hashes: [fn(&[u64]) -> u32; 3] =
        [|_| 0, |_| u32::MAX, |it| u32::from(it[0] % 2 == 0) << 31];
    for hash in hashes {
        let found = in_processes(3, &intact, |exchange| {
            let options = ExploreOptions { hash, first: FIRSTS[1], ..ExploreOptions::default() };
            let none = SearchLimits::NONE;
            let found = explore_distributed(&space, exchange, &options, &none, None, &|_| ());
            found.part.of_graph(found.states).unwrap().gather(exchange, &none).unwrap()
        });
        assert!(states(&found[0]) == states(&alone.graph));
    }
}

/// The paths to this state, as they are known after a search by three processes.
fn known_paths(space: &TableSpace, first: u64, wanted: &[u64]) -> Vec<Result<KnownPaths, Stop>> {
    in_processes(3, &intact, |exchange| {
        let found = explored(space, first, exchange, &SearchLimits::NONE);
        let wanted = if exchange.process() == 0 { wanted } else { &[] };
        found.part.paths(exchange, wanted)
    })
}

#[test]
fn paths_are_those_of_one_process() {
    let space = random(3, 3000, 2);
    let graph = explore(&space, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ()).graph;
    let ids = || (0..graph.states()).step_by(97);
    for first in FIRSTS {
        let number = |id: u32| first + u64::from(id);
        let wanted: Vec<u64> = ids().map(number).collect();
        let known = known_paths(&space, first, &wanted).remove(0).unwrap();
        for id in ids() {
            let path: Vec<u64> = graph.path_to(id).into_iter().map(number).collect();
            assert_eq!(known.path_to(number(id)), path);
            assert_eq!(known.state(number(id)), graph.state(id));
        }
    }
}

#[test]
fn a_state_that_no_process_has_ends_the_search_for_its_path() {
    let space = random(3, 300, 2);
    for first in FIRSTS {
        let found = in_processes(3, &intact, |it| explored(&space, first, it, &SearchLimits::NONE));
        let end = first + found[0].states;
        assert!(known_paths(&space, first, &[end - 1]).iter().all(Result::is_ok));
        for none in [first.wrapping_sub(1), end, end + (1 << 32), end ^ 1 << 32, u64::MAX] {
            let known = known_paths(&space, first, &[none]);
            assert!(known.into_iter().all(|it| it.err() == Some(Stop::Peer)), "{none}");
        }
    }
}

#[test]
fn what_stops_one_stops_all_in_the_same_round() {
    let space = random(11, 5000, 2);
    let whole =
        in_processes(3, &intact, |exchange| explored(&space, 0, exchange, &SearchLimits::NONE));
    let stopped = |limits: &(dyn Fn(usize) -> SearchLimits<'static> + Sync)| {
        let found = in_processes(3, &intact, |exchange| {
            explored(&space, 0, exchange, &limits(exchange.process()))
        });
        let first = (found[0].stopped, found[0].states, found[0].findings.clone());
        for it in &found {
            assert_eq!((it.stopped, it.states, it.findings.clone()), first);
        }
        let kept = found.iter().map(|it| u64::from(it.part.len())).sum::<u64>();
        assert!(kept >= found[0].states);
        found[0].stopped
    };
    for bad in 0..3 {
        for share in 1..40 {
            let max_bytes = whole[0].bytes / 40 * share;
            let of = |me| (me == bad).then_some(max_bytes);
            let limits = |me| SearchLimits { max_bytes: of(me), ..SearchLimits::NONE };
            let stop = stopped(&limits);
            assert!(
                stop == Some(Stop::Memory) || share > 20 && stop.is_none(),
                "{share}: {stop:?}"
            );
        }
        let limits = |me: usize| {
            let stop: &(dyn Fn() -> Option<Stop> + Sync) =
                if me == bad { &|| Some(Stop::Time) } else { &|| None };
            SearchLimits { stop, ..SearchLimits::NONE }
        };
        assert_eq!(stopped(&limits), Some(Stop::Time));
    }
    for max_states in [1, 63, 64, 700, whole[0].states - 1] {
        let limits = |_| SearchLimits { max_states: Some(max_states), ..SearchLimits::NONE };
        assert_eq!(stopped(&limits), Some(Stop::States));
    }
    let max_states = Some(whole[0].states);
    assert_eq!(stopped(&|_| SearchLimits { max_states, ..SearchLimits::NONE }), None);
}

#[test]
fn a_process_that_is_lost_ends_the_search_of_all() {
    let space = random(13, 3000, 2);
    for round in 0..60 {
        let lost: &Damage<'_> = &|now, _| if now >= round { Err(PeerLost) } else { Ok(()) };
        let found = in_processes(3, lost, |exchange| {
            explored(&space, 0, exchange, &SearchLimits::NONE).stopped
        });
        assert_eq!(found, [Some(Stop::Peer); 3]);
    }
}

pub(crate) type BlockEdit = fn(&mut Vec<u8>);

/// Changes what a message says, as its sender could have.
pub(crate) fn say_otherwise(message: &mut Vec<u8>, change: BlockEdit) {
    // A reason to stop and a checksum come last.
    message.truncate(message.len() - 4);
    let stop = message.pop();
    change(message);
    message.extend(stop);
    message.extend(crc32fast::hash(message).to_le_bytes());
}

#[test]
fn a_process_that_cannot_read_a_message_ends_the_search_of_all() {
    let (space, first) = (random(13, 700, 2), FIRSTS[1]);
    let rounds = AtomicUsize::new(0);
    let search = |change: BlockEdit, round: usize, to: usize| {
        let damage: &Damage<'_> = &|now, messages| {
            rounds.fetch_max(now + 1, Ordering::Relaxed);
            if now == round {
                change(&mut messages[to][1]);
            }
            Ok(())
        };
        in_processes(3, damage, |exchange| {
            let found = explored(&space, first, exchange, &SearchLimits::NONE);
            found.stopped.map_or(Ok(()), Err)?;
            let last = first + found.states - 1;
            let wanted = [last];
            let known = found.part.paths(exchange, &wanted[exchange.process().min(1)..])?;
            let graph = found.part.of_graph(found.states)?;
            let graph = graph.gather(exchange, &SearchLimits::NONE)?;
            let path = (exchange.process() == 0).then(|| known.path_to(last));
            Ok((found.transitions, path, states(&graph)))
        })
    };
    let changes: [BlockEdit; 5] = [
        |it| it.clear(),
        |it| it[0] ^= 4,
        |it| it.push(1),
        |it| say_otherwise(it, |it| it.push(1)),
        |it| say_otherwise(it, |it| it.truncate(it.len().saturating_sub(3))),
    ];
    let whole = search(|_| (), 0, 0);
    let all = rounds.load(Ordering::Relaxed);
    let mut noticed = [0; 5];
    for (round, to) in (0..all).flat_map(|round| [(round, 0), (round, 2)]) {
        for (change, noticed) in changes.iter().zip(&mut noticed) {
            let found = search(*change, round, to);
            for (found, whole) in found.iter().zip(&whole) {
                assert!(found == whole || *found == Err(Stop::Peer), "round {round}, to {to}");
            }
            *noticed += usize::from(found[0] == Err(Stop::Peer));
        }
    }
    // What others are told in the last round does not matter any more.
    assert!(noticed[..3].iter().all(|it| *it >= 2 * all - 1), "{noticed:?} of {all} rounds");
    // Some messages say nothing, and some are for process 0 alone.
    assert!(noticed[3..].iter().all(|it| *it > all / 3), "{noticed:?} of {all} rounds");
}
