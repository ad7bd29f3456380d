//! Pages: runs as people look at them in a browser.
//!
//! A page is one file that needs nothing beside it: no network, no font, no picture. It is written
//! from recordings alone, and it is readable without scripts: each moment of a run is a section of
//! the page, and a link shows it. The script only adds keys. A content security policy names the one
//! style and the one script that the page has, by their digests, so nothing that a file contains can
//! run, even if it were not escaped.

mod frame;
mod head;
mod lanes;
mod moment;
mod run;
mod shown;
#[cfg(test)]
mod tests;
mod values;
mod why;
mod world;

use maud::html;

use self::head::Place;
use crate::recording::Recording;

/// A page of runs.
pub fn of_runs(runs: &[Recording]) -> String {
    let (title, place) = match runs {
        [run] => (run.header.scenario.as_str(), Place::Alone),
        _ => ("runs", Place::Among),
    };
    let body = html! {
        main {
            @if runs.len() != 1 { h1 { (runs.len()) " runs" } }
            @for (number, run) in runs.iter().enumerate() { (run::run(run, number, place)) }
        }
    };
    frame::frame(title, &body)
}
