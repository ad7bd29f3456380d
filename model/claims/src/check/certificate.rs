//! Certificates: before a run is shown, it is replayed by the protocol alone.
//!
//! The search works with packed states, numbers and short cuts. None of them are used here. So
//! whatever is wrong with them, a run that is shown is a run of the protocol and evidence for the
//! answer. (The fairness of a cycle is checked on the graph, by
//! [`deathwatch_checker::fair::Lasso::replay`].)

use std::fmt;

use deathwatch_model::{
    action::Action,
    protocol::{self, Effects},
    rows::Row,
    state::State,
    world::World,
};

use crate::{
    check::{CheckQuestion, FindingSubject, Trace},
    claims::{ClaimKind, ClaimObligation},
};

/// The reason why a run is no evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CertificateFlaw {
    /// It takes an action that is not enabled.
    NotEnabled(Action),
    /// Its cycle does not come back to its first state.
    NoCycle,
    /// It does not show the violation or the witness by its end.
    NotShown,
}

struct RunCheck<'a> {
    world: &'a World,
    state: State,
    /// The state before the last step.
    before: State,
    /// The effects of the last step.
    effects: Effects,
}

/// Checks that `trace` is a run from the start of `question` that shows the answer to `asked`: a
/// violation of a claim, a clause carried out, or a departure from the outline.
pub(super) fn certify(
    question: &CheckQuestion<'_>,
    asked: FindingSubject,
    trace: &Trace,
) -> Result<(), CertificateFlaw> {
    let mut run = RunCheck {
        world: question.world,
        state: question.start.clone(),
        before: question.start.clone(),
        effects: Effects::default(),
    };
    let shown = match asked {
        FindingSubject::Claim(claim) => {
            if let Some(obligation) = claim.obligation() {
                let subject = claim.row_of(trace.subject).ok_or(CertificateFlaw::NotShown)?;
                return run.keeps_pending(obligation, subject, trace);
            }
            run.steps(&trace.steps)?;
            let (world, before, after) = (run.world, &run.before, &run.state);
            if claim.kind() == ClaimKind::Step {
                claim.at_fault(world, before, after, &run.effects.touched).is_some()
            } else {
                claim.first(world, after).is_some()
            }
        }
        FindingSubject::Witness(clause) => {
            run.steps(&trace.steps)?;
            run.effects.clauses.contains(&clause)
        }
        FindingSubject::Refinement => {
            run.steps(&trace.steps)?;
            let (refinement, last) = (question.refines.as_ref(), trace.steps.last());
            let (refinement, last) = refinement.zip(last).ok_or(CertificateFlaw::NotShown)?;
            let departure = refinement.departure(&run.before, *last, &run.state);
            departure.is_some() && departure == trace.departure
        }
    };
    if shown { Ok(()) } else { Err(CertificateFlaw::NotShown) }
}

impl RunCheck<'_> {
    fn step(&mut self, action: Action) -> Result<(), CertificateFlaw> {
        let mut enabled = Vec::new();
        protocol::enabled(self.world, &self.state, &mut enabled);
        if !enabled.contains(&action) {
            return Err(CertificateFlaw::NotEnabled(action));
        }
        self.before.clone_from(&self.state);
        protocol::step(self.world, &mut self.state, action, &mut self.effects);
        Ok(())
    }

    fn steps(&mut self, actions: &[Action]) -> Result<(), CertificateFlaw> {
        actions.iter().try_for_each(|action| self.step(*action))
    }

    /// Checks that the steps open the obligation of `subject`, and that the cycle keeps it open.
    fn keeps_pending(
        &mut self,
        obligation: ClaimObligation,
        subject: Row,
        trace: &Trace,
    ) -> Result<(), CertificateFlaw> {
        let mut is_pending = false;
        let mut monitor = |run: &Self| {
            let [from, to] = obligation.from_to(run.world, &run.state, subject);
            is_pending |= from;
            is_pending &= !to;
            is_pending
        };
        let mut pending = monitor(self);
        for action in &trace.steps {
            self.step(*action)?;
            pending = monitor(self);
        }
        let entry = self.state.clone();
        for action in &trace.cycle {
            self.step(*action)?;
            pending &= monitor(self);
        }
        match (pending, self.state == entry) {
            (false, _) => Err(CertificateFlaw::NotShown),
            (true, false) => Err(CertificateFlaw::NoCycle),
            (true, true) => Ok(()),
        }
    }
}

impl fmt::Display for CertificateFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnabled(action) => write!(f, "{action:?} is not enabled"),
            Self::NoCycle => write!(f, "its cycle does not come back"),
            Self::NotShown => write!(f, "it does not show what was asked"),
        }
    }
}
