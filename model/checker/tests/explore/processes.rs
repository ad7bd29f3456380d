//! Checkpoints of several processes: those that were killed go on together, and find the same.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicUsize, Ordering},
    },
};

use crate::{
    distributed::{FIRSTS, states},
    exchange::{Damage, in_processes, intact},
    tables::{TableSpace, random},
};
use deathwatch_checker::{
    Stop,
    explore::{
        Checkpoint, CheckpointError, CheckpointOptions, Exchange, ExploreOptions, PeerLost,
        SearchLimits, explore_distributed, open_together,
    },
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

const PROCESSES: usize = 3;

/// A folder with the checkpoints of all processes, and how often one could not be written.
struct ClusterFolder(TempDir, Arc<AtomicU32>);

impl ClusterFolder {
    fn new() -> Self {
        Self(TempDir::new().unwrap(), Arc::default())
    }

    fn path(&self, process: usize, extension: &str) -> PathBuf {
        self.0.path().join(format!("{process}.{extension}"))
    }

    fn open(&self, exchange: &dyn Exchange) -> Result<Checkpoint, CheckpointError> {
        let failures = self.1.clone();
        let options = CheckpointOptions {
            path: self.path(exchange.process(), "checkpoint"),
            question: format!("{} of {}\n", exchange.process(), exchange.processes()),
            resume: true,
            interval: |_| 1,
            failed: Box::new(move |_| _ = failures.fetch_add(1, Ordering::Relaxed)),
        };
        open_together(options, exchange)
    }

    /// The states, counts, findings and memory that processes find from their checkpoints on, whose
    /// states are numbered from `first` on.
    fn go_on(
        &self,
        space: &TableSpace,
        first: u64,
        damage: &Damage<'_>,
    ) -> Vec<Result<(impl Comparable + use<>, u64), Stop>> {
        in_processes(PROCESSES, damage, |exchange| {
            let checkpoint = self.open(exchange).map_err(|error| {
                assert!(matches!(error, CheckpointError::PeerLost), "{error:?}");
                Stop::Peer
            })?;
            let options = ExploreOptions { first, ..ExploreOptions::default() };
            let (none, at) = (SearchLimits::NONE, Some(&checkpoint));
            let found = explore_distributed(space, exchange, &options, &none, at, &|_| ());
            assert!(checkpoint.take_error().is_none());
            found.stopped.map_or(Ok(()), Err)?;
            let graph = found.part.of_graph(found.states)?;
            let graph = graph.gather(exchange, &SearchLimits::NONE)?;
            let counts = (found.states, found.transitions, found.depth);
            let expanded: Vec<u64> = found.findings.iter().map(|number| number - first).collect();
            Ok(((states(&graph), counts, expanded), found.bytes))
        })
    }

    /// Why each process refuses to go on.
    fn refused(&self, space: &TableSpace, max_bytes: [Option<u64>; 3]) -> Vec<CheckpointError> {
        in_processes(PROCESSES, &intact, |exchange| {
            let checkpoint = match self.open(exchange) {
                Ok(checkpoint) => checkpoint,
                Err(error) => return error,
            };
            let max_bytes = max_bytes[exchange.process()];
            let limits = SearchLimits { max_bytes, ..SearchLimits::NONE };
            let (options, at) = (ExploreOptions::default(), Some(&checkpoint));
            let found = explore_distributed(space, exchange, &options, &limits, at, &|_| ());
            assert_eq!(found.stopped, Some(Stop::Interrupted));
            checkpoint.take_error().unwrap()
        })
    }
}

trait Comparable: PartialEq + std::fmt::Debug {}
impl<T: PartialEq + std::fmt::Debug> Comparable for T {}

/// Loses all processes in this round.
fn lost(round: usize) -> impl Fn(usize, &mut Vec<Vec<Vec<u8>>>) -> Result<(), PeerLost> {
    move |now, _| if now >= round { Err(PeerLost) } else { Ok(()) }
}

#[test]
fn processes_that_are_lost_in_any_round_go_on_and_find_the_same() {
    for ((seed, size, words), first) in [(1, 300, 1), (2, 2000, 9)].into_iter().zip(&FIRSTS[1..]) {
        let (space, first) = (random(seed, size, words), *first);
        let rounds = AtomicUsize::new(0);
        let whole = ClusterFolder::new().go_on(&space, first, &|now, _| {
            rounds.fetch_max(now + 1, Ordering::Relaxed);
            Ok(())
        });
        for (whole, small) in whole.iter().zip(ClusterFolder::new().go_on(&space, 0, &intact)) {
            assert!(whole.as_ref().unwrap().0 == small.unwrap().0);
        }
        for round in 0..rounds.into_inner() {
            let folder = ClusterFolder::new();
            let found = folder.go_on(&space, first, &lost(round));
            assert!(found.iter().all(|it| *it == Err(Stop::Peer)));
            // A process may have been killed before its head took its name, or just before that.
            let (newest, before) = (folder.path(1, "checkpoint"), folder.path(1, "before"));
            match round % 3 {
                0 if before.exists() => fs::remove_file(newest).unwrap(),
                1 if before.exists() => fs::rename(before, newest).unwrap(),
                _ => {}
            }
            assert!(folder.go_on(&space, first, &intact) == whole, "round {round}");
        }
    }
}

#[test]
fn processes_that_are_lost_again_and_again_find_the_same() {
    let (space, mut dice) = (random(5, 20_000, 2), ChaCha8Rng::seed_from_u64(1));
    let (folder, mut times) = (ClusterFolder::new(), 0);
    let whole = ClusterFolder::new().go_on(&space, 0, &intact);
    let found = loop {
        let found = folder.go_on(&space, 0, &lost(dice.random_range(1..40)));
        if found[0].is_ok() {
            break found;
        }
        times += 1;
    };
    assert!(times > 4, "{times} times");
    assert!(found == whole);
    // A finished search is there, too.
    assert!(folder.go_on(&space, 0, &intact) == whole);
}

#[test]
fn if_one_process_cannot_go_on_none_does_and_each_says_why() {
    let space = random(5, 3000, 2);
    let folder = ClusterFolder::new();
    folder.go_on(&space, 0, &lost(60));
    let [head, states] = ["checkpoint", "states"].map(|it| fs::read(folder.path(1, it)).unwrap());
    let are_refused = |is_why: fn(&CheckpointError) -> bool, max_bytes| {
        let errors = folder.refused(&space, max_bytes);
        assert!(is_why(&errors[1]), "{errors:?}");
        for other in [0, 2] {
            assert!(matches!(errors[other], CheckpointError::Process(1)), "{errors:?}");
        }
    };
    let (none, is_damaged) = ([None; 3], |it: &_| matches!(it, CheckpointError::Damaged));
    fs::write(folder.path(1, "checkpoint"), &head[..head.len() - 1]).unwrap();
    are_refused(is_damaged, none);
    fs::write(folder.path(1, "checkpoint"), &head).unwrap();
    fs::write(folder.path(1, "states"), &states[..states.len() / 2]).unwrap();
    are_refused(is_damaged, none);
    fs::write(folder.path(1, "states"), &states).unwrap();
    are_refused(|it| matches!(it, CheckpointError::Limits { .. }), [None, Some(1000), None]);
    // Of another process.
    fs::copy(folder.path(0, "checkpoint"), folder.path(1, "checkpoint")).unwrap();
    are_refused(|it| matches!(it, CheckpointError::Question(line) if line == "0 of 3"), none);
    fs::write(folder.path(1, "checkpoint"), &head).unwrap();
    let whole = folder.go_on(&space, 0, &intact);
    assert!(whole.iter().all(Result::is_ok));
    for extension in ["checkpoint", "before", "states"] {
        fs::remove_file(folder.path(1, extension)).unwrap();
    }
    are_refused(|it| matches!(it, CheckpointError::Process(1)), none);
    // Process 0 has none once all is answered.
    for extension in ["checkpoint", "before", "states"] {
        fs::remove_file(folder.path(0, extension)).unwrap();
    }
    assert!(folder.go_on(&space, 0, &intact) == whole);
}

#[test]
fn a_checkpoint_that_one_process_cannot_write_counts_for_none() {
    let space = random(5, 3000, 2);
    let whole = ClusterFolder::new().go_on(&space, 0, &intact);
    for begun in [0, 60] {
        let folder = ClusterFolder::new();
        folder.go_on(&space, 0, &lost(begun));
        let is_there = folder.path(2, "checkpoint").exists();
        // A folder is in the way of the new head.
        fs::create_dir(folder.path(2, "new")).unwrap();
        assert!(folder.go_on(&space, 0, &intact) == whole);
        assert_eq!(folder.1.load(Ordering::Relaxed), 1, "it is told once");
        fs::remove_dir(folder.path(2, "new")).unwrap();
        assert_eq!(
            folder.path(2, "checkpoint").exists() || folder.path(2, "before").exists(),
            is_there
        );
        assert!(folder.go_on(&space, 0, &intact) == whole);
    }
}
