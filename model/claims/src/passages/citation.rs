//! Citations such as "D1:110-112" in a text.

use std::{fmt, iter, str::FromStr};

use super::{Passage, SourceDocument};

/// Some lines of a document, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Citation {
    pub document: SourceDocument,
    pub first: u16,
    pub last: u16,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { document, first, last } = self;
        if first == last {
            f.pad(&format!("{document}:{first}"))
        } else {
            f.pad(&format!("{document}:{first}-{last}"))
        }
    }
}

impl Citation {
    /// Whether it cites a line of `passage`, a passage of `document`.
    pub fn touches(self, document: SourceDocument, passage: &Passage) -> bool {
        self.document == document && self.first <= passage.last && passage.first <= self.last
    }

    /// The passages of which it cites a line.
    pub fn passages(self) -> impl Iterator<Item = &'static Passage> {
        self.document.passages().iter().filter(move |it| self.touches(self.document, it))
    }

    /// Whether its first and its last line are in passages, and in this order.
    pub fn is_sound(self) -> bool {
        let is_in_passage = |line: u16| {
            self.document.passages().iter().any(|it| (it.first..=it.last).contains(&line))
        };
        self.first <= self.last && is_in_passage(self.first) && is_in_passage(self.last)
    }
}

/// The citations in a text, in its order.
pub fn citations(text: &str) -> impl Iterator<Item = Citation> + '_ {
    let mut rest = text;
    let mut before = None;
    iter::from_fn(move || {
        while !rest.is_empty() {
            let is_word = before.is_some_and(char::is_alphanumeric);
            let found = if is_word { None } else { leading(rest) };
            let letters = found.map_or(1, |(_, letters)| letters);
            let end = rest.char_indices().nth(letters).map_or(rest.len(), |(at, _)| at);
            before = rest[..end].chars().next_back();
            rest = &rest[end..];
            if let Some((citation, _)) = found {
                return Some(citation);
            }
        }
        None
    })
}

/// The citation that a text begins with, and its length in bytes.
fn leading(text: &str) -> Option<(Citation, usize)> {
    let document = SourceDocument::ALL.into_iter().find(|it| text.starts_with(&it.to_string()))?;
    let lines = text[2..].strip_prefix(':')?;
    let (first, rest) = number(lines)?;
    let end = rest.strip_prefix('-').and_then(number);
    let (last, rest) = end.unwrap_or((first, rest));
    Some((Citation { document, first, last }, text.len() - rest.len()))
}

/// The number that a text begins with, and the rest of the text.
fn number(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    Some((u16::from_str(&text[..end]).ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        citations(text).map(|it| it.to_string()).collect()
    }

    #[test]
    fn citations_are_found_wherever_they_stand() {
        assert_eq!(found("D1:110-112; D2:37"), ["D1:110-112", "D2:37"]);
        assert_eq!(found("“as D2:355 has it” (D2:375)."), ["D2:355", "D2:375"]);
        assert_eq!(found("D3:4-x"), ["D3:4"]);
        assert_eq!(found("D1, D6:1, AD1:2, D1:, D1:70000, d1:1 and LAD2:3"), [""; 0]);
    }

    #[test]
    fn a_citation_leads_somewhere_or_not() {
        let is_sound = |text| citations(text).all(Citation::is_sound);
        assert!(is_sound("D1:110-112; D1:111; D2:285-291"));
        assert!(!is_sound("D1:104"), "between two passages");
        assert!(!is_sound("D1:196-197"), "beyond the end");
        assert!(!is_sound("D1:112-110"), "backwards");
    }
}
