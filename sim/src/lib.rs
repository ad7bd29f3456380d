//! Scenarios of the lifecycle protocol: read, replayed, described and written.
//!
//! A scenario is a file that says which world there is, what happens in it and what must come of
//! that. This crate turns files into worlds of `deathwatch-model` and back; it holds no protocol.

pub mod answers;
pub mod assume;
pub mod describe;
pub mod destination;
pub mod document;
pub mod escape;
pub mod explorer;
pub mod graph;
mod input;
pub mod listed;
pub mod loopback;
pub mod page;
mod problem;
pub mod recording;
pub mod replay;
pub mod report;
pub mod scenario;
mod schema;
pub mod shrink;
pub mod simulate;
pub mod sweep;
pub mod trace;
pub mod turns;
pub mod verdict;
pub mod wait_for;
mod workers;
mod write;

pub use document::Made;
pub use problem::Problem;
pub use replay::{Failure, Impossible, Replay, replay};
pub use scenario::{
    Expected, ExpectedOutcome, Instruction, Runner, Scenario, ScriptStep, find, load,
};
pub use schema::schema;
pub use write::{to_regression_text, to_scenario_text, to_start_text};
