//! What reports say: of a scenario, as data, and of many in a summary, with what one does next.

use std::{collections::BTreeSet, fmt::Write as _, time::Duration};

use deathwatch_model::check::{Answer, Stop};
use deathwatch_study::{
    answers::{Answered, Case, Counts, Entry, Subject},
    verdict::{Status, Verdict},
};

use super::{
    Detail, Run, Timing, add_line, gist, junit,
    text::{self, number, plural},
};
use crate::{
    exit::Exit,
    look::{BAD, GOOD, Look, OPEN},
    shell::quoted,
};

/// The greatest number of scenarios of a kind that a summary names.
const MOST_NAMED: usize = 8;

/// A scenario that is answered, and the time that it took just now.
pub(crate) struct Told {
    /// The answers.
    pub(crate) answered: Answered,
    /// The time.
    pub(crate) timing: Timing,
}

impl Told {
    /// What any report says of `run`.
    pub(crate) fn of(run: &Run) -> Self {
        let verdict = &run.verdict;
        let answered = Answered {
            scenario: verdict.scenario.clone(),
            file: run.file.clone(),
            status: verdict.status,
            is_asked: verdict.too_large.is_none(),
            limit: verdict.stopped().and_then(limit).map(str::to_owned),
            counts: counts(verdict),
            states: verdict.report.as_ref().map(|report| report.states),
            gist: gist::of(verdict),
            details: text::details(run, Detail::Surprises),
            more: text::details(run, Detail::Violations),
            command: run.command.clone(),
            page: run.page.clone(),
            json: entry(run).json(),
            cases: junit::cases(verdict),
        };
        Self { answered, timing: run.timing }
    }

    /// What was answered before.
    pub(crate) fn before(answered: Answered) -> Self {
        Self { answered, timing: Timing::Hidden }
    }

    /// What a report says of a scenario that is in a shard of which there is no answer.
    pub(crate) fn missing(subject: &Subject, shard: &str) -> Self {
        let why = format!("shard {shard} has no answer");
        let case = Case {
            name: "the scenario is answered".to_owned(),
            status: Status::Undecided,
            says: why.clone(),
        };
        let lines = vec![(6, format!("undecided: {why}"))];
        Self::before(Answered {
            scenario: subject.scenario.clone(),
            file: subject.file.clone(),
            status: Status::Undecided,
            is_asked: true,
            limit: None,
            counts: Counts::default(),
            states: None,
            gist: "undecided".to_owned(),
            details: lines.clone(),
            more: lines,
            command: format!("deathwatch check {} --verbose", quoted(&subject.file)),
            page: None,
            json: Entry::missing(&subject.scenario, &why).json(),
            cases: vec![case],
        })
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        if self.answered.is_asked { self.answered.status.into() } else { Exit::NotAsked }
    }
}

/// The entry of `run` for programs.
pub(super) fn entry(run: &Run) -> Entry {
    let seconds = run.timing.asked().map(|took| took.as_secs_f64());
    Entry::of(&run.verdict, seconds, run.recorded.clone())
}

/// The numbers of claims of `verdict`.
pub(super) fn counts(verdict: &Verdict) -> Counts {
    let mut counts = Counts::default();
    for judged in verdict.judged.iter().filter(|judged| judged.claim().is_some()) {
        match (judged.finding.answer, judged.is_wanted()) {
            (Answer::Violated, false) => counts.violated += 1,
            (Answer::Violated, true) => counts.never_reached += 1,
            (Answer::Holds, false) => counts.hold += 1,
            (Answer::Holds, true) => counts.reached += 1,
            (Answer::Vacuous, _) => counts.vacuous += 1,
            (Answer::Inconclusive, _) => {}
        }
    }
    counts
}

/// The numbers that are not zero, in words.
pub(super) fn words(counts: Counts) -> Vec<String> {
    let hold = if counts.hold == 1 { "holds" } else { "hold" };
    let all = [
        (counts.violated, "violated"),
        (counts.never_reached, "never reached"),
        (counts.hold, hold),
        (counts.reached, "reached"),
        (counts.vacuous, "vacuous"),
    ];
    let some = all.into_iter().filter(|(count, _)| *count > 0);
    some.map(|(count, word)| format!("{count} {word}")).collect()
}

