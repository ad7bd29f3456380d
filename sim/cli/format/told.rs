//! Totals: what a summary says of many scenarios, and what one does next.

use std::{collections::BTreeSet, fmt::Write as _, time::Duration};

use deathwatch_model::check::{Answer, Stop};
use deathwatch_sim::verdict::{Status, Verdict};

use super::{
    Detail, Run, add_line,
    text::{number, plural},
};
use crate::{
    look::{BAD, GOOD, Look, OPEN},
    shell::quoted,
};

/// The greatest number of scenarios of a kind that a summary names.
const MOST_NAMED: usize = 8;

/// The numbers of claims by their answers; in a scenario that is as expected, all are expected.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Claims that are violated.
    pub(super) violated: usize,
    /// Claims that hold.
    pub(super) hold: usize,
    /// Claims of which nothing is ever asked.
    pub(super) vacuous: usize,
    /// Claims that something is reachable, which is reached.
    pub(super) reached: usize,
    /// Claims that something is reachable, which is not.
    pub(super) never_reached: usize,
}

impl Counts {
    /// The numbers of claims of `verdict`.
    pub(super) fn of(verdict: &Verdict) -> Self {
        let mut counts = Self::default();
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

    fn add(&mut self, other: Self) {
        self.violated += other.violated;
        self.hold += other.hold;
        self.vacuous += other.vacuous;
        self.reached += other.reached;
        self.never_reached += other.never_reached;
    }

    /// The numbers that are not zero, in words.
    pub(super) fn words(&self) -> Vec<String> {
        let hold = if self.hold == 1 { "holds" } else { "hold" };
        let all = [
            (self.violated, "violated"),
            (self.never_reached, "never reached"),
            (self.hold, hold),
            (self.reached, "reached"),
            (self.vacuous, "vacuous"),
        ];
        let some = all.into_iter().filter(|(count, _)| *count > 0);
        some.map(|(count, word)| format!("{count} {word}")).collect()
    }
}

/// The number of scenarios by their results, those that are not as expected by name, and what one
/// does next.
pub(super) fn summary(runs: &[Run], look: &Look) -> String {
    let is_asked = |run: &&Run| run.verdict.too_large.is_none();
    let with = |status| -> Vec<&Run> {
        runs.iter().filter(is_asked).filter(|run| run.verdict.status == status).collect()
    };
    let (fine, unexpected) = (with(Status::AsExpected), with(Status::Unexpected));
    let undecided = with(Status::Undecided);
    let not_asked: Vec<&Run> = runs.iter().filter(|run| !is_asked(run)).collect();
    let all = plural(runs.len(), "scenario");
    let mut text = String::new();
    if fine.len() == runs.len() {
        if look.detail != Detail::OnlySurprises {
            text.push_str(&look.paint(GOOD, &format!("{all} as expected")));
            text.push_str(&totals(runs, look));
            text.push('\n');
        }
        return text;
    }
    let kinds = [
        (GOOD, fine.len(), "as expected"),
        (BAD, unexpected.len(), "not as expected"),
        (OPEN, undecided.len(), "undecided"),
        (BAD, not_asked.len(), "could not be asked"),
    ];
    let parts = kinds.into_iter().filter(|(style, count, _)| *style == GOOD || *count > 0);
    let parts = parts.map(|(style, count, what)| look.paint(style, &format!("{count} {what}")));
    let parts: Vec<String> = parts.collect();
    writeln!(text, "{all}: {}", parts.join(", ")).expect("a string takes any text");
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    if !unexpected.is_empty() {
        say(0, "look closer, or with --write-traces DIR keep the runs as scenarios:");
        commands(&unexpected, " --verbose", &mut say);
    }
    let (stopped, open): (Vec<&Run>, Vec<&Run>) =
        undecided.into_iter().partition(|run| limit(run).is_some());
    let limits: BTreeSet<&str> = stopped.iter().filter_map(|run| limit(run)).collect();
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

/// The limit that was reached before `run` was decided, as a flag, if it was one.
fn limit(run: &Run) -> Option<&'static str> {
    match run.verdict.stopped()? {
        Stop::States => Some("--max-states"),
        Stop::Memory => Some("--max-memory"),
        Stop::Time => Some("--time"),
        Stop::Interrupted | Stop::Edges | Stop::Threads | Stop::Space => None,
    }
}

/// What all claims of several scenarios come to, after "as expected".
fn totals(runs: &[Run], look: &Look) -> String {
    if runs.len() < 2 {
        return String::new();
    }
    let mut counts = Counts::default();
    for run in runs {
        counts.add(Counts::of(&run.verdict));
    }
    let states = runs.iter().filter_map(|run| run.verdict.report.as_ref()).map(|it| it.states);
    let mut parts = counts.words();
    parts.push(number(states.sum(), "state"));
    if look.is_seen {
        let took: Duration = runs.iter().filter_map(|run| run.timing.any()).sum();
        parts.push(seconds(took));
    }
    format!(": {}", parts.join(", "))
}

/// A time, to the hundredth of a second.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

/// The commands that look closer at `runs`: one for each of the first few.
fn commands(runs: &[&Run], flags: &str, say: &mut impl FnMut(usize, &str)) {
    for run in runs.iter().take(MOST_NAMED) {
        say(2, &format!("deathwatch check {}{flags}", quoted(&run.file)));
    }
    if runs.len() > MOST_NAMED {
        say(2, &format!("and {} more", runs.len() - MOST_NAMED));
    }
}
