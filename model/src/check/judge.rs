//! The judge of one worker: checks claims in each state that the worker expands, and on each step.

use super::{
    CheckQuestion,
    own::OwnClaims,
    seen::{FirstFindings, Spot},
};
use crate::{
    agents::WatchedStep,
    claims::{Formula, StateClaims, StepClaims},
    protocol::Effects,
    rows::Row,
    state::State,
};

/// What one worker knows of the claims.
pub(super) struct ClaimJudge<'a> {
    question: &'a CheckQuestion<'a>,
    pub(super) seen: FirstFindings,
    steps: StepClaims,
    states: StateClaims,
    own: OwnClaims,
}

impl<'a> ClaimJudge<'a> {
    /// Before the first state.
    pub(super) fn new(question: &'a CheckQuestion<'a>) -> Self {
        let claims = question.claims.iter().enumerate();
        let (mut steps, mut states) = (StepClaims::default(), Vec::new());
        for (index, claim) in claims {
            match claim.test {
                Formula::Step(step) => steps.add(index, step),
                Formula::Always(always) => states.push((index, always)),
                Formula::Leads(_) | Formula::Own(_) => {}
            }
        }
        Self {
            question,
            seen: FirstFindings::new(question.claims.len()),
            steps,
            states: StateClaims::new(question.world, question.start, states),
            own: OwnClaims::of(question),
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
        let Self { question, seen, own, .. } = self;
        own.check_state(question, state, touched, seen, id);
        let violated = &mut |claim, subject| seen.violated(claim, (id, 0), subject);
        self.states.go_to(question.world, mirror, state, touched, violated);
    }

    /// Checks a step.
    pub(super) fn check_step(&mut self, change: &WatchedStep<'_>, effects: &Effects, spot: Spot) {
        let Self { question, seen, steps, own, .. } = self;
        for clause in &effects.clauses {
            seen.carried_out(*clause, spot);
        }
        let violated = &mut |claim, subject| seen.violated(claim, spot, subject);
        steps.check(change, &effects.touched, violated);
        own.check_step(question, [change.before, change.after], &effects.touched, seen, spot);
    }

    /// Compares what is known of the last state with a check of everything.
    pub(super) fn verify_state(&self, state: &State) {
        let is_true = self.states.is_true_to(self.question.world, state);
        assert!(is_true, "a claim about states reads more than its links say");
    }

    /// Compares a check of a step with one that does not look at events.
    pub(super) fn verify_step(&self, change: &WatchedStep<'_>, touched: &[Row]) {
        let mut found = vec![None; self.question.claims.len()];
        self.steps.check(change, touched, &mut |claim, subject| {
            found[claim].get_or_insert(subject);
        });
        for (claim, found) in self.question.claims.iter().zip(found) {
            if let Formula::Step(_) = claim.test {
                let all = claim.at_fault(change.world, change.before, change.after, touched);
                assert_eq!(found, all, "{} is violated by another event", claim.name);
            }
        }
    }
}
