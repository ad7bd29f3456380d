//! Sweeps as text.
//!
//! `merge` writes what one undivided `simulate` would have written, byte for byte. So each form is
//! a function of the document of a sweep, which does not mention the command.

mod figures;
mod kinds;
mod text;

pub use self::text::{asked, summary, swept};
pub(crate) use self::text::{diverged, headline, unsettled};
