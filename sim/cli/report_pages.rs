//! The folder of `report --html`: nothing of anybody else is replaced in it.

use std::path::Path;

use deathwatch_show::{
    page,
    report::{Found, Page},
};

use crate::{
    exit::{Abandon, Exit},
    folder,
    output::write_file,
};

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
