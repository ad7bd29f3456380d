//! The scenario files that the files and folders of a command line stand for.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{
    Address,
    address::{display, unreadable},
    also, read,
};
use crate::{input, problem::Problem};

/// The name of folders that are skipped unless they are named themselves: their scenarios take too
/// long to be run with the rest.
const BY_NAME: &str = "by-name";

/// The scenarios that `paths` stand for, each once, ordered by file: a file with all scenarios that
/// it describes, folders with all files below them, except below folders called `by-name`, and an
/// address with a `#` with its scenario alone. A leading "./" is dropped.
///
/// # Errors
/// If one of them does not exist or cannot be read, or if a folder has no scenario in it.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Address>, Problem> {
    let mut found = Vec::new();
    for path in paths {
        let named = named(path)?;
        if Address::is_one(path) {
            found.extend(named);
        } else {
            found.extend(named.into_iter().flat_map(with_further));
        }
    }
    Ok(once(found))
}

/// The first scenario of a file, and those of its tables `also`.
fn with_further(first: Address) -> impl Iterator<Item = Address> {
    // What cannot be read is a problem when it is loaded.
    let names = read::source(&first.file).map_or(Vec::new(), |text| also::names(&text));
    let file = first.file.clone();
    let further = names.into_iter().map(move |it| Address { file: file.clone(), also: Some(it) });
    std::iter::once(first).chain(further)
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
    let found: Vec<Vec<Address>> =
        paths.iter().map(|path| named(path)).collect::<Result<_, _>>()?;
    Ok(once(found.into_iter().flatten().collect()))
}

/// The scenario that `path` names, or the first ones of the files in a folder.
fn named(path: &Path) -> Result<Vec<Address>, Problem> {
    let address = Address::given(path);
    let path = &address.file;
    let mut files: Vec<PathBuf> = offered(path);
    let is_folder = if files.is_empty() {
        fs::metadata(path).map_err(|error| unreadable(path, &error))?.is_dir()
    } else {
        !input::is_offered(path)
    };
    if is_folder && files.is_empty() {
        collect(path, &mut files)?;
    }
    let mut found: Vec<Address> = files.iter().filter(|_| is_folder).map(Address::from).collect();
    if !is_folder {
        found.push(address);
    } else if found.is_empty() {
        let message = format!("{} has no scenarios in it", display(path));
        return Err(Problem::new(message).with_help("a scenario is a file called NAME.toml"));
    }
    for address in &mut found {
        if let Ok(plain) = address.file.strip_prefix(".") {
            address.file = plain.to_owned();
        }
    }
    Ok(found)
}

/// The scenarios in the program that `path` stands for.
fn offered(path: &Path) -> Vec<PathBuf> {
    let path = input::plain(path);
    // The folder that the program runs in is one on the disk.
    let is_named = path != Path::new("") && path != Path::new(".");
    let below = input::offered_below(path).filter(|file| {
        let further = file.strip_prefix(path).unwrap_or(file);
        is_named && further.iter().all(|name| name != BY_NAME)
    });
    below.map(Path::to_owned).collect()
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
