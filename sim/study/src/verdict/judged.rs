//! Answers, each held against its expectation, and their words.

use deathwatch_claims::{
    Claim, ClaimKind,
    check::{Finding, FindingSubject},
};
use deathwatch_documents::{
    Expected, IS_CARRIED_OUT, KEEPS_TO_ITS_OUTLINE, Outcome, QuestionKind, Status, TraceText,
};

/// An answer and its expectation.
#[derive(Clone, Debug)]
pub struct Judged {
    pub finding: Finding,
    pub expected: Expected,
    /// The run that shows the answer.
    pub rendered: Option<TraceText>,
    /// The reason why the claim is vacuous, if the constants of the world show it: the end of
    /// "vacuous, as …".
    pub vacuous: Option<String>,
    /// The reason why the answer is open, unless it is a limit.
    pub open: Option<String>,
    /// The name of the clause, if the question is a witness.
    pub witness: Option<String>,
}

impl Judged {
    /// The claim, unless it is a witness.
    pub fn claim(&self) -> Option<&'static Claim> {
        self.finding.asked.claim()
    }

    /// Whether the claim is that something can be reached: then a run decides it by reaching it.
    pub fn is_wanted(&self) -> bool {
        self.claim().is_some_and(|claim| claim.kind() == ClaimKind::Reachable)
    }

    /// Whether the question is a witness.
    pub fn is_witness(&self) -> bool {
        matches!(self.finding.asked, FindingSubject::Witness(_))
    }

    /// Whether the answer is the expected one.
    pub fn status(&self) -> Status {
        Outcome::from(self.finding.answer).status(self.expected)
    }

    /// The question: the claim, or that a clause is carried out, or that the world keeps to its
    /// outline.
    pub fn name(&self) -> String {
        match self.finding.asked {
            FindingSubject::Claim(claim) => claim.name.to_owned(),
            FindingSubject::Witness(clause) => match &self.witness {
                Some(name) => format!("{name}{IS_CARRIED_OUT}"),
                None => format!("{clause}{IS_CARRIED_OUT}"),
            },
            FindingSubject::Refinement => KEEPS_TO_ITS_OUTLINE.to_owned(),
        }
    }

    /// The passages that the question rests on.
    pub fn source(&self) -> Option<&'static str> {
        match self.finding.asked {
            FindingSubject::Claim(claim) => Some(claim.source),
            FindingSubject::Witness(clause) => clause.info().map(|info| info.source),
            FindingSubject::Refinement => None,
        }
    }

    pub fn kind(&self) -> QuestionKind {
        self.finding.asked.into()
    }
}
