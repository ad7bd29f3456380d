//! A sweep as text: one line for each scenario, and the details of unexpected answers.

use std::fmt::Write as _;

use deathwatch_documents::{
    Expected, QuestionKind, Status, Sweep,
    sweep::{FailureGroup, OddSeeds, SweptClaim},
};
use deathwatch_scenario::listed::{few, in_quotes};

use super::{figures, kinds};
use crate::status::row;
use crate::text::{TextDetail, add_line, fitted, number, thousands, width};

/// The number of claims that are named in one line, unless all are asked for.
const MOST_NAMED: usize = 4;

/// A scenario in lines of at most this number of columns. The words that do not fit behind its name
/// go below.
pub fn swept(swept: &Sweep, detail: TextDetail, columns: usize) -> String {
    let mark = row(swept.status).mark;
    let mut line = format!("{}; {}", work(swept), gist(swept));
    if let Some(((seconds, seeds), steps)) =
        swept.seconds.zip(swept.seeds_per_second).zip(swept.steps_per_second)
    {
        let (seeds, steps) = (thousands(seeds), thousands(steps));
        write!(line, " ({seconds:.2} s, {seeds} seeds/s, {steps} steps/s)")
            .expect("a string takes any text");
    }
    let (mut first, mut text) = (String::new(), String::new());
    let head = format!("{mark}  {}", swept.scenario);
    if width(&head) + 2 + width(&line) <= columns {
        add_line(&mut first, 0, &format!("{head}  {line}"));
    } else {
        add_line(&mut first, 0, &head);
        add_line(&mut text, 6, &line);
    }
    details(swept, detail, &mut |indent, line| add_line(&mut text, indent, line));
    first + &fitted(&text, columns)
}

/// The answer of seeds to a question on the command line, and the seeds that show it. It has no
/// expectation, so it stands first, and has words of its own.
pub fn asked(swept: &Sweep) -> String {
    let mut text = String::new();
    let mut say = |indent, line: &str| add_line(&mut text, indent, line);
    for claim in &swept.claims {
        let by = claim.first_seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
        let answer = match claim.status {
            Status::Undecided => "undecided".to_owned(),
            _ => format!("{} by {by}", claim.kind.decided()),
        };
        say(0, &format!("{answer}: {}", claim.name));
    }
    let groups: Vec<&FailureGroup> = swept.groups.iter().collect();
    kinds::lines(&groups, TextDetail::Violations, 2, &mut say);
    odds(swept, &mut |_, line| say(2, line));
    say(0, &format!("{} ({})", swept.scenario, work(swept)));
    text
}

/// The number of scenarios, by their results.
pub fn summary(sweeps: &[Sweep]) -> String {
    let all = number(sweeps.len() as u64, "scenario");
    let counts =
        Status::ALL.map(|it| (it, sweeps.iter().filter(|swept| swept.status == it).count()));
    if counts[0].1 == sweeps.len() {
        return format!("{all} as expected\n");
    }
    let told = counts.into_iter().filter(|(it, count)| *it == Status::AsExpected || *count > 0);
    let parts = told.map(|(it, count)| format!("{count} {}", row(it).counted));
    format!("{all}: {}\n", parts.collect::<Vec<_>>().join(", "))
}

/// The number of seeds and steps that were run.
fn work(swept: &Sweep) -> String {
    let steps = number(swept.steps, "step");
    let of = match swept.planned {
        planned if planned == swept.seeds => String::new(),
        planned => format!(" of {}", thousands(planned)),
    };
    let seeds = match (swept.seeds, of.as_str()) {
        (seeds, "") => number(seeds, "seed"),
        (seeds, of) => format!("{}{of} seeds", thousands(seeds)),
    };
    let is_clean = swept.unsettled.is_none() && swept.diverged.is_none();
    let settled = if is_clean && swept.seeds > 0 { " settled" } else { "" };
    format!("{seeds}{settled}, {steps}")
}

/// The answers in half a line, the most detail first.
fn gist(swept: &Sweep) -> String {
    match swept.status {
        Status::Known => {
            let known = swept.claims.iter().filter(|it| it.status == Status::Known).count();
            return format!("{} known by the baseline", number(known as u64, "answer"));
        }
        Status::Unexpected => {
            let wrong = swept.claims.iter().filter(|it| it.status == Status::Unexpected);
            let all = wrong.count() + swept.failures.len() + usize::from(swept.diverged.is_some());
            return format!("{} not as expected", number(all as u64, "answer"));
        }
        Status::Undecided => {
            let why = swept.reason.as_deref().unwrap_or("another shard may know");
            return format!("undecided: {why}");
        }
        Status::AsExpected => {}
    }
    let found = swept.claims.iter().filter(|it| it.seeds > 0);
    let mut parts: Vec<String> = found.map(decided_as_expected).collect();
    for kind in [QuestionKind::Always, QuestionKind::Reachable] {
        let decides = kind.decides();
        let is_held = |it: &&SweptClaim| {
            it.seeds == 0 && it.status != Status::Undecided && it.kind.decides() == decides
        };
        match swept.claims.iter().filter(is_held).collect::<Vec<_>>().as_slice() {
            [] => {}
            [only] => parts.push(format!("no seed {decides} \"{}\"", only.name)),
            all => parts.push(format!("no seed {decides} {} claims", all.len())),
        }
    }
    if parts.is_empty() {
        parts.push("nothing is claimed of it".to_owned());
    }
    parts.join("; ")
}

