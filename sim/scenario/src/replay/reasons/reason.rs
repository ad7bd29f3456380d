//! A reason as data: its kind, the clauses that say so, and its text.

use deathwatch_model::clause::Clause;
use schemars::JsonSchema;
use serde::Serialize;

/// A kind of reason why something is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonKind {
    /// Its actor is not there, or waits for somebody else.
    Absent,
    /// Its actor has a transaction pending, or none.
    Pending,
    /// Transactions are written differently in this world.
    Atomicity,
    /// A clause is switched off.
    SwitchedOff,
    /// A clause is neglected.
    Neglected,
    /// A fault is not switched on.
    FaultOff,
    /// The user is not allowed the command, or not so often, or has not finished another one.
    Command,
    /// There is nothing to do.
    NoOp,
    /// It is refused.
    Refused,
    /// An assert does not hold.
    Aborts,
    /// The agent does not know what it would act on.
    Unknown,
    /// Nothing asks for it.
    NotAsked,
}

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
