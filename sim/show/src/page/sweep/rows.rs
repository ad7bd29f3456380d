//! The first seeds one by one.

use std::collections::BTreeMap;

use deathwatch_documents::{
    Sweep,
    sweep::{ByKind, SeedRow},
};
use deathwatch_simulator::stats::time;
use maud::{Markup, html};

use super::{SweepPlace, counted, group_id, number_of, seed_id};

pub(super) fn rows(swept: &Sweep, at: SweepPlace) -> Markup {
    let shown = &swept.rows[..swept.rows.len().min(at.most_rows)];
    let others = swept.seeds.saturating_sub(shown.len() as u64);
    html! {
        section.panel aria-label="Seed by seed" {
            h2 { "Seed by seed" small { "what each run was, and what it found" } }
            pre.command { "$ " (command(swept)) }
            @if others > 0 {
                p.quiet {
                    (number_of(others, "seed")) " more are added up above. The JSON has more rows, with --verbose."
                }
            }
            details {
                summary { (number_of(shown.len() as u64, "seed")) }
                div.scroll {
                    table {
                        thead {
                            tr {
                                th.number { "seed" } th.number { "steps" } th.number { "commands" }
                                th.number { "virtual time" } th { "faults struck" }
                                th { "never removed" } th { "comes from" }
                            }
                        }
                        tbody { @for it in shown { (row(swept, at.number, it)) } }
                    }
                }
            }
        }
    }
}

pub(super) fn is_shown(swept: &Sweep, at: SweepPlace, seed: u64) -> bool {
    swept.rows.iter().take(at.most_rows).any(|row| row.seed == seed)
}

/// The command that replays a seed.
fn command(swept: &Sweep) -> String {
    let known = swept.groups.first().map(|group| {
        let end = format!("--seed {}", group.first_seed);
        group.replay.replacen(&end, "--seed N", 1)
    });
    known.unwrap_or_else(|| {
        let mut words = vec!["deathwatch replay".to_owned(), swept.file.clone()];
        words.extend(swept.set.iter().map(|it| format!("--set {it}")));
        words.push("--seed N".to_owned());
        words.join(" ")
    })
}

fn row(swept: &Sweep, number: usize, row: &SeedRow) -> Markup {
    html! {
        tr id=(seed_id(number, row.seed)) {
            td.number { (row.seed) }
            td.number { (counted(row.steps)) }
            td.number { (counted(row.commands)) }
            td.number { (time(row.milliseconds)) }
            td { (struck(&row.faults)) }
            td { (unfinished(&row.unfinished)) }
            td {
                @for (at, group) in row.groups.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href=(format!("#{}", group_id(number, *group))) { (swept.groups[*group].kind) }
                }
                @if let Some(odd) = &row.odd { span.bad { (odd) } }
            }
        }
    }
}

fn struck(faults: &BTreeMap<String, u64>) -> String {
    let struck = faults.iter().map(|(fault, times)| format!("{times} {fault}"));
    struck.collect::<Vec<_>>().join(", ")
}

fn unfinished(unfinished: &ByKind<u64>) -> String {
    let kinds = unfinished.iter().filter(|(_, count)| **count > 0);
    let kinds = kinds.map(|(kind, count)| match count {
        1 => format!("1 {}", kind.trim_end_matches('s')),
        count => format!("{count} {kind}"),
    });
    kinds.collect::<Vec<_>>().join(", ")
}
