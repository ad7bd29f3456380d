//! Diagnoses of Juju's output: samples of public reports, states as Juju would print them, and
//! input that is no such output.

mod closures;
mod exported;
mod hostile;
mod large;
mod mutated;
mod round_trips;
mod samples;

use deathwatch_diagnose::{Diagnosed, Juju, WayOut, diagnose};
use deathwatch_show::{diagnosis::screen, page};

/// Reads the model from files with these contents.
fn read(files: &[&str]) -> Result<Juju, deathwatch_scenario::Problem> {
    let name = |index: usize| format!("{index}.json");
    let files = files.iter().enumerate();
    let files: Vec<_> = files.map(|(at, it)| (name(at), it.as_bytes().to_vec())).collect();
    Juju::read(&files)
}

/// The diagnosis of the model in these files.
fn diagnosed(files: &[&str]) -> Diagnosed {
    let juju = read(files).unwrap_or_else(|problem| panic!("{problem}"));
    diagnose(&juju, &|| None).unwrap_or_else(|problem| panic!("{problem}"))
}

/// The page of the model in these files.
fn paged(files: &[&str]) -> String {
    page_of(&diagnosed(files))
}

fn page_of(diagnosed: &Diagnosed) -> String {
    let recorded = |ways: &Vec<WayOut>| ways.iter().map(WayOut::recorded).collect();
    let runs: Vec<Vec<_>> = diagnosed.ways_out.iter().map(recorded).collect();
    page::of_diagnosis(&diagnosed.report, &runs)
}

/// The screen of the model in these files, and the exit code.
fn shown(files: &[&str]) -> String {
    shown_of(&diagnosed(files))
}

/// The screen of a diagnosis, and the exit code.
fn shown_of(diagnosed: &Diagnosed) -> String {
    let screen = screen(&diagnosed.report, &|_, text| text.to_owned());
    for line in screen.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    format!("{screen}exit code {}\n", diagnosed.report.verdict.code())
}
