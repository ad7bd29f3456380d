//! The five documents, passage by passage, with the answers of this project for each.
//!
//! The documents themselves are not part of the project. Each passage is listed with its lines and
//! a few words of ours, so that a reader of the documents can tick them off, and a test can check
//! that every citation leads to a passage and that no bullet was forgotten.

mod answers;
mod citation;
mod notes;

use std::{fmt, sync::LazyLock};

use serde::{Deserialize, de::Error as _};

pub use answers::{OURS, PassageAnswer, unanswered};
pub use citation::{Citation, citations};
pub use notes::Note;

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
        static ALL: LazyLock<[Vec<Passage>; 5]> = LazyLock::new(|| {
            let file = |source: &str| {
                toml::from_str::<PassageFile>(source).expect("each test reads the documents")
            };
            let first = file(include_str!("../../passages/d1.toml")).passages(&[]);
            let second = file(include_str!("../../passages/d2.toml")).passages(&first);
            let [third, fourth, fifth] = [
                include_str!("../../passages/d3.toml"),
                include_str!("../../passages/d4.toml"),
                include_str!("../../passages/d5.toml"),
            ]
            .map(|source| file(source).passages(&[]));
            [first, second, third, fourth, fifth]
        });
        &ALL[self as usize]
    }

    pub fn title(self) -> &'static str {
        self.passages()[0].about()
    }

    /// The meaning of line numbers in citations of this document.
    pub fn numbering(self) -> &'static str {
        match self {
            Self::D1 | Self::D4 => "the line numbers that it shows",
            // The text of its file comes behind all numbers.
            Self::D3 => "the line numbers that it shows: line N is line N + 108 of its file",
            Self::D2 | Self::D5 => "the lines of its file",
        }
    }

    /// The passage of another document that says the same as `passage` of this one: D2 repeats most
    /// of D1.
    pub fn counterpart(self, passage: &Passage) -> Option<(Self, &'static Passage)> {
        let found = |document: Self, is_it: &dyn Fn(&Passage) -> bool| {
            document.passages().iter().find(|it| is_it(it)).map(|it| (document, it))
        };
        match (self, passage.repeats) {
            (Self::D1, _) => found(Self::D2, &|it| it.repeats == Some(passage.first)),
            (_, Some(first)) => found(Self::D1, &|it| it.first == first),
            (_, None) => None,
        }
    }
}

/// The file of a document in `passages/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PassageFile {
    /// First line, last line, form, and the subject of the passage in our words.
    passages: Vec<(u16, u16, PassageForm, String)>,
    /// Lines of D2, each with the first line of the passage of D1 that it repeats.
    #[serde(default)]
    repeats: Vec<(u16, u16)>,
}

impl PassageFile {
    fn passages(self, originals: &[Passage]) -> Vec<Passage> {
        let own = self.passages.into_iter();
        let own = own.map(|(first, last, form, about)| Passage {
            first,
            last,
            form,
            about,
            repeats: None,
        });
        let again = self.repeats.into_iter().map(|(line, of)| {
            let original = originals.iter().find(|it| it.first == of);
            let original = original.expect("the first line of a passage, which a test looks after");
            Passage { first: line, last: line, repeats: Some(of), ..original.clone() }
        });
        let mut all: Vec<Passage> = own.chain(again).collect();
        all.sort_by_key(|it| it.first);
        all
    }
}

/// A heading, paragraph or bullet of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    pub first: u16,
    /// The last line, which is part of it.
    pub last: u16,
    form: PassageForm,
    about: String,
    /// The first line of the passage of D1 that says the same.
    repeats: Option<u16>,
}

/// The form of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageForm {
    Heading,
    /// A passage that introduces others or asks for nothing, so it needs no answer.
    Lead,
    /// A paragraph that says something of the protocol.
    Text,
    /// A bullet: 1 is the outermost level.
    Bullet(u8),
}

impl<'de> Deserialize<'de> for PassageForm {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match &*String::deserialize(from)? {
            "heading" => Self::Heading,
            "lead" => Self::Lead,
            "text" => Self::Text,
            "bullet" => Self::Bullet(1),
            "inner" => Self::Bullet(2),
            "innermost" => Self::Bullet(3),
            form => return Err(D::Error::custom(format!("no form of passages: {form}"))),
        })
    }
}

impl Passage {
    pub fn form(&self) -> PassageForm {
        self.form
    }

    /// Its subject, in our words.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Its lines, such as "110-112".
    pub fn lines(&self) -> String {
        if self.first == self.last {
            self.first.to_string()
        } else {
            format!("{}-{}", self.first, self.last)
        }
    }

    /// Whether it needs an answer.
    pub fn says_something(&self) -> bool {
        matches!(self.form(), PassageForm::Text | PassageForm::Bullet(_))
    }
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
