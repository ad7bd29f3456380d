//! Sweeps as text and for build servers.
//!
//! `merge` writes what one undivided `simulate` would have written, byte for byte. So each form is
//! a function of the document of a sweep, which does not mention the command.

mod figures;
mod junit;
mod kinds;
mod text;

pub(crate) use self::text::{diverged, headline, unsettled};
pub use self::{
    junit::junit,
    text::{asked, summary, swept},
};
