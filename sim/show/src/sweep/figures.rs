//! Statistics as text.

use deathwatch_documents::{
    Sweep,
    sweep::{DrawnDetails, RemovalTimes, UnfinishedTimes},
};
use deathwatch_model::clause::Clause;
use deathwatch_simulator::stats::time;

use crate::text::{number, number_of, thousands};

/// The statistics of a sweep, one line each.
pub(super) fn lines(swept: &Sweep) -> Vec<String> {
    let stats = &swept.stats;
    let mut lines = vec![format!(
        "{}, {} by the user; the longest run took {}",
        number(swept.steps, "step"),
        number(stats.figures.commands, "command"),
        time(stats.longest_ms),
    )];
    for (words, count) in stats.figures.iter() {
        let text = words.text.replace('#', &thousands(count));
        match lines.last_mut() {
            Some(line) if !words.text.starts_with(char::is_alphabetic) => line.push_str(&text),
            _ => lines.push(text),
        }
    }
    let faults = stats.faults.iter().map(|(fault, count)| format!("{} {fault}", thousands(*count)));
    let faults: Vec<String> = faults.collect();
    if !faults.is_empty() {
        lines.push(format!("faults: {}", faults.join(", ")));
    }
    if !stats.never_struck.is_empty() {
        lines.push(format!("faults that never struck: {}", stats.never_struck.join(", ")));
    }
    for (fault, missed) in &stats.never_struck_at {
        let places = missed.iter().map(|(place, duties)| format!("{place} {}", listed(duties)));
        lines.push(format!("{fault} never struck {}", places.collect::<Vec<_>>().join("; ")));
    }
    for ((kinds, removed), (_, left)) in stats.removal_ms.iter().zip(stats.unfinished.iter()) {
        lines.extend(removal(kinds, removed));
        lines.extend(unfinished(kinds, left));
    }
    let largest = stats.largest.iter().map(|(kinds, count)| number_of(*count, kinds));
    lines.push(format!("at a time at most: {}", largest.collect::<Vec<_>>().join(", ")));
    if !swept.drawn.is_empty() {
        let drawn: Vec<String> = swept.drawn.iter().map(drawn).collect();
        lines.push(format!("drew {}", drawn.join(", ")));
    }
    let (carried, never) = (stats.exercised.len(), &stats.never_exercised);
    let all = carried + never.len();
    lines.push(format!("{carried} of {all} clauses of the protocol carried out"));
    if !never.is_empty() {
        lines.push(format!("never carried out: {}", listed(never)));
    }
    lines
}

/// The number of seeds that drew a selection of details.
fn drawn(drawn: &DrawnDetails) -> String {
    let details = match &*drawn.details {
        [] => "no details".to_owned(),
        details => details.join(" and "),
    };
    let first = drawn.first_seed.map(|seed| format!(" (first {seed})")).unwrap_or_default();
    format!("{details}: {}{first}", number(drawn.seeds, "seed"))
}

/// Clauses by name. A rule stands for all its clauses, and "to" for those in between.
fn listed(names: &[String]) -> String {
    let clauses: Vec<Clause> = names.iter().filter_map(|name| Clause::named(name)).collect();
    let of_one_rule = clauses.chunk_by(|one, next| one.rule == next.rule);
    let own = names.iter().filter(|name| Clause::named(name).is_none()).cloned();
    let names = of_one_rule.flat_map(|clauses| match clauses {
        [first, ..] if clauses.len() == first.rule.clauses().len() => {
            vec![first.rule.name().to_owned()]
        }
        some => some.chunk_by(|one, next| one.number + 1 == next.number).map(in_a_row).collect(),
    });
    names.chain(own).collect::<Vec<_>>().join(", ")
}

fn in_a_row(clauses: &[Clause]) -> String {
    match clauses {
        [first, _, .., last] => format!("{first} to {}", last.number),
        some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The times that the removal of documents took.
fn removal(kinds: &str, times: &RemovalTimes) -> Option<String> {
    let [half, most, nearly_all, max] = [times.p50?, times.p90?, times.p99?, times.max?].map(time);
    let count = number_of(times.count, kinds);
    Some(format!("{count} removed after p50 {half}, p90 {most}, p99 {nearly_all}, max {max}"))
}

/// The number of entities that were never removed, which the times of removals leave out.
fn unfinished(kinds: &str, times: &UnfinishedTimes) -> Option<String> {
    let [half, max] = [times.p50?, times.max?].map(time);
    let count = number_of(times.count, kinds);
    Some(format!("{count} never removed, Dying or Dead at the end for p50 {half}, max {max}"))
}
