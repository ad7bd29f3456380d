//! The decision of claims: questions about a world, and their answers.

mod any_size;
mod certificate;
mod cluster;
mod conditions;
mod counterexample;
mod decide;
#[cfg(test)]
#[path = "../../../checker/tests/common/exchange.rs"]
mod exchange;
mod fairness;
mod judge;
mod labelled;
mod look_ups;
mod owed;
mod refinement;
mod representatives;
mod seen;
mod shared_results;
mod survey;
mod symmetry;
#[cfg(test)]
mod tests;
mod transition_system;
mod verdicts;

pub use any_size::{
    AnySizeAnswer, AnySizeReport, Certificate, ClaimProof, CountKind, FixedUnit, GivenCertificate,
    HiddenCount, Instance, InstanceRun, NoAnswer, NoTemplate, PairsProof, ShownPath,
    TwoProcessView, ViewAsState, Views, check_any_size, check_with_certificate,
};
pub use cluster::check_by_cluster;
pub use deathwatch_checker::{
    Phase, SearchProgress, Stop, all_busy,
    explore::{
        Checkpoint, CheckpointError, CheckpointOptions, Exchange, PeerLost, SpillFolder,
        open_together,
    },
    measure_threads, views,
};
use deathwatch_model::{
    action::Action,
    clause::{Clause, Clauses},
    pack::{Codec, StateTooLarge},
    rows::Row,
    state::State,
    world::World,
};
pub use decide::{check, check_without};
pub use fairness::FairnessClasses;
pub use labelled::LabelledGraph;
pub use owed::{OwedClass, OwedState, OwedStates, OwedStep, Taker};
pub use refinement::{Departure, Refinement};
pub use survey::{Frequency, RunPremise, Survey, Surveyed};
pub use symmetry::{ExchangedPairs, Exchanges};

use crate::claims::{Claim, Diagnosis};

/// A question about the runs of a world.
#[derive(Clone, Debug)]
pub struct CheckQuestion<'a> {
    pub world: &'a World,
    /// The state in which every run begins.
    pub start: &'a State,
    pub claims: Vec<&'static Claim>,
    /// The clauses that must be carried out on some run, so that no claim holds because nothing
    /// happened.
    pub witnesses: Vec<Clause>,
    /// The outline that the world has to keep to, if that is asked.
    pub refines: Option<Refinement<'a>>,
}

impl CheckQuestion<'_> {
    /// The size of a packed state, in bytes.
    ///
    /// # Errors
    /// If the world is too large to be explored exhaustively.
    pub fn bytes_per_state(&self) -> Result<u64, TooLarge> {
        Ok(8 * Codec::new(self.world, self.start)?.words() as u64)
    }
}

/// Whether results are cached by the rows that were read for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    On,
    /// They are computed in each state.
    Off,
}

/// Whether one state represents its whole orbit, the states that differ by exchanges of entities
/// that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// It does, in a world with more than some thousand states.
    Auto,
    /// It does, however small the world is.
    On,
    Off,
}

/// The settings of a search. None of them changes an answer, except that a limit that is reached
/// leaves it open.
#[derive(Clone, Copy)]
pub struct SearchSettings<'a> {
    pub threads: usize,
    /// Whether results are cached by the rows that were read for them.
    pub caching: Caching,
    /// Whether one state represents its orbit, if [`check`] finds that it can.
    pub symmetry: Symmetry,
    /// The greatest number of states; the search gives up rather than exceed it.
    pub max_states: Option<u64>,
    /// The greatest amount of memory, in bytes; the search gives up rather than exceed it.
    pub max_bytes: Option<u64>,
    /// Polled often; a reason makes the search give up. [`Stop::Space`] means more distinct pending
    /// transactions than a packed state can number.
    pub stop: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// Called now and then with the progress.
    pub progress: &'a (dyn Fn(SearchProgress) + Sync),
    /// The folder for transitions, which are otherwise in memory.
    pub spill: Option<&'a SpillFolder>,
    /// The checkpoint from which [`check`] and [`check_by_cluster`] resume after a process was
    /// killed, and to which they save.
    pub checkpoint: Option<&'a Checkpoint>,
}

/// The greatest number of bytes of one cache of a thread: of moves, verdicts on states, conditions,
/// or renamed rows.
const MOST_CACHE_BYTES: usize = 24 << 20;
/// The same with more than [`MANY_RENAMINGS`].
const MOST_COMPARED_BYTES: usize = 8 * MOST_CACHE_BYTES;
/// The number of renamings above which a lost result costs more than a hundred transitions: to
/// learn it again is to compare it in each renamed state.
const MANY_RENAMINGS: usize = 64;

