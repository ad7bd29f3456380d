//! The folder of `report --html`: nothing of anybody else is replaced in it.

use std::path::Path;

use deathwatch_scenario::Problem;
use deathwatch_show::{
    page,
    report::{Found, Page, Report},
};

use crate::{
    exit::{Abandon, Exit},
    folder,
    output::write_file,
};

/// Makes the folder of pages, unless it exists, and sees to it that no file of anybody else is
/// replaced.
pub(crate) fn prepare(folder: &Path, reports: &[&Report]) -> Result<(), Problem> {
    for name in page::report::names(reports) {
        folder::spare_others(&folder.join(name), page::report::is_ours)?;
    }
    folder::make(folder)
}

/// Writes the pages and their index, unless a file of somebody else is in the way of one.
pub(crate) fn write(folder: &Path, pages: &[Page], found: Found<'_>) -> Result<Exit, Abandon> {
    let files = page::report::of_reports(pages, found.answered, found.simulated);
    for file in &files {
        folder::spare_others(&folder.join(&file.name), page::report::is_ours)?;
    }
    for file in &files {
        write_file(&folder.join(&file.name), &file.text)?;
    }
    Ok(Exit::AsExpected)
}
