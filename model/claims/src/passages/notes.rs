//! Notes: answers that are no clause, variant or claim, and passages that are left out.

use std::sync::LazyLock;

use serde::Deserialize;

/// A note on some passages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub about: String,
    /// The passages; empty if the documents do not mention its subject.
    #[serde(default)]
    pub source: String,
    /// The file that carries it out; `None` if it is left out on purpose.
    #[serde(rename = "in")]
    pub file: Option<String>,
    pub says: String,
}

#[derive(Deserialize)]
struct NoteFile {
    note: Vec<Note>,
}

impl Note {
    /// Every note, in the order in which they are read.
    pub fn all() -> &'static [Self] {
        static NOTES: LazyLock<NoteFile> = LazyLock::new(|| {
            toml::from_str(include_str!("../../passages/notes.toml"))
                .expect("each test of the passages reads it")
        });
        &NOTES.note
    }
}
