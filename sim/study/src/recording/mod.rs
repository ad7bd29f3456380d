//! Recordings: a run as data, whole, for pages, for other tools and for programs.
//!
//! One type holds everything that there is to show of a run: its steps with what each changed, the
//! state after each step by name, who runs, what is pending, what is owed, what else could have
//! happened, and why something could not. It is found by doing the run again through the protocol,
//! and each field of a state is described by its own declaration. Whoever shows a run reads it from
//! here, and parses no text.

mod candidates;
mod data;
mod dot;
mod escaped;
mod header;
mod itf;
mod lanes;
mod mermaid;
mod moments;
mod obligations;
mod pending;
mod played;
mod recorder;
mod steps;
mod tables;

pub use self::moments::{enabled, offer};
pub use self::{
    data::{
        Act, ActorKind, Answered, Because, Change, ClaimStrip, ClauseText, Decided, Document,
        DocumentName, End, Entity, Impossible, Kind, KindField, Lane, Moment, Owed, OwedIs,
        Pending, Possible, Presence, Recording, Span, States, Step, Table, Tables, Tier, Value,
        What,
    },
    dot::dot,
    header::{Assumption, Counts, Entities, Fault, Given, Header, Origin, Setting, SwitchedOff},
    itf::itf,
    mermaid::{mermaid, sketch},
    played::Played,
    recorder::{Keep, TooLong, Unrecorded, record, record_unless},
    tables::{document_name, tables},
};
use deathwatch_documents::schema_of;
use deathwatch_documents::{Made, to_json};

/// The version of the form of documents. It grows with each change that a reader might notice.
const VERSION: u32 = 2;

/// The document of the runs that `command` writes.
pub fn document(command: &str, runs: Vec<Recording>) -> serde_json::Value {
    to_json(&Document { made: Made::by(command, VERSION), runs })
}

/// The schema that every document of recordings satisfies.
pub fn schema() -> serde_json::Value {
    schema_of::<Document>("Runs of deathwatch").to_value()
}
