//! The tests of this crate through what it offers, as one program: each of many would be linked
//! with all that it needs, and run after the others.

mod assumptions;
mod common;
mod detail_seeds;
mod diagnoses;
mod expectations;
mod expressions;
mod fair_runs;
mod files;
mod find_enabled;
mod fuzz;
mod history;
mod incremental;
mod language;
mod large_worlds;
mod limits;
mod monitor;
mod patterns;
mod probes;
mod problems;
mod recordings;
mod refinement;
mod regressions;
mod replays;
mod round_trips;
mod schemas;
mod scripts;
mod second_opinion;
mod seeds;
mod shrinks;
mod simulations;
mod starts;
mod sweeps;
mod total;
mod vacuity;
mod verdicts;
