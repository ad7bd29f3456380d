//! Cells of a lattice: the answer that the minimal sets give for a set of assumptions and a choice
//! of variants.
//!
//! Every set with which a question holds, or is vacuous, has a minimal one as a part. So where no
//! minimal set is a part, it does not hold. Where one is, it holds unless something more takes that
//! away, a variant of the choice or weak fairness to each duty: then the minimal sets say nothing.

use deathwatch_documents::assumed::{Choice, Needs, Premise};

/// A cell of the lattice: the answer to a question under some assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LatticeCell {
    /// The claim holds, or its condition is reached.
    Holds,
    /// The claim holds, but only as its subject's condition never occurs.
    Vacuous,
    /// The claim is not violated; the sets leave open whether it holds or is vacuous.
    NotViolated,
    /// The claim is violated, or its condition is not reached.
    Violated,
    /// The minimal sets do not say.
    NotTold,
    /// The question is undecided.
    Undecided,
}

impl LatticeCell {
    /// All, as a legend has them.
    pub(super) const ALL: [Self; 6] = [
        Self::Holds,
        Self::Vacuous,
        Self::NotViolated,
        Self::Violated,
        Self::NotTold,
        Self::Undecided,
    ];

    /// The class of its style.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Vacuous => "vacuous",
            Self::NotViolated => "not-violated",
            Self::Violated => "violated",
            Self::NotTold => "not-told",
            Self::Undecided => "undecided",
        }
    }

    /// The text for a claim, or, where `is_wanted`, for a condition that should be reached.
    pub(super) fn text(self, is_wanted: bool) -> &'static str {
        match (self, is_wanted) {
            (Self::Holds, false) => "holds",
            (Self::Holds, true) => "reached",
            (Self::Vacuous, _) => "vacuous",
            (Self::NotViolated, _) => "holds or vacuous",
            (Self::Violated, false) => "violated",
            (Self::Violated, true) => "not reached",
            (Self::NotTold, _) => "another set decides",
            (Self::Undecided, _) => "undecided",
        }
    }
}

/// The lattice of a question.
pub(super) struct NeedsLattice<'a> {
    needs: &'a Needs,
    /// Sets of assumptions, the smallest first.
    pub(super) rows: Vec<&'a Premise>,
    /// Choices of variants, the smallest first.
    pub(super) columns: Vec<Choice>,
}

impl<'a> NeedsLattice<'a> {
    /// The lattice of a question's needs, with a column for each of these choices, too, and with
    /// this number of columns at most.
    pub(super) fn of(needs: &'a Needs, tried: &[Choice], most: usize) -> Self {
        let sets = || needs.holds.iter().chain(&needs.vacuous);
        let mut rows: Vec<&Premise> = Vec::new();
        for set in sets() {
            if !rows.iter().any(|row| is_within(row, set) && is_within(set, row)) {
                rows.push(set);
            }
        }
        rows.sort_by_key(|row| rank(row));
        let mut columns = vec![Choice::new()];
        let lost =
            sets().flat_map(|set| set.lost_with.iter().map(|more| joined(&set.variants, more)));
        let told = sets().map(|set| set.variants.clone());
        let asked = tried.iter().chain(&needs.open).cloned();
        for choice in told.chain(lost).chain(asked) {
            if !columns.contains(&choice) {
                columns.push(choice);
            }
        }
        columns.sort_by_key(Choice::len);
        columns.truncate(most);
        Self { needs, rows, columns }
    }

    /// The cell of these assumptions with this choice, as the minimal sets imply it.
    pub(super) fn cell(&self, row: &Premise, choice: &Choice) -> LatticeCell {
        if self.needs.open.iter().any(|open| is_same(open, choice)) {
            return LatticeCell::Undecided;
        }
        let parts = |sets: &'a [Premise]| {
            let part = |set: &&Premise| is_within(set, row) && is_part(&set.variants, choice);
            sets.iter().filter(part).collect::<Vec<&Premise>>()
        };
        let is_kept = |set: &&Premise| {
            let is_lost = |more: &Choice| is_part(&joined(&set.variants, more), choice);
            carries(set, row) && !set.lost_with.iter().any(is_lost)
        };
        let (holds, vacuous) = (parts(&self.needs.holds), parts(&self.needs.vacuous));
        let is_here = |set: &&Premise| is_same(&set.variants, choice) && carries(set, row);
        if vacuous.iter().any(is_here) {
            LatticeCell::Vacuous
        } else if holds.iter().any(is_kept) && vacuous.is_empty() {
            LatticeCell::Holds
        } else if holds.iter().chain(&vacuous).any(is_kept) {
            LatticeCell::NotViolated
        } else if holds.is_empty() && vacuous.is_empty() {
            LatticeCell::Violated
        } else {
            LatticeCell::NotTold
        }
    }
}

/// The number of levels of assumptions.
fn rank(premise: &Premise) -> usize {
    let faults = premise.faults.values().map(|how| if how == NEVER { 2 } else { 1 });
    premise.assume.len() + faults.sum::<usize>()
}

/// The frequency of a fault that assumes most.
const NEVER: &str = "never";

