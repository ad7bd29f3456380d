//! The judge of one worker: checks claims about transitions on each step.

use deathwatch_model::{agents::WatchedStep, rows::Row};

use super::{CheckQuestion, seen::FirstFindings};
use crate::claims::JudgedSteps;

/// The claims of a question, with the findings of one worker.
pub(super) struct ClaimJudge<'a> {
    question: &'a CheckQuestion<'a>,
    pub(super) seen: FirstFindings,
    steps: JudgedSteps,
}

impl<'a> ClaimJudge<'a> {
    /// A judge without findings.
    pub(super) fn new(question: &'a CheckQuestion<'a>) -> Self {
        question.claims.iter().for_each(|claim| claim.demand_history(question.world));
        Self {
            question,
            seen: FirstFindings::new(question.claims.len()),
            steps: JudgedSteps::of(&question.claims),
        }
    }

    /// Calls `violated` for each violated claim and subject of a step, in their order.
    pub(super) fn check_step(
        &mut self,
        change: &WatchedStep<'_>,
        touched: &[Row],
        violated: &mut dyn FnMut(usize, Row),
    ) {
        self.steps.check(change.world, [change.before, change.after], touched, violated);
    }

    /// Asserts that a check of a step finds the same as one of all rows that the claims read.
    pub(super) fn verify_step(&mut self, change: &WatchedStep<'_>, touched: &[Row]) {
        let mut found = vec![None; self.question.claims.len()];
        self.check_step(change, touched, &mut |claim: usize, subject| {
            found[claim].get_or_insert(subject);
        });
        for (claim, found) in self.question.claims.iter().zip(found) {
            let all = claim.at_fault(change.world, change.before, change.after, touched);
            assert_eq!(found, all, "{} is violated by another change", claim.name);
        }
    }
}
