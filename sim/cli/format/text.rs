//! Results as text: one line of numbers for a scenario that is as expected, and the details of one
//! that is not.

use std::{borrow::Cow, collections::BTreeSet, fmt::Write as _};

use anstyle::Style;
use deathwatch_model::{
    check::{Answer, Asked},
    clause::Clause,
};
use deathwatch_scenario::{escape::escape, scenario::Expected};
use deathwatch_study::{
    answers::Answered,
    trace::{Begins, RenderedTrace},
    verdict::{self, Judged, Status, Verdict},
};
use textwrap::{Options, WordSplitter};

use super::{
    Detail, Run, add_line, named,
    told::{Told, seconds},
};
use crate::{
    limits::show_size,
    look::{BAD, COLUMNS, GOOD, Look, OPEN, fit, width},
};

/// One scenario.
pub(super) fn told(told: &Told, look: &Look) -> String {
    let answered = &told.answered;
    let lines = match look.detail {
        Detail::OnlySurprises if answered.status == Status::AsExpected => return String::new(),
        Detail::OnlySurprises | Detail::Surprises => &answered.details,
        Detail::Violations => &answered.more,
    };
    let mut text = head(told, look);
    for (indent, line) in lines {
        add_line(&mut text, *indent, line);
    }
    text
}

/// The line of a scenario: its status, its name, and what came of it, on the right.
fn head(told: &Told, look: &Look) -> String {
    let (style, mark) = mark(&told.answered);
    let mut gist = escape(&told.answered.gist).into_owned();
    if let Some(took) = told.timing.any() {
        write!(gist, ", {}", seconds(took)).expect("a string takes any text");
    }
    let name = escape(&told.answered.scenario);
    // The mark takes four columns, and two spaces stand behind it and behind the name.
    let room = look.columns.saturating_sub(8 + width(&gist));
    let name = match look.detail {
        Detail::Violations => name.into_owned(),
        Detail::OnlySurprises | Detail::Surprises => fit(&name, room),
    };
    let gap =
        " ".repeat(room.min(COLUMNS.saturating_sub(8 + width(&gist))).saturating_sub(width(&name)));
    let mark = look.paint(style, mark);
    format!("{mark}  {name}{gap}  {gist}\n")
}

fn mark(answered: &Answered) -> (Style, &'static str) {
    match answered.status {
        _ if !answered.is_asked => (BAD, "none"),
        Status::AsExpected => (GOOD, "ok  "),
        Status::Undecided => (OPEN, "open"),
        Status::Unexpected => (BAD, "FAIL"),
    }
}

/// The size of the world, and what the search took.
pub(super) fn size(run: &Run) -> Option<String> {
    let report = run.verdict.report.as_ref()?;
    let mut size = vec![
        number(report.states, "state"),
        number(report.transitions, "transition"),
        format!("depth {}", report.depth),
    ];
    if let Some(took) = run.timing.asked() {
        size.push(seconds(took));
        size.push(show_size(report.bytes));
    }
    Some(size.join(", "))
}

/// The details below the line of a scenario, as lines with their indents.
pub(super) fn details(run: &Run, detail: Detail) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    tell(run, detail, &mut |indent, line: &str| lines.push((indent, line.to_owned())));
    lines
}

fn tell(run: &Run, detail: Detail, say: &mut impl FnMut(usize, &str)) {
    let verdict = &run.verdict;
    let is_sized = detail == Detail::Violations || run.timing.asked().is_some();
    if let Some(size) = size(run).filter(|_| is_sized) {
        say(6, &size);
    }
    if let Some(why) = &verdict.too_large {
        say(6, &format!("could not be searched: {}", why.reason()));
    }
    for failure in &verdict.failures {
        say(6, &format!("script: {failure}"));
    }
    for miscount in &verdict.miscounts {
        say(6, &format!("found {miscount}"));
    }
    named::undecided(verdict, detail, say);
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
                if detail == Detail::Violations {
                    clause_lines(rendered, say);
                }
            }
        }
    }
    if detail == Detail::Violations {
        named::as_expected(verdict, say);
    }
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
            (Expected::NotViolated, _) => ", but expected not to be violated",
        },
    };
    format!("{answer}{but}: \"{}\" ({about})", judged.name())
}

fn witness(judged: &Judged, clause: Clause) -> String {
    let (says, source) = text_of(clause);
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
    for line in wrapped(&rendered.sentences(), 8) {
        say(8, &line);
    }
}

/// The clauses that a run carries out, each once, with their texts and passages.
fn clause_lines(rendered: &RenderedTrace, say: &mut impl FnMut(usize, &str)) {
    for line in clauses(&rendered.clauses()) {
        say(8, &line);
    }
}

/// Clauses with their texts and passages, a line each; none, if there are none.
pub(crate) fn clauses(clauses: &BTreeSet<Clause>) -> Vec<String> {
    let head = (!clauses.is_empty()).then(|| "where".to_owned());
    let lines = clauses.iter().map(|clause| {
        let (says, source) = text_of(*clause);
        format!("  {clause}: {says} ({source})")
    });
    head.into_iter().chain(lines).collect()
}

/// The text of a clause, and its passages.
fn text_of(clause: Clause) -> (&'static str, &'static str) {
    clause.info().map_or(("", ""), |info| (info.says, info.source))
}

/// Sentences as lines that are no longer than a terminal is wide, indented so far.
pub(crate) fn wrapped(sentences: &[String], indent: usize) -> Vec<String> {
    let options = Options::new(COLUMNS - indent).subsequent_indent("  ").break_words(false);
    let options = options.word_splitter(WordSplitter::NoHyphenation);
    sentences.iter().flat_map(|it| textwrap::wrap(it, &options)).map(Cow::into_owned).collect()
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

/// A number with its noun, for numbers that the memory does not bound.
pub(super) fn number(count: u64, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness") => format!("{count} witnesses"),
        (count, what) => format!("{count} {what}s"),
    }
}
