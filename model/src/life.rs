//! The life of an entity.

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

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Life::Alive => "Alive",
            Life::Dying => "Dying",
            Life::Dead => "Dead",
        })
    }
}
