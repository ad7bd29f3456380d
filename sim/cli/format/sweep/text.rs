//! A sweep as text: one line for each scenario, and the details of what is not as expected.

use std::fmt::Write as _;

use deathwatch_documents::{Outcome, Status};
use deathwatch_model::{check::CheckAnswer, claims::ClaimKind};
use deathwatch_scenario::{
    Expected,
    listed::{few, in_quotes},
};
use deathwatch_show::text::{Detail, number};
use deathwatch_study::sweep::{Answered, Group, Odd, Report};

use super::{Swept, figures, kinds};
use crate::format::add_line;

/// The number of claims that are named in one line, unless all are asked for.
const MOST_NAMED: usize = 4;

/// One scenario.
pub(super) fn swept(swept: &Swept, detail: Detail) -> String {
    let report = &swept.report;
    let mark = match report.status {
        Status::AsExpected => "ok  ",
        Status::Undecided => "open",
        Status::Unexpected => "FAIL",
    };
    let mut line = format!("{mark}  {}  {}; {}", report.scenario, work(report), gist(swept));
    if let Some(took) = &swept.took {
        let (seeds, steps) = (took.rate(took.seeds), took.rate(took.steps));
        let seconds = took.time.as_secs_f64();
        write!(line, " ({seconds:.2} s, {seeds} seeds/s, {steps} steps/s)")
            .expect("a string takes any text");
    }
    let mut text = String::new();
    add_line(&mut text, 0, &line);
    details(swept, detail, &mut |indent, line| add_line(&mut text, indent, line));
    text
}

/// The number of scenarios, by their results.
pub(super) fn summary(sweeps: &[Swept]) -> String {
    let count = |status| sweeps.iter().filter(|it| it.report.status == status).count() as u64;
    let all = number(sweeps.len() as u64, "scenario");
    let (expected, unexpected, undecided) =
        (count(Status::AsExpected), count(Status::Unexpected), count(Status::Undecided));
    if unexpected + undecided == 0 {
        return format!("{all} as expected\n");
    }
    let mut parts = vec![format!("{expected} as expected")];
    if unexpected > 0 {
        parts.push(format!("{unexpected} not as expected"));
    }
    if undecided > 0 {
        parts.push(format!("{undecided} undecided"));
    }
    format!("{all}: {}\n", parts.join(", "))
}

/// The number of seeds and steps that were run.
pub(in crate::format) fn work(report: &Report) -> String {
    let steps = number(report.stats.steps, "step");
    let of = match report.planned {
        planned if planned == report.seeds => String::new(),
        planned => format!(" of {planned}"),
    };
    let seeds = match (report.seeds, of.as_str()) {
        (seeds, "") => number(seeds, "seed"),
        (seeds, of) => format!("{seeds}{of} seeds"),
    };
    let is_clean = report.unsettled.is_none() && report.diverged.is_none();
    let settled = if is_clean && report.seeds > 0 { " settled" } else { "" };
    format!("{seeds}{settled}, {steps}")
}

/// The answers in half a line, the most detail first.
fn gist(swept: &Swept) -> String {
    let report = &swept.report;
    match report.status {
        Status::Unexpected => {
            let wrong = report.claims.iter().filter(|it| it.status() == Status::Unexpected);
            let all =
                wrong.count() + report.failures.len() + usize::from(report.diverged.is_some());
            return format!("{} not as expected", number(all as u64, "answer"));
        }
        Status::Undecided => {
            let why =
                swept.undecided_because().unwrap_or_else(|| "another shard may know".to_owned());
            return format!("undecided: {why}");
        }
        Status::AsExpected => {}
    }
    let violated = report.claims.iter().filter(|it| it.answer == CheckAnswer::Violated);
    let mut parts: Vec<String> = violated.map(violated_as_expected).collect();
    for decides in [ClaimKind::Always.decides(), ClaimKind::Reachable.decides()] {
        let is_held = |it: &&Answered| it.answer == CheckAnswer::Holds;
        let held = report.claims.iter().filter(is_held);
        let held = held.filter(|it| it.claim.kind().decides() == decides);
        match held.collect::<Vec<_>>().as_slice() {
            [] => {}
            [only] => parts.push(format!("no seed {decides} \"{}\"", only.claim.name)),
            all => parts.push(format!("no seed {decides} {} claims", all.len())),
        }
    }
    if parts.is_empty() {
        parts.push("nothing is claimed of it".to_owned());
    }
    parts.join("; ")
}

fn violated_as_expected(claim: &Answered) -> String {
    let (name, first) = (claim.claim.name, claim.first.unwrap_or_default());
    let kinds = number(claim.kinds, "kind");
    let decided = claim.claim.kind().decided();
    format!("{decided} as expected: \"{name}\" first by seed {first} ({kinds})")
}

