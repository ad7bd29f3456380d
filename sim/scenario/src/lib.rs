//! Scenarios: files that describe a world, the events in it, and the expected outcome.
//!
//! This crate turns files into worlds of `deathwatch-model` and plays their scripts; it holds no
//! protocol.

pub mod describe;
pub mod escape;
pub mod input;
pub mod listed;
pub mod problem;
pub mod replay;
pub mod scenario;
mod schema;
pub mod shell;
pub mod turns;

pub use problem::Problem;
pub use replay::{Failure, ImpossibleStep, Replay, replay};
pub use scenario::{
    Expected, ExpectedOutcome, Instruction, Runner, Scenario, ScriptStep, find, load,
};
pub use schema::schema;
