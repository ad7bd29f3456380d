//! What a search has seen of the claims and clauses, and where first.

use crate::{
    clause::{Clause, Clauses, NUMBERS, Rule},
    rows::Row,
};

/// A position in the graph: a state, and the index of an action among those enabled there.
pub(super) type Spot = (u32, u32);

/// The first position of each finding. First means smallest, so that reports do not depend on how
/// the work was divided.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// For each claim the position of its first violation (for a `Step` claim, that of the action).
    pub(super) violations: Vec<Option<(Spot, Row)>>,
    /// For each clause the position at which it is first carried out.
    exercised: Vec<[Option<Spot>; NUMBERS]>,
    /// The clauses that were carried out so far, as a set.
    clauses: Clauses,
    /// The position of the first step that the outline does not have.
    pub(super) departure: Option<Spot>,
}

impl Seen {
    pub(super) fn new(claims: usize) -> Self {
        Self {
            violations: vec![None; claims],
            exercised: vec![[None; NUMBERS]; Rule::ALL.len()],
            clauses: Clauses::default(),
            departure: None,
        }
    }

    pub(super) fn violated(&mut self, claim: usize, spot: Spot, subject: Row) {
        let first = &mut self.violations[claim];
        if first.is_none_or(|(known, _)| spot < known) {
            *first = Some((spot, subject));
        }
    }

    pub(super) fn carried_out(&mut self, clause: Clause, spot: Spot) {
        let first = &mut self.exercised[clause.rule as usize][usize::from(clause.number)];
        if first.is_none_or(|known| spot < known) {
            *first = Some(spot);
            self.clauses.insert(clause);
        }
    }

    pub(super) fn departed(&mut self, spot: Spot) {
        self.departure = Some(self.departure.map_or(spot, |known| known.min(spot)));
    }

    /// The position at which `clause` is first carried out.
    pub(super) fn first(&self, clause: Clause) -> Option<Spot> {
        self.exercised[clause.rule as usize][usize::from(clause.number)]
    }

    /// All clauses that were carried out.
    pub(super) fn clauses(&self) -> Clauses {
        self.clauses
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (claim, violation) in other.violations.iter().enumerate() {
            if let Some((spot, subject)) = violation {
                self.violated(claim, *spot, *subject);
            }
        }
        other.departure.into_iter().for_each(|spot| self.departed(spot));
        for clause in other.clauses.iter() {
            if let Some(spot) = other.first(clause) {
                self.carried_out(clause, spot);
            }
        }
    }
}
