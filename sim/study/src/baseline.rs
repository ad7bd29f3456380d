//! Baselines: journals of before, whose violations are known.
//!
//! An answer that is not as expected is known if the baseline has the same answer to that claim of
//! that scenario; a kind of failure of seeds, if the baseline has failures of that kind that
//! violate the same claims, by whatever seeds. What else is wrong with a scenario is never known:
//! its script, its size, seeds that are not the same run twice.

use std::{collections::BTreeSet, path::PathBuf};

use deathwatch_documents::{Answer, ClaimAnswer, Outcome, Status, Sweep};
use deathwatch_scenario::Problem;

use crate::{answers, sweep};

/// The violations that a baseline has.
#[derive(Debug, Default)]
pub struct Baseline {
    /// Scenarios with claims and their answers.
    answers: BTreeSet<(String, String, &'static str)>,
    /// Scenarios with claims that seeds violate, and the kinds of the failures.
    failures: BTreeSet<(String, String, String)>,
}

impl Baseline {
    /// The baseline that journals of `check` are.
    ///
    /// # Errors
    /// If one of them cannot be read, or if they are about different questions.
    pub fn of_answers(journals: &[PathBuf]) -> Result<Self, Problem> {
        let mut baseline = Self::default();
        for answer in answers::merge(journals)?.into_iter().filter_map(|(_, answer)| answer.ok()) {
            let claims = answer.claims.into_iter();
            let named = claims.map(|it| (answer.scenario.clone(), it.name, it.answer.name()));
            baseline.answers.extend(named);
        }
        Ok(baseline)
    }

    /// The baseline that journals of `simulate` are.
    ///
    /// # Errors
    /// As [`Self::of_answers`].
    pub fn of_sweeps(journals: &[PathBuf]) -> Result<Self, Problem> {
        let mut baseline = Self::default();
        for swept in sweep::merge(journals)?.sweeps {
            for group in swept.groups {
                let claims = group.claims.into_iter();
                let of = |claim| (swept.scenario.clone(), claim, group.kind.clone());
                baseline.failures.extend(claims.map(|it| of(it.name)));
            }
        }
        Ok(baseline)
    }

    /// Says of each answer that is not as expected whether it is known.
    pub fn compare(&self, answer: &mut Answer) {
        for claim in answer.claims.iter_mut().filter(|it| it.status() == Status::Unexpected) {
            let of = (answer.scenario.clone(), claim.name.clone(), claim.answer.name());
            claim.known = Some(self.answers.contains(&of));
        }
        let is_wrong = !answer.failures.is_empty() || !answer.miscounts.is_empty();
        let is_open = answer.answer == Outcome::Inconclusive || answer.reason.is_some();
        let claims = answer.claims.iter().map(ClaimAnswer::status);
        (answer.status, answer.known) = judged(answer.status, claims, is_wrong, is_open);
    }

    /// Says of each kind of failure that is not expected whether it is known.
    pub fn compare_sweep(&self, swept: &mut Sweep) {
        for group in swept.groups.iter_mut().filter(|it| !it.expected) {
            let of = |claim: &str| (swept.scenario.clone(), claim.to_owned(), group.kind.clone());
            let is_known = group.claims.iter().all(|it| self.failures.contains(&of(&it.name)));
            group.known = Some(is_known);
        }
        for claim in swept.claims.iter_mut().filter(|it| it.status == Status::Unexpected) {
            let is_about = |name: &str| claim.name == name;
            let kinds = swept.groups.iter().filter(|group| !group.expected);
            let mut kinds = kinds.filter(|it| it.claims.iter().any(|it| is_about(&it.name)));
            let of = |kind: &str| (swept.scenario.clone(), claim.name.clone(), kind.to_owned());
            // That no seed violates it is no failure that could be known.
            let is_known = claim.seeds > 0 && kinds.all(|it| self.failures.contains(&of(&it.kind)));
            claim.known = Some(is_known);
            claim.status = if is_known { Status::Known } else { Status::Unexpected };
        }
        let is_wrong = !swept.failures.is_empty() || swept.diverged.is_some();
        let is_open = !swept.missing.is_empty() || swept.unsettled.is_some();
        let claims = swept.claims.iter().map(|it| it.status);
        (swept.status, swept.known) = judged(swept.status, claims, is_wrong, is_open);
    }
}

/// The status of a scenario of which claims may be known, and whether all is that is not expected.
fn judged(
    before: Status,
    claims: impl Iterator<Item = Status>,
    is_wrong: bool,
    is_open: bool,
) -> (Status, Option<bool>) {
    let open = if is_open { Status::Undecided } else { Status::AsExpected };
    let worst = claims.max().unwrap_or(Status::AsExpected).max(open);
    match before {
        Status::Unexpected if is_wrong || worst == Status::Unexpected => (before, Some(false)),
        Status::Unexpected => (worst, Some(true)),
        Status::AsExpected | Status::Known | Status::Undecided => (before, None),
    }
}
