//! Claims about transitions, by the events that can violate them: most steps touch rows that no
//! such claim looks at, and cost nothing then.

use deathwatch_model::{agents::WatchedStep, rows::Row};

use super::{RowEvent, StepClaim};

/// Claims about transitions, each with its number among all claims.
#[derive(Clone, Default)]
pub(crate) struct StepClaims([Vec<(usize, StepClaim)>; RowEvent::ALL.len()]);

impl StepClaims {
    /// Adds the claim with this number.
    pub(crate) fn add(&mut self, claim: usize, step: StepClaim) {
        for event in step.on {
            self.0[*event as usize].push((claim, step));
        }
    }

    /// Removes the claim with this number.
    pub(super) fn remove(&mut self, claim: usize) {
        self.0.iter_mut().for_each(|claims| claims.retain(|(number, _)| *number != claim));
    }

    /// Reports the claims that a step violates, each with the subject that does. A claim may be
    /// reported twice, the first time with the subject of its first touched row.
    pub(crate) fn check(
        &self,
        change: &WatchedStep<'_>,
        touched: &[Row],
        violated: &mut dyn FnMut(usize, Row),
    ) {
        if self.0.iter().all(Vec::is_empty) {
            return;
        }
        for row in touched {
            for event in RowEvent::of(change, *row).into_iter().flatten() {
                self.check_event(event, change, *row, violated);
            }
        }
    }

    /// Reports the claims that a row violates by this event.
    #[inline]
    pub(super) fn check_event(
        &self,
        event: RowEvent,
        change: &WatchedStep<'_>,
        row: Row,
        violated: &mut dyn FnMut(usize, Row),
    ) {
        for (claim, step) in &self.0[event as usize] {
            let at_fault = (step.at_fault)(change.world, change.before, change.after, row);
            if let Some(subject) = at_fault {
                violated(*claim, subject);
            }
        }
    }
}