/// Whether `of` assumes all that `premise` does.
fn is_within(premise: &Premise, of: &Premise) -> bool {
    let is_made = |it: &String| of.assume.contains(it);
    let strikes = |(fault, how): (&String, &String)| {
        let there = of.faults.get(fault);
        there.is_some_and(|there| there == how || there == NEVER)
    };
    premise.assume.iter().all(is_made) && premise.faults.iter().all(strikes)
}

/// Whether a claim that holds with `premise` holds with `of`, which assumes all that it does. Not
/// so where agents become weakly fair to each duty: duties may take turns, and none is owed.
fn carries(premise: &Premise, of: &Premise) -> bool {
    let assumes = |it: &Premise, key: &str| it.assume.iter().any(|made| made == key);
    let is_weak = assumes(of, "per") && !assumes(of, "strong");
    !(is_weak && assumes(premise, "agents-act") && !assumes(premise, "per"))
}

/// Whether `of` makes all changes of `choice`, too.
fn is_part(choice: &Choice, of: &Choice) -> bool {
    choice.iter().all(|(name, value)| of.get(name) == Some(value))
}

fn is_same(one: &Choice, other: &Choice) -> bool {
    is_part(one, other) && one.len() == other.len()
}

fn joined(one: &Choice, more: &Choice) -> Choice {
    one.iter().chain(more).map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use deathwatch_documents::QuestionKind;

    use super::*;

    fn choice(names: &[&str]) -> Choice {
        names.iter().map(|name| ((*name).to_owned(), "x".to_owned())).collect()
    }

    fn set(
        assume: &[&str],
        faults: &[(&str, &str)],
        variants: &[&str],
        lost: &[&[&str]],
    ) -> Premise {
        Premise {
            assume: assume.iter().map(|it| (*it).to_owned()).collect(),
            faults: faults.iter().map(|(it, how)| ((*it).to_owned(), (*how).to_owned())).collect(),
            says: Vec::new(),
            variants: choice(variants),
            minimal: true,
            lost_with: lost.iter().map(|it| choice(it)).collect(),
        }
    }

    /// Cells tell no more than the minimal sets imply.
    #[test]
    fn a_cell_says_what_follows_from_the_minimal_sets() {
        let needs = Needs {
            name: "it".to_owned(),
            kind: QuestionKind::Leads,
            holds: vec![
                set(&["agents"], &[("crash", "never")], &[], &[]),
                set(&["agents"], &[("crash", "finitely often")], &["a"], &[&["b"]]),
            ],
            vacuous: vec![set(&[], &[("crash", "never")], &["c"], &[])],
            open: vec![choice(&["d"])],
        };
        let lattice = NeedsLattice::of(&needs, &[choice(&["e"])], 10);
        let names: Vec<usize> = lattice.columns.iter().map(Choice::len).collect();
        assert_eq!(names, [0, 1, 1, 1, 1, 2], "nothing, a, c, e, d, and a with b");
        let (never, finite) = (&needs.holds[0], &needs.holds[1]);
        for (row, variants, expected) in [
            (never, &[][..], LatticeCell::Holds),
            (finite, &[], LatticeCell::Violated),
            (finite, &["a"], LatticeCell::Holds),
            (never, &["a"], LatticeCell::Holds),
            (finite, &["a", "b"], LatticeCell::NotTold),
            (never, &["a", "b"], LatticeCell::Holds),
            (never, &["c"], LatticeCell::Vacuous),
            (finite, &["c"], LatticeCell::Violated),
            (never, &["a", "c"], LatticeCell::NotViolated),
            (never, &["d"], LatticeCell::Undecided),
            (never, &["e"], LatticeCell::Holds),
            (finite, &["e"], LatticeCell::Violated),
        ] {
            assert_eq!(lattice.cell(row, &choice(variants)), expected, "{variants:?}");
        }
    }

    #[test]
    fn weak_fairness_to_each_duty_is_not_told_by_agents_that_act() {
        let needs = Needs {
            name: "it".to_owned(),
            kind: QuestionKind::Leads,
            holds: vec![
                set(&["agents-act"], &[], &["a"], &[]),
                set(&["agents-act", "per"], &[], &[], &[]),
                set(&["agents-act", "strong"], &[], &["b"], &[]),
            ],
            vacuous: Vec::new(),
            open: Vec::new(),
        };
        let lattice = NeedsLattice::of(&needs, &[], 10);
        let strong = set(&["agents-act", "per", "strong"], &[], &[], &[]);
        let weak = &needs.holds[1];
        for (row, variants, expected) in [
            (weak, &[][..], LatticeCell::Holds),
            (&needs.holds[0], &[], LatticeCell::Violated),
            (&needs.holds[2], &["a"], LatticeCell::Holds),
            (&strong, &["a"], LatticeCell::Holds),
        ] {
            assert_eq!(lattice.cell(row, &choice(variants)), expected, "{variants:?}");
        }
        let only_acting = Needs { holds: needs.holds[..1].to_vec(), ..needs.clone() };
        let lattice = NeedsLattice::of(&only_acting, &[], 10);
        assert_eq!(lattice.cell(weak, &choice(&["a"])), LatticeCell::NotTold);
    }
}
