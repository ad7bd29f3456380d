//! Several processes that search one world: they answer as one does. `cargo run --release -p
//! deathwatch-sim --example cluster -- 5000` compares all shipped worlds of up to 5,000 states.

pub(crate) mod compare;

use std::{
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

use deathwatch_claims::check::{
    Checkpoint, CheckpointOptions, Exchange, PeerLost, SearchSettings, Stop, Symmetry,
    open_together,
};
use deathwatch_cluster::Cluster;
use deathwatch_scenario::{Replay, Scenario, replay};
use deathwatch_study::verdict::{self, Verdict};
use tempfile::TempDir;

use self::compare::{
    ClusterTally, asking_everything, compare, compare_reduced, connected, in_threads, judge_by,
    options, said,
};
use crate::common::worlds::small_worlds;

/// One world in this number of worlds is compared here.
const STEP: usize = 16;
/// The greatest number of states of a world that is compared here.
const FEW: u64 = 300;
/// The same with symmetry reduction.
const VERY_FEW: u64 = 100;

#[test]
fn several_processes_answer_as_one_does() {
    let (clusters, mut tally) = ([connected(2), connected(4)], ClusterTally::default());
    for scenario in small_worlds().into_iter().step_by(STEP) {
        if scenario.states.is_none_or(|states| states <= FEW) {
            compare(scenario, FEW, &clusters, &mut tally)
                .unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
    println!("{tally:?}");
    assert!(tally.worlds > 20 && tally.runs > 200, "little was compared: {tally:?}");
}

#[test]
fn several_processes_answer_as_one_does_where_a_state_stands_for_several() {
    let (clusters, mut tally) = ([connected(3)], ClusterTally::default());
    for scenario in small_worlds() {
        compare_reduced(scenario, VERY_FEW, &clusters, &mut tally)
            .unwrap_or_else(|difference| panic!("{difference}"));
    }
    println!("{tally:?}");
    assert!(tally.reduced > 10 && tally.refused > 3, "little was compared: {tally:?}");
}

/// A process that gets a damaged message in the round of this number; the third field counts the
/// rounds.
struct DamagedProcess(Cluster, Option<u32>, AtomicU32);

impl Exchange for DamagedProcess {
    fn process(&self) -> usize {
        self.0.process()
    }

    fn processes(&self) -> usize {
        self.0.processes()
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, PeerLost> {
        let mut messages = self.0.exchange(messages)?;
        if self.1 == Some(self.2.fetch_add(1, Ordering::Relaxed)) {
            messages[0][0] ^= 1;
        }
        Ok(messages)
    }

    fn leave(&self) {
        self.0.leave();
    }
}

/// A small world with every question, by the end of its name.
fn world(end: &str) -> Scenario {
    let is_it = |name: &str| name.ends_with(end);
    let scenario = small_worlds().into_iter().find(|it| is_it(&it.name)).expect("it is shipped");
    asking_everything(scenario)
}

/// A world of 2,666 states.
const LARGE: &str = "the-only-manager-fails";
/// A world of 1,344 states in 728 orbits.
const ALIKE: &str = "lifecycle/two-managers";

/// Goes on from the checkpoints in this folder, which are taken after each batch. The first message
/// that each process gets in `round` is damaged. Returns the verdict of the first process, if it
/// has one.
fn go_on(
    scenario: &Scenario,
    replay: &Replay,
    symmetry: Symmetry,
    folder: &TempDir,
    round: u32,
) -> Option<Verdict> {
    let damaged = |it: Cluster| DamagedProcess(it, Some(round), AtomicU32::new(0));
    let members: Vec<DamagedProcess> = connected(3).into_iter().map(damaged).collect();
    let answers = in_threads(&members, |member| {
        let at = CheckpointOptions {
            path: folder.path().join(format!("{}.checkpoint", member.process())),
            question: String::new(),
            resume: true,
            interval: |_| 1,
            failed: Box::new(|error| panic!("{error:?}")),
        };
        let checkpoint = open_together(at, member).ok()?;
        let (none, checkpoint) = (SearchSettings::without_limits(1), Some(&checkpoint));
        let settings = options(SearchSettings { checkpoint, symmetry, ..none });
        let judged = verdict::judge_by_cluster(scenario, replay, &settings, member);
        assert!(checkpoint.and_then(Checkpoint::take_error).is_none());
        judged.expect("the world is small")
    });
    answers.into_iter().next().flatten()
}

#[test]
fn processes_that_are_lost_again_and_again_answer_as_one_does() {
    for (name, symmetry, least) in [(LARGE, Symmetry::Off, 5), (ALIKE, Symmetry::On, 3)] {
        let mut scenario = world(name);
        if symmetry == Symmetry::On {
            scenario.refines = None;
        }
        let replay = replay(&scenario).expect("every step is possible");
        let alone = SearchSettings { symmetry, ..SearchSettings::without_limits(1) };
        let alone = verdict::judge(&scenario, &replay, &options(alone));
        let alone = alone.expect("the world is small");
        let folder = TempDir::new().expect("there is room for a folder");
        let mut losses = 0;
        let answer = loop {
            // There are six rounds from one checkpoint to the next.
            match go_on(&scenario, &replay, symmetry, &folder, 14 + 5 * losses) {
                Some(verdict) if verdict.stopped().is_none() => break verdict,
                _ => losses += 1,
            }
        };
        assert!(losses >= least, "{losses} losses");
        assert_eq!(said(&scenario, &answer), said(&scenario, &alone));
    }
}

#[test]
fn a_process_that_cannot_read_a_message_leaves_all_undecided() {
    let scenario = world(LARGE);
    for round in [0, 7, 100] {
        let scenario = scenario.clone();
        let (sender, ended) = channel();
        thread::spawn(move || {
            let damaged = |it: Cluster| {
                let at = (it.process() == 1).then_some(round);
                DamagedProcess(it, at, AtomicU32::new(0))
            };
            let members: Vec<DamagedProcess> = connected(2).into_iter().map(damaged).collect();
            let replay = replay(&scenario).expect("every step is possible");
            let settings = SearchSettings::without_limits(1);
            let mut found = judge_by(&scenario, &replay, settings, &members);
            sender.send(found.swap_remove(0).expect("the world is small")).expect("it is awaited");
        });
        let verdict = ended.recv_timeout(Duration::from_secs(60)).expect("no process waits");
        let stopped = verdict.expect("process 0 answers").stopped();
        assert_eq!(stopped, Some(Stop::Peer), "round {round}");
    }
}
