//! The guide in `PROTOCOL.md`: from the lines of the documents to what answers for them.
//!
//! It is made of citations alone, without a search, so that a test can compare it at once.

use std::{collections::BTreeSet, fmt::Write as _};

use deathwatch_claims::passages::{
    Note, OURS, Passage, PassageAnswer, PassageForm, SourceDocument, Standing,
};
use deathwatch_model::clause::Clause;

use super::markdown::{anchor, head, row, say};

/// The text for a passage that nothing answers for.
const NOT_BUILT: &str = "not built yet";
/// The heading of the notes on what is left out.
const LEFT_OUT: &str = "Left out on purpose";

/// The tables: one for each document, in line order, then what is left out, and what they do not
/// have.
pub fn tables() -> String {
    let mut page = String::from("\n## The documents, line by line\n");
    say(
        &mut page,
        "A bullet stands for each level of a list, and what introduces other lines is set in \
         italics. Clauses come first, then variants, claims and what else there is to say; a \
         clause that is ours is marked, as no line asks for it.",
    );
    let answers: Vec<PassageAnswer> = PassageAnswer::all().collect();
    for document in SourceDocument::ALL {
        document_table(&mut page, document, &answers);
    }
    notes(&mut page, LEFT_OUT, Standing::LeftOut);
    ours(&mut page);
    page
}

fn document_table(page: &mut String, document: SourceDocument, answers: &[PassageAnswer]) {
    let (title, numbering) = (document.title(), document.numbering());
    let _ = write!(page, "\n### {document}, \"{title}\"\n");
    let is_twofold = matches!(document, SourceDocument::D1 | SourceDocument::D2);
    say(page, &format!("Lines are {numbering}."));
    let also = if is_twofold { &["also in"][..] } else { &[] };
    head(page, &[&["lines"], also, &["what they say", "answered for by", "in"]].concat());
    for passage in &document.passages()[1..] {
        let (by, files) = answered(document, passage, answers);
        let same = document.counterpart(passage);
        let same = same.map(|(other, it)| format!("{other}:{}", it.lines())).unwrap_or_default();
        let also = if is_twofold { &[&*same][..] } else { &[] };
        let (lines, says) = (passage.lines(), says(passage));
        row(page, &[&[&*lines], also, &[&says, &by, &files]].concat());
    }
}

/// The text of a passage, in its form.
fn says(passage: &Passage) -> String {
    let about = passage.about();
    match passage.form() {
        PassageForm::Heading => format!("**{about}**"),
        PassageForm::Lead => format!("*{about}*"),
        PassageForm::Text => about.to_owned(),
        PassageForm::Bullet(level) => format!("{}{about}", "• ".repeat(level.into())),
    }
}

/// The answers to a passage, and their files.
fn answered(
    document: SourceDocument,
    passage: &Passage,
    answers: &[PassageAnswer],
) -> (String, String) {
    if !passage.says_something() {
        return Default::default();
    }
    let mine = || answers.iter().filter(|it| it.concerns(document, passage));
    let names: Vec<String> = mine().map(|it| name(*it)).collect();
    if names.is_empty() {
        return (NOT_BUILT.to_owned(), String::new());
    }
    let mut seen = BTreeSet::new();
    let files = mine().filter_map(|it| it.file()).filter(|it| seen.insert(it.clone()));
    (names.join("; "), files.map(|it| link(&it)).collect::<Vec<_>>().join(", "))
}

fn name(answer: PassageAnswer) -> String {
    match answer {
        PassageAnswer::Clause(clause) if answer.is_ours() => format!("`{clause}` (ours)"),
        PassageAnswer::Clause(clause) => format!("`{clause}`"),
        PassageAnswer::Variant(variant) => format!("variant `{}`", variant.name),
        PassageAnswer::Claim(claim) => format!("claim \"{}\"", claim.name),
        PassageAnswer::Note(note) => match note.standing {
            Standing::In(_) => note.says.to_owned(),
            Standing::LeftOut => format!("[left out](#{}): {}", anchor(LEFT_OUT), note.about),
        },
    }
}

/// A link to a file, without the part of the way that all have in common.
fn link(file: &str) -> String {
    format!("[{}]({file})", file.trim_start_matches("model/src/"))
}

/// The notes that stand so, under a heading of theirs.
fn notes(page: &mut String, heading: &str, standing: Standing) {
    let _ = write!(page, "\n### {heading}\n");
    head(page, &["what", "passage", "how it is here"]);
    for note in Note::ALL.iter().filter(|it| it.standing == standing) {
        let source = if note.source.is_empty() { "unsaid" } else { note.source };
        row(page, &[note.about, source, note.says]);
    }
}

/// The clauses that are not in the documents.
fn ours(page: &mut String) {
    page.push_str("\n### Clauses that are ours\n");
    say(page, "They close a gap that the documents leave, or are part of a fix of ours.");
    head(page, &["clause", "says", "beside"]);
    for clause in Clause::all().filter(|it| PassageAnswer::Clause(*it).is_ours()) {
        let Some(info) = clause.info() else { continue };
        let beside = info.source.trim_start_matches(OURS).trim_start_matches(", beside ");
        let name = format!("[`{clause}`](model/src/{})", clause.rule.file());
        row(page, &[&name, info.says, beside]);
    }
}