/// The number of scenarios by their results, those that are not as expected by name, and what one
/// does next.
pub(super) fn summary(all: &[Told], look: &Look) -> String {
    let runs: Vec<&Answered> = all.iter().map(|told| &told.answered).collect();
    let is_asked = |run: &&&Answered| run.is_asked;
    let with = |status| -> Vec<&Answered> {
        runs.iter().filter(is_asked).filter(|run| run.status == status).copied().collect()
    };
    let (fine, unexpected) = (with(Status::AsExpected), with(Status::Unexpected));
    let undecided = with(Status::Undecided);
    let not_asked = runs.iter().filter(|run| !run.is_asked).count();
    let scenarios = plural(runs.len(), "scenario");
    let mut text = String::new();
    if fine.len() == runs.len() {
        if look.detail != Detail::OnlySurprises {
            text.push_str(&look.paint(GOOD, &format!("{scenarios} as expected")));
            text.push_str(&totals(all, look));
            text.push('\n');
        }
        return text;
    }
    let kinds = [
        (GOOD, fine.len(), "as expected"),
        (BAD, unexpected.len(), "not as expected"),
        (OPEN, undecided.len(), "undecided"),
        (BAD, not_asked, "could not be asked"),
    ];
    let parts = kinds.into_iter().filter(|(style, count, _)| *style == GOOD || *count > 0);
    let parts = parts.map(|(style, count, what)| look.paint(style, &format!("{count} {what}")));
    let parts: Vec<String> = parts.collect();
    writeln!(text, "{scenarios}: {}", parts.join(", ")).expect("a string takes any text");
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    if !unexpected.is_empty() {
        say(0, "look closer, or with --write-traces DIR keep the runs as scenarios:");
        commands(&unexpected, " --verbose", &mut say);
    }
    let (stopped, open): (Vec<&Answered>, Vec<&Answered>) =
        undecided.into_iter().partition(|run| run.limit.is_some());
    let limits: BTreeSet<&str> = stopped.iter().filter_map(|run| run.limit.as_deref()).collect();
    if !limits.is_empty() {
        let limits: Vec<&str> = limits.into_iter().collect();
        say(0, &format!("decide with a greater limit ({}):", limits.join(", ")));
        commands(&stopped, "", &mut say);
    }
    if !open.is_empty() {
        say(0, "see what is open:");
        commands(&open, " --verbose", &mut say);
    }
    text
}

/// The flag of the limit that was reached, if it was one.
fn limit(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::States => Some("--max-states"),
        Stop::Memory => Some("--max-memory"),
        Stop::Time => Some("--time"),
        Stop::Interrupted | Stop::Edges | Stop::Threads | Stop::Space => None,
    }
}

/// What all claims of several scenarios come to, after "as expected".
fn totals(all: &[Told], look: &Look) -> String {
    if all.len() < 2 {
        return String::new();
    }
    let mut counts = Counts::default();
    for told in all {
        counts.add(told.answered.counts);
    }
    let states = all.iter().filter_map(|told| told.answered.states);
    let mut parts = words(counts);
    parts.push(number(states.sum(), "state"));
    if look.is_seen {
        let took: Duration = all.iter().filter_map(|told| told.timing.any()).sum();
        parts.push(seconds(took));
    }
    format!(": {}", parts.join(", "))
}

/// A time, to the hundredth of a second.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// The commands that look closer at `runs`: one for each of the first few.
fn commands(runs: &[&Answered], flags: &str, say: &mut impl FnMut(usize, &str)) {
    for run in runs.iter().take(MOST_NAMED) {
        say(2, &format!("deathwatch check {}{flags}", quoted(&run.file)));
    }
    if runs.len() > MOST_NAMED {
        say(2, &format!("and {} more", runs.len() - MOST_NAMED));
    }
}
