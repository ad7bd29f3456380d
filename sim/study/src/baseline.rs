//! Baselines: journals of before, whose failures are known.
//!
//! An answer that is not as expected is known if the baseline has the same answer to that claim of
//! that scenario, and the same was expected then; a kind of failure of seeds, if the baseline has
//! failures of that kind that violate the same claims, by whatever seeds. An answer that was as
//! expected is no failure: who expects another one now has changed something. What else is wrong
//! with a scenario is never known: its script, its size, seeds that are not the same run twice.

use std::{collections::BTreeSet, path::PathBuf};

use deathwatch_documents::{
    Answer, ClaimAnswer, Outcome, Status, Sweep,
    sweep::{FailureGroup, SweptClaim},
};
use deathwatch_scenario::Problem;

use crate::{answers, sweep};

/// The failures that a baseline has.
#[derive(Debug, Default)]
pub struct Baseline {
    /// Scenarios with claims, their answers, and the ones expected instead.
    answers: BTreeSet<(String, String, &'static str, &'static str)>,
    /// Scenarios with claims that seeds violate, the kinds of the failures, and the answer expected
    /// of all seeds.
    failures: BTreeSet<(String, String, String, &'static str)>,
}

impl Baseline {
    /// The baseline that journals of `check` are.
    ///
    /// # Errors
    /// If one of them cannot be read, or if they are about different questions.
    pub fn of_answers(journals: &[PathBuf]) -> Result<Self, Problem> {
        let mut baseline = Self::default();
        for answer in answers::merge(journals)?.into_iter().filter_map(|(_, answer)| answer.ok()) {
            let failed = answer.claims.iter().filter(|it| it.status() == Status::Unexpected);
            baseline.answers.extend(failed.map(|it| answered(&answer.scenario, it)));
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
            for group in swept.groups.iter().filter(|it| !it.expected) {
                let claims = group.claims.iter();
                baseline.failures.extend(claims.map(|it| failed(&swept, &it.name, &group.kind)));
            }
        }
        Ok(baseline)
    }

    /// Compares an answer that is not as expected with the known ones, and notes whether it is new.
    pub fn compare(&self, answer: &mut Answer) {
        for claim in answer.claims.iter_mut().filter(|it| it.status() == Status::Unexpected) {
            claim.known = Some(self.answers.contains(&answered(&answer.scenario, claim)));
        }
        let is_wrong = !answer.failures.is_empty() || !answer.miscounts.is_empty();
        let is_open = answer.answer == Outcome::Undecided || answer.reason.is_some();
        let claims = answer.claims.iter().map(ClaimAnswer::status);
        (answer.status, answer.known) = judged(answer.status, claims, is_wrong, is_open);
    }

    /// Compares the failures of a sweep that are not expected with the known ones, and notes which
    /// are new.
    pub fn compare_sweep(&self, swept: &mut Sweep) {
        let (groups, claims) = self.known(swept);
        for (group, is_known) in swept.groups.iter_mut().zip(groups).filter(|(it, _)| !it.expected)
        {
            group.known = Some(is_known);
        }
        let claims = swept.claims.iter_mut().zip(claims);
        for (claim, is_known) in claims.filter(|(it, _)| it.status == Status::Unexpected) {
            claim.known = Some(is_known);
            claim.status = if is_known { Status::Known } else { Status::Unexpected };
        }
        let is_wrong = !swept.failures.is_empty() || swept.diverged.is_some();
        let is_open = !swept.missing.is_empty() || swept.unsettled.is_some();
        let claims = swept.claims.iter().map(|it| it.status);
        (swept.status, swept.known) = judged(swept.status, claims, is_wrong, is_open);
    }

    /// For each group of failures, and for each claim, whether it fails as in the baseline.
    fn known(&self, swept: &Sweep) -> (Vec<bool>, Vec<bool>) {
        let has = |claim: &str, kind: &str| self.failures.contains(&failed(swept, claim, kind));
        let group = |group: &FailureGroup| group.claims.iter().all(|it| has(&it.name, &group.kind));
        let claim = |claim: &SweptClaim| {
            let kinds = swept.groups.iter().filter(|group| !group.expected);
            let mut kinds = kinds.filter(|it| it.claims.iter().any(|it| it.name == claim.name));
            // That no seed violates it is no failure that could be known.
            claim.seeds > 0 && kinds.all(|it| has(&claim.name, &it.kind))
        };
        (swept.groups.iter().map(group).collect(), swept.claims.iter().map(claim).collect())
    }
}

/// An entry of the baseline: scenario, claim, the answer, and the one expected instead.
fn answered(scenario: &str, claim: &ClaimAnswer) -> (String, String, &'static str, &'static str) {
    (scenario.to_owned(), claim.name.clone(), claim.answer.name(), claim.expected.name())
}

/// An entry of the baseline: seeds of the scenario violate a claim by failures of this kind, and
/// the answer expected instead.
fn failed(swept: &Sweep, claim: &str, kind: &str) -> (String, String, String, &'static str) {
    let expected = swept.claims.iter().find(|it| it.name == claim).map(|it| it.expected.name());
    (swept.scenario.clone(), claim.to_owned(), kind.to_owned(), expected.unwrap_or_default())
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
