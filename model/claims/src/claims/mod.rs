//! Claims: what ought to be true of the protocol, as data.
//!
//! A claim's name is a sentence that completes "we claim that", and every claim cites its passage.
//! Its subjects are rows of any kind: a machine, an agent and its disk, a pair of a unit and a
//! relation. What it reads beside them is said once, next to its predicate. Claims about what must
//! follow (`Leads`) are made for each subject.

mod affected;
mod agreement;
mod always;
mod begun;
mod built_in;
mod charm;
mod constraints;
mod dependency_index;
pub mod diagnosis;
mod duties;
mod event;
mod file;
mod forms;
mod hooks;
mod kind;
mod leads;
mod link;
mod monitor;
mod obligation;
mod open_subjects;
mod own;
mod provisioning;
mod recount;
mod relations;
mod series;
mod settings;
mod state_claims;
mod step;
mod step_claims;
#[cfg(test)]
pub(crate) mod tests;
mod watches;
mod workflow;

use deathwatch_model::{
    rows::{Row, RowKind},
    state::State,
    world::World,
};

pub use agreement::disagreements;
pub use built_in::{all, all_in, all_with, named};
pub use diagnosis::Diagnosis;
pub use event::RowEvent;
pub use kind::ClaimKind;
pub use obligation::ClaimObligation;
pub use own::{ClaimTexts, OwnClaim, OwnFormula};
pub use recount::Recount;
pub use {link::Link, monitor::Monitor};
pub(crate) use {
    own::{ClaimIndex, JudgedStates, JudgedSteps},
    state_claims::StateClaims,
    step_claims::StepClaims,
};

/// A claim.
#[derive(Debug)]
pub struct Claim {
    /// Its name, a sentence.
    pub name: &'static str,
    /// The passage that it rests on.
    pub source: &'static str,
    /// When it is true.
    pub test: Formula,
}

/// When a claim is true.
#[derive(Clone, Copy)]
pub enum Formula {
    /// A claim about states: no subject violates it in any state.
    Always(AlwaysClaim),
    /// A claim about transitions: no subject violates it in any transition.
    Step(StepClaim),
    /// For each subject: on every fair run, `from` is followed by `to`.
    Leads(LeadsClaim),
    /// A claim that is text, of any kind: what it says of each kind of its subjects.
    Own(&'static [OwnClaim]),
    /// Only its kind is known, from a journal: it is reported and not judged.
    Recorded(ClaimKind),
}

/// Subjects of a claim, and what it reads of each.
#[derive(Clone, Copy, Debug)]
pub struct Subjects {
    /// The kind of rows that are its subjects.
    pub kind: RowKind,
    /// The rows that it reads beside the subject's own.
    pub reads: &'static [Link],
}

/// A claim about states: no subject violates it in any state.
#[derive(Clone, Copy)]
pub struct AlwaysClaim {
    /// Its subjects, in the order in which they are judged.
    pub of: &'static [Subjects],
    /// Whether this subject violates it.
    pub at_fault: fn(&ClaimView<'_>, Row) -> bool,
    /// The first subject that violates it in a state.
    pub first: fn(&ClaimView<'_>) -> Option<Row>,
}

/// A state, as claims look at it.
#[derive(Clone, Copy)]
pub struct ClaimView<'a> {
    /// The constants.
    pub world: &'a World,
    /// The variables.
    pub state: &'a State,
    /// The recount of that state.
    pub recount: &'a Recount,
}

/// A claim about transitions: no subject violates it in any transition.
#[derive(Clone, Copy)]
pub struct StepClaim {
    /// The events by which it can be violated.
    pub on: &'static [RowEvent],
    /// The subject that violates it by the change of a touched row, if one does.
    pub at_fault: fn(&World, &State, &State, Row) -> Option<Row>,
}

/// For each subject: on every fair run, `from` is followed by `to`.
#[derive(Clone, Copy)]
pub struct LeadsClaim {
    /// Its subjects.
    pub of: Subjects,
    /// The condition that creates the obligation.
    pub from: fn(&World, &State, Row) -> bool,
    /// The condition that discharges it.
    pub to: fn(&World, &State, Row) -> bool,
}

impl Subjects {
    /// The subjects that a world may have, in order.
    pub fn rows(self, world: &World) -> impl Iterator<Item = Row> + '_ {
        self.kind.rows(world)
    }

    /// Whether it reads nothing but documents.
    pub fn reads_documents_only(self) -> bool {
        let mut linked = self.reads.iter().flat_map(|link| link.kinds());
        self.kind.is_document() && linked.all(|kind| kind.is_document())
    }
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind().name())
    }
}

impl Formula {
    /// The kind of claim.
    pub fn kind(&self) -> ClaimKind {
        match self {
            Formula::Always(_) => ClaimKind::Always,
            Formula::Step(_) => ClaimKind::Step,
            Formula::Leads(_) => ClaimKind::Leads,
            Formula::Own(own) => own[0].kind(),
            Formula::Recorded(kind) => *kind,
        }
    }
}

impl Claim {
    /// When it is true.
    pub fn kind(&self) -> ClaimKind {
        self.test.kind()
    }

    /// What it says of each kind of its subjects, if it is text.
    pub fn texts(&self) -> &'static [OwnClaim] {
        match self.test {
            Formula::Own(own) => own,
            Formula::Always(_) | Formula::Step(_) | Formula::Leads(_) | Formula::Recorded(_) => &[],
        }
    }

    /// The first subject at which a state decides the claim: the one that violates it, or of a
    /// claim that something can be reached, the one that shows it.
    pub fn first(&self, view: &ClaimView<'_>) -> Option<Row> {
        match self.test {
            Formula::Always(always) => (always.first)(view),
            Formula::Own(own) => own.iter().find_map(|it| it.first(view.world, view.state)),
            Formula::Step(_) | Formula::Leads(_) | Formula::Recorded(_) => None,
        }
    }

    /// The subject that violates the claim by a transition that touched these rows.
    pub fn at_fault(
        &self,
        world: &World,
        before: &State,
        after: &State,
        touched: &[Row],
    ) -> Option<Row> {
        match self.test {
            Formula::Step(step) => {
                touched.iter().find_map(|row| (step.at_fault)(world, before, after, *row))
            }
            Formula::Own(own) => {
                own.iter().find_map(|it| it.at_fault(world, before, after, touched))
            }
            Formula::Always(_) | Formula::Leads(_) | Formula::Recorded(_) => None,
        }
    }
}
