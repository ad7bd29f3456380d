//! Merging: the journals of shards give the report that one machine alone would have written.

use std::{collections::BTreeSet, path::PathBuf};

use deathwatch_documents::Sweep;
use deathwatch_scenario::Problem;

use super::{
    header::{About, SweepHeader},
    result::SeedResult,
    seeds::Shard,
    tally::Tally,
};
use crate::journal::{self, JournalHeader as _};

/// The result of merging.
pub struct Merged {
    pub sweeps: Vec<Sweep>,
    /// The scenarios of the journals.
    pub scenarios: Vec<About>,
    /// The shards without a journal, if all journals are of the same number of shards.
    pub missing: Vec<Shard>,
}

/// Merges the journals at `paths`.
///
/// # Errors
/// If one of them cannot be read, if they are of different sweeps, or if they contradict each
/// other.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, Problem> {
    let (headers, results) = journal::merge::<SweepHeader>(paths)?;
    let whole = headers[0].whole();
    let shards: Vec<Shard> = headers.iter().map(|header| header.shard).collect();
    let sweeps = whole.scenarios.iter().zip(results).map(|(about, results)| {
        let plan = whole.plan(about);
        let mut tally = Tally::new(about, &plan, whole.until);
        let mut results: Vec<SeedResult> = results.into_values().collect();
        results.sort_by_key(|result| plan.position(result.seed));
        for result in &results {
            tally.add(result);
        }
        tally.document(&[])
    });
    let sweeps = sweeps.collect();
    Ok(Merged { sweeps, scenarios: whole.scenarios, missing: missing(&shards) })
}

/// The shards that are missing among these, if they are all of the same number of shards.
fn missing(shards: &[Shard]) -> Vec<Shard> {
    const FEW: usize = 20;
    match shards.first() {
        Some(Shard { of, .. }) if shards.iter().all(|shard| shard.of == *of) => {
            let there: BTreeSet<Shard> = shards.iter().copied().collect();
            let all = (1..=*of).map(|number| Shard { number, of: *of });
            all.filter(|shard| !there.contains(shard)).take(FEW).collect()
        }
        _ => Vec::new(),
    }
}
