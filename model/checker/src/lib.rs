//! An explicit-state model checker that knows no protocol.
//!
//! [`explore`] searches a state space breadth first and leaves a graph; [`fair`] decides whether
//! one thing always leads to another on the fair runs through a [`graph`].

pub mod explore;
pub mod fair;
pub mod graph;
mod progress;
mod threads;

pub use progress::{Phase, Progress, Stop};
