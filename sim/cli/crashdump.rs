//! Folders with output of Juju, as juju-crashdump makes them: each file that is none is left out.

use std::{
    fs::{self, DirEntry},
    path::{Path, PathBuf},
};

use deathwatch_diagnose::Juju;
use deathwatch_scenario::{Problem, scenario::display};

use crate::write::reason;

/// The greatest number of files and folders that are looked at.
const MOST_ENTRIES: usize = 200_000;
/// The greatest size of a file that is looked at, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// The files in `folder` and in the folders in it that have output of Juju, in the order of their
/// paths. Links are not followed.
pub(crate) fn outputs(folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Problem> {
    let (mut found, mut looked_at) = (Vec::new(), 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = match fs::read_dir(&next) {
            Ok(entries) => entries,
            Err(error) if next == folder => {
                let message = format!("{} cannot be read: {}", display(&next), reason(&error));
                return Err(Problem::new(message));
            }
            // What is on machines may be for others.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            looked_at += 1;
            if looked_at > MOST_ENTRIES {
                let message = format!("{} has too many files in it", display(folder));
                let help = "name what `juju status` and `juju show-unit` have printed, as files";
                return Err(Problem::new(message).with_help(help));
            }
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && let Some(bytes) = output(&entry)?
            {
                found.push((entry.path(), bytes));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    if found.is_empty() {
        let message = format!("{} has no output of `juju status` in it", display(folder));
        let help = "a folder of juju-crashdump has juju_status.yaml; an archive has to be unpacked";
        return Err(Problem::new(message).with_help(help));
    }
    Ok(found)
}

/// The contents of a file, if it is output of Juju.
fn output(entry: &DirEntry) -> Result<Option<Vec<u8>>, Problem> {
    if entry.metadata().is_ok_and(|it| it.len() > MOST_BYTES) {
        return Ok(None);
    }
    let Ok(bytes) = fs::read(entry.path()) else { return Ok(None) };
    Ok(Juju::is_output(&display(&entry.path()), &bytes)?.then_some(bytes))
}
