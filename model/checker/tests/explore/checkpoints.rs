//! Checkpoints: a search that is stopped again and again finds what one that never stopped finds.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::tables::{ExpectedSearch, TableSpace, packed, random};
use deathwatch_checker::{
    Stop,
    explore::{
        Checkpoint, CheckpointError, CheckpointOptions, ExploreOptions, ExploredSpace, Resumable,
        SearchLimits, SpillFolder, StateGraph, explore, explore_resumable,
    },
};
use tempfile::TempDir;

impl Resumable for TableSpace {
    fn save(&self, workers: &mut dyn Iterator<Item = &mut Vec<u64>>) -> Vec<u8> {
        workers.flatten().flat_map(|id| id.to_le_bytes()).collect()
    }

    fn resume(
        &self,
        worker: &mut Vec<u64>,
        findings: &[u8],
        graph: &StateGraph,
        _: u32,
        _: u32,
    ) -> Result<(), CheckpointError> {
        let is_ours = |id: u32| self.successors.contains_key(&graph.state(id));
        let (ids, []) = findings.as_chunks() else { return Err(CheckpointError::Damaged) };
        worker.extend(ids.iter().map(|id| u64::from_le_bytes(*id)));
        if (0..graph.states()).all(is_ours) { Ok(()) } else { Err(CheckpointError::Space) }
    }
}

/// A folder, and a checkpoint there.
struct CheckpointFolder(TempDir, Arc<AtomicU32>);

impl CheckpointFolder {
    fn new() -> Self {
        Self(TempDir::new().unwrap(), Arc::default())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("search.checkpoint")
    }

    fn states(&self) -> PathBuf {
        self.0.path().join("search.states")
    }

    fn open(&self, question: &str, resume: bool) -> Result<Checkpoint, CheckpointError> {
        let failures = self.1.clone();
        Checkpoint::open(CheckpointOptions {
            path: self.path(),
            question: question.to_owned(),
            resume,
            interval: |_| 1,
            failed: Box::new(move |_| _ = failures.fetch_add(1, Ordering::Relaxed)),
        })
    }

    fn failures(&self) -> u32 {
        self.1.load(Ordering::Relaxed)
    }

    fn files(&self) -> usize {
        fs::read_dir(self.0.path()).unwrap().count()
    }

    /// Goes on from the checkpoint, if there is one, for this number of batches.
    fn go_on(
        &self,
        space: &TableSpace,
        options: ExploreOptions,
        max_bytes: Option<u64>,
        batches: u32,
    ) -> ExploredSpace<Vec<u64>> {
        let checkpoint = self.open("q\n", true).unwrap();
        let done = AtomicU32::new(0);
        let stop = || (done.load(Ordering::Relaxed) >= batches).then_some(Stop::Interrupted);
        let limits = SearchLimits { max_bytes, stop: &stop, ..SearchLimits::NONE };
        let count = |_| _ = done.fetch_add(1, Ordering::Relaxed);
        let found = explore_resumable(space, &options, &limits, &checkpoint, &count);
        if let Some(error) = checkpoint.take_error() {
            panic!("{error:?}");
        }
        found
    }
}

/// Goes on until the search does not end because it was stopped, and says how often it was.
fn in_pieces(
    place: &CheckpointFolder,
    space: &TableSpace,
    options: ExploreOptions,
    max_bytes: Option<u64>,
) -> (ExploredSpace<Vec<u64>>, u32) {
    for stops in 0.. {
        // Neither the number of threads nor that of batches matters.
        let options = ExploreOptions { threads: 1 + stops as usize % 3, ..options };
        let found = place.go_on(space, options, max_bytes, 1 + stops % 2);
        if found.stopped != Some(Stop::Interrupted) {
            return (found, stops);
        }
    }
    unreachable!("it ends")
}

