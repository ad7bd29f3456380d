//! The scenario files that the files and folders of a command line stand for.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{Address, also, display, read};
use crate::problem::Problem;

/// The name of folders that are skipped unless they are named themselves: their scenarios take too
/// long to be run with the rest.
const BY_NAME: &str = "by-name";

/// The scenarios that `paths` stand for, each once, ordered by file: a file with all scenarios that
/// it describes, folders with all files below them, except below folders called `by-name`, and an
/// address with its scenario alone. A leading "./" is dropped.
///
/// # Errors
/// If one of them does not exist or cannot be read, or if a folder has no scenario in it.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Address>, Problem> {
    Ok(once(find_named(paths)?.into_iter().flat_map(with_further).collect()))
}

/// A scenario, and if it is that of a file, those of its tables `also`.
fn with_further(address: Address) -> Vec<Address> {
    let mut all = vec![address];
    if all[0].also.is_none() {
        // What cannot be read is a problem when it is loaded.
        let names = read::source(&all[0].file).map_or(Vec::new(), |text| also::names(&text));
        let file = all[0].file.clone();
        all.extend(names.into_iter().map(|it| Address { file: file.clone(), also: Some(it) }));
    }
    all
}

/// Each of these scenarios, at the first of its addresses.
fn once(mut found: Vec<Address>) -> Vec<Address> {
    let mut seen = BTreeSet::new();
    found.retain(|address| {
        let file = fs::canonicalize(&address.file).unwrap_or_else(|_| address.file.clone());
        seen.insert((file, address.also.clone()))
    });
    found
}

/// The scenarios that `paths` name: as [`find`], but a file stands for itself alone, without its
/// tables `also`.
///
/// # Errors
/// As [`find`].
pub fn find_named(paths: &[PathBuf]) -> Result<Vec<Address>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        let address = Address::given(path);
        let path = &address.file;
        let kind = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if !kind.is_dir() {
            found.push(address);
            continue;
        }
        let mut files = Vec::new();
        collect(path, &mut files)?;
        if files.is_empty() {
            let message = format!("{} has no scenarios in it", display(path));
            return Err(Problem::new(message).with_help("a scenario is a file called NAME.toml"));
        }
        found.extend(files.iter().map(Address::from));
    }
    for address in &mut found {
        if let Ok(plain) = address.file.strip_prefix(".") {
            address.file = plain.to_owned();
        }
    }
    Ok(once(found))
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
