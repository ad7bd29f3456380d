//! Recording: seeds that failed become known seeds of their scenarios.

use std::{
    fs::{self, File},
    path::Path,
};

use deathwatch_documents::Sweep;
use deathwatch_scenario::{Problem, Scenario};
use deathwatch_study::sweep;

use crate::{diagnostics, exit::Abandon, load::Ready, output};

/// Records the seeds of the unexpected results of each sweep in its scenario.
pub(crate) fn all<'a>(swept: impl Iterator<Item = (&'a Ready, &'a Sweep)>) -> Result<(), Abandon> {
    let recorded = swept.map(|(ready, swept)| one(&ready.scenario, &swept.surprising_seeds()));
    let problems: Vec<Problem> = recorded.filter_map(Result::err).collect();
    if problems.is_empty() { Ok(()) } else { Err(Abandon::Problems(problems)) }
}

fn one(scenario: &Scenario, seeds: &[u64]) -> Result<(), Problem> {
    if seeds.is_empty() {
        return Ok(());
    }
    let address = &scenario.address;
    let failed = |why: &str| Problem::new(format!("failed to record seeds in {address}: {why}"));
    // A link is followed: its target is replaced, not the link.
    let file = fs::canonicalize(&address.file).map_err(|error| failed(&output::reason(&error)))?;
    let _lock = lock(&file);
    let source = fs::read_to_string(&file).map_err(|error| failed(&output::reason(&error)))?;
    if source != scenario.source() {
        return Err(failed("it was changed in the meantime"));
    }
    if let Some(text) =
        sweep::record(&source, address.also.as_deref(), seeds).map_err(|why| failed(&why))?
    {
        output::write_file(&file, &text)?;
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        diagnostics::say(format_args!("recorded in {address}: seeds {}", seeds.join(", ")));
    }
    Ok(())
}

/// Makes other processes that record in the same file wait: they then see that it was changed.
#[cfg(unix)]
fn lock(file: &Path) -> Option<File> {
    // Without a lock, two processes may both find the file as it was; one of them loses its seeds.
    File::open(file).ok().filter(|file| file.lock().is_ok())
}

/// Elsewhere a locked file cannot be read.
#[cfg(not(unix))]
fn lock(_: &Path) -> Option<File> {
    None
}
