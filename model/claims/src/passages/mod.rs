//! The five documents, passage by passage, and what in this project answers for each.
//!
//! The documents themselves are not part of the project. Each passage is listed with its lines and
//! a few words of ours, so that somebody who has the documents can tick them off, and a test can
//! say that every citation leads somewhere and that no bullet was forgotten.

mod answers;
mod citation;
mod d1;
mod d2;
mod d3;
mod d4;
mod d5;
mod notes;

use std::fmt;

pub use answers::{OURS, PassageAnswer, unanswered};
pub use citation::{Citation, citations};
pub use notes::{Note, Standing};

/// A document, called by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceDocument {
    D1,
    D2,
    D3,
    D4,
    D5,
}

impl fmt::Display for SourceDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::D1 => "D1",
            Self::D2 => "D2",
            Self::D3 => "D3",
            Self::D4 => "D4",
            Self::D5 => "D5",
        })
    }
}

impl SourceDocument {
    /// Every document.
    pub const ALL: [Self; 5] = [Self::D1, Self::D2, Self::D3, Self::D4, Self::D5];

    /// Its passages, in line order.
    pub fn passages(self) -> &'static [Passage] {
        match self {
            Self::D1 => d1::PASSAGES,
            Self::D2 => d2::PASSAGES,
            Self::D3 => d3::PASSAGES,
            Self::D4 => d4::PASSAGES,
            Self::D5 => d5::PASSAGES,
        }
    }

    pub fn title(self) -> &'static str {
        self.passages()[0].about()
    }

    /// Which line numbers a citation gives.
    pub fn numbering(self) -> &'static str {
        match self {
            Self::D1 | Self::D3 | Self::D4 => "the line numbers that it shows",
            Self::D2 | Self::D5 => "the lines of its file",
        }
    }

    /// The passage of another document that says the same as `passage` of this one: D2 repeats
    /// most of D1.
    pub fn counterpart(self, passage: &Passage) -> Option<(Self, &'static Passage)> {
        match (self, passage.content) {
            (Self::D1, _) => {
                let repeats = |it: &&Passage| it.content == Content::Repeats(passage.first);
                d2::PASSAGES.iter().find(repeats).map(|it| (Self::D2, it))
            }
            (_, Content::Repeats(first)) => Some((Self::D1, original(first))),
            (_, Content::Own(..)) => None,
        }
    }
}

/// A heading, paragraph or bullet of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its first line.
    pub first: u16,
    /// Its last line.
    pub last: u16,
    content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// What form it has, and what it is about.
    Own(PassageForm, &'static str),
    /// It says what the passage of D1 says that begins in this line.
    Repeats(u16),
}

/// What form a passage has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageForm {
    Heading,
    /// What introduces other passages, or asks for nothing: there is nothing to answer for.
    Lead,
    /// A paragraph that says something of the protocol.
    Text,
    /// A bullet: 1 is the outermost level.
    Bullet(u8),
}

impl Passage {
    const fn new(lines: (u16, u16), form: PassageForm, about: &'static str) -> Self {
        Self { first: lines.0, last: lines.1, content: Content::Own(form, about) }
    }

    pub fn form(&self) -> PassageForm {
        match self.content {
            Content::Own(form, _) => form,
            Content::Repeats(first) => original(first).form(),
        }
    }

    /// What it is about, in our words.
    pub fn about(&self) -> &'static str {
        match self.content {
            Content::Own(_, about) => about,
            Content::Repeats(first) => original(first).about(),
        }
    }

    /// Its lines, "110-112".
    pub fn lines(&self) -> String {
        if self.first == self.last {
            self.first.to_string()
        } else {
            format!("{}-{}", self.first, self.last)
        }
    }

    /// Whether something in the project has to answer for it.
    pub fn says_something(&self) -> bool {
        matches!(self.form(), PassageForm::Text | PassageForm::Bullet(_))
    }
}

/// The passage of D1 that begins in this line.
fn original(first: u16) -> &'static Passage {
    let found = d1::PASSAGES.iter().find(|it| it.first == first);
    found.expect("d2.rs names first lines of passages of d1.rs, which a test looks after")
}

const fn heading(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Heading, about)
}

const fn lead(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Lead, about)
}

const fn text(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Text, about)
}

const fn bullet(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Bullet(1), about)
}

const fn inner(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Bullet(2), about)
}

const fn innermost(first: u16, last: u16, about: &'static str) -> Passage {
    Passage::new((first, last), PassageForm::Bullet(3), about)
}

const fn repeats(line: u16, of: u16) -> Passage {
    Passage { first: line, last: line, content: Content::Repeats(of) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_follow_each_other() {
        for document in SourceDocument::ALL {
            let passages = document.passages();
            assert_eq!(
                passages[0].form(),
                PassageForm::Heading,
                "{document} begins with its title"
            );
            assert!(passages.iter().all(|it| it.first <= it.last));
            assert!(passages.windows(2).all(|two| two[0].last < two[1].first), "{document}");
        }
    }

    #[test]
    fn the_second_document_repeats_the_first_in_its_order_without_a_gap() {
        let is_repeated = |it: &&Passage| SourceDocument::D1.counterpart(it).is_some();
        let originals: Vec<u16> =
            SourceDocument::D1.passages().iter().filter(is_repeated).map(|it| it.first).collect();
        let repeated: Vec<u16> = SourceDocument::D2
            .passages()
            .iter()
            .filter_map(|it| SourceDocument::D2.counterpart(it).map(|(_, original)| original.first))
            .collect();
        assert_eq!(originals, repeated);
        let all: Vec<u16> = SourceDocument::D1.passages()[1..].iter().map(|it| it.first).collect();
        assert_eq!(originals, all, "all but the title");
    }
}
