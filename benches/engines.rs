//! Our engine against stateright's, each alone: two-phase commit, for which both take the same
//! successors of the same one-word states, so that next to nothing but the engines is measured.
//!
//! Every measurement is a process of its own, as peak memory belongs to a process. Ratios are taken
//! between measurements of one round, and the median round counts. `cargo bench --bench engines`
//! has 8 participants; `cargo bench --bench engines -- PARTICIPANTS` has another number.

mod measured;
#[path = "../model/checker/examples/two_phase_commit/protocol.rs"]
mod protocol;

use std::{env, process::ExitCode, time::Instant};

use deathwatch_checker::explore::{ExploreOptions, SearchLimits, explore};
use measured::{median, peak_bytes};
use protocol::{CommitState, MOST_PARTICIPANTS, TwoPhaseCommit};
use stateright::{Checker, Model, Property};

/// The number of rounds: odd, so that there is a median.
const ROUNDS: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum EngineWorkload {
    /// stateright's breadth-first checker.
    Stateright,
    /// Ours, without edges, as stateright keeps none.
    Own,
    OwnWithEdges,
}

impl EngineWorkload {
    const ALL: [Self; 3] = [Self::Stateright, Self::Own, Self::OwnWithEdges];

    fn name(self) -> &'static str {
        match self {
            EngineWorkload::Stateright => "stateright",
            EngineWorkload::Own => "own",
            EngineWorkload::OwnWithEdges => "own-with-edges",
        }
    }
}

/// An action is the state that it leads to, so that taking it costs nothing.
impl Model for TwoPhaseCommit {
    type State = CommitState;
    type Action = CommitState;

    fn init_states(&self) -> Vec<CommitState> {
        vec![CommitState(0)]
    }

    fn actions(&self, state: &CommitState, actions: &mut Vec<CommitState>) {
        self.successors(*state, |next, _| actions.push(next));
    }

    fn next_state(&self, _: &CommitState, next: CommitState) -> Option<CommitState> {
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("consistent", |model, state| model.is_consistent(*state))]
    }
}

#[derive(Clone, Copy)]
struct EngineMeasurement {
    seconds: f64,
    states: f64,
    peak_bytes: f64,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let number = |word: &String| word.parse::<usize>().ok().filter(|it| *it <= MOST_PARTICIPANTS);
    match arguments.as_slice() {
        [child, subject, threads, participants] if child == "measure" => {
            let named = EngineWorkload::ALL.into_iter().find(|it| it.name() == subject);
            let subject = named.expect("the parent knows the names");
            let numbers = [threads, participants].map(|word| word.parse().expect("a number"));
            measure(subject, numbers[0], numbers[1]);
            ExitCode::SUCCESS
        }
        [] => compare(8),
        [participants] if number(participants).is_some_and(|it| it > 0) => {
            compare(number(participants).expect("it was one before"))
        }
        _ => {
            eprintln!("usage: cargo bench --bench engines [-- PARTICIPANTS]");
            ExitCode::from(2)
        }
    }
}

/// Measures in this process, and prints the figures for the parent.
fn measure(subject: EngineWorkload, threads: usize, participants: usize) {
    let protocol = TwoPhaseCommit::new(participants);
    let begun = Instant::now();
    let states = match subject {
        EngineWorkload::Stateright => {
            let checker = protocol.checker().threads(threads).spawn_bfs().join();
            checker.assert_properties();
            checker.unique_state_count() as u64
        }
        EngineWorkload::Own | EngineWorkload::OwnWithEdges => {
            let store_edges = subject == EngineWorkload::OwnWithEdges;
            let options = ExploreOptions { threads, store_edges, ..ExploreOptions::default() };
            let found = explore(&protocol, &options, &SearchLimits::NONE, &|_| ());
            assert_eq!((found.stopped, found.findings), (None, None));
            found.states.into()
        }
    };
    println!("{} {states} {}", begun.elapsed().as_secs_f64(), peak_bytes());
}

fn in_a_process(subject: EngineWorkload, threads: usize, participants: usize) -> EngineMeasurement {
    let arguments = ["measure", subject.name(), &threads.to_string(), &participants.to_string()];
    let figures = measured::child(&arguments);
    let [seconds, states, peak_bytes] = figures[..] else {
        panic!("{} printed {figures:?}", subject.name());
    };
    EngineMeasurement { seconds, states, peak_bytes }
}

fn compare(participants: usize) -> ExitCode {
    println!("two-phase commit, {participants} participants, median of {ROUNDS} rounds");
    let subjects: Vec<(EngineWorkload, usize)> = [1, 2]
        .into_iter()
        .flat_map(|threads| EngineWorkload::ALL.map(|it| (it, threads)))
        .collect();
    let round = |_| -> Vec<EngineMeasurement> {
        let figure = |(subject, threads): &(EngineWorkload, usize)| {
            in_a_process(*subject, *threads, participants)
        };
        subjects.iter().map(figure).collect()
    };
    let rounds: Vec<Vec<EngineMeasurement>> = (0..ROUNDS).map(round).collect();
    let of = |pick: &dyn Fn(&[EngineMeasurement]) -> f64| {
        median(rounds.iter().map(|r| pick(r)).collect())
    };
    let states = rounds[0][0].states;
    if rounds.iter().flatten().any(|figure| figure.states.to_bits() != states.to_bits()) {
        eprintln!("the engines do not count the same states");
        return ExitCode::FAILURE;
    }
    println!("{states:.0} states");
    println!("{:<16} {:>7} {:>12} {:>12}", "", "threads", "states/s", "bytes/state");
    for (index, (subject, threads)) in subjects.iter().enumerate() {
        let rate = of(&|round| round[index].states / round[index].seconds);
        let bytes = of(&|round| round[index].peak_bytes) / states;
        println!("{:<16} {threads:>7} {rate:>12.0} {bytes:>12.1}", subject.name());
    }
    let time = |a: usize, b: usize| {
        of(&move |round: &[EngineMeasurement]| round[a].seconds / round[b].seconds)
    };
    let memory = |a: usize, b: usize| {
        of(&move |round: &[EngineMeasurement]| round[a].peak_bytes / round[b].peak_bytes)
    };
    println!("stateright's time / ours, 1 thread:        {:.2}", time(0, 1));
    println!("stateright's time / ours, 2 threads:       {:.2}", time(3, 4));
    println!("our peak memory / stateright's, 1 thread:  {:.2}", memory(1, 0));
    println!("our time with 1 thread / with 2:           {:.2}", time(1, 4));
    ExitCode::SUCCESS
}
