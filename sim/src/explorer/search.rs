//! Searches from the state that is looked at: the nearest state in which a condition holds, and a run
//! that violates a claim.
//!
//! A search has bounds, and says when they were too narrow. A later one takes the place of an earlier
//! one, as nobody waits for that any more.

use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use deathwatch_model::{
    check::{self, Answer, Finding, Question, Report, Settings, Stop, Trace},
    claims::Claim,
    state::State,
    world::World,
};

use crate::verdict;

/// The greatest number of states of the first try, and of the last one. What is near is found by the
/// first.
const TRIES: [u64; 3] = [20_000, 300_000, 5_000_000];
/// The greatest amount of memory of a search, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Begins a search: what it returns says whether the time is over.
pub type Clock = Box<dyn Fn() -> Box<dyn Fn() -> Option<Stop> + Sync> + Send + Sync>;

/// The searches of an explorer.
pub(super) struct Searches {
    begun: AtomicUsize,
    clock: Clock,
}

impl fmt::Debug for Searches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searches").field("begun", &self.begun).finish_non_exhaustive()
    }
}

/// What came of a search.
pub(super) struct Searched {
    /// The run that was looked for.
    pub(super) trace: Option<Trace>,
    /// What there is to say of it.
    pub(super) said: String,
}

impl Searches {
    /// Searches, each for as long as `clock` lets it.
    pub(super) fn new(clock: Clock) -> Self {
        Self { begun: AtomicUsize::new(0), clock }
    }

    /// Looks for a run from `state` on that decides the claim: that violates it, or reaches what is to
    /// be reached.
    pub(super) fn look(&self, world: &World, state: &State, claim: &'static Claim) -> Searched {
        let mine = self.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let is_over = (self.clock)();
        let stop = || {
            let is_superseded = self.begun.load(Ordering::Relaxed) != mine;
            is_over().or(is_superseded.then_some(Stop::Interrupted))
        };
        let question = Question {
            world,
            start: state,
            claims: vec![claim],
            witnesses: Vec::new(),
            refines: None,
        };
        let mut searched = None;
        for most in TRIES {
            let settings = Settings {
                threads: thread::available_parallelism().map_or(1, usize::from),
                max_states: Some(most),
                max_bytes: Some(MOST_BYTES),
                stop: &stop,
                progress: &|_| {},
            };
            match check::check(&question, &settings) {
                Ok(report) => searched = Some(report),
                Err(why) => {
                    let said = format!("this cannot be searched: {}", verdict::too_large(&why));
                    return Searched { trace: None, said };
                }
            }
            if !searched.as_ref().is_some_and(is_too_short) {
                break;
            }
        }
        let report = searched.expect("there are tries");
        told(report)
    }
}

/// Whether a search of more states might find what this one has not.
fn is_too_short(report: &Report) -> bool {
    let is_open = |finding: &Finding| finding.trace.is_none();
    report.stopped == Some(Stop::States) && report.findings.iter().all(is_open)
}

fn told(report: Report) -> Searched {
    let (states, stopped) = (report.states, report.stopped);
    let among = format!("{states} state{}", if states == 1 { "" } else { "s" });
    let finding = report.findings.into_iter().next().expect("one claim was asked");
    let said = match (finding.answer, stopped) {
        (Answer::Holds | Answer::Violated, _) if finding.trace.is_some() => {
            format!("found among the first {among}")
        }
        (Answer::Inconclusive, Some(stop)) => {
            let why = verdict::stopped(stop);
            format!("given up after {among}, without an answer: {why}")
        }
        (Answer::Vacuous, _) => {
            format!(
                "it holds from here on, but what it is about never happens: all {among} were searched"
            )
        }
        (Answer::Holds | Answer::Violated | Answer::Inconclusive, _) => {
            format!("there is none: all {among} that can follow were searched")
        }
    };
    Searched { trace: finding.trace, said }
}
