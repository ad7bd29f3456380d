//! Seeds beside each other: a column for each or for some, a row for each kind of failure.
//!
//! The marks are links, which no library for plots draws; the bars above them are a plot. Both have
//! the same edges.

use deathwatch_documents::{Sweep, sweep::Column};
use maud::{Markup, html};

use super::{SweepPlace, group_id, number_of, rows, run_id, seed_id, shade};
use crate::page::plot;

/// The width beside the columns, for names at the left and numbers at the right.
const LEFT: usize = 190;
const RIGHT: usize = 60;
const ROW: usize = 22;

pub(super) fn seeds(swept: &Sweep, at: SweepPlace) -> Markup {
    let columns = &swept.columns;
    let width = columns.first().map_or(1, |column| column.seeds);
    let (left, right) = (px(LEFT), px(RIGHT));
    let steps: Vec<f64> = columns.iter().map(mean).collect();
    html! {
        section.panel aria-label="Seeds" {
            h2 {
                "Seeds"
                small {
                    @match width {
                        1 => "what each found; pale where a seed has several causes",
                        _ => {
                            "a column is " (number_of(width, "seed"))
                            ", and the darker, the more of them"
                        }
                    }
                }
            }
            div.scroll {
                (plot::columns(&steps, px(pitch(columns)), (left, right), "steps of the runs"))
                p.quiet.under { "steps of a run, on a logarithmic scale" }
                (marks(swept, at))
            }
        }
    }
}

fn pitch(columns: &[Column]) -> usize {
    (900 / columns.len().max(1)).clamp(5, 18)
}

fn px(length: usize) -> u32 {
    u32::try_from(length).expect("a page is no wider")
}

/// The steps of a run of a column, on average.
#[expect(clippy::cast_precision_loss, reason = "it is drawn")]
fn mean(column: &Column) -> f64 {
    column.steps as f64 / column.seeds.max(1) as f64
}

fn marks(swept: &Sweep, at: SweepPlace) -> Markup {
    let (columns, groups) = (&swept.columns, &swept.groups);
    let pitch = pitch(columns);
    let end = LEFT + columns.len() * pitch;
    let height = (groups.len() + 2) * ROW;
    html! {
        svg.seeds width=(end + RIGHT) height=(height) role="img"
            viewBox=(format!("0 0 {} {height}", end + RIGHT))
            aria-label="which seeds fail, and for what" {
            text x=(LEFT - 8) y="15" text-anchor="end" { "nothing is violated" }
            @for (index, column) in columns.iter().enumerate() {
                @let fine = column.seeds - column.violating;
                @if fine > 0 {
                    circle.fine cx=(LEFT + index * pitch + pitch / 2) cy="11" r="2" {}
                }
            }
            @let fine: u64 = columns.iter().map(|it| it.seeds - it.violating).sum();
            text x=(end + 8) y="15" { (fine) }
            @for (group, it) in groups.iter().enumerate() {
                @let top = (group + 1) * ROW;
                line.rule x1="0" x2=(end + RIGHT) y1=(top) y2=(top) {}
                a href=(format!("#{}", group_id(at.number, group))) {
                    text.name x=(LEFT - 8) y=(top + 15) text-anchor="end" { (short(&it.kind)) }
                }
                @for (index, column) in columns.iter().enumerate() {
                    @if let Some(class) = class(column, group) {
                        (mark(swept, (at, group), column, (class, LEFT + index * pitch, top, pitch)))
                    }
                }
                text x=(end + 8) y=(top + 15) { (it.seeds) }
            }
            @let bottom = (groups.len() + 1) * ROW;
            line.rule x1="0" x2=(end + RIGHT) y1=(bottom) y2=(bottom) {}
            text x=(LEFT - 8) y=(bottom + 15) text-anchor="end" { "seed" }
            @for index in named(columns) {
                text x=(LEFT + index * pitch) y=(bottom + 15) { (columns[index].first) }
            }
        }
    }
}

/// The columns whose first seeds are named.
fn named(columns: &[Column]) -> impl Iterator<Item = usize> {
    (0..columns.len()).step_by(columns.len().div_ceil(8).max(1))
}

/// The shade of a column in the row of a group; `None` if none of its seeds belongs to it.
fn class(column: &Column, group: usize) -> Option<String> {
    let found = column.groups.iter().find(|it| it.group == group)?;
    Some(match column.seeds {
        1 if column.groups.len() > 1 => "hit s2".to_owned(),
        1 => "hit s5".to_owned(),
        seeds => format!("hit s{}", shade(found.seeds, seeds)),
    })
}

/// A mark. It leads to the clearest run of its kind if that is on the page, else to the row of its
/// seed.
fn mark(
    swept: &Sweep,
    (at, group): (SweepPlace, usize),
    column: &Column,
    (class, x, y, pitch): (String, usize, usize, usize),
) -> Markup {
    let seeds = match column.seeds {
        1 => format!("seed {}", column.first),
        _ => format!("seeds {} to {}", column.first, column.last),
    };
    let leads_to = if swept.groups[group].run.is_some() {
        Some(run_id(at.number, group))
    } else {
        rows::is_shown(swept, at, column.first).then(|| seed_id(at.number, column.first))
    };
    let mark = html! {
        rect class=(class) x=(x + 1) y=(y + 4) width=(pitch - 1) height=(ROW - 7) {
            title { (seeds) }
        }
    };
    html! {
        @if let Some(id) = leads_to {
            a href=(format!("#{id}")) aria-label=(seeds) { (mark) }
        } @else { (mark) }
    }
}

/// A name that fits beside the columns.
fn short(name: &str) -> String {
    const MOST: usize = 27;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}
