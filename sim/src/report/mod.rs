//! Reports.
pub mod weaken;
