//! Sets of clauses: a word for each rule, a bit for each of its clauses.

use super::{Clause, Rule};

/// The exclusive upper bound of the numbers of clauses.
pub const NUMBERS: usize = 32;

/// A set of clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clauses([u32; Rule::COUNT]);

impl Default for Clauses {
    fn default() -> Self {
        Self([0; Rule::COUNT])
    }
}

impl FromIterator<Clause> for Clauses {
    fn from_iter<I: IntoIterator<Item = Clause>>(clauses: I) -> Self {
        let mut all = Self::default();
        clauses.into_iter().for_each(|clause| all.insert(clause));
        all
    }
}

impl Clauses {
    /// Adds `clause`.
    ///
    /// # Panics
    /// If its number is not smaller than [`NUMBERS`].
    #[inline]
    pub fn insert(&mut self, clause: Clause) {
        assert!(usize::from(clause.number) < NUMBERS, "{clause} has a bit of its own");
        self.0[clause.rule as usize] |= 1 << clause.number;
    }

    /// Takes `clause` out.
    pub fn remove(&mut self, clause: Clause) {
        self.0[clause.rule as usize] &= !(1 << clause.number);
    }

    /// Whether `clause` is in it.
    pub fn contains(&self, clause: Clause) -> bool {
        self.0[clause.rule as usize] >> clause.number & 1 == 1
    }

    /// Whether it has no members.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|numbers| *numbers == 0)
    }

    /// Adds every clause of `other`.
    pub fn extend(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine |= theirs;
        }
    }

    /// Its members, in the order of the rules.
    pub fn iter(&self) -> impl Iterator<Item = Clause> + '_ {
        let rules = Rule::ALL.iter().copied().chain([Rule::Own]);
        rules.filter(|rule| self.0[*rule as usize] != 0).flat_map(|rule| {
            let numbers = rule.clauses().iter().map(|info| info.number);
            numbers.map(move |number| Clause { rule, number }).filter(|it| self.contains(*it))
        })
    }
}
