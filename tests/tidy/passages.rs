//! The documents and the code, compared with each other.

use std::collections::BTreeSet;

use deathwatch_claims::passages::{
    Citation, Passage, PassageAnswer, PassageForm, SourceDocument, citations, unanswered,
};
use deathwatch_model::clause::Clause;
use deathwatch_show::report::guide;

use super::{files, markdown, read, root, sources};

/// The documents whose passages all have an answer.
const ANSWERED_FOR: [SourceDocument; 5] = SourceDocument::ALL;

#[test]
fn every_citation_leads_to_a_passage() {
    let texts = ["scenarios", "model/claims"].into_iter().flat_map(|it| files(it, "toml"));
    // This file cites lines that do not exist, to test that they are found.
    let all =
        sources().into_iter().filter(|(name, _)| name != "model/claims/src/passages/citation.rs");
    let protocol = [("PROTOCOL.md".to_owned(), read(&root().join("PROTOCOL.md")))];
    let mut wrong = Vec::new();
    for (name, text) in all.chain(markdown()).chain(texts).chain(protocol) {
        for citation in citations(&text).filter(|it| !it.is_sound()) {
            wrong.push(format!("{name} cites {citation}"));
        }
    }
    assert_eq!(wrong, [""; 0], "these lines are not there, or are between two passages");
}

#[test]
fn every_bullet_is_answered_for() {
    let answers: Vec<PassageAnswer> = PassageAnswer::all().collect();
    let forgotten = forgotten(&answers);
    assert!(forgotten.is_empty(), "nothing cites these, nor are they left out: {forgotten:?}");
}

/// The test above notices a passage that loses its answers. Every eighth passage is tried, as each
/// try reads all answers.
#[test]
fn a_bullet_that_nothing_cites_is_noticed() {
    let answers: Vec<PassageAnswer> = PassageAnswer::all().collect();
    for document in ANSWERED_FOR {
        let passages = document.passages().iter().filter(|it| it.says_something());
        for passage in passages.step_by(8) {
            let is_other = |it: &PassageAnswer| !it.concerns(document, passage);
            let others: Vec<PassageAnswer> = answers.iter().copied().filter(is_other).collect();
            let is_it = |it: &&Passage| it.first == passage.first;
            let is_noticed = unanswered(document, &others).into_iter().any(|it| is_it(&it));
            assert!(is_noticed, "{document}:{}", passage.lines());
        }
    }
}

/// An introduction to other passages makes no statement itself. So they must follow it at once,
/// lest a line on hooks, relations and charms in D4 is left out as a mere introduction.
#[test]
fn every_introduction_of_the_charms_in_action_leads_to_a_passage() {
    let passages = SourceDocument::D4.passages();
    let (first, last) = (9, 341);
    let inside = |it: &&[Passage]| first <= it[0].first && it[0].last <= last;
    let leads = |it: &&[Passage]| it[0].form() == PassageForm::Lead;
    let found: Vec<&[Passage]> = passages.windows(2).filter(inside).filter(leads).collect();
    assert!(!found.is_empty(), "some passages are introduced");
    for two in found {
        assert!(two[1].says_something(), "{} introduces nothing", two[0].lines());
    }
}

#[test]
fn the_guide_is_the_one_that_would_be_made() {
    let protocol = read(&root().join("PROTOCOL.md"));
    let made = guide::tables();
    assert!(protocol.contains(&made), "`cargo run --release -- report` makes PROTOCOL.md again");
}

#[test]
fn what_answers_is_in_the_file_that_is_named() {
    for answer in PassageAnswer::all() {
        let Some(file) = answer.file() else { continue };
        let path = root().join(&file);
        assert!(path.is_file(), "{file} is there, for {answer:?}");
        if let PassageAnswer::Claim(claim) = answer {
            assert!(read(&path).contains(claim.name), "{file} has the claim that {}", claim.name);
        }
    }
}

/// A clause cites both documents where they state the same.
#[test]
fn clauses_cite_what_is_said_twice_in_both_documents() {
    for clause in Clause::all().filter(|it| !PassageAnswer::Clause(*it).is_ours()) {
        let answer = PassageAnswer::Clause(clause);
        for citation in answer.citations() {
            let missing: Vec<String> = missing_counterparts(answer, citation).collect();
            assert_eq!(missing, [""; 0], "{clause} cites {citation}, and these say the same");
        }
    }
}

/// The counterparts of the passages in `citation` that `answer` does not cite.
fn missing_counterparts(answer: PassageAnswer, citation: Citation) -> impl Iterator<Item = String> {
    let counterparts = citation.passages().filter_map(move |it| citation.document.counterpart(it));
    let missing = counterparts.filter(move |(document, it)| !answer.cites(*document, it));
    missing.map(|(document, it)| cited(document, it))
}

/// The passages of the documents above without any of these answers.
fn forgotten(answers: &[PassageAnswer]) -> BTreeSet<String> {
    let passages = ANSWERED_FOR.into_iter();
    let passages =
        passages.flat_map(|it| unanswered(it, answers).into_iter().map(move |at| (it, at)));
    passages.map(|(document, passage)| cited(document, passage)).collect()
}

fn cited(document: SourceDocument, passage: &Passage) -> String {
    Citation { document, first: passage.first, last: passage.last }.to_string()
}
