//! What claims need, and what waits for cures, as tables of 80 columns.

mod stuck;
mod text;

pub use self::{stuck::stuck, text::table};
