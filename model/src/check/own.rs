//! Claims of a scenario's own, as a worker checks them.
//!
//! A worker goes from state to state, and mostly the next state differs from the last one in a few
//! rows. A claim that held there, and reads none of these rows, holds here.

use super::{
    CheckQuestion,
    seen::{FirstFindings, Spot},
};
use crate::{
    claims::{Formula, Kinds, OwnClaim},
    rows::Row,
    state::State,
};

/// What is known of the claims of a scenario's own.
pub(super) struct OwnClaims(Vec<OwnClaimState>);

struct OwnClaimState {
    /// Its number among the claims.
    index: usize,
    own: &'static OwnClaim,
    /// The kinds of rows that it reads.
    kinds: Kinds,
    /// Whether the last state decided nothing; unknown before the first.
    is_open: bool,
}

impl OwnClaims {
    /// Nothing is known of any.
    pub(super) fn of(question: &CheckQuestion<'_>) -> Self {
        question.claims.iter().for_each(|claim| claim.demand_history(question.world));
        let claims = question.claims.iter().enumerate();
        let own = claims.filter_map(|(index, claim)| match claim.test {
            Formula::Own(own) => {
                Some(OwnClaimState { index, own, kinds: own.reads.kinds(), is_open: false })
            }
            Formula::Always(_) | Formula::Step(_) | Formula::Leads(_) => None,
        });
        Self(own.collect())
    }

    /// Checks a state, which differs from the last one in these rows.
    pub(super) fn check_state(
        &mut self,
        question: &CheckQuestion<'_>,
        state: &State,
        touched: &[Row],
        seen: &mut FirstFindings,
        id: u32,
    ) {
        let changed = Kinds::of(touched.iter().copied());
        for OwnClaimState { index, own, kinds, is_open } in &mut self.0 {
            if *is_open && !kinds.meet(changed) {
                debug_assert_eq!(own.first(question.world, state), None, "{own:?}");
                continue;
            }
            let decided = own.first(question.world, state);
            *is_open = decided.is_none();
            if let Some(subject) = decided {
                seen.violated(*index, (id, 0), subject);
            }
        }
    }

    /// Checks a step that touched these rows.
    pub(super) fn check_step(
        &self,
        question: &CheckQuestion<'_>,
        [before, after]: [&State; 2],
        touched: &[Row],
        seen: &mut FirstFindings,
        spot: Spot,
    ) {
        for OwnClaimState { index, own, .. } in &self.0 {
            if let Some(subject) = own.at_fault(question.world, before, after, touched) {
                seen.violated(*index, spot, subject);
            }
        }
    }
}
