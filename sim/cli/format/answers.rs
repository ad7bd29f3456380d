//! The answers of `check` as text: a line for each scenario, and a summary with what one does next.

use std::{collections::BTreeSet, fmt::Write as _, time::Duration};

use anstyle::Style;
use deathwatch_documents::{
    Answer, Status,
    answer::{Counts, Limit},
};
use deathwatch_scenario::{escape::escape, shell::quoted};
use deathwatch_show::{
    answers::{details, gist, words},
    text::{COLUMNS, Detail, add_line, number, plural, show_seconds, width},
};

use crate::{
    exit::Exit,
    look::{FAILURE, Look, SUCCESS, UNDECIDED, fit},
};

/// The greatest number of scenarios of a kind that a summary names.
const MOST_NAMED: usize = 8;

/// The answers to a scenario, and the time that they took, if somebody watches.
pub(crate) struct Timed {
    /// The answers.
    pub(crate) answer: Answer,
    /// The time.
    pub(crate) took: Option<Duration>,
}

impl Timed {
    /// Answers that were given before.
    pub(crate) fn before(answer: Answer) -> Self {
        Self { answer, took: None }
    }

    /// The time in seconds, if it is to be printed in text.
    fn seconds(&self) -> Option<f64> {
        self.answer.seconds.or(self.took.map(|took| took.as_secs_f64()))
    }
}

/// The exit code for the answers to a scenario.
pub(crate) fn exit(answer: &Answer) -> Exit {
    if answer.too_large.is_some() { Exit::NotAsked } else { answer.status.into() }
}

/// One scenario.
pub(super) fn one(timed: &Timed, look: &Look) -> String {
    let answer = &timed.answer;
    if look.detail == Detail::OnlySurprises && answer.status == Status::AsExpected {
        return String::new();
    }
    let detail = match look.detail {
        Detail::OnlySurprises | Detail::Surprises => Detail::Surprises,
        Detail::Violations => Detail::Violations,
    };
    let mut text = head(timed, look);
    for (indent, line) in details(answer, detail) {
        add_line(&mut text, indent, &line);
    }
    text
}

/// The line of a scenario: its status, its name, and what came of it, on the right.
fn head(timed: &Timed, look: &Look) -> String {
    let answer = &timed.answer;
    let (style, mark) = mark(answer);
    let mut gist = escape(&gist(answer)).into_owned();
    if let Some(took) = timed.seconds() {
        write!(gist, ", {}", show_seconds(took)).expect("a string takes any text");
    }
    let name = escape(&answer.scenario);
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

fn mark(answer: &Answer) -> (Style, &'static str) {
    match answer.status {
        _ if answer.too_large.is_some() => (FAILURE, "none"),
        Status::AsExpected => (SUCCESS, "ok  "),
        Status::Undecided => (UNDECIDED, "open"),
        Status::Unexpected => (FAILURE, "FAIL"),
    }
}

/// The number of scenarios by their results, those that are not as expected by name, and what one
/// does next.
pub(super) fn summary(all: &[Timed], look: &Look) -> String {
    let answers: Vec<&Answer> = all.iter().map(|it| &it.answer).collect();
    let is_asked = |it: &&&Answer| it.too_large.is_none();
    let with = |status| -> Vec<&Answer> {
        answers.iter().filter(is_asked).filter(|it| it.status == status).copied().collect()
    };
    let (fine, unexpected) = (with(Status::AsExpected), with(Status::Unexpected));
    let undecided = with(Status::Undecided);
    let not_asked = answers.iter().filter(|it| it.too_large.is_some()).count();
    let scenarios = plural(answers.len(), "scenario");
    let mut text = String::new();
    if fine.len() == answers.len() {
        if look.detail != Detail::OnlySurprises {
            text.push_str(&look.paint(SUCCESS, &format!("{scenarios} as expected")));
            text.push_str(&totals(all, look));
            text.push('\n');
        }
        return text;
    }
    let kinds = [
        (SUCCESS, fine.len(), "as expected"),
        (FAILURE, unexpected.len(), "not as expected"),
        (UNDECIDED, undecided.len(), "undecided"),
        (FAILURE, not_asked, "could not be asked"),
    ];
    let parts = kinds.into_iter().filter(|(style, count, _)| *style == SUCCESS || *count > 0);
    let parts = parts.map(|(style, count, what)| look.paint(style, &format!("{count} {what}")));
    let parts: Vec<String> = parts.collect();
    writeln!(text, "{scenarios}: {}", parts.join(", ")).expect("a string takes any text");
    next_steps(&unexpected, undecided, &mut |indent, line: &str| add_line(&mut text, indent, line));
    text
}

/// The commands that look closer at what is not as expected or undecided.
fn next_steps(unexpected: &[&Answer], undecided: Vec<&Answer>, say: &mut impl FnMut(usize, &str)) {
    if !unexpected.is_empty() {
        say(0, "look closer, or with --write-traces DIR keep the runs as scenarios:");
        commands(unexpected, " --verbose", say);
    }
    let flag = |answer: &Answer| answer.stopped.and_then(flag);
    let (stopped, open): (Vec<&Answer>, Vec<&Answer>) =
        undecided.into_iter().partition(|it| flag(it).is_some());
    let limits: BTreeSet<&str> = stopped.iter().filter_map(|it| flag(it)).collect();
    if !limits.is_empty() {
        let limits: Vec<&str> = limits.into_iter().collect();
        say(0, &format!("decide with a greater limit ({}):", limits.join(", ")));
        commands(&stopped, "", say);
    }
    if !open.is_empty() {
        say(0, "see what is open:");
        commands(&open, " --verbose", say);
    }
}

/// The flag of the limit that was reached, if there is one.
fn flag(limit: Limit) -> Option<&'static str> {
    match limit {
        Limit::States => Some("--max-states"),
        Limit::Memory => Some("--max-memory"),
        Limit::Time => Some("--time"),
        Limit::Interrupted | Limit::Edges | Limit::Threads | Limit::Transactions => None,
    }
}

/// What all claims of several scenarios come to, after "as expected".
fn totals(all: &[Timed], look: &Look) -> String {
    if all.len() < 2 {
        return String::new();
    }
    let mut counts = Counts::default();
    for timed in all {
        counts.add(timed.answer.counts());
    }
    let states = all.iter().filter_map(|it| it.answer.states);
    let mut parts = words(counts);
    parts.push(number(states.sum(), "state"));
    if look.is_terminal {
        parts.push(show_seconds(all.iter().filter_map(Timed::seconds).sum()));
    }
    format!(": {}", parts.join(", "))
}

/// The commands that look closer at `answers`: one for each of the first few.
fn commands(answers: &[&Answer], flags: &str, say: &mut impl FnMut(usize, &str)) {
    for answer in answers.iter().take(MOST_NAMED) {
        say(2, &format!("deathwatch check {}{flags}", quoted(&answer.file)));
    }
    if answers.len() > MOST_NAMED {
        say(2, &format!("and {} more", answers.len() - MOST_NAMED));
    }
}
