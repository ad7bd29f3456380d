//! The judge of one worker: checks claims in each state that the worker expands, and on each step.

use deathwatch_model::{agents::WatchedStep, protocol::Effects, rows::Row, state::State};

use super::{
    CheckQuestion,
    seen::{FirstFindings, Spot},
};
use crate::claims::{JudgedStates, JudgedSteps};

/// What one worker knows of the claims.
pub(super) struct ClaimJudge<'a> {
    question: &'a CheckQuestion<'a>,
    pub(super) seen: FirstFindings,
    states: JudgedStates,
    steps: JudgedSteps,
}

impl<'a> ClaimJudge<'a> {
    /// Before the first state.
    pub(super) fn new(question: &'a CheckQuestion<'a>) -> Self {
        question.claims.iter().for_each(|claim| claim.demand_history(question.world));
        Self {
            question,
            seen: FirstFindings::new(question.claims.len()),
            states: JudgedStates::of(&question.claims),
            steps: JudgedSteps::of(&question.claims),
        }
    }

    /// Checks a state, which differs from the last one, `mirror`, in these rows at most, and makes
    /// `mirror` equal to it.
    pub(super) fn check_state(
        &mut self,
        mirror: &mut State,
        state: &State,
        touched: &[Row],
        id: u32,
    ) {
        let Self { question, seen, .. } = self;
        let violated = &mut |claim, subject| seen.violated(claim, (id, 0), subject);
        self.states.go_to(question.world, [mirror, state], touched, violated);
        for row in touched {
            mirror.restore(*row, state);
        }
    }

    /// Checks a step.
    pub(super) fn check_step(&mut self, change: &WatchedStep<'_>, effects: &Effects, spot: Spot) {
        let Self { seen, steps, .. } = self;
        for clause in &effects.clauses {
            seen.carried_out(*clause, spot);
        }
        let violated = &mut |claim, subject| seen.violated(claim, spot, subject);
        let states = [change.before, change.after];
        steps.check(change.world, states, &effects.touched, violated);
    }

    /// Compares what is known of the last state with a check of everything.
    pub(super) fn verify_state(&self, state: &State) {
        let is_true = self.states.is_true_to(self.question.world, state);
        assert!(is_true, "a claim about states reads more than is derived from its text");
    }

    /// Compares a check of a step with one that looks at all that the claims read.
    pub(super) fn verify_step(&mut self, change: &WatchedStep<'_>, touched: &[Row]) {
        let mut found = vec![None; self.question.claims.len()];
        let violated = &mut |claim: usize, subject| {
            found[claim].get_or_insert(subject);
        };
        let states = [change.before, change.after];
        self.steps.check(change.world, states, touched, violated);
        for (claim, found) in self.question.claims.iter().zip(found) {
            let all = claim.at_fault(change.world, change.before, change.after, touched);
            assert_eq!(found, all, "{} is violated by another change", claim.name);
        }
    }
}
