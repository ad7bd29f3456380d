//! The summary of a step of a workflow of GitHub, which names the file to which it is added.

use std::{env, fs::OpenOptions, io::Write as _, path::PathBuf};

use deathwatch_scenario::{Problem, scenario::display};

use crate::output::reason;

/// The environment variable that names the file.
const VARIABLE: &str = "GITHUB_STEP_SUMMARY";

/// Adds `text` to the summary, if there is one.
pub(crate) fn add(text: &str) -> Result<(), Problem> {
    let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else { return Ok(()) };
    let path = PathBuf::from(path);
    let file = OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let (path, reason) = (display(&path), reason(&error));
        Problem::new(format!("failed to write the summary of the step, {path}: {reason}"))
    })
}
