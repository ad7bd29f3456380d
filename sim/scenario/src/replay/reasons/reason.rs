//! A reason as data: its kind, the clauses that say so, and its text.

use deathwatch_documents::run::ReasonKind;
use deathwatch_model::clause::Clause;

/// Why something is not possible.
pub struct Reason {
    /// Its kind.
    pub kind: ReasonKind,
    /// The clauses that say so.
    pub clauses: Vec<Clause>,
    /// The reason.
    pub why: String,
    /// What can be done about it.
    pub advice: Option<String>,
}

/// A reason of this kind.
pub(super) fn because(kind: ReasonKind, why: impl Into<String>) -> Reason {
    Reason { kind, clauses: Vec::new(), why: why.into(), advice: None }
}

impl Reason {
    /// The reason with what can be done about it.
    pub(super) fn so(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// The reason with the clauses that say so.
    pub(super) fn by(self, clauses: impl IntoIterator<Item = Clause>) -> Self {
        Self { clauses: clauses.into_iter().collect(), ..self }
    }
}
