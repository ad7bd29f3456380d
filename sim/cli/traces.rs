//! Counterexamples as scenario files: moved to `scenarios/`, one becomes a regression test.

use std::path::{Path, PathBuf};

use deathwatch_claims::{Claim, check::CheckAnswer};
use deathwatch_scenario::{Problem, Scenario};
use deathwatch_study::{
    sweep, to_regression_text,
    verdict::{Judged, Verdict},
};

use crate::{folder, inputs::Inputs, load::Ready, write::write_file};

/// The greatest length of a folder's name, in letters.
const LONGEST: usize = 100;

/// The first word of a counterexample's text.
const VIOLATED: &str = "Violated: ";

pub(crate) struct Traces<'a> {
    folder: &'a Path,
    inputs: &'a Inputs,
}

impl<'a> Traces<'a> {
    /// Makes the folder. So it is known to be writable before time is spent.
    pub(crate) fn open(folder: &'a Path, inputs: &'a Inputs) -> Result<Self, Problem> {
        folder::make(folder)?;
        Ok(Self { folder, inputs })
    }

    /// Writes the run of each violated claim, and to the first step that the outline does not have.
    pub(crate) fn write(&self, ready: &Ready, verdict: &Verdict) -> Result<(), Problem> {
        for judged in &verdict.judged {
            if !judged.is_witness() && judged.finding.answer == CheckAnswer::Violated {
                self.write_one(ready, judged)?;
            }
        }
        Ok(())
    }

    fn write_one(&self, ready: &Ready, judged: &Judged) -> Result<(), Problem> {
        let Some(text) = to_regression_text(&ready.scenario, &shows(judged), judged) else {
            return Ok(());
        };
        let parent = self.folder.join(folder_of(&ready.scenario));
        let path = parent.join(file_of(judged)).with_extension("toml");
        self.inputs.spare(&path)?;
        folder::spare_others(&path, is_ours)?;
        folder::make(&parent)?;
        write_file(&path, &text)
    }
}

/// The sentence on a counterexample.
pub(crate) fn shows(judged: &Judged) -> String {
    let diagnosis = judged.rendered.as_ref().and_then(|rendered| rendered.diagnosis.as_deref());
    match diagnosis {
        Some(diagnosis) => format!("{VIOLATED}{}. {diagnosis}", judged.name()),
        None => format!("{VIOLATED}{}.", judged.name()),
    }
}

/// Whether a file begins like a counterexample of an earlier run, which may be replaced.
fn is_ours(beginning: &str) -> bool {
    let first = beginning.lines().next().unwrap_or_default();
    first.starts_with("shows = ") && first.contains(VIOLATED)
}

/// The folder for one scenario and no other. If the scenario's name cannot be used everywhere, the
/// last part of the folder's ends in a number that is a hash of its path.
fn folder_of(scenario: &Scenario) -> PathBuf {
    let parts = scenario.name.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let parts = parts.map(|part| file_name(part).chars().take(LONGEST).collect::<String>());
    let folder = parts.collect::<Vec<_>>().join("/");
    if folder == scenario.name {
        return folder.into();
    }
    let digest = sweep::digest(scenario.address.to_string().as_bytes());
    format!("{folder}-{digest:016x}").into()
}

/// The name of the file for one claim of a scenario and no other. Where that of an own claim is not
/// plain, is long, or would be that of a claim that is built in, it ends in a hash of the name.
fn file_of(judged: &Judged) -> String {
    let name = judged.name();
    let file = file_name(&name);
    let is_plain = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'_' | b' ');
    let is_built_in = || deathwatch_claims::all().any(|claim| file_name(claim.name) == file);
    let is_own = judged.claim().is_some_and(Claim::is_own);
    if !is_own || name.len() <= LONGEST && name.bytes().all(is_plain) && !is_built_in() {
        return file;
    }
    let beginning: String = file.chars().take(LONGEST).collect();
    format!("{beginning}-{:016x}", sweep::digest(name.as_bytes()))
}

/// `name` as a file name that needs no quotes in any shell.
fn file_name(name: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
    let plain = |letter: char| if is_plain(&letter) { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::file_name;

    #[test]
    fn every_claim_has_a_file_of_its_own() {
        let names: BTreeSet<String> =
            deathwatch_claims::all().map(|claim| file_name(claim.name)).collect();
        assert_eq!(names.len(), deathwatch_claims::all().count());
    }
}
