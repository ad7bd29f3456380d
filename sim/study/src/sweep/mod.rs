//! Sweeps: many seeds of one scenario, and the report on all of them.
//!
//! A report depends on the scenario, the options and the result of each seed, and on nothing else.
//! So it is the same for any number of threads, after an interruption, and when the journals of
//! several machines are merged.

mod drawn;
mod groups;
mod header;
mod merge;
mod plan;
mod record;
mod report;
mod result;
mod seeds;
mod seen;
mod shrunk;
mod tally;
pub mod times;
mod work;

pub use self::{
    drawn::Drawn,
    groups::{Failing, Group, Kind},
    header::{About, Header, digest},
    merge::{Merged, merge},
    plan::{Plan, Position},
    record::record,
    report::{Answered, Odd, Part, Report},
    result::{Ended, SeedResult, Violated},
    seeds::{GREATEST, SeedRange, Seeds, Shard, seed},
    seen::{Row, Seen},
    shrunk::shortest,
    tally::{Tally, Until},
    work::{Options, Progress, run},
};
