//! The decision of claims: what can be asked of a world, and what is answered.

mod certificate;
mod counterexample;
mod decide;
mod fairness;
mod pack;
#[cfg(test)]
mod tests;
mod transition_system;

pub use deathwatch_checker::{Phase, Progress, Stop};
pub use decide::check;

use crate::{
    action::Action,
    claims::{Claim, Diagnosis, EntityId},
    clause::{Clause, Clauses},
    state::State,
    world::World,
};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The constants.
    pub world: &'a World,
    /// Where every run begins.
    pub start: &'a State,
    /// The claims to decide.
    pub claims: Vec<&'static Claim>,
    /// The clauses that must be carried out on some run, so that no claim holds because nothing
    /// happened.
    pub witnesses: Vec<Clause>,
}

impl Question<'_> {
    /// The size of a packed state, in bytes.
    ///
    /// # Errors
    /// If the world is too large to be explored exhaustively.
    pub fn bytes_per_state(&self) -> Result<u64, TooLarge> {
        Ok(8 * pack::Codec::new(self.world, self.start)?.words() as u64)
    }
}

/// How it is to be answered. None of it changes an answer, except that a limit that is reached
/// leaves it open.
pub struct Settings<'a> {
    /// How many threads explore.
    pub threads: usize,
    /// Give up rather than number more states than this.
    pub max_states: Option<u64>,
    /// Give up rather than use more memory than this, in bytes.
    pub max_bytes: Option<u64>,
    /// Asked often; an answer makes the exploration give up. [`Stop::Space`] stands for more
    /// different transactions pending than a packed state can number.
    pub stop: &'a (dyn Fn() -> Option<Stop> + Sync),
    /// Told now and then how far the exploration is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Report {
    /// Why the exploration gave up, or `None` if it exhausted the world.
    pub stopped: Option<Stop>,
    /// How many states were found.
    pub states: u64,
    /// How many transitions were taken.
    pub transitions: u64,
    /// The greatest number of steps from the start to a state by a shortest way.
    pub depth: u32,
    /// The most memory that was in use, in bytes.
    pub bytes: u64,
    /// The size of a packed state, in bytes.
    pub bytes_per_state: u64,
    /// The clauses that were carried out on some run.
    pub exercised: Clauses,
    /// An answer for each claim, in the order asked, then for each witness.
    pub findings: Vec<Finding>,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    /// A claim.
    Claim(&'static Claim),
    /// That a clause is carried out on some run.
    Witness(Clause),
}

impl Asked {
    /// The claim, unless it is a witness.
    pub fn claim(self) -> Option<&'static Claim> {
        match self {
            Self::Claim(claim) => Some(claim),
            Self::Witness(_) => None,
        }
    }
}

/// The answer to one claim.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What was asked.
    pub asked: Asked,
    /// The answer.
    pub answer: Answer,
    /// How many documents it was asked of (for claims made for each document).
    pub subjects: usize,
    /// In how many states the claim had something to say (where it is about lives: in how many
    /// its condition was met), so that a claim that never applied can be told from one that held.
    pub applied: u64,
    /// The shortest run that shows the answer: how the claim is violated, how a witness is reached.
    pub trace: Option<Trace>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The document that the claim fails for.
    pub subject: Option<EntityId>,
    /// From the start.
    pub steps: Vec<Action>,
    /// What then goes on for ever; if empty, for a claim about runs, nothing more happens.
    pub cycle: Vec<Action>,
    /// Why the document stays, if the claim is about what must follow.
    pub diagnosis: Option<Diagnosis>,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// On every run.
    Holds,
    /// It would hold, but nothing ever happened that it is about.
    Vacuous,
    /// Not on the run that is shown.
    Violated,
    /// The exploration gave up before it could tell.
    Inconclusive,
}

/// Why a world cannot be explored exhaustively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It has more units, machines, relations or applications than an exhaustive exploration
    /// supports: 64 of a kind.
    Entities,
    /// The documents of one entity do not fit in two words.
    Documents,
    /// It has more duties than fairness per duty can tell apart.
    Duties,
}
