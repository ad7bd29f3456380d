//! Words of the glossary and citations, each with its meaning for a reader who points at it, or
//! who goes there by keyboard or touch: then the meaning stands behind the word.
//!
//! The words are those of `docs/glossary.md`, and passages are told in the words of `PROTOCOL.md`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use deathwatch_claims::passages::{Citation, Passage, citations};
use maud::{Markup, html};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// The greatest number of passages that are shown for a citation.
const MOST_PASSAGES: usize = 6;

static MEANINGS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| meanings(GLOSSARY));

/// A text in which each citation has the passages in our words, and each word of the glossary its
/// meaning where it stands first.
pub(super) fn explained(text: &str) -> Markup {
    let mut told = BTreeSet::new();
    with_meanings(text, |word| {
        passages(word).or_else(|| meaning(word).filter(|it| told.insert(it.clone())))
    })
}

/// A text in which each citation has the passages in our words.
pub(super) fn cited(text: &str) -> Markup {
    with_meanings(text, passages)
}

/// A text in which each word that has a meaning has it.
fn with_meanings(text: &str, mut meaning: impl FnMut(&str) -> Option<String>) -> Markup {
    let pieces = text.split_inclusive(|letter: char| !is_of_word(letter)).map(|piece| {
        let word = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric());
        (word, meaning(word), &piece[word.len()..])
    });
    html! {
        @for (word, meaning, rest) in pieces {
            @match meaning {
                Some(meaning) => abbr title=(meaning) tabindex="0" { (word) },
                None => (word),
            }
            (rest)
        }
    }
}

pub(super) fn plain(text: &str) -> Markup {
    html! { (text) }
}

/// Whether a letter is part of a word, or of a citation. The name of an agent is one word.
fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, ':' | '-')
}

/// The texts of the passages that a word cites; `None` if it is no citation.
fn passages(word: &str) -> Option<String> {
    let citation = citations(word).next().filter(|it| it.to_string() == word)?;
    let said: Vec<&str> = citation.passages().map(Passage::about).collect();
    let Citation { document, .. } = citation;
    let more = said.len().saturating_sub(MOST_PASSAGES);
    let told = said[..said.len() - more].join("; ");
    let more = if more > 0 { format!("; and {more} more passages") } else { String::new() };
    (!told.is_empty()).then(|| format!("{}: {told}{more}", document.title()))
}

/// The meaning of a word, or of the word that it is the plural of.
fn meaning(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    let cut = |end| word.strip_suffix(end);
    let singular = cut("ies").map(|stem| format!("{stem}y"));
    let forms = [Some(word.as_str()), singular.as_deref(), cut("es"), cut("s")];
    forms.into_iter().flatten().find_map(|form| MEANINGS.get(form).cloned())
}

/// The meanings in a glossary: of each heading the text below it, without marks.
fn meanings(glossary: &str) -> BTreeMap<String, String> {
    let mut meanings = BTreeMap::new();
    let (mut word, mut is_heading) = (String::new(), false);
    for event in Parser::new(glossary) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                (word, is_heading) = (String::new(), true);
            }
            Event::End(TagEnd::Heading(_)) => is_heading = false,
            Event::Text(text) | Event::Code(text) if is_heading => word.push_str(&text),
            Event::Text(text) | Event::Code(text) => {
                meanings.entry(word.clone()).or_insert_with(String::new).push_str(&text);
            }
            Event::SoftBreak => {
                if let Some(meaning) = meanings.get_mut(&word) {
                    meaning.push(' ');
                }
            }
            _ => {}
        }
    }
    meanings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_of_the_glossary_has_its_meaning_in_plain_text() {
        let headings = GLOSSARY.lines().filter_map(|line| line.strip_prefix("## "));
        for word in headings {
            let meaning = meaning(word).expect(word);
            assert!(meaning.len() > 40 && meaning.ends_with('.'), "{word}: {meaning}");
            assert!(!meaning.contains(['*', '`', '[', '\n']), "{word}: {meaning}");
        }
        assert_eq!(meaning("Scopes"), meaning("scope"));
        assert_eq!(meaning("directories"), meaning("directory"));
        assert_eq!(meaning("unit-agent"), None);
    }

    #[test]
    fn words_and_citations_are_explained_and_nothing_else_changes() {
        let text =
            "its agent is in a scope <b>, as the scope says (D1:18-26; D2:71), D9:1 of a-scope";
        let told = explained(text).into_string();
        let scope = "<abbr title=\"The units that take part in a relation: ";
        assert_eq!(told.matches(scope).count(), 1, "where it stands first: {told}");
        assert!(told.contains(">scope</abbr> &lt;b&gt;, as the scope says ("), "{told}");
        let bug = "<abbr title=\"Death and Destruction: a BUG: after hardware fails the agent does \
                   not know its relations; two fixes\" tabindex=\"0\">D1:18-26</abbr>; ";
        assert!(told.contains(bug), "{told}");
        assert!(told.ends_with("D9:1 of a-scope"), "{told}");
        let mut plain = String::new();
        for (at, part) in told.split('<').enumerate() {
            plain.push_str(if at == 0 { part } else { part.split_once('>').expect("an end").1 });
        }
        assert_eq!(plain.replace("&lt;", "<").replace("&gt;", ">"), text);
    }

    #[test]
    fn a_long_citation_tells_some_of_its_passages() {
        let said = passages("D1:4-196").expect("it is one");
        assert!(said.len() < 700 && said.ends_with(" more passages"), "{said}");
    }
}
