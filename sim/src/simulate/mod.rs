//! Seeded random simulation: a seed becomes a workload, a storm of faults, and a calm.
//!
//! A run is decided by its scenario, its seed and the version of this program, and by nothing
//! else. It calls the protocol that the exhaustive explorer calls, and asks the same claims: in
//! every state and of every step that it comes by, and, of what must follow, once the calm has
//! settled.

pub mod stats;

use deathwatch_model::{
    action::Action,
    claims::{Claim, Subject},
};

pub use self::stats::Stats;
use crate::{Problem, Scenario, replay::Replay, scenario::Expected};

/// A scenario, ready to be simulated.
pub struct Simulation<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The claims to watch, in the order of all claims, each with the answer that is expected of
    /// a whole sweep.
    pub claims: Vec<(&'static Claim, Expected)>,
}

/// What came of one seed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// What happened.
    pub stats: Stats,
    /// Stands for everything that was offered and chosen: equal if two runs were the same.
    pub digest: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing can move any more: what must follow is decided.
    Settled,
    /// The calm did not settle within its bound; says what kept moving.
    Unsettled(String),
}

/// A violated claim.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The claim.
    pub claim: &'static Claim,
    /// The document it fails for.
    pub subject: Subject,
    /// After how many steps it was found.
    pub step: u64,
    /// What is stuck and why, as the explorer would say; empty if the claim is not about what
    /// must follow.
    pub diagnosis: String,
}

/// How two runs of one seed differed, which is a defect of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The step at which they did.
    pub step: u64,
    /// What was offered and chosen, first and then.
    pub differed: String,
}

impl<'a> Simulation<'a> {
    /// Prepares `scenario`, whose script led to `replay`.
    ///
    /// # Errors
    /// If it cannot be simulated. The problem says why.
    pub fn new(scenario: &'a Scenario, replay: &Replay) -> Result<Self, Problem> {
        let _ = replay;
        Ok(Self { scenario, claims: scenario.claims.clone() })
    }

    /// The seeds that are known to have failed, which are to be run first.
    pub fn known_seeds(&self) -> &[u64] {
        &[]
    }

    /// Runs `seed`; `None` if `stop` said so, which is asked now and then.
    pub fn run(&self, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Run> {
        let _ = (seed, stop);
        None
    }

    /// Runs `seed` and keeps what happens, from the end of the script on: until the first
    /// violation of `until`, or to the end.
    pub fn trace(&self, seed: u64, until: Option<&Claim>) -> (Run, Vec<Action>) {
        let _ = (seed, until);
        unreachable!("not yet")
    }

    /// Runs `seed` twice, and compares what is offered and chosen at every step.
    ///
    /// # Errors
    /// If the two differ.
    pub fn verify(&self, seed: u64) -> Result<Run, Divergence> {
        let _ = seed;
        unreachable!("not yet")
    }
}
