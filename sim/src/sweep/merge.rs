//! Merging: the journals of shards make the report that one machine alone would have made.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    header::Header,
    journal::{self, Results},
    report::Report,
    result::SeedResult,
    seeds::Shard,
    tally::Tally,
};
use crate::{Problem, scenario::display};

/// What several journals say together.
pub struct Merged {
    /// A report of each scenario.
    pub reports: Vec<Report>,
    /// The shards of which there is no journal, if all journals are of as many shards.
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
        let (header, results) = journal::load(path)?;
        journals.push((path.as_path(), header, results));
    }
    let Some((first, header, _)) = journals.first() else {
        return Err(Problem::new("there is no journal to merge"));
    };
    let (first, whole) = (*first, header.whole());
    for (path, header, _) in &journals {
        if let Some(difference) = header.whole().difference(&whole) {
            let (path, first) = (display(path), display(first));
            let message = format!("the journals {first} and {path} are of different sweeps");
            return Err(Problem::new(message).with_help(format!("{path} is of {difference}")));
        }
    }
    let shards = journals.iter().map(|(_, header, _)| header.shard).collect();
    let results = union(&whole, journals)?;
    let reports = whole.scenarios.iter().zip(results).map(|(about, results)| {
        let plan = whole.plan(about);
        let mut tally = Tally::new(about, &plan, whole.until);
        let mut results: Vec<SeedResult> = results.into_values().collect();
        results.sort_by_key(|result| plan.place(result.seed));
        results.iter().for_each(|result| tally.add(result));
        Report::of(tally)
    });
    Ok(Merged { reports: reports.collect(), missing: missing(shards) })
}

/// What all journals say of each scenario.
fn union(
    whole: &Header,
    journals: Vec<(&Path, Header, Results)>,
) -> Result<Vec<BTreeMap<u64, SeedResult>>, Problem> {
    let mut all: Vec<BTreeMap<u64, (SeedResult, usize, &Path)>> =
        vec![BTreeMap::new(); whole.scenarios.len()];
    for (path, _, results) in journals {
        for (at, results) in results.into_iter().enumerate() {
            for (seed, (result, line)) in results {
                match all[at].get(&seed) {
                    Some((known, ..)) if *known == result => {}
                    Some((_, first, before)) => {
                        let scenario = &whole.scenarios[at].scenario;
                        let message = format!(
                            "two journals contradict each other about seed {seed} of {scenario}"
                        );
                        let help = format!(
                            "see {}:{first} and {}:{line}: a run depends on its scenario, its seed and the version only, so one of them is damaged or was made by another program",
                            display(before),
                            display(path),
                        );
                        return Err(Problem::new(message).with_help(help));
                    }
                    None => drop(all[at].insert(seed, (result, line, path))),
                }
            }
        }
    }
    let plain = |results: BTreeMap<u64, (SeedResult, usize, &Path)>| {
        results.into_iter().map(|(seed, (result, ..))| (seed, result)).collect()
    };
    Ok(all.into_iter().map(plain).collect())
}

/// The shards that are not among these, if they are all of one division.
fn missing(shards: Vec<Shard>) -> Vec<Shard> {
    const FEW: usize = 20;
    match shards.first() {
        Some(Shard { of, .. }) if shards.iter().all(|shard| shard.of == *of) => {
            let all = (1..=*of).map(|number| Shard { number, of: *of });
            all.filter(|shard| !shards.contains(shard)).take(FEW).collect()
        }
        _ => Vec::new(),
    }
}
