//! Checks two-phase commit: that no participant commits while another aborts, and that each decides
//! once the manager has, if everybody who can move does so in the end.
//!
//! `cargo run --release -p deathwatch-checker --example two_phase_commit -- 8` has 1,745,408
//! states. A second number says how many threads work.

mod protocol;

#[expect(clippy::disallowed_types, reason = "how long it takes is what the example shows")]
use std::time::Instant;
use std::{env, process::ExitCode};

use deathwatch_checker::{
    MemoryBudget, Stop,
    explore::{ExploreOptions, SearchLimits, explore},
    fair::{LeadsOptions, Masks, leads},
    graph::Fairness,
};
use protocol::{CommitState, MOST_PARTICIPANTS, ParticipantPhase, TwoPhaseCommit};

fn main() -> ExitCode {
    let arguments = env::args().skip(1).map(|word| word.parse().ok());
    let arguments: Option<Vec<usize>> = arguments.collect();
    let (participants, threads) = match arguments.as_deref() {
        Some([]) => (8, 1),
        Some([participants]) => (*participants, 1),
        Some([participants, threads]) => (*participants, *threads),
        Some(_) | None => (0, 0),
    };
    if !(1..=MOST_PARTICIPANTS).contains(&participants) || threads == 0 {
        eprintln!("usage: two_phase_commit [PARTICIPANTS, up to {MOST_PARTICIPANTS}] [THREADS]");
        return ExitCode::from(2);
    }
    match check(participants, threads) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            eprintln!("it stopped early: {stop:?}");
            ExitCode::FAILURE
        }
    }
}

fn check(participants: usize, threads: usize) -> Result<(), Stop> {
    let protocol = TwoPhaseCommit::new(participants);
    #[expect(clippy::disallowed_types, reason = "how long it takes is what the example shows")]
    let begun = Instant::now();
    let options = ExploreOptions { threads, ..ExploreOptions::default() };
    let found = explore(&protocol, &options, &SearchLimits::NONE, &|_| ());
    found.stopped.map_or(Ok(()), Err)?;
    let explored = begun.elapsed();
    println!("{} states, {} transitions, depth {}", found.states, found.transitions, found.depth);
    println!("{} bytes a state, with transitions", found.bytes / u64::from(found.states));
    println!("explored in {:.2} s", explored.as_secs_f64());
    match found.findings {
        None => println!("no participant commits while another aborts"),
        Some(state) => {
            let state = u32::try_from(state).expect("one process numbers states with 32 bits");
            println!("inconsistent after {:?}", found.graph.path_to(state));
        }
    }

    // A claim for each participant; the manager is a class of its own.
    let mut memory = MemoryBudget::unlimited();
    let masks = Masks::of(
        &found.graph,
        threads,
        &mut memory,
        &|| None,
        || (),
        |(), state| {
            let state = CommitState(state[0]);
            let decides = |i: &usize| state.has_decided(*i);
            let to = (0..participants).filter(decides).fold(0, |mask, i| mask | 1 << i);
            (if state.manager() == ParticipantPhase::Working { 0 } else { u64::MAX }, to)
        },
    )?;
    let options = LeadsOptions { threads, ..LeadsOptions::default() };
    for (fairness, named) in [(Fairness::Weak, "weakly fair"), (Fairness::None, "free to stop")] {
        let classes = vec![fairness; participants + 1];
        let verdicts =
            leads(&found.graph, &classes, &masks, participants, options, &mut memory, &|| None)?;
        let broken = verdicts.iter().filter(|verdict| verdict.lasso.is_some()).count();
        println!("if all are {named}, {} of {participants} decide", participants - broken);
    }
    println!("{:.2} s in all", begun.elapsed().as_secs_f64());
    Ok(())
}
