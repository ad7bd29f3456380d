//! Questions about scenarios, and their answers.
//!
//! A scenario is judged (`verdict`), run by seeds (`simulate`, `sweep`), shrunk, or asked for the
//! assumptions that its claims need; each run that comes of it becomes data (`recording`).

pub mod answers;
pub mod assume;
pub mod baseline;
pub mod certificate;
pub mod destination;
pub mod difference;
pub mod graph;
pub mod journal;
pub mod recording;
pub mod shrink;
pub mod simulate;
pub mod sweep;
pub mod trace;
pub mod verdict;
pub mod wait_for;
pub mod workers;
pub mod write;

pub use write::{needs_history, to_regression_text, to_scenario_text, to_start_text};
