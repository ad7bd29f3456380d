//! Answers of `check` as data: what reports say of each scenario, the shards into which scenarios are
//! divided, and the journals from which shards go on and are merged.
//!
//! A report is made of these data alone, whether the answers come from a search just now, from a
//! journal, or from the journals of several machines. So it is the same bytes.

mod answered;
mod entry;
mod header;
mod journal;
mod markup;
mod merge;

pub use self::{
    answered::{Answered, Case, Counts},
    entry::{Asked, Claim, Document, Entry, Missing, Shown, document, schema, unloaded},
    header::{Header, Subject},
    journal::{Journal, is_journal},
    merge::{Merged, merge},
};
