//! The answers of `check` as text: a line for each scenario, and a summary with the next commands.

use std::{collections::BTreeSet, fmt::Write as _, time::Duration};

use anstyle::Style;
use deathwatch_documents::{Answer, Limit, Status, answer::ClaimCounts};
use deathwatch_scenario::{escape::escape, shell::quoted};
use deathwatch_show::{
    answers::{details, gist, words},
    cases,
    status::{Tone, row},
    text::{FAR, TextDetail, add_line, commands, fitted, number, plural, show_seconds, width},
};
use deathwatch_study::graph::GraphData;

use crate::{
    appearance::{Appearance, FAILURE, SUCCESS, UNDECIDED},
    exit::Exit,
};

/// The greatest number of undecided scenarios that a summary names.
const MOST_NAMED: usize = 8;

/// The greatest number of failures that a summary repeats.
const MOST_FAILURES: usize = 5;

/// The number of scenarios that are listed as the slowest.
const SLOWEST: usize = 5;

/// The answers to a scenario, and the time that they took, for a terminal.
pub(crate) struct Timed {
    pub(crate) answer: Answer,
    pub(crate) took: Option<Duration>,
    /// The graph of the world, for a page.
    pub(crate) graph: Option<GraphData>,
}

impl Timed {
    /// Answers that were given before.
    pub(crate) fn before(answer: Answer) -> Self {
        Self { answer, took: None, graph: None }
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

/// Whether `--quiet` hides this status, as it is no surprise.
pub(super) fn is_quiet(status: Status) -> bool {
    matches!(status, Status::AsExpected | Status::Known)
}

pub(super) fn one(timed: &Timed, look: &Appearance) -> String {
    let answer = &timed.answer;
    if look.detail == TextDetail::OnlySurprises && is_quiet(answer.status) {
        return String::new();
    }
    let detail = match look.detail {
        TextDetail::OnlySurprises | TextDetail::Surprises => TextDetail::Surprises,
        TextDetail::Violations => TextDetail::Violations,
    };
    let mut text = String::new();
    for (indent, line) in details(answer, detail) {
        add_line(&mut text, indent, &line);
    }
    head(timed, look) + &fitted(&text, look.columns)
}

/// The line of a scenario: its status, its name, and its result on the right; or below, if it does
/// not fit there.
fn head(timed: &Timed, look: &Appearance) -> String {
    let answer = &timed.answer;
    let (style, mark) = mark(answer);
    let mut gist = escape(&gist(answer)).into_owned();
    if let Some(took) = timed.seconds() {
        write!(gist, ", {}", show_seconds(took)).expect("a string takes any text");
    }
    let name = escape(&answer.scenario);
    let mark = look.paint(style, mark);
    // The mark takes four columns, and two spaces stand behind it and behind the name.
    let taken = 8 + width(&name) + width(&gist);
    if taken > look.columns {
        return format!("{mark}  {name}\n{}", fitted(&format!("      {gist}"), look.columns));
    }
    let gap = " ".repeat(look.columns.min(FAR).saturating_sub(taken));
    format!("{mark}  {name}{gap}  {gist}\n")
}

fn mark(answer: &Answer) -> (Style, &'static str) {
    if answer.too_large.is_some() {
        return (FAILURE, "none");
    }
    (style_of(answer.status), row(answer.status).mark)
}

fn style_of(status: Status) -> Style {
    match row(status).tone {
        Tone::Good => SUCCESS,
        Tone::Open => UNDECIDED,
        Tone::Bad => FAILURE,
    }
}

/// The number of scenarios by their results, the unexpected ones by name, and the next commands.
pub(super) fn summary(all: &[Timed], look: &Appearance) -> String {
    let mut text = String::new();
    if look.detail == TextDetail::Violations {
        slowest(all, &mut |indent, line: &str| add_line(&mut text, indent, line));
    }
    text.push_str(&counted(all, look));
    let with = |status| -> Vec<&Answer> {
        let asked = all.iter().map(|it| &it.answer).filter(|it| it.too_large.is_none());
        asked.filter(|it| it.status == status).collect()
    };
    let (unexpected, undecided) = (with(Status::Unexpected), with(Status::Undecided));
    let is_repeated = all.len() > 1;
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    next_steps(&unexpected, undecided, is_repeated, &mut say);
    text
}

/// The number of scenarios by their results.
pub(super) fn counted(all: &[Timed], look: &Appearance) -> String {
    let with = |status| {
        let asked = all.iter().filter(|it| it.answer.too_large.is_none());
        asked.filter(|it| it.answer.status == status).count()
    };
    let fine = with(Status::AsExpected);
    let not_asked = all.iter().filter(|it| it.answer.too_large.is_some()).count();
    let scenarios = plural(all.len(), "scenario");
    if look.detail == TextDetail::OnlySurprises && all.iter().all(|it| is_quiet(it.answer.status)) {
        return String::new();
    }
    if fine == all.len() {
        let fine = look.paint(SUCCESS, &format!("{scenarios} as expected"));
        return format!("{fine}{}\n", totals(all, look));
    }
    let kinds = Status::ALL.map(|status| (style_of(status), with(status), row(status).counted));
    let kinds = kinds.into_iter().chain([(FAILURE, not_asked, "could not be asked")]);
    let parts = kinds.filter(|(style, count, _)| *style == SUCCESS || *count > 0);
    let parts = parts.map(|(style, count, what)| look.paint(style, &format!("{count} {what}")));
    let parts: Vec<String> = parts.collect();
    format!("{scenarios}: {}\n", parts.join(", "))
}

/// The failures, again if there were others in between, each with the commands that show it; and
/// the commands that decide or show undecided answers.
fn next_steps(
    unexpected: &[&Answer],
    undecided: Vec<&Answer>,
    is_repeated: bool,
    say: &mut impl FnMut(usize, &str),
) {
    for answer in unexpected.iter().take(MOST_FAILURES) {
        if is_repeated {
            let failure = cases::of_answer(answer).failure().unwrap_or_default();
            say(0, &format!("{}: {failure}", answer.scenario));
        }
        // A page and the explorer begin where the script ends.
        let is_script = answer.states.is_none() && !answer.failures.is_empty();
        let replay = is_script.then(|| format!("deathwatch replay {}", quoted(&answer.file)));
        // Instances of another size have neither.
        let is_any_size = answer.states.is_none() && answer.any_size.is_some();
        // Pages and the explorer are of what the file says, and not of what a command sets.
        let is_set = answer.command.contains(" --set ");
        let is_again = is_any_size || is_set;
        let again = (is_again && !is_script).then(|| answer.command.clone());
        let others = commands(&answer.file).into_iter().filter(|_| !is_script && !is_again);
        for command in replay.into_iter().chain(again).chain(others) {
            say(2, &command);
        }
    }
    if unexpected.len() > MOST_FAILURES {
        let more = plural(unexpected.len() - MOST_FAILURES, "more scenario");
        say(0, &format!("and {more} not as expected"));
    }
    let flag = |answer: &Answer| answer.stopped.and_then(Limit::flag);
    let (stopped, open): (Vec<&Answer>, Vec<&Answer>) =
        undecided.into_iter().partition(|it| flag(it).is_some());
    let limits: BTreeSet<&str> = stopped.iter().filter_map(|it| flag(it)).collect();
    if !limits.is_empty() {
        let limits: Vec<&str> = limits.into_iter().collect();
        say(0, &format!("decide with a greater limit ({}):", limits.join(", ")));
        checks(&stopped, |it| it.command.trim_end_matches(" --verbose"), say);
    }
    if !open.is_empty() {
        say(0, "see what is open:");
        checks(&open, |it| &it.command, say);
    }
}

/// The scenarios that took longest, if it is known how long.
fn slowest(all: &[Timed], say: &mut impl FnMut(usize, &str)) {
    let timed = all.iter().filter_map(|it| Some((it.seconds()?, &it.answer.scenario)));
    let mut timed: Vec<(f64, &String)> = timed.collect();
    if timed.len() <= SLOWEST {
        return;
    }
    timed.sort_by(|(one, _), (two, _)| two.total_cmp(one));
    say(0, "the slowest:");
    for (seconds, scenario) in timed.into_iter().take(SLOWEST) {
        say(2, &format!("{:>8}  {scenario}", show_seconds(seconds)));
    }
}

/// The totals of the claims of several scenarios, after "as expected".
fn totals(all: &[Timed], look: &Appearance) -> String {
    if all.len() < 2 {
        return String::new();
    }
    let mut counts = ClaimCounts::default();
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
fn checks(
    answers: &[&Answer],
    command: impl Fn(&Answer) -> &str,
    say: &mut impl FnMut(usize, &str),
) {
    for answer in answers.iter().take(MOST_NAMED) {
        say(2, command(answer));
    }
    if answers.len() > MOST_NAMED {
        say(2, &format!("and {} more", answers.len() - MOST_NAMED));
    }
}
