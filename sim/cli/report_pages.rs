//! The folder of `report --html`. Files that are not ours are never replaced, and other pages in it
//! lead to those that are there.

use std::{collections::BTreeMap, fs, path::Path};

use deathwatch_documents::Answer;
use deathwatch_scenario::Problem;
use deathwatch_show::{
    page::{self, check::InReports, report::ScenarioPlace},
    report::{Page, Report, ReportInputs},
};

use crate::{
    exit::{Abandon, Exit},
    folder,
    write::write_file,
};

/// Makes the folder of pages, unless it exists; an error, if a file that is not ours would be
/// replaced.
pub(crate) fn prepare(folder: &Path, reports: &[&Report]) -> Result<(), Problem> {
    for name in page::report::names(reports) {
        folder::spare_others(&folder.join(name), page::report::is_ours)?;
    }
    folder::make(folder)
}

/// Writes the pages and their index, unless a file that is not ours has the name of one.
pub(crate) fn write(
    folder: &Path,
    pages: &[Page],
    found: ReportInputs<'_>,
) -> Result<Exit, Abandon> {
    let files = page::report::of_reports(pages, found.answered, found.simulated);
    for file in &files {
        folder::spare_others(&folder.join(&file.name), page::report::is_ours)?;
    }
    for file in &files {
        write_file(&folder.join(&file.name), &file.text)?;
    }
    Ok(Exit::AsExpected)
}

/// The places of these scenarios in the reports of the folder that `output` is in, or of one above
/// it, as addresses relative to `output`.
pub(crate) fn places(output: &Path, answers: &[&Answer]) -> InReports {
    // A link is followed, as it is for what is written.
    let output = fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
    let folder = output.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
    let Ok(folder) = fs::canonicalize(folder) else { return InReports::new() };
    let mut texts: BTreeMap<(usize, String), String> = BTreeMap::new();
    let mut place = |answer: &Answer| {
        let place = ScenarioPlace::of(&answer.scenario)?;
        folder.ancestors().enumerate().find_map(|(up, folder)| {
            let read = || fs::read_to_string(folder.join(&place.page)).unwrap_or_default();
            let text = texts.entry((up, place.page.clone())).or_insert_with(read);
            let anchor = place.anchor(text)?;
            Some(format!("{}{}#{anchor}", "../".repeat(up), place.page))
        })
    };
    let places = answers.iter().filter_map(|it| Some((it.scenario.clone(), place(it)?)));
    places.collect()
}
