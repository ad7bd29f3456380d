//! Output: what the command line and the reports both show.

pub mod story;
