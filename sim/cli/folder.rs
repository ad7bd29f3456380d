//! Folders that get many files. A file that is not ours and has one of their names is never
//! replaced.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

use deathwatch_scenario::{Problem, scenario::display};

use crate::write::reason;

/// The number of bytes in which a file says who has made it.
const BEGINNING: u64 = 1 << 10;

/// Makes a folder, unless it exists, and checks that it is writable.
pub(crate) fn make(folder: &Path) -> Result<(), Problem> {
    let failed = |what: &str, error: &io::Error| {
        Problem::new(format!("failed to {what} {}: {}", display(folder), reason(error)))
    };
    fs::create_dir_all(folder).map_err(|error| failed("make", &error))?;
    let file = tempfile::tempfile_in(folder);
    file.map(drop).map_err(|error| failed("write into", &error))
}

/// An error, if the file at `path` is not ours, as its beginning tells.
pub(crate) fn spare_others(path: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), Problem> {
    let mut beginning = Vec::new();
    match fs::metadata(path) {
        Ok(data) if data.is_file() => {
            if let Ok(file) = File::open(path) {
                // What cannot be read is no file of ours.
                let _ = file.take(BEGINNING).read_to_end(&mut beginning);
            }
        }
        Err(_) if !path.is_symlink() => return Ok(()),
        Ok(_) | Err(_) => {}
    }
    if is_ours(&String::from_utf8_lossy(&beginning)) {
        return Ok(());
    }
    let message = format!("failed to write {}: somebody else has made it", display(path));
    Err(Problem::new(message).with_help("name another folder, or remove that file"))
}
