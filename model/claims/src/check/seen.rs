//! The findings of a search about claims and clauses, each with its first position.

use deathwatch_model::{
    clause::{Clause, Clauses, NUMBERS, Rule},
    rows::Row,
};

/// A position in the graph: a state, and the index of an action among those enabled there.
pub(super) type Spot = (u64, u32);

/// The first position of each finding. First means smallest, so that reports do not depend on the
/// division of the work.
#[derive(Clone, Default)]
pub(super) struct FirstFindings {
    /// For each claim the position of its first violation (for a `Step` claim, that of the action).
    pub(super) violations: Vec<Option<(Spot, Row)>>,
    /// For each clause the position at which it is first carried out.
    exercised: Vec<[Option<Spot>; NUMBERS]>,
    /// The clauses that were carried out so far, as a set.
    clauses: Clauses,
    /// The position of the first step that the outline does not have.
    pub(super) departure: Option<Spot>,
}

impl FirstFindings {
    pub(super) fn new(claims: usize) -> Self {
        Self {
            violations: vec![None; claims],
            exercised: vec![[None; NUMBERS]; Rule::COUNT],
            clauses: Clauses::default(),
            departure: None,
        }
    }

    pub(super) fn violated(&mut self, claim: usize, spot: Spot, subject: Row) {
        if self.is_news(claim, spot) {
            self.violations[claim] = Some((spot, subject));
        }
    }

    /// Whether no violation of a claim is known at this position or before.
    pub(super) fn is_news(&self, claim: usize, spot: Spot) -> bool {
        self.violations[claim].is_none_or(|(known, _)| spot < known)
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

    /// Whether all positions are in the first `states` states.
    pub(super) fn lies_below(&self, states: u64) -> bool {
        let violations = self.violations.iter().flatten().map(|(spot, _)| *spot);
        let spots = violations.chain(self.clauses.iter().filter_map(|it| self.first(it)));
        spots.chain(self.departure).all(|(state, _)| state < states)
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

#[cfg(test)]
mod tests {
    use super::*;
    use deathwatch_model::ids::{Id, MachineId};

    const SPOTS: [Spot; 4] = [(4, 2), (3, 9), (3, 1), (5, 0)];

    fn row(index: usize) -> Row {
        Row::Machine(MachineId::new(index))
    }

    fn seen_at(spot: Spot) -> FirstFindings {
        let mut seen = FirstFindings::new(2);
        note(&mut seen, spot);
        seen
    }

    /// If two subjects violate a claim in one step, the first one counts.
    fn note(seen: &mut FirstFindings, spot: Spot) {
        let clause = Clause::all().nth(3).expect("there are more");
        seen.violated(1, spot, row(usize::try_from(spot.0).unwrap()));
        seen.violated(1, spot, row(0));
        seen.carried_out(clause, spot);
        seen.departed(spot);
    }

    #[test]
    fn nothing_is_seen_behind_the_last_state() {
        for found in 0..3 {
            let mut seen = FirstFindings::new(1);
            assert!(seen.lies_below(0));
            match found {
                0 => seen.violated(0, (7, 1), row(0)),
                1 => seen.carried_out(Clause::all().next().expect("there are some"), (7, 1)),
                _ => seen.departed((7, 1)),
            }
            assert_eq!([7, 8].map(|states| seen.lies_below(states)), [false, true]);
        }
    }

    #[test]
    fn what_is_seen_first_is_what_lies_first_whoever_sees_it() {
        let mut alone = FirstFindings::new(2);
        let mut merged = FirstFindings::new(2);
        for spot in SPOTS {
            note(&mut alone, spot);
            merged.merge(&seen_at(spot));
        }
        let other = Clause::all().nth(7).expect("there are more");
        let mut late = seen_at((9, 9));
        late.carried_out(other, (9, 9));
        late.violated(0, (9, 9), row(5));
        for mut seen in [alone, merged] {
            let mut clauses: Vec<Clause> = Clause::all().skip(3).step_by(4).take(2).collect();
            assert_eq!(seen.violations, [None, Some(((3, 1), row(3)))]);
            assert_eq!(seen.departure, Some((3, 1)));
            assert_eq!(seen.first(clauses[0]), Some((3, 1)));
            assert_eq!((seen.first(other), seen.clauses().iter().count()), (None, 1));
            seen.merge(&late);
            assert_eq!(seen.violations, [Some(((9, 9), row(5))), Some(((3, 1), row(3)))]);
            assert_eq!(clauses.pop(), Some(other));
            assert_eq!([other, clauses[0]].map(|it| seen.first(it)), [Some((9, 9)), Some((3, 1))]);
            assert!(seen.clauses().iter().eq([clauses[0], other]));
        }
        let mut nothing = FirstFindings::new(2);
        nothing.merge(&FirstFindings::new(2));
        assert_eq!((nothing.departure, nothing.violations), (None, vec![None, None]));
    }
}
