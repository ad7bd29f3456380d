//! Answers: the clauses, variants, claims and notes that answer for passages.

use deathwatch_model::{
    clause::Clause,
    variants::{VariantInfo, Variants},
};

use super::{Citation, Note, Passage, SourceDocument, citations};
use crate::claims::{self, Claim};

/// The beginning of a clause's source if the clause closes a gap in the documents. The neighbouring
/// passages follow.
pub const OURS: &str = "our resolution";

/// An answer for the passages that it cites.
#[derive(Clone, Copy, Debug)]
pub enum PassageAnswer {
    Clause(Clause),
    /// A variant, where the documents leave a choice.
    Variant(&'static VariantInfo),
    Claim(&'static Claim),
    Note(&'static Note),
}

impl PassageAnswer {
    /// All answers: clauses, variants, claims, notes.
    pub fn all() -> impl Iterator<Item = Self> {
        Clause::all()
            .map(PassageAnswer::Clause)
            .chain(Variants::LIST.iter().map(PassageAnswer::Variant))
            .chain(claims::all().map(PassageAnswer::Claim))
            .chain(Note::all().iter().map(PassageAnswer::Note))
    }

    /// The text with its citations.
    pub fn source(self) -> &'static str {
        match self {
            PassageAnswer::Clause(clause) => clause.info().map_or("", |info| info.source),
            PassageAnswer::Variant(variant) => variant.about,
            PassageAnswer::Claim(claim) => claim.source,
            PassageAnswer::Note(note) => &note.source,
        }
    }

    pub fn citations(self) -> impl Iterator<Item = Citation> {
        citations(self.source())
    }

    /// Whether it is a clause that the documents do not have.
    pub fn is_ours(self) -> bool {
        matches!(self, PassageAnswer::Clause(_)) && self.source().starts_with(OURS)
    }

    /// The path of its file, below the root of the project.
    pub fn file(self) -> Option<String> {
        match self {
            PassageAnswer::Clause(clause) => Some(format!("model/src/{}", clause.rule.file())),
            PassageAnswer::Variant(_) => Some("model/src/variants/mod.rs".into()),
            PassageAnswer::Claim(claim) => claim.file(),
            PassageAnswer::Note(note) => note.file.clone(),
        }
    }

    /// Whether it cites a line of the passage.
    pub fn cites(self, document: SourceDocument, passage: &Passage) -> bool {
        self.citations().any(|it| it.touches(document, passage))
    }

    /// Whether it cites a line of the passage, or of the one in another document that says the
    /// same.
    pub fn concerns(self, document: SourceDocument, passage: &Passage) -> bool {
        let (other, same) = document.counterpart(passage).unwrap_or((document, passage));
        self.cites(document, passage) || self.cites(other, same)
    }
}

/// The passages of a document that need an answer and have none among `answers`. Our own clauses
/// answer for no passage, as they do not come from one.
pub fn unanswered(document: SourceDocument, answers: &[PassageAnswer]) -> Vec<&'static Passage> {
    let is_answered = |passage: &&Passage| {
        answers.iter().any(|it| !it.is_ours() && it.concerns(document, passage))
    };
    let passages = document.passages().iter().filter(|it| it.says_something());
    passages.filter(|it| !is_answered(it)).collect()
}
