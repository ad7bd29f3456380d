//! Results as text: one line for a scenario that is as expected, and the details of one that is
//! not.

use std::fmt::Write as _;

use deathwatch_model::{
    check::{Answer, Asked},
    clause::Clause,
};
use deathwatch_sim::{
    scenario::Expected,
    trace::{Begins, RenderedTrace},
    verdict::{self, Judged, Status, Verdict},
};

use crate::{
    format::{
        Detail, Run, add_line,
        gist::{self, few, names},
    },
    limits::show_size,
};

/// One scenario.
pub(super) fn run(run: &Run, detail: Detail) -> String {
    let verdict = &run.verdict;
    let (mark, gist) = (mark(verdict), gist::of(verdict, detail));
    let mut line = format!("{mark}  {}  {gist}", verdict.scenario);
    if let Some(counts) = counts(run, detail) {
        write!(line, " ({counts})").expect("a string takes any text");
    }
    let mut text = String::new();
    add_line(&mut text, 0, &line);
    details(verdict, detail, &mut |indent, line| add_line(&mut text, indent, line));
    text
}

/// The number of scenarios, by their results.
pub(super) fn summary(runs: &[Run]) -> String {
    let is_asked = |run: &&Run| run.verdict.too_large.is_none();
    let asked = || runs.iter().filter(is_asked);
    let count = |status| asked().filter(|run| run.verdict.status == status).count();
    let (all, not_asked) = (plural(runs.len(), "scenario"), runs.len() - asked().count());
    let (unexpected, undecided) = (count(Status::Unexpected), count(Status::Undecided));
    if unexpected + undecided + not_asked == 0 {
        return format!("{all} as expected\n");
    }
    let mut parts = vec![format!("{} as expected", count(Status::AsExpected))];
    if unexpected > 0 {
        parts.push(format!("{unexpected} not as expected"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    if not_asked > 0 {
        parts.push(format!("{not_asked} could not be asked"));
    }
    format!("{all}: {}\n", parts.join(", "))
}

fn mark(verdict: &Verdict) -> &'static str {
    if verdict.too_large.is_some() {
        return "none";
    }
    match verdict.status {
        Status::AsExpected => "ok  ",
        Status::Undecided => "open",
        Status::Unexpected => "FAIL",
    }
}

/// The size of the world, and what the search took.
pub(super) fn counts(run: &Run, detail: Detail) -> Option<String> {
    let report = run.verdict.report.as_ref()?;
    let mut counts = vec![number(report.states, "state")];
    if run.verdict.status != Status::AsExpected || detail == Detail::Violations {
        counts.push(number(report.transitions, "transition"));
        counts.push(format!("depth {}", report.depth));
    }
    if let Some(took) = run.took {
        counts.push(format!("{:.2} s", took.as_secs_f64()));
        counts.push(show_size(report.bytes));
    }
    Some(counts.join(", "))
}

/// The details below the line of a scenario, as lines with their indents.
fn details(verdict: &Verdict, detail: Detail, say: &mut impl FnMut(usize, &str)) {
    for failure in &verdict.failures {
        say(6, &format!("script: {failure}"));
    }
    for miscount in &verdict.miscounts {
        say(6, &format!("found {miscount}"));
    }
    if let Some(undecided) = undecided(verdict, detail) {
        say(6, &format!("undecided: {undecided}"));
    }
    for judged in &verdict.judged {
        if let Some(why) = &judged.open {
            say(6, &format!("undecided: \"{}\": {why}", judged.name()));
        }
    }
    for judged in &verdict.judged {
        let is_shown = match judged.status() {
            Status::AsExpected => {
                let is_violated = judged.finding.answer == Answer::Violated;
                let has_run = judged.claim().and(judged.rendered.as_ref()).is_some();
                detail == Detail::Violations && (is_violated || has_run)
            }
            Status::Undecided => false,
            Status::Unexpected => true,
        };
        if is_shown {
            say(6, &headline(judged));
            if let Some(rendered) = &judged.rendered {
                trace_lines(rendered, verdict, say);
            }
        }
    }
    if detail == Detail::Violations || verdict.status != Status::AsExpected {
        let names: Vec<String> =
            verdict.left_out.iter().map(|claim| format!("\"{}\"", claim.name)).collect();
        if let Some(names) = few(&names, detail) {
            say(6, &format!("left out, not for this engine: {names}"));
        }
    }
}

/// The answers that are open because the search did not end: claims by name, witnesses by number.
fn undecided(verdict: &Verdict, detail: Detail) -> Option<String> {
    let is_open = |it: &&Judged| it.status() == Status::Undecided && it.open.is_none();
    let open = || verdict.judged.iter().filter(is_open);
    let claims = || open().filter(|judged| !judged.is_witness());
    let all = verdict.judged.iter().filter(|judged| !judged.is_witness()).count();
    let witnesses = match open().count() - claims().count() {
        0 => None,
        witnesses => Some(plural(witnesses, "witness")),
    };
    let parts: Vec<String> = names(claims(), all, detail).into_iter().chain(witnesses).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// An answer, and how it differs from what was expected.
fn headline(judged: &Judged) -> String {
    let (answer, about) = match judged.finding.asked {
        Asked::Claim(claim) => {
            let answer = verdict::answer_of(claim.kind(), judged.finding.answer);
            (answer, format!("{}; {}", judged.kind(), claim.source))
        }
        Asked::Witness(clause) => return witness(judged, clause),
        Asked::Refinement => (verdict::answer(judged.finding.answer), judged.kind().to_owned()),
    };
    let but = match judged.status() {
        Status::AsExpected => " as expected",
        Status::Undecided => "",
        Status::Unexpected => match (judged.expected, judged.is_wanted()) {
            (Expected::Holds, false) => ", but expected to hold",
            (Expected::Holds, true) => ", but expected to be reached",
            (Expected::Violated, false) => ", but expected to be violated",
            (Expected::Violated, true) => ", but expected to be out of reach",
            (Expected::Vacuous, _) => ", but expected to be vacuous",
        },
    };
    format!("{answer}{but}: \"{}\" ({about})", judged.name())
}

fn witness(judged: &Judged, clause: Clause) -> String {
    let (says, source) = clause.info().map_or(("", ""), |info| (info.says, info.source));
    let seen = match judged.status() {
        Status::AsExpected => "seen",
        Status::Undecided => "not seen so far",
        Status::Unexpected => "not seen on any run",
    };
    format!("{seen}: {clause} \"{says}\" (witness; {source})")
}

/// The lines of a trace.
pub(super) fn trace_lines(
    rendered: &RenderedTrace,
    verdict: &Verdict,
    say: &mut impl FnMut(usize, &str),
) {
    let lines = rendered.numbered();
    let place = match (rendered.begins, verdict.steps) {
        (Begins::BeforeScript, _) | (_, 0) if lines.is_empty() => Some("at the start"),
        (_, 0) => None,
        (Begins::BeforeScript, _) => Some("in the script"),
        (Begins::AfterScript, _) => Some("after the script"),
    };
    let of = rendered.subject.as_ref().map(|subject| format!("for {subject}"));
    let head: Vec<&str> = of.as_deref().into_iter().chain(place).collect();
    let end = if lines.is_empty() { "" } else { ":" };
    if !head.is_empty() {
        say(8, &format!("{}{end}", head.join(", ")));
    }
    for line in lines {
        say(8, &line);
    }
    if let Some(diagnosis) = &rendered.diagnosis {
        say(8, diagnosis);
    }
}

/// The details of one answer, for other formats.
pub(super) fn answer(judged: &Judged, verdict: &Verdict) -> String {
    let mut text = headline(judged);
    if let Some(why) = &judged.open {
        text.push('\n');
        text.push_str(why);
    }
    if let Some(rendered) = &judged.rendered {
        trace_lines(rendered, verdict, &mut |_, line| {
            text.push('\n');
            text.push_str(line);
        });
    }
    text
}

/// A number with its noun.
pub(super) fn plural(count: usize, what: &str) -> String {
    number(count as u64, what)
}

fn number(count: u64, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness") => format!("{count} witnesses"),
        (count, what) => format!("{count} {what}s"),
    }
}
