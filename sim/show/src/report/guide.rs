//! The guide in `PROTOCOL.md`: from the lines of the documents to the clauses, claims and variants
//! behind them.
//!
//! It is made of citations alone, without a search, so that a test can compare it at once.

use std::collections::BTreeSet;

use deathwatch_claims::passages::{
    Note, OURS, Passage, PassageAnswer, PassageForm, SourceDocument,
};
use deathwatch_documents::with_mark;
use deathwatch_model::clause::Clause;
use minijinja::{Value, context};

use super::{
    markdown::{From, anchor},
    template::render,
};

/// The heading of the notes on passages that are left out.
pub(super) const LEFT_OUT: &str = "Left out on purpose";

/// The tables: one for each document, in line order, then the notes on passages that are left out,
/// and the clauses of ours.
pub fn tables() -> String {
    let answers: Vec<PassageAnswer> = PassageAnswer::all().collect();
    let left_out = Note::all().iter().filter(|it| it.file.is_none());
    let ours = Clause::all().filter(|it| PassageAnswer::Clause(*it).is_ours());
    let data = context! {
        documents => SourceDocument::ALL.map(|it| document(it, &answers)),
        left_out_heading => LEFT_OUT,
        left_out => left_out.map(note).collect::<Vec<_>>(),
        ours => ours.filter_map(clause).collect::<Vec<_>>(),
    };
    render(include_str!("pages/guide.md"), data)
}

fn document(document: SourceDocument, answers: &[PassageAnswer]) -> Value {
    let passages = document.passages()[1..].iter().map(|it| passage(document, it, answers));
    context! {
        name => document.to_string(),
        title => document.title(),
        numbering => document.numbering(),
        is_twofold => matches!(document, SourceDocument::D1 | SourceDocument::D2),
        passages => passages.collect::<Vec<_>>(),
    }
}

/// A passage, with the clauses, claims and variants that answer for it, and their files.
fn passage(document: SourceDocument, passage: &Passage, answers: &[PassageAnswer]) -> Value {
    let about = passage.about();
    let says = match passage.form() {
        PassageForm::Heading => format!("**{about}**"),
        PassageForm::Lead => format!("*{about}*"),
        PassageForm::Text => about.to_owned(),
        PassageForm::Bullet(level) => format!("{}{about}", "• ".repeat(level.into())),
    };
    let counterpart = document.counterpart(passage);
    let is_asked = passage.says_something();
    let mine = || answers.iter().filter(|it| is_asked && it.concerns(document, passage));
    let mut seen = BTreeSet::new();
    let files = mine().filter_map(|it| it.file()).filter(|it| seen.insert(it.clone()));
    context! {
        lines => passage.lines(),
        also => counterpart.map(|(other, it)| format!("{other}:{}", it.lines())).unwrap_or_default(),
        says,
        is_asked,
        by => mine().map(|it| name(*it)).collect::<Vec<_>>(),
        files => files.map(|it| link(From::Project, &it)).collect::<Vec<_>>(),
    }
}

fn name(answer: PassageAnswer) -> String {
    match answer {
        PassageAnswer::Clause(clause) if answer.is_ours() => format!("`{clause}` (ours)"),
        PassageAnswer::Clause(clause) => format!("`{clause}`"),
        PassageAnswer::Variant(variant) => format!("variant `{}`", variant.name),
        PassageAnswer::Claim(claim) => {
            with_mark(&format!("claim \"{}\"", claim.name), claim.reads_notes())
        }
        PassageAnswer::Note(note) if note.file.is_some() => note.says.clone(),
        PassageAnswer::Note(note) => format!("[left out](#{}): {}", anchor(LEFT_OUT), note.about),
    }
}

/// A link to a file, without the part of the way that all have in common.
pub(super) fn link(from: From, file: &str) -> String {
    format!("[{}]({}{file})", file.trim_start_matches("model/src/"), from.up())
}

/// A note on passages that are left out.
fn note(note: &Note) -> Value {
    let source = if note.source.is_empty() { "unsaid" } else { &note.source };
    context! { about => &note.about, source, says => &note.says }
}

/// A clause that is not in the documents, with the passage that it stands beside.
fn clause(clause: Clause) -> Option<Value> {
    let info = clause.info()?;
    let beside = info.source.trim_start_matches(OURS).trim_start_matches(", beside ");
    let name = clause.to_string();
    Some(context! { name, file => clause.rule.file(), says => info.says, beside })
}