/// The details below the line of a scenario, as lines with their indents.
fn details(swept: &Swept, detail: Detail, say: &mut impl FnMut(usize, &str)) {
    let report = &swept.report;
    odds(report, say);
    if let Some(seed) = report.ended_by.filter(|_| report.seeds < report.planned) {
        say(6, &format!("ended by seed {seed}; --keep-going runs the others too"));
    }
    if let Some(names) = undecided(report, detail) {
        say(6, &format!("undecided: {names}"));
    }
    for claim in &report.claims {
        let is_shown = match claim.status() {
            Status::Unexpected => true,
            Status::Undecided => false,
            Status::AsExpected => {
                detail == Detail::Violations && claim.answer == CheckAnswer::Violated
            }
        };
        if is_shown {
            say(6, &headline(claim));
        }
    }
    let is_shown = |(_, group): &(usize, &Group)| {
        group.is_unexpected || detail == Detail::Violations || !swept.shrunk.is_empty()
    };
    let groups: Vec<(usize, &Group)> = report.groups.iter().enumerate().filter(is_shown).collect();
    if !groups.is_empty() {
        let kinds = number(groups.len() as u64, "kind");
        say(6, &format!("{kinds} of failure, by what they come from:"));
    }
    kinds::lines(swept, &groups, detail, 8, say);
    if detail == Detail::Violations {
        for line in figures::lines(report) {
            say(6, &line);
        }
        say(6, &format!("digest {:016x}", report.digest));
    }
}

/// What is odd about the script and the seeds, as lines with their indents.
pub(in crate::format) fn odds(report: &Report, say: &mut impl FnMut(usize, &str)) {
    for failure in &report.failures {
        say(6, &format!("script: {failure}"));
    }
    if let Some(odd) = &report.diverged {
        say(6, &diverged(odd));
    }
    if let Some(odd) = &report.unsettled {
        say(6, &unsettled(odd));
    }
    if !report.missing.is_empty() {
        say(6, &format!("not run: {}", report.missing.join(", ")));
    }
}

/// The names of the open claims: a few, unless all are asked for.
fn undecided(report: &Report, detail: Detail) -> Option<String> {
    let open = report.claims.iter().filter(|it| it.status() == Status::Undecided);
    let names = in_quotes(open.map(|it| it.claim.name));
    let most = if detail == Detail::Violations { names.len() } else { MOST_NAMED };
    let is_told = !names.is_empty() && report.status == Status::Undecided;
    is_told.then(|| few(names, most))
}

/// An answer, and how it differs from what was expected.
fn headline(claim: &Answered) -> String {
    let (name, kind, source) = (claim.claim.name, claim.claim.kind(), claim.claim.source);
    let answer = match (claim.status(), claim.answer, kind) {
        (Status::Unexpected, CheckAnswer::Violated, ClaimKind::Reachable) => {
            "reached, but expected to be out of reach"
        }
        (Status::Unexpected, _, ClaimKind::Reachable) => {
            "reached by no seed, but expected to be reached"
        }
        (Status::AsExpected, CheckAnswer::Violated, ClaimKind::Reachable) => "reached as expected",
        (Status::Unexpected, CheckAnswer::Violated, _) => match claim.expected {
            Expected::Vacuous => "violated, but expected to be vacuous",
            Expected::Holds | Expected::Violated | Expected::NotViolated => {
                "violated, but expected to hold"
            }
        },
        (Status::Unexpected, _, _) => "violated by no seed, but expected to be violated",
        (Status::AsExpected, CheckAnswer::Violated, _) => "violated as expected",
        (Status::AsExpected | Status::Undecided, answer, _) => Outcome::from(answer).name(),
    };
    let kind = kind.name();
    let seeds = match claim.first {
        Some(first) => format!("; {}, first {first}", number(claim.seeds, "seed")),
        None => String::new(),
    };
    format!("{answer}: \"{name}\" ({kind}; {source}{seeds})")
}

/// The lines on seeds whose second run differed from the first.
pub(super) fn diverged(odd: &Odd) -> String {
    let (seeds, first) = (number(odd.seeds, "seed"), odd.first);
    let what = "went another way when run again, which is a defect of deathwatch";
    format!("{seeds} {what}; first seed {first}, {}", odd.says)
}

/// The lines on seeds that did not settle.
pub(super) fn unsettled(odd: &Odd) -> String {
    let seeds = number(odd.seeds, "seed");
    format!("{seeds} did not settle; first seed {}: {}", odd.first, odd.says)
}
