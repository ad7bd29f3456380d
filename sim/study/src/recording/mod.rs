//! Run: a run is done again through the protocol, and becomes data.
//!
//! Each field of a state is described by its own declaration, so a new field is in every document.

mod clearest;
mod decided;
mod ending;
mod header;
mod lanes;
mod moments;
mod never_taken;
mod obligations;
mod pending;
mod played;
mod recorder;
mod slice;
mod steps;
mod tables;
mod unrecorded;

pub use self::{
    clearest::clearest,
    ending::abridged,
    moments::{enabled, offer, possible},
    played::Played,
    recorder::{Keep, record, record_unless},
    slice::Slice,
    tables::{document_name, tables},
    unrecorded::{TooLong, Unrecorded},
};
pub(crate) use self::{
    header::{entities, header},
    recorder::standing,
    tables::tables_of,
};
