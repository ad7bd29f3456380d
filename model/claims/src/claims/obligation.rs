//! The obligations of claims of the kind leads.

use deathwatch_model::{
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{Claim, ClaimKind, OwnClaim};

/// The obligation of each subject of a claim of the kind leads.
#[derive(Clone, Copy)]
pub struct ClaimObligation {
    pub own: &'static OwnClaim,
}

impl Claim {
    /// Its obligation for each subject, if it is of the kind leads.
    pub fn obligation(&self) -> Option<ClaimObligation> {
        match self.texts() {
            [own] if own.kind() == ClaimKind::Leads => Some(ClaimObligation { own }),
            _ => None,
        }
    }
}

impl ClaimObligation {
    pub fn kind(self) -> RowKind {
        self.own.subject_kind()
    }

    /// Whether the condition holds that creates the obligation, and the one that discharges it.
    pub fn from_to(self, world: &World, state: &State, subject: Row) -> [bool; 2] {
        self.own.obligation(world, state, subject)
    }

    /// Whether the condition holds that creates the obligation.
    pub fn from(self, world: &World, state: &State, subject: Row) -> bool {
        self.own.obligation(world, state, subject)[0]
    }
}
