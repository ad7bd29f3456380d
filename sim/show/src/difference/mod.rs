//! Differences between two scenarios or two journals, in sentences and as text.

mod sentences;
mod text;

pub(crate) use self::sentences::{
    answers, carried_out, changed, common, counts, decides, headline, open, parting, seeds,
    settings, start,
};
pub use self::text::text;
