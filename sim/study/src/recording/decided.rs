//! Claims that a run decides.

use deathwatch_claims::{Claim, ClaimKind, check::CheckAnswer};
use deathwatch_documents::{NoReturn, wait_for::WaitFor};
use deathwatch_model::rows::Row;
use deathwatch_scenario::Expected;

/// A claim that a run decides.
pub(super) struct DecidedClaim {
    /// The claim in words: it may also be that the world keeps to its outline.
    pub(super) name: String,
    pub(super) kind: &'static str,
    /// The claim, if it is one.
    pub(super) claim: Option<&'static Claim>,
    pub(super) answer: CheckAnswer,
    pub(super) expected: Expected,
    pub(super) subject: Option<Row>,
    /// The state by which it is decided.
    pub(super) state: usize,
    /// The stuck entities, and their roots.
    pub(super) diagnosis: Option<String>,
    /// The same as a graph.
    pub(super) wait_for: Option<WaitFor>,
    /// The point of no return: the state from which on the obligation can no longer be met.
    pub(super) no_return: Option<NoReturn>,
}

impl DecidedClaim {
    /// A claim that a run decides in the state with this number, for the subject that `row` is.
    pub(super) fn new(
        (claim, expected): (&'static Claim, Expected),
        row: Row,
        state: usize,
        wait_for: Option<WaitFor>,
    ) -> Self {
        Self {
            name: claim.name.to_owned(),
            kind: claim.kind().name(),
            claim: Some(claim),
            answer: match claim.kind() {
                ClaimKind::Reachable => CheckAnswer::Holds,
                ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads => CheckAnswer::Violated,
            },
            expected,
            subject: claim.subject(row),
            state,
            diagnosis: wait_for.as_ref().map(WaitFor::paragraph),
            wait_for,
            no_return: None,
        }
    }
}