fn decided_as_expected(claim: &SweptClaim) -> String {
    let (name, first) = (&claim.name, claim.first_seed.unwrap_or_default());
    let kinds = number(claim.groups, "kind");
    format!("{} as expected: \"{name}\" first by seed {first} ({kinds})", claim.kind.decided())
}

/// The details below the line of a scenario, as lines with their indents.
fn details(swept: &Sweep, detail: TextDetail, say: &mut impl FnMut(usize, &str)) {
    odds(swept, say);
    if let Some(seed) = swept.ended_by.filter(|_| swept.seeds < swept.planned) {
        say(6, &format!("ended by seed {seed}; --keep-going runs the others too"));
    }
    if let Some(names) = undecided(swept, detail) {
        say(6, &format!("undecided: {names}"));
    }
    for claim in &swept.claims {
        let is_found = claim.status == Status::AsExpected && claim.seeds > 0;
        if claim.status.is_wrong() || is_found && detail == TextDetail::Violations {
            say(6, &headline(claim));
        }
    }
    let are_all_shown =
        detail == TextDetail::Violations || swept.groups.iter().any(|group| group.shrunk.is_some());
    let groups = swept.groups.iter().filter(|group| are_all_shown || !group.expected);
    let groups: Vec<&FailureGroup> = groups.collect();
    if !groups.is_empty() {
        let kinds = number(groups.len() as u64, "kind");
        say(6, &format!("{kinds} of failure, by what they come from:"));
    }
    kinds::lines(&groups, detail, 8, say);
    if detail == TextDetail::Violations {
        for line in figures::lines(swept) {
            say(6, &line);
        }
        say(6, &format!("digest {}", swept.digest));
    }
}

/// Failures of the script and odd seeds, as lines with their indents.
fn odds(swept: &Sweep, say: &mut impl FnMut(usize, &str)) {
    for failure in &swept.failures {
        say(6, &format!("script: {failure}"));
    }
    if let Some(odd) = &swept.diverged {
        say(6, &diverged(odd));
    }
    if let Some(odd) = &swept.unsettled {
        say(6, &unsettled(odd));
    }
    if !swept.missing.is_empty() {
        say(6, &format!("not run: {}", swept.missing.join(", ")));
    }
}

/// The names of the open claims: a few, unless all are asked for.
fn undecided(swept: &Sweep, detail: TextDetail) -> Option<String> {
    let open = swept.claims.iter().filter(|it| it.status == Status::Undecided);
    let names = in_quotes(open.map(|it| &it.name));
    let most = if detail == TextDetail::Violations { names.len() } else { MOST_NAMED };
    let is_told = !names.is_empty() && swept.status == Status::Undecided;
    is_told.then(|| few(names, most))
}

/// The answer to a decided claim, and its difference from the expected one.
pub(crate) fn headline(claim: &SweptClaim) -> String {
    let SweptClaim { name, kind, source, .. } = claim;
    let is_expected = claim.status == Status::AsExpected;
    let answer = match (kind, claim.seeds > 0) {
        (QuestionKind::Reachable, true) if is_expected => "reached as expected",
        (QuestionKind::Reachable, true) => "reached, but expected to be out of reach",
        (QuestionKind::Reachable, false) => "reached by no seed, but expected to be reached",
        (_, true) if is_expected => "violated as expected",
        (_, true) if claim.expected == Expected::Vacuous => "violated, but expected to be vacuous",
        (_, true) if claim.expected == Expected::NotViolated => {
            "violated, but expected not to be violated"
        }
        (_, true) => "violated, but expected to hold",
        (_, false) => "violated by no seed, but expected to be violated",
    };
    let seeds = match claim.first_seed {
        Some(first) => format!("; {}, first {first}", number(claim.seeds, "seed")),
        None => String::new(),
    };
    let known = if claim.known == Some(true) { "known by the baseline: " } else { "" };
    format!("{known}{answer}: \"{name}\" ({}; {source}{seeds})", kind.name())
}

/// The lines on seeds whose second run differed from the first.
pub(crate) fn diverged(odd: &OddSeeds) -> String {
    let (seeds, first) = (number(odd.seeds, "seed"), odd.first_seed);
    let what = "went another way when run again, which is a defect of deathwatch";
    format!("{seeds} {what}; first seed {first}, {}", odd.reason)
}

/// The lines on seeds that did not settle.
pub(crate) fn unsettled(odd: &OddSeeds) -> String {
    let seeds = number(odd.seeds, "seed");
    format!("{seeds} did not settle; first seed {}: {}", odd.first_seed, odd.reason)
}