impl SearchSettings<'_> {
    /// The bytes of one cache of a thread with this number of renamings, and of one that threads
    /// share. Three caches are in use at a time, so all threads together stay within an eighth of
    /// the limit of the search, beside it.
    fn cache_bytes(&self, renamings: usize) -> usize {
        let most = if renamings > MANY_RENAMINGS { MOST_COMPARED_BYTES } else { MOST_CACHE_BYTES };
        match self.caching {
            Caching::Off => 0,
            Caching::On => {
                let stores = self.threads.max(1) + usize::from(self.threads > 1);
                let share = self.max_bytes.map(|bytes| bytes / 24 / stores as u64);
                let share = share.and_then(|bytes| usize::try_from(bytes).ok());
                share.map_or(most, |bytes| bytes.clamp(1, most))
            }
        }
    }
}

impl SearchSettings<'static> {
    /// A search with this number of threads, without limits and without a reader of its progress.
    pub const fn without_limits(threads: usize) -> Self {
        Self {
            threads,
            caching: Caching::On,
            symmetry: Symmetry::Off,
            max_states: None,
            max_bytes: None,
            stop: &|| None,
            progress: &|_| {},
            spill: None,
            checkpoint: None,
        }
    }
}

/// The answers to a question.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The reason why the search gave up; `None` if it was exhaustive.
    pub stopped: Option<Stop>,
    /// The number of states that were found; of a search that gave up, those that it kept.
    pub states: u64,
    /// The number of representatives, one for each orbit; `None` if each state represents itself.
    pub representatives: Option<u64>,
    /// The pairs of entities that were exchanged for that, and those that could not be; none if it
    /// was not tried.
    pub exchanges: Exchanges,
    /// The number of transitions that were taken.
    pub transitions: u64,
    /// The depth: the greatest length of a shortest path from the start to a state.
    pub depth: u32,
    /// The most memory that was in use, in bytes.
    pub bytes: u64,
    /// The bytes of transitions that were on disk in the end.
    pub spilled: u64,
    /// The size of a packed state, in bytes.
    pub bytes_per_state: u64,
    /// The clauses that were carried out on some run, if the engine notes them.
    pub exercised: Option<Clauses>,
    /// An answer for each claim, in the order asked, then for each witness, then on the refinement.
    pub findings: Vec<Finding>,
}

/// The subject of a finding.
#[derive(Clone, Copy, Debug)]
pub enum FindingSubject {
    Claim(&'static Claim),
    /// The witness that a clause is carried out on some run.
    Witness(Clause),
    /// The demand that the world keeps to its outline.
    Refinement,
}

impl FindingSubject {
    /// The claim, if it is one.
    pub fn claim(self) -> Option<&'static Claim> {
        match self {
            Self::Claim(claim) => Some(claim),
            Self::Witness(_) | Self::Refinement => None,
        }
    }
}

/// The answer to one claim.
#[derive(Clone, Debug)]
pub struct Finding {
    pub asked: FindingSubject,
    pub answer: CheckAnswer,
    /// The number of subjects that it is about (for claims that are made for each subject).
    pub subjects: usize,
    /// The number of states to which the claim applied; for a claim of the kind leads, those in
    /// which its first condition was met. So a claim that never applied is distinguished from one
    /// that held.
    pub applied: u64,
    /// A shortest run that shows the answer: to a violation, or to a witness.
    pub trace: Option<Trace>,
}

/// A run that shows an answer, with its diagnosis.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The subject that violates the claim.
    pub subject: Option<Row>,
    pub steps: Vec<Action>,
    /// The steps that are then repeated for ever. If there are none, and the claim is about runs,
    /// nothing more happens.
    pub cycle: Vec<Action>,
    /// The reason why nothing follows, for a claim of the kind leads.
    pub diagnosis: Option<Diagnosis>,
    /// The point of no return, for a claim of the kind leads, if a search of all runs has found
    /// this one.
    pub no_return: Option<TurningPoint>,
    /// The last step as the outline sees it, which cannot do it.
    pub departure: Option<Departure>,
}

/// The point of no return of a run that leaves an obligation open: exact, over all fair runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// The number of steps after which the obligation is open for good.
    pub open: usize,
    /// The number of steps after which no fair run meets it; `None` if one does to the end.
    pub lost: Option<usize>,
    /// The number of steps after which none does without help by a fault or by an unowed move.
    pub unaided: Option<usize>,
    /// The first such move on a shortest path from the end of the run to a state that meets it.
    pub aid: Option<Action>,
}

/// The answer to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckAnswer {
    /// It holds on every run.
    Holds,
    /// It holds, but its condition never applies.
    Vacuous,
    /// It does not hold on the run that is shown.
    Violated,
    /// The search gave up before it was decided.
    Undecided,
}

/// A reason why a world cannot be explored exhaustively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// A packed state takes more than 128 KiB.
    State,
    /// It has more duties than fairness per duty can number.
    Duties,
}

impl From<StateTooLarge> for TooLarge {
    fn from(StateTooLarge: StateTooLarge) -> Self {
        Self::State
    }
}

impl TooLarge {
    pub fn reason(&self) -> &'static str {
        match self {
            Self::State => "a packed state takes more than 128 KiB",
            Self::Duties => "it has more duties than fairness per duty can tell apart",
        }
    }
}
