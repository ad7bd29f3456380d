//! Merging: the journals of shards give the report that one machine alone would have written.

use std::{
    collections::{BTreeMap, BTreeSet, btree_map::Entry},
    path::{Path, PathBuf},
};

use deathwatch_documents::Sweep;
use deathwatch_scenario::{Problem, scenario::display};

use super::{
    header::{About, Header},
    result::SeedResult,
    seeds::Shard,
    tally::Tally,
};
use crate::journal::{self, JournalHeader as _, ResultsByKey, agree};

/// The result of merging.
pub struct Merged {
    /// The document of each scenario.
    pub sweeps: Vec<Sweep>,
    /// What the journals say of each scenario.
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
    let mut journals = Vec::new();
    for path in paths {
        let journal = journal::load::<Header>(path)?;
        journals.push((path.as_path(), journal.header, journal.results));
    }
    let Some((first, header, _)) = journals.first() else {
        return Err(Problem::new("there is no journal to merge"));
    };
    let (first, whole) = (*first, header.whole());
    for (path, header, _) in &journals {
        agree(first, path, "sweeps", header.whole().difference(&whole))?;
    }
    let shards: Vec<Shard> = journals.iter().map(|(_, header, _)| header.shard).collect();
    let results = union(&whole, journals)?;
    let sweeps = whole.scenarios.iter().zip(results).map(|(about, results)| {
        let plan = whole.plan(about);
        let mut tally = Tally::new(about, &plan, whole.until);
        let mut results: Vec<SeedResult> = results.into_values().map(|it| it.result).collect();
        results.sort_by_key(|result| plan.position(result.seed));
        for result in &results {
            tally.add(result);
        }
        tally.document(&[])
    });
    let sweeps = sweeps.collect();
    Ok(Merged { sweeps, scenarios: whole.scenarios, missing: missing(&shards) })
}

/// The result of a seed, and the journal that has it.
struct Said<'a> {
    result: SeedResult,
    path: &'a Path,
    line: usize,
}

/// The results of each scenario in all journals.
fn union<'a>(
    whole: &Header,
    journals: Vec<(&'a Path, Header, ResultsByKey<SeedResult>)>,
) -> Result<Vec<BTreeMap<u64, Said<'a>>>, Problem> {
    let mut all: Vec<BTreeMap<u64, Said<'_>>> = Vec::new();
    all.resize_with(whole.scenarios.len(), BTreeMap::new);
    for (path, _, results) in journals {
        for (at, results) in results.into_iter().enumerate() {
            for (seed, (result, line)) in results {
                let said = Said { result, path, line };
                match all[at].entry(seed) {
                    Entry::Vacant(entry) => drop(entry.insert(said)),
                    Entry::Occupied(entry) if entry.get().result == said.result => {}
                    Entry::Occupied(entry) => {
                        let scenario = &whole.scenarios[at].scenario;
                        return Err(contradiction(scenario, entry.get(), &said));
                    }
                }
            }
        }
    }
    Ok(all)
}

fn contradiction(scenario: &str, first: &Said<'_>, other: &Said<'_>) -> Problem {
    let seed = first.result.seed;
    let position = |said: &Said<'_>| format!("{}:{}", display(said.path), said.line);
    let (first, other) = (position(first), position(other));
    let message =
        format!("{first} and {other} contradict each other about seed {seed} of {scenario}");
    Problem::new(message).with_help(
        "a run depends on its scenario, its seed and the version only, so one of the journals is \
         damaged or was made by another program",
    )
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
