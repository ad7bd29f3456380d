//! Transactions and their contention; faults, and where they strike more often than elsewhere.

use deathwatch_documents::{Sweep, sweep::SweepStats};
use maud::{Markup, html};

use super::{counted, group_id, number_of, shade};
use crate::page::plot::{self, BAD, BAR, QUIET};

pub(super) fn transactions(stats: &SweepStats) -> Markup {
    let it = &stats.figures.transactions;
    let lost = it.planned.saturating_sub(it.committed.saturating_add(it.aborted));
    let told = format!(
        "{} committed, {} aborted, {} neither, as they were lost with whoever planned them",
        counted(it.committed),
        counted(it.aborted),
        counted(lost),
    );
    html! {
        section.panel aria-label="Transactions" {
            h2 { "Transactions" small { (counted(it.planned)) " planned" } }
            @if it.planned > 0 {
                (plot::parts(&[(it.committed, BAR), (it.aborted, BAD), (lost, QUIET)], &told))
            }
            p { (told) "." }
            p {
                (number_of(it.contended, "command")) " gave up in excessive contention, of "
                (counted(stats.figures.commands)) " by the user and those of the agents."
            }
        }
    }
}

/// The faults, and in how many seeds of each kind of failure each struck.
pub(super) fn faults(swept: &Sweep, number: usize) -> Markup {
    let stats = &swept.stats;
    html! {
        section.panel aria-label="Faults" {
            h2 { "Faults struck" small { "and in what share of the seeds of each kind of failure" } }
            @if !stats.never_struck.is_empty() { p { "Never struck: " (stats.never_struck.join(", ")) "." } }
            @if stats.faults.is_empty() { p.quiet { "None." } }
            @else {
                div.scroll {
                    table {
                        thead {
                            tr { th {} @for fault in stats.faults.keys() { th.number { (fault) } } }
                        }
                        tbody {
                            tr {
                                th { "times" }
                                @for times in stats.faults.values() { td.number { (counted(*times)) } }
                            }
                            tr {
                                th { "seeds" }
                                @for seeds in stats.fault_seeds.values() { (share(*seeds, swept.seeds)) }
                            }
                            @for (at, group) in swept.groups.iter().enumerate() {
                                tr {
                                    th { a href=(format!("#{}", group_id(number, at))) { (group.kind) } }
                                    @for fault in stats.faults.keys() {
                                        (share(group.faults.get(fault).copied().unwrap_or(0), group.seeds))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @if !stats.never_struck_at.is_empty() {
                details {
                    summary { "where they never struck agents" }
                    @for (fault, missed) in &stats.never_struck_at {
                        p {
                            strong { (fault) }
                            @for (place, duties) in missed.iter() {
                                br; (place) @for duty in duties { " " code { (duty) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A share in percent, the darker the more.
fn share(part: u64, whole: u64) -> Markup {
    let percent = u128::from(part) * 100 / u128::from(whole.max(1));
    html! { td class=(format!("number s{}", shade(part, whole))) { (percent) " %" } }
}
