//! The obligations of claims about what must follow.

use deathwatch_model::{
    rows::{Row, RowKind},
    state::State,
    world::World,
};

use super::{Claim, ClaimKind, OwnClaim};

/// The obligation of each subject of a claim about what must follow.
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

    /// Whether the condition holds that creates it, and the one that discharges it.
    pub fn from_to(self, world: &World, state: &State, subject: Row) -> [bool; 2] {
        self.own.obligation(world, state, subject)
    }

    /// Whether the condition holds that creates it.
    pub fn from(self, world: &World, state: &State, subject: Row) -> bool {
        self.own.obligation(world, state, subject)[0]
    }
}
