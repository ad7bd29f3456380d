//! Sweeps: many seeds of one scenario, and the document of their results.
//!
//! The document depends on the scenario, the options and the result of each seed, and on nothing
//! else. So it is the same for any number of threads, after an interruption, and when the journals
//! of several machines are merged.

mod document;
mod groups;
mod header;
mod merge;
mod plan;
mod record;
mod result;
mod seeds;
mod seen;
mod shrunk;
mod tally;
pub mod times;
mod work;

pub use self::{
    header::{About, SweepHeader, Until, digest},
    merge::{Merged, merge},
    plan::{SeedPosition, SweepPlan},
    record::record,
    result::{Ended, SeedResult, Violated},
    seeds::{GREATEST, SeedRange, Seeds, Shard, seed},
    shrunk::shortest,
    tally::Tally,
    work::{Options, Progress, run},
};
