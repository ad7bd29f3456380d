//! Premises of claims, repairs, and waits for cures, in lines of 80 columns.

mod repaired;
mod text;

pub(crate) use self::text::{chosen, is_alike, is_wanted};
pub use self::{
    repaired::repaired,
    text::{stuck, table},
};
