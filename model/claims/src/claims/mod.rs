//! Claims: properties that the protocol ought to have, as data.
//!
//! A claim's name is a sentence that completes "we claim that", and every claim cites its passage.
//! It is text: conditions on states, on transitions, or on what must follow, each about every row
//! of a kind or about the whole state. The rows that a condition reads are derived from its text,
//! and so are the subjects that a changed row concerns.

mod agreement;
mod built_in;
pub mod diagnosis;
mod file;
mod kind;
mod monitor;
mod obligation;
mod open_subjects;
mod own;
#[cfg(test)]
pub(crate) mod tests;

use deathwatch_language::View;
use deathwatch_model::{rows::Row, state::State, world::World};

pub use agreement::disagreements;
pub use built_in::{all, all_in, all_with, file_errors, named};
pub use diagnosis::Diagnosis;
pub use file::{ClaimFileError, Mistake};
pub use kind::ClaimKind;
pub use monitor::Monitor;
pub use obligation::ClaimObligation;
pub use own::{ClaimTexts, OwnClaim, OwnFormula};
pub(crate) use own::{JudgedSteps, parts};

/// A claim: a name, the passage that it rests on, and a formula.
#[derive(Debug)]
pub struct Claim {
    pub name: &'static str,
    /// The passage that it rests on.
    pub source: &'static str,
    pub test: Formula,
}

/// The formula of a claim.
#[derive(Clone, Copy)]
pub enum Formula {
    /// Formulas, one for each kind of subject. There is one at least, which says the kind of claim.
    Said(&'static [OwnClaim]),
    /// Only the kind is known, from a journal: the claim is reported and not judged.
    Recorded(ClaimKind),
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().name())
    }
}

impl Formula {
    pub fn kind(&self) -> ClaimKind {
        match self {
            Formula::Said(own) => own[0].kind(),
            Formula::Recorded(kind) => *kind,
        }
    }
}

impl Claim {
    pub fn kind(&self) -> ClaimKind {
        self.test.kind()
    }

    /// Its formula for each kind of subject; empty if only its kind is known.
    pub fn texts(&self) -> &'static [OwnClaim] {
        match self.test {
            Formula::Said(own) => own,
            Formula::Recorded(_) => &[],
        }
    }

    /// The first subject at which a state decides the claim: one that violates it, or that shows it
    /// reached.
    pub fn first(&self, world: &World, state: &State) -> Option<Row> {
        self.first_in(View { world, states: [state; 2], recount: None })
    }

    /// The first subject at which the state of a view decides the claim.
    fn first_in(&self, view: View<'_>) -> Option<Row> {
        self.texts().iter().find_map(|it| it.first_in(view))
    }

    /// The subject that violates the claim by a transition that touched these rows.
    pub fn at_fault(
        &self,
        world: &World,
        before: &State,
        after: &State,
        touched: &[Row],
    ) -> Option<Row> {
        self.texts().iter().find_map(|it| it.at_fault(world, before, after, touched))
    }
}
