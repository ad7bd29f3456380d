//! The fair-run search against oracles that know nothing of it.
//!
//! A search that answers "holds" wrongly is the worst defect a checker can have. So it is held
//! against the definition itself: on small graphs, every set of edges is tried as the edges that
//! a run repeats for ever. Sets of edges are too many on larger graphs, and those have bugs of
//! their own (words of 64 states, long ways back, components in components); there the oracle is
//! a matrix of who reaches whom.

mod cases;
mod definition;
#[path = "../common/exchange.rs"]
mod exchange;
mod matrix;
mod memory;
mod turned;

/// The same random numbers on every machine.
const SEED: u64 = 0x0_DEAD;
