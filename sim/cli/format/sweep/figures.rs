//! Statistics as text.

use deathwatch_model::clause::Clause;
use deathwatch_simulator::stats::{Histogram, KINDS, time};
use deathwatch_study::sweep::{Drawn, Report};

use deathwatch_show::text::number;

/// The statistics of a sweep, one line each.
pub(super) fn lines(report: &Report) -> Vec<String> {
    let stats = &report.stats;
    let mut lines = vec![
        format!(
            "{}, {} by the user; the longest run took {}",
            number(stats.steps, "step"),
            number(stats.commands, "command"),
            time(stats.time),
        ),
        format!(
            "transactions: {} planned, {} committed, {} aborted; {} contended",
            stats.planned, stats.committed, stats.aborted, stats.contended,
        ),
    ];
    let faults = stats.faults.iter().map(|(fault, count)| format!("{count} {fault}"));
    let faults: Vec<String> = faults.collect();
    if !faults.is_empty() {
        lines.push(format!("faults: {}", faults.join(", ")));
    }
    for (at, kind) in KINDS.iter().enumerate() {
        lines.extend(removal(kind, &stats.removal[at]));
        lines.extend(unfinished(kind, &stats.unfinished[at]));
    }
    let largest = stats.largest.iter().zip(KINDS).map(|(count, kind)| number(*count, kind));
    lines.push(format!("at a time at most: {}", largest.collect::<Vec<_>>().join(", ")));
    if !report.drawn.is_empty() {
        lines.push(format!(
            "drew {}",
            report.drawn.iter().map(drawn).collect::<Vec<_>>().join(", ")
        ));
    }
    let (all, never) = (report.clauses().count(), report.never_exercised());
    lines.push(format!("{} of {all} clauses of the protocol carried out", all - never.len()));
    if !never.is_empty() {
        lines.push(format!("never carried out: {}", named(&never).join(", ")));
    }
    lines
}

/// How many seeds drew a selection of details.
fn drawn(drawn: &Drawn) -> String {
    let details = match &*drawn.details {
        [] => "no details".to_owned(),
        details => details.join(" and "),
    };
    let first = drawn.first.map(|seed| format!(" (first {seed})")).unwrap_or_default();
    format!("{details}: {}{first}", number(drawn.seeds, "seed"))
}

/// Clauses by name. A rule stands for all its clauses, and "to" for those in between.
fn named(clauses: &[Clause]) -> Vec<String> {
    let of_one_rule = clauses.chunk_by(|one, next| one.rule == next.rule);
    let names = of_one_rule.flat_map(|clauses| match clauses {
        [first, ..] if clauses.len() == first.rule.clauses().len() => {
            vec![first.rule.name().to_owned()]
        }
        some => some.chunk_by(|one, next| one.number + 1 == next.number).map(in_a_row).collect(),
    });
    names.collect()
}

fn in_a_row(clauses: &[Clause]) -> String {
    match clauses {
        [first, _, .., last] => format!("{first} to {}", last.number),
        some => some.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The times that the removal of documents took.
fn removal(kind: &str, spread: &Histogram) -> Option<String> {
    let at = |percent| spread.percentile(percent).map(time);
    let (half, most, nearly_all) = (at(50)?, at(90)?, at(99)?);
    let (count, max) = (number(spread.len(), kind), time(spread.max));
    Some(format!("{count} removed after p50 {half}, p90 {most}, p99 {nearly_all}, max {max}"))
}

/// How much was never removed, which the times of removals leave out.
fn unfinished(kind: &str, spread: &Histogram) -> Option<String> {
    let half = time(spread.percentile(50)?);
    let (count, max) = (number(spread.len(), kind), time(spread.max));
    Some(format!("{count} never removed, Dying or Dead at the end for p50 {half}, max {max}"))
}
