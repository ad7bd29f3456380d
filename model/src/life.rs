//! The life of an entity, and the status of a machine's start.

use std::fmt;

/// The stage of an entity between its creation and its removal.
///
/// Entity lifecycle (D2:13-19). Once an entity is removed it has no document and no life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Life {
    /// The first stage of every entity.
    Alive,
    /// Its destruction was asked for; impediments to its removal may remain.
    Dying,
    /// No impediment remains; it may be removed at any time.
    Dead,
}

impl Life {
    /// The words for lives in files and conditions; the last one is for a missing document.
    pub const WORDS: [&'static str; 4] = ["alive", "dying", "dead", "gone"];

    /// The name of the field that every document of an entity has.
    pub const FIELD: &'static str = "life";

    /// The lives, in the order of their words.
    const ALL: [Option<Self>; 4] = [Some(Self::Alive), Some(Self::Dying), Some(Self::Dead), None];

    /// The word for a life, or for a missing document.
    pub fn word(life: Option<Self>) -> &'static str {
        Self::WORDS[life.map_or(Self::WORDS.len() - 1, |life| life as usize)]
    }

    /// The life that a word stands for; `Some(None)` for a missing document.
    pub fn of_word(word: &str) -> Option<Option<Self>> {
        let at = Self::WORDS.iter().position(|it| *it == word)?;
        Some(Self::ALL[at])
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Life::Alive => "Alive",
            Life::Dying => "Dying",
            Life::Dead => "Dead",
        })
    }
}

/// The state of the last attempt to start an instance for a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StartStatus {
    /// There was none yet, or the last one succeeded.
    #[default]
    Pending,
    Error,
    /// It failed, and the user has resolved the error.
    Resolved,
}

impl StartStatus {
    /// Every status, in the order of their names.
    pub(crate) const ALL: &'static [Self] = &[Self::Pending, Self::Error, Self::Resolved];

    pub(crate) const NAMES: &'static [&'static str] = &["pending", "error", "resolved"];
}
