//! The folder of `report --html`: nothing of anybody else is replaced in it.

use std::{fs::File, io::Read as _, path::Path};

use deathwatch_sim::{
    Problem, page,
    report::{Found, Page, Report},
    scenario::display,
};

use crate::{
    exit::{Abandon, Exit},
    output::{make_folder, write_file},
};

/// The number of bytes in which a page says who has made it.
const BEGINNING: u64 = 1 << 10;

/// Makes the folder of pages, unless it exists, and sees to it that no file of anybody else is replaced.
pub(crate) fn prepare(folder: &Path, reports: &[&Report]) -> Result<(), Problem> {
    for name in page::report::names(reports) {
        let path = folder.join(name);
        let mut beginning = Vec::new();
        if let Ok(file) = File::open(&path) {
            // What cannot be read is no page of ours.
            let _ = file.take(BEGINNING).read_to_end(&mut beginning);
        } else if !path.is_symlink() && !path.exists() {
            continue;
        }
        if !page::report::is_ours(&beginning) {
            let path = display(&path);
            let problem =
                Problem::new(format!("failed to write {path}: somebody else has made it"));
            return Err(problem.with_help("name another folder, or remove that file"));
        }
    }
    make_folder(folder)
}

/// Writes the pages and their index.
pub(crate) fn write(folder: &Path, pages: &[Page], found: Found<'_>) -> Result<Exit, Abandon> {
    for file in page::report::of_reports(pages, found.answered, found.simulated) {
        write_file(&folder.join(&file.name), &file.text)?;
    }
    Ok(Exit::AsExpected)
}
