//! A shrunk run: the run itself, and the parts that were left out of the one before.

use deathwatch_documents::{Run, Shrunk, shrunk::Size};
use maud::{Markup, html};

use super::{
    head::Place,
    run::{keys, run},
};
use crate::text::thousands;

/// The run, and its size before.
pub(super) fn shrunk(recording: &Run, reduced: &Shrunk) -> Markup {
    let mut told = recording.clone();
    told.header.shows.clear(); // The head says the same.
    html! {
        main {
            (run(&told, 0, Place::Alone))
            section.panel aria-label="What was left out" {
                h2 { "What was left out" small { "none of it matters to the claim" } }
                (sizes(reduced.before, reduced.after))
                p {
                    (thousands(reduced.tries)) " runs were tried. "
                    @if reduced.minimal {
                        "Without any one of what is left, the claim is not violated any more."
                    } @else {
                        strong.bad { "It was cut short: it may not be minimal." }
                    }
                }
                @if let Some(root) = &reduced.root {
                    p { "Before and after, what is stuck comes from " code { (root) } "." }
                }
                p {
                    @match &reduced.check {
                        Some(answer) => {
                            "An exhaustive search from the end of its script on answers: "
                            strong { (answer.name()) } "."
                        }
                        None => "The world is too large for an exhaustive search.",
                    }
                }
            }
            section.panel aria-label="The scenario" {
                h2 { "The scenario" small { "as a file that replay and check accept" } }
                pre.command { (reduced.text) }
            }
        }
        (keys())
    }
}

fn sizes(before: Size, after: Size) -> Markup {
    let rows = [
        ("steps", before.steps, after.steps),
        ("machines", before.machines, after.machines),
        ("applications", before.applications, after.applications),
        ("units", before.units, after.units),
        ("relations", before.relations, after.relations),
    ];
    html! {
        table.narrow {
            thead { tr { th {} th.number { "before" } th.number { "after" } } }
            tbody {
                @for (what, before, after) in rows {
                    tr { th { (what) } td.number { (before) } td.number { (after) } }
                }
            }
        }
    }
}
