//! The clauses of the protocol: in how many seeds each was carried out, and which never were.

use std::collections::BTreeMap;

use deathwatch_documents::Sweep;
use deathwatch_model::clause::{Clause, ClauseInfo};
use maud::{Markup, html};

use super::{number_of, shade};

/// A clause of a rule, and the number of seeds that carried it out.
struct Carried<'a> {
    name: &'a str,
    number: u8,
    seeds: u64,
}

/// The clauses that some world of these sweeps has, rule by rule.
pub(super) fn clauses(sweeps: &[Sweep]) -> Markup {
    let mut carried: BTreeMap<&str, u64> = BTreeMap::new();
    for stats in sweeps.iter().map(|swept| &swept.stats) {
        for name in stats.exercised.iter().chain(&stats.never_exercised) {
            let seeds = stats.clause_seeds.get(name).copied().unwrap_or(0);
            *carried.entry(name).or_default() += seeds;
        }
    }
    let mut rules: BTreeMap<&str, Vec<Carried<'_>>> = BTreeMap::new();
    for (&name, &seeds) in &carried {
        if let Some((rule, number)) = name.rsplit_once('.')
            && let Ok(number) = number.parse()
        {
            rules.entry(rule).or_default().push(Carried { name, number, seeds });
        }
    }
    for carried in rules.values_mut() {
        carried.sort_unstable_by_key(|it| it.number);
    }
    let all: u64 = sweeps.iter().map(|swept| swept.seeds).sum();
    let never = || rules.values().flatten().filter(|it| it.seeds == 0);
    html! {
        section.panel aria-label="Clauses" {
            h2 { "Clauses of the protocol" small { "darker: in more seeds; struck through: never" } }
            dl.carried-out {
                @for (rule, carried) in &rules {
                    dt { (rule) }
                    dd { @for it in carried { (clause(it, all)) " " } }
                }
            }
            @if never().next().is_some() {
                details {
                    summary { "the " (never().count()) " that no run carried out" }
                    dl {
                        @for it in never() {
                            dt { (it.name) }
                            dd {
                                @if let Some(info) = info(it.name) {
                                    (info.says) " " span.quiet { (info.source) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn clause(carried: &Carried<'_>, seeds: u64) -> Markup {
    let says = info(carried.name).map(|info| info.says);
    let title = format!("{}: {}", number_of(carried.seeds, "seed"), says.unwrap_or_default());
    html! {
        @if carried.seeds == 0 { del title=(title) { (carried.number) } }
        @else {
            span class=(format!("s{}", shade(carried.seeds, seeds))) title=(title) { (carried.number) }
        }
    }
}

fn info(name: &str) -> Option<&'static ClauseInfo> {
    Clause::named(name)?.info()
}
