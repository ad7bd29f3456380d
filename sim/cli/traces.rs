//! Counterexamples as scenario files: moved to `scenarios/`, one becomes a regression test.

use std::{
    fs,
    path::{Path, PathBuf},
};

use deathwatch_model::check::Answer;
use deathwatch_sim::{
    to_scenario_text,
    verdict::{Judged, Verdict},
};
use miette::miette;

use crate::{
    load::Ready,
    output::{reason, write_file},
};

/// A folder for counterexamples.
pub(crate) struct Traces<'a>(&'a Path);

impl<'a> Traces<'a> {
    /// Makes the folder, so that it is known to be writable before time is spent.
    pub(crate) fn open(folder: &'a Path) -> miette::Result<Self> {
        make_folder(folder)?;
        tempfile::tempfile_in(folder).map_err(|error| {
            miette!("failed to write into {}: {}", folder.display(), reason(&error))
        })?;
        Ok(Self(folder))
    }

    /// Writes the run of each violated claim.
    pub(crate) fn write(&self, ready: &Ready, verdict: &Verdict) -> miette::Result<()> {
        for judged in &verdict.judged {
            if judged.claim().is_some() && judged.finding.answer == Answer::Violated {
                self.write_one(ready, judged)?;
            }
        }
        Ok(())
    }

    fn write_one(&self, ready: &Ready, judged: &Judged) -> miette::Result<()> {
        let (Some(trace), Some(rendered)) = (&judged.finding.trace, &judged.rendered) else {
            return Ok(());
        };
        let mut folder = self.0.to_owned();
        let parts = ready.scenario.name.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
        folder.extend(parts.map(file_name));
        make_folder(&folder)?;
        let shows = shows(judged);
        let (begins, steps, cycle) = (rendered.begins, &trace.steps, &trace.cycle);
        let text = to_scenario_text(&ready.scenario, &shows, begins, steps, cycle);
        let path: PathBuf = folder.join(file_name(&judged.name())).with_extension("toml");
        write_file(&path, &text)
    }
}

/// What a counterexample shows, in a sentence.
fn shows(judged: &Judged) -> String {
    let diagnosis = judged.rendered.as_ref().and_then(|rendered| rendered.diagnosis.as_deref());
    match diagnosis {
        Some(diagnosis) => format!("Violated: {}. {diagnosis}", judged.name()),
        None => format!("Violated: {}.", judged.name()),
    }
}

/// `name` as a file name that needs no quotes anywhere.
fn file_name(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    name.to_lowercase().chars().map(plain).collect()
}

fn make_folder(folder: &Path) -> miette::Result<()> {
    fs::create_dir_all(folder)
        .map_err(|error| miette!("failed to make {}: {}", folder.display(), reason(&error)))
}
