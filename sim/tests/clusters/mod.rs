//! Several processes search one world: they answer as one does.
//! `cargo run --release -p deathwatch-sim --example cluster -- 5000` compares all shipped worlds of
//! up to 5,000 states.

mod compare;

use std::{
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::channel,
    },
    thread,
    time::Duration,
};

use deathwatch_claims::check::{Exchange, PeerLost, SearchSettings, Stop};
use deathwatch_cluster::Cluster;
use deathwatch_scenario::replay;

use self::compare::{ClusterTally, asking_everything, compare, connected, judge_by};
use crate::common::worlds::small_worlds;

/// One of this many worlds is compared here.
const STEP: usize = 16;
/// The greatest number of states of a world that is compared here.
const FEW: u64 = 300;

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

/// A process that gets one message otherwise than it was sent, in this round.
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

#[test]
fn a_process_that_cannot_read_a_message_leaves_all_undecided() {
    let is_it = |name: &str| name.ends_with("the-only-manager-fails");
    let scenario = small_worlds().into_iter().find(|it| is_it(&it.name)).expect("it is shipped");
    let scenario = asking_everything(scenario);
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
