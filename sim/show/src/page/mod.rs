//! Pages: answers, runs and sweeps as people look at them in a browser.
//!
//! A page is one file that needs nothing beside it: no network, no font, no picture. It is written
//! from recordings, answers, reports and the documents of sweeps alone, and it is readable without
//! scripts: each moment of a run is a section of the page, and a link shows it. The script only
//! adds keys. A content security policy names the one style and the one script that the page has,
//! by their digests, so nothing that a file contains can run, even if it were not escaped.

mod assumed;
pub mod check;
mod clause;
mod cycle;
mod diagnosis;
mod difference;
mod explained;
mod explorer;
mod frame;
mod graph;
mod head;
mod lanes;
mod moment;
mod notes;
mod plot;
pub mod report;
mod run;
mod shown;
mod shrunk;
mod step;
mod sweep;
#[cfg(test)]
mod tests;
mod values;
mod why;
mod world;

use maud::html;

use self::head::Place;
pub(crate) use self::shown::is_whole;
pub use self::{
    assumed::{of_assumed, of_repaired, of_stuck},
    diagnosis::of_diagnosis,
    difference::of_differences,
    explorer::{
        BesideLink, ExplorerPage, Links, ShownBoard, ShownWorld, of_every_number, of_explored,
        of_problem, opened, problem_text,
    },
};
use deathwatch_documents::{Run, Shrunk, Sweep};

pub fn of_runs(runs: &[Run]) -> String {
    let (title, place) = match runs {
        [run] => (run.header.scenario.as_str(), Place::Alone),
        _ => ("runs", Place::Among),
    };
    let body = html! {
        main {
            @if runs.len() != 1 { h1 { (runs.len()) " runs" } }
            @for (number, run) in runs.iter().enumerate() { (run::run(run, number, place)) }
        }
        (run::keys())
    };
    frame::frame(title, &body)
}

/// A page of sweeps. It holds no time that a machine took, unless that was asked for.
pub fn of_sweeps(sweeps: &[Sweep]) -> String {
    let title = match sweeps {
        [only] => only.scenario.as_str(),
        _ => "sweeps",
    };
    frame::frame(title, &sweep::sweeps(sweeps))
}

/// A page that says why nothing was answered: a limit came before the scenarios were loaded.
pub fn of_unloaded(why: &str) -> String {
    let body = html! {
        main {
            h1 { "undecided" }
            p { (why) }
        }
    };
    frame::frame("undecided", &body)
}

/// The page of a shrunk run, and of the size that it had before.
pub fn of_shrunk(run: &Run, reduced: &Shrunk) -> String {
    frame::frame(&run.header.scenario, &shrunk::shrunk(run, reduced))
}
