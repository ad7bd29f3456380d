//! A sweep: its answer, its seeds beside each other, its failures with their causes, and figures.

mod clauses;
mod faults;
mod head;
mod kinds;
mod rows;
mod seeds;
mod times;

use deathwatch_documents::{Status, Sweep, sweep::SweptClaim};
use maud::{Markup, html};

use super::head::Place;
use crate::text::thousands as counted;

/// The number of seeds that a page shows one by one.
const MOST_ROWS: usize = 1_000;
/// A page of more sweeps than this has no section for those that have nothing to tell.
const MANY: usize = 20;

/// The place of a sweep on its page.
#[derive(Clone, Copy)]
struct SweepPlace {
    number: usize,
    place: Place,
    /// The number of seeds that it shows one by one.
    most_rows: usize,
}

/// The sweeps of a page, with a list of them if there are several.
pub(super) fn sweeps(sweeps: &[Sweep]) -> Markup {
    let place = if sweeps.len() == 1 { Place::Alone } else { Place::Among };
    let most_rows = MOST_ROWS / sweeps.len().max(1);
    let has_section = |swept: &Sweep| sweeps.len() <= MANY || has_findings(swept);
    html! {
        main {
            @if sweeps.len() != 1 {
                h1 { (number_of(sweeps.len() as u64, "scenario")) }
                (list(sweeps, &has_section))
            }
            @for (number, swept) in sweeps.iter().enumerate().filter(|(_, it)| has_section(it)) {
                section.sweep id=(id(number)) aria-label=(swept.scenario) {
                    (sweep(swept, SweepPlace { number, place, most_rows }))
                }
            }
            (clauses::clauses(sweeps))
        }
    }
}

/// Whether the sweep has a failure or an unexpected answer, and so more to tell than numbers.
fn has_findings(swept: &Sweep) -> bool {
    swept.status != Status::AsExpected || !swept.groups.is_empty()
}

/// The id of the sweep with this number on its page.
fn id(number: usize) -> String {
    format!("sweep-{number}")
}

fn seed_id(number: usize, seed: u64) -> String {
    format!("sweep-{number}-seed-{seed}")
}

/// The id of a group of failures.
fn group_id(number: usize, group: usize) -> String {
    format!("sweep-{number}-kind-{group}")
}

/// The id of the run of a group of failures.
fn run_id(number: usize, group: usize) -> String {
    format!("{}-run", group_id(number, group))
}

fn list(sweeps: &[Sweep], has_section: &dyn Fn(&Sweep) -> bool) -> Markup {
    html! {
        section.panel aria-label="Scenarios" {
            h2 { "Scenarios" }
            div.scroll {
                table.swept.stacked {
                    thead {
                        tr { th { "scenario" } th { "result" } th.number { "seeds" } th { "what goes wrong" } }
                    }
                    tbody {
                        @for (number, swept) in sweeps.iter().enumerate() {
                            tr {
                                td {
                                    @if has_section(swept) {
                                        a href=(format!("#{}", id(number))) { (swept.scenario) }
                                    } @else { (swept.scenario) }
                                }
                                td { (head::verdict(swept)) }
                                td.number { (counted(swept.seeds)) }
                                td { (head::gist(swept)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn sweep(swept: &Sweep, at: SweepPlace) -> Markup {
    html! {
        (head::head(swept, at.place))
        @if !swept.columns.is_empty() { (seeds::seeds(swept, at)) }
        @if !swept.groups.is_empty() { (kinds::kinds(swept, at.number)) }
        @if !swept.claims.is_empty() { (claims(&swept.claims)) }
        (times::times(&swept.stats))
        (faults::transactions(&swept.stats))
        (faults::faults(swept, at.number))
        @if !swept.rows.is_empty() { (rows::rows(swept, at)) }
    }
}

/// The claims: those that some seed violates first.
fn claims(claims: &[SweptClaim]) -> Markup {
    let (told, others): (Vec<_>, Vec<_>) =
        claims.iter().partition(|claim| claim.seeds > 0 || claim.status != Status::AsExpected);
    html! {
        section.panel aria-label="Claims" {
            h2 { "Claims" small { "what the seeds answer" } }
            @if !told.is_empty() { (claim_table(&told)) }
            @if !others.is_empty() {
                details {
                    summary { (others.len()) " claims that no seed violates" }
                    (claim_table(&others))
                }
            }
        }
    }
}

fn claim_table(claims: &[&SweptClaim]) -> Markup {
    html! {
        div.scroll {
            table.claimed.stacked {
                thead {
                    tr {
                        th { "answer" } th { "claim" } th.number { "seeds" } th.number { "first seed" }
                        th.number { "kinds" } th { "passage" }
                    }
                }
                tbody {
                    @for claim in claims {
                        @let is_fine = claim.status == Status::AsExpected;
                        tr {
                            td class=(if is_fine { "" } else { "bad" }) {
                                (claim.answer.name())
                                @if !is_fine { ", expected: " (claim.expected) }
                                @if claim.known == Some(true) { ", known by the baseline" }
                            }
                            td { (claim.name) }
                            td.number { (counted(claim.seeds)) }
                            td.number { @if let Some(seed) = claim.first_seed { (seed) } }
                            td.number { (claim.groups) }
                            td.quiet { (claim.source) }
                        }
                    }
                }
            }
        }
    }
}

fn number_of(count: u64, what: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{} {what}{end}", counted(count))
}

/// The shade of a share: from 0, none, to 5, all.
fn shade(part: u64, whole: u64) -> u64 {
    u64::try_from((u128::from(part) * 5).div_ceil(u128::from(whole.max(1))))
        .map_or(5, |it| it.min(5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas_and_shares_have_shades() {
        assert_eq!(
            [0, 1, 1_000].map(|it| number_of(it, "seed")),
            ["0 seeds", "1 seed", "1,000 seeds"]
        );
        assert_eq!([0, 1, 50, 99, 100].map(|part| shade(part, 100)), [0, 1, 3, 5, 5]);
        assert_eq!(shade(u64::MAX, u64::MAX), 5);
        assert_eq!(shade(0, 0), 0);
    }
}
