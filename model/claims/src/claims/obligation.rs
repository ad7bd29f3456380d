//! The obligations of claims about what must follow, built in or stated by a scenario.

use deathwatch_model::{
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{Claim, Formula, LeadsClaim, OwnClaim};

/// What a claim about what must follow asks of each of its subjects.
#[derive(Clone, Copy)]
pub enum ClaimObligation {
    /// A claim that is built in.
    BuiltIn(LeadsClaim),
    /// One of a scenario's own.
    Own(&'static OwnClaim),
}

impl Claim {
    /// What it asks of each of its subjects, if it is about what must follow.
    pub fn obligation(&self) -> Option<ClaimObligation> {
        match self.test {
            Formula::Leads(leads) => Some(ClaimObligation::BuiltIn(leads)),
            Formula::Own([own]) if own.kind() == super::ClaimKind::Leads => {
                Some(ClaimObligation::Own(own))
            }
            Formula::Own(_) | Formula::Always(_) | Formula::Step(_) | Formula::Recorded(_) => None,
        }
    }
}

impl ClaimObligation {
    /// The kind of its subjects.
    pub fn kind(self) -> RowKind {
        match self {
            Self::BuiltIn(leads) => leads.of.kind,
            Self::Own(own) => own.subject_kind(),
        }
    }

    /// Whether it reads nothing but documents.
    pub fn reads_documents_only(self) -> bool {
        match self {
            Self::BuiltIn(leads) => leads.of.reads_documents_only(),
            Self::Own(own) => own.reads_documents_only(),
        }
    }

    /// Whether the condition holds that creates it, and the one that discharges it.
    pub fn from_to(self, world: &World, state: &State, subject: Row) -> [bool; 2] {
        match self {
            Self::BuiltIn(leads) => {
                [(leads.from)(world, state, subject), (leads.to)(world, state, subject)]
            }
            Self::Own(own) => own.obligation(world, state, subject),
        }
    }

    /// Whether the condition holds that creates it.
    pub fn from(self, world: &World, state: &State, subject: Row) -> bool {
        match self {
            Self::BuiltIn(leads) => (leads.from)(world, state, subject),
            Self::Own(own) => own.obligation(world, state, subject)[0],
        }
    }
}