#[test]
fn a_search_that_is_stopped_after_each_batch_finds_the_same() {
    for (seed, words, batch) in [(1, 1, 20), (2, 2, 300), (3, 3, 100), (4, 9, 64)] {
        let space = random(seed, 5000, words);
        let plain = ExpectedSearch::search(&space);
        for store_edges in [true, false] {
            let options = ExploreOptions { batch, store_edges, ..ExploreOptions::default() };
            let whole = explore(&space, &options, &SearchLimits::NONE, &|_| ());
            let place = CheckpointFolder::new();
            let (found, stops) = in_pieces(&place, &space, options, None);
            assert!(stops > 5, "{stops} stops");
            assert_eq!(found.bytes, whole.bytes);
            if store_edges {
                plain.assert_is(&found);
            }
            assert_eq!(found.transitions, whole.transitions);
            assert_eq!(found.graph.levels(), whole.graph.levels());
            let all = 0..whole.states;
            assert!(all.clone().all(|id| found.graph.state(id) == whole.graph.state(id)));
            assert!(all.clone().all(|id| found.graph.parent(id) == whole.graph.parent(id)));
            // The whole search is there, too.
            let again = place.go_on(&space, options, None, 0);
            assert_eq!((again.stopped, again.states), (None, whole.states));
            assert_eq!((again.bytes, again.expanded), (whole.bytes, whole.states));
        }
    }
}

#[test]
fn a_limit_of_memory_stops_it_at_the_same_state() {
    let space = random(13, 20_000, 2);
    let options = ExploreOptions { batch: 500, ..ExploreOptions::default() };
    let whole = explore(&space, &options, &SearchLimits::NONE, &|_| ()).bytes;
    for share in [3, 4, 5, 6, 7] {
        let max_bytes = Some(whole * share / 8);
        let limits = SearchLimits { max_bytes, ..SearchLimits::NONE };
        let one = explore(&space, &options, &limits, &|_| ());
        let place = CheckpointFolder::new();
        let (other, stops) = in_pieces(&place, &space, options, max_bytes);
        assert!(
            stops > 0 && one.stopped == Some(Stop::Memory),
            "{stops} stops, {:?} with {share}",
            one.stopped
        );
        assert_eq!(other.stopped, one.stopped);
        assert_eq!((other.states, other.expanded), (one.states, one.expanded));
        assert_eq!((other.transitions, other.bytes), (one.transitions, one.bytes));
        // With more memory it goes on, and with less it does not begin.
        assert_eq!(place.go_on(&space, options, None, u32::MAX).bytes, whole);
        let checkpoint = place.open("q\n", true).unwrap();
        let limits = SearchLimits { max_bytes: Some(whole - 1), ..SearchLimits::NONE };
        let found = explore_resumable(&space, &options, &limits, &checkpoint, &|_| ());
        assert_eq!((found.stopped, found.states), (Some(Stop::Interrupted), 0));
        assert!(matches!(checkpoint.take_error(), Some(CheckpointError::Limits { .. })));
    }
}

#[test]
fn what_is_given_back_between_two_checkpoints_was_taken_before_the_first() {
    // A word has more values than a dictionary takes, so it is written whole from some state on.
    let space = random(7, 120_000, 1);
    let options = ExploreOptions { batch: 15_000, ..ExploreOptions::default() };
    let whole = explore(&space, &options, &SearchLimits::NONE, &|_| ());
    assert!(whole.states > 1 << 16, "{} states", whole.states);
    let (found, stops) = in_pieces(&CheckpointFolder::new(), &space, options, None);
    assert!(stops > 3, "{stops} stops");
    assert_eq!((found.states, found.bytes), (whole.states, whole.bytes));
}

/// The limits of a search whose edges go to a folder.
fn spilling(folder: &SpillFolder) -> SearchLimits<'_> {
    SearchLimits { spill: Some(folder), ..SearchLimits::NONE }
}

