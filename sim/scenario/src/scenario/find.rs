//! The scenario files that the files and folders of a command line stand for.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::display;
use crate::problem::Problem;

/// The name of folders that are skipped unless they are named themselves: their scenarios take too
/// long to be run with the rest.
const BY_NAME: &str = "by-name";

/// The scenario files that `paths` stand for, each once, ordered by name: files as they are, and
/// folders with all scenarios below them, except below folders called `by-name`. A leading "./" is
/// dropped.
///
/// # Errors
/// If one of them does not exist or cannot be read, or if a folder has no scenario in it.
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if !kind.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        collect(path, &mut found)?;
        if found.len() == before {
            let message = format!("{} has no scenarios in it", display(path));
            return Err(Problem::new(message).with_help("a scenario is a file called NAME.toml"));
        }
    }
    let plain = |path: PathBuf| path.strip_prefix(".").map_or(path.clone(), Path::to_path_buf);
    let mut found: Vec<PathBuf> = found.into_iter().map(plain).collect();
    let mut seen = BTreeSet::new();
    found.retain(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())));
    Ok(found)
}

/// Adds the scenarios in `folder` and below. Links to folders are not followed, as they can lead
/// in circles.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| unreadable(folder, &error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| unreadable(&path, &error))?;
        if kind.is_dir() {
            if entry.file_name() != BY_NAME {
                collect(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "toml") && !path.is_dir() {
            found.push(path);
        }
    }
    Ok(())
}

/// The problem that `path` cannot be read.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let path = display(path);
    match error.kind() {
        std::io::ErrorKind::NotFound => Problem::new(format!("there is no file {path}"))
            .with_help("a scenario is a file or a folder of files called NAME.toml"),
        _ => Problem::new(format!("{path} cannot be read: {error}")),
    }
}