#[test]
fn a_search_with_its_edges_on_disk_finds_the_same() {
    let space = random(7, 50_000, 2);
    let plain = ExpectedSearch::search(&space);
    let folder = TempDir::new().unwrap();
    let disk = SpillFolder::new(folder.path(), |error| panic!("{error}"));
    let in_memory = explore(&space, &ExploreOptions::default(), &SearchLimits::NONE, &|_| ());
    assert_eq!(in_memory.graph.spilled(), 0);
    for (threads, batch) in [(1, 1 << 13), (3, 700)] {
        let options = ExploreOptions { threads, batch, ..ExploreOptions::default() };
        let found = explore(&space, &options, &spilling(&disk), &|_| ());
        plain.assert_is(&found);
        let spilled = found.graph.spilled();
        assert!(spilled > 200_000, "{spilled} bytes");
        let pages = (1 << 20) + (1 << 10);
        let kept = found.graph.bytes() - pages + spilled;
        assert!(kept.abs_diff(in_memory.graph.bytes()) < 100_000, "{kept}");
    }
    // What was written for a search that is killed is written again.
    let (place, options) =
        (CheckpointFolder::new(), ExploreOptions { batch: 5000, ..Default::default() });
    let (begun, whole) = (AtomicU32::new(0), explore(&space, &options, &spilling(&disk), &|_| ()));
    for stops in 0.. {
        let checkpoint = place.open("q\n", true).unwrap();
        begun.store(0, Ordering::Relaxed);
        let stop = || (begun.load(Ordering::Relaxed) > 1).then_some(Stop::Interrupted);
        let limits = SearchLimits { stop: &stop, ..spilling(&disk) };
        let count = |_| _ = begun.fetch_add(1, Ordering::Relaxed);
        let found = explore_resumable(&space, &options, &limits, &checkpoint, &count);
        assert!(checkpoint.take_error().is_none());
        if found.stopped.is_none() {
            plain.assert_is(&found);
            assert_eq!((found.bytes, stops > 3), (whole.bytes, true), "{stops} stops");
            break;
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_search_whose_edges_find_no_room_on_disk_stops() {
    let space = random(7, 50_000, 2);
    let gone = TempDir::new().unwrap();
    let failures = Arc::new(AtomicU32::new(0));
    let disk = SpillFolder::new(&gone.path().join("gone"), {
        let failures = failures.clone();
        move |_| _ = failures.fetch_add(1, Ordering::Relaxed)
    });
    let found = explore(&space, &ExploreOptions::default(), &spilling(&disk), &|_| ());
    assert_eq!((found.stopped, failures.load(Ordering::Relaxed)), (Some(Stop::Spill), 1));
    assert_eq!(found.expanded, 1 << 14, "what was expanded before counts");
    ExpectedSearch::search(&space).assert_begins_with(&found);
}

#[test]
fn another_search_with_the_same_checkpoint_begins_anew() {
    let (first, second) = (random(5, 2000, 2), random(6, 2000, 2));
    let options = ExploreOptions { batch: 100, ..ExploreOptions::default() };
    let place = CheckpointFolder::new();
    let checkpoint = place.open("q\n", true).unwrap();
    assert!(checkpoint.findings().is_none());
    let halt = SearchLimits { max_states: Some(900), ..SearchLimits::NONE };
    for space in [&first, &second] {
        let found = explore_resumable(space, &options, &halt, &checkpoint, &|_| ());
        assert_eq!((found.stopped, found.states), (Some(Stop::States), 900));
    }
    drop(checkpoint);
    assert!(place.open("q\n", true).unwrap().findings().is_some());
    ExpectedSearch::search(&second).assert_is(&place.go_on(&second, options, None, u32::MAX));
    assert_eq!(place.failures(), 0);
}

#[test]
fn only_what_was_written_is_gone_on_from() {
    let space = random(5, 2000, 2);
    let options = ExploreOptions { batch: 100, ..ExploreOptions::default() };
    let place = CheckpointFolder::new();
    place.go_on(&space, options, None, 3);
    let (head, states) = (fs::read(place.path()).unwrap(), fs::read(place.states()).unwrap());
    let refused = |what: &str| {
        let error = place.open("q\n", true).err().unwrap_or_else(|| panic!("{what}"));
        assert!(matches!(error, CheckpointError::Damaged), "{what}: {error:?}");
    };
    for at in (0..head.len()).step_by(7).chain(head.len() - 4..head.len()) {
        let mut other = head.clone();
        other[at] ^= 1 << (at % 8);
        fs::write(place.path(), &other).unwrap();
        match place.open("q\n", true).err() {
            Some(CheckpointError::Damaged) => {}
            Some(CheckpointError::Layout) if at < 24 => {}
            other => panic!("bit of byte {at}: {other:?}"),
        }
        fs::write(place.path(), &head[..at]).unwrap();
        refused("a head that was cut off");
    }
    fs::write(place.path(), &head).unwrap();
    for at in (0..states.len()).step_by(states.len() / 50) {
        let mut other = states.clone();
        other[at] ^= 1 << (at % 8);
        fs::write(place.states(), &other).unwrap();
        refused("another bit");
        fs::write(place.states(), &states[..at]).unwrap();
        refused("states that were cut off");
    }
    // What lies behind the states was never finished.
    fs::write(place.states(), [&states[..], b"more"].concat()).unwrap();
    ExpectedSearch::search(&space).assert_is(&place.go_on(&space, options, None, u32::MAX));
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let space = random(5, 2000, 2);
    let options = ExploreOptions { batch: 100, ..ExploreOptions::default() };
    let place = CheckpointFolder::new();
    place.go_on(&space, options, None, 3);
    let other = place.open("q\nr\n", true);
    assert!(matches!(other.err(), Some(CheckpointError::Question(line)) if line == "q\n"));
    let other = place.open("r\n", true);
    assert!(matches!(other.err(), Some(CheckpointError::Question(line)) if line == "q"));
    let mut lost = random(5, 2000, 2);
    lost.successors.remove(&packed(0, 2));
    let others = [
        (random(5, 2000, 3), options, false),
        (random(5, 2000, 2), ExploreOptions { batch: 99, ..options }, false),
        (random(5, 2000, 2), ExploreOptions { store_edges: false, ..options }, false),
        (lost, options, true),
    ];
    // What is asked alike is searched alike: another size of states or batches is a mistake.
    for (space, options, is_alike) in others {
        let checkpoint = place.open("q\n", true).unwrap();
        let found = explore_resumable(&space, &options, &SearchLimits::NONE, &checkpoint, &|_| ());
        assert_eq!(found.stopped, Some(Stop::Interrupted));
        let error = checkpoint.take_error().expect("it is refused");
        assert_eq!(matches!(error, CheckpointError::Space), is_alike, "{error:?}");
        assert_eq!(matches!(error, CheckpointError::Damaged), !is_alike, "{error:?}");
    }
    let first = place.open("q\n", true).unwrap();
    assert!(matches!(place.open("q\n", true).err(), Some(CheckpointError::InUse)));
    drop(first);
    // One that is not to be gone on from is removed.
    drop(place.open("r\n", false).unwrap());
    assert_eq!(place.files(), 0);
}

#[test]
fn a_search_goes_on_where_nothing_can_be_written() {
    let space = random(5, 2000, 2);
    let plain = ExpectedSearch::search(&space);
    let options = ExploreOptions { batch: 100, ..ExploreOptions::default() };
    let place = CheckpointFolder::new();
    place.go_on(&space, options, None, 3);
    let head = fs::read(place.path()).unwrap();
    // A folder is in the way of the new head.
    let new = Path::new(&place.path()).with_extension("new");
    fs::create_dir(&new).unwrap();
    plain.assert_is(&place.go_on(&space, options, None, u32::MAX));
    assert_eq!(place.failures(), 1, "it is told once");
    assert_eq!(fs::read(place.path()).unwrap(), head, "the last one is still there");
    plain.assert_is(&place.go_on(&space, options, None, u32::MAX));
    fs::remove_dir(&new).unwrap();
    plain.assert_is(&place.go_on(&space, options, None, u32::MAX));
    assert_eq!(place.failures(), 2);
    place.open("q\n", true).unwrap().remove().unwrap();
    assert_eq!(place.files(), 0);
}
