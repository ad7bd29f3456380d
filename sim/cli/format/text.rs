//! Text: a line per scenario that is as expected, and all there is to say of one that is not.

use std::fmt::Write as _;

use deathwatch_model::{
    check::{Answer, Asked},
    clause::Clause,
};
use deathwatch_sim::{
    output::story::Story,
    scenario::Expected,
    verdict::{self, Judged, Standing, Verdict},
};

use crate::{
    format::{Detail, Run},
    limits::show_size,
};

/// One scenario.
pub(super) fn run(run: &Run, detail: Detail) -> String {
    let verdict = &run.verdict;
    let mut text = format!("{}  {}  {}", mark(verdict.standing), verdict.scenario, gist(verdict));
    if let Some(counts) = counts(run, detail) {
        write!(text, " ({counts})").expect("a string takes any text");
    }
    text.push('\n');
    details(verdict, detail, &mut |indent, line| {
        writeln!(text, "{:indent$}{line}", "").expect("a string takes any text");
    });
    text
}

/// How many scenarios there were and what came of them.
pub(super) fn summary(runs: &[Run], not_asked: usize) -> String {
    let count = |standing| runs.iter().filter(|run| run.verdict.standing == standing).count();
    let all = plural(runs.len() + not_asked, "scenario");
    let (unexpected, undecided) = (count(Standing::Unexpected), count(Standing::Undecided));
    if unexpected + undecided + not_asked == 0 {
        return format!("{all} as expected\n");
    }
    let mut parts = vec![format!("{} as expected", count(Standing::AsExpected))];
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

fn mark(standing: Standing) -> &'static str {
    match standing {
        Standing::AsExpected => "ok  ",
        Standing::Undecided => "open",
        Standing::Unexpected => "FAIL",
    }
}

/// A scenario in half a line.
fn gist(verdict: &Verdict) -> String {
    match verdict.standing {
        Standing::AsExpected => answers(verdict),
        Standing::Undecided => {
            let why = verdict.stopped().map_or("the engine did not decide", verdict::stopped);
            format!("undecided: {why}")
        }
        Standing::Unexpected => {
            let wrong = verdict.judged.iter().filter(|it| it.standing() == Standing::Unexpected);
            let all = wrong.count() + verdict.failures.len() + verdict.miscounts.len();
            format!("{} not as expected", plural(all, "answer"))
        }
    }
}

/// The answers, all of them as expected, the most telling first.
fn answers(verdict: &Verdict) -> String {
    let mut parts = Vec::new();
    let claims = || verdict.judged.iter().filter(|judged| judged.claim().is_some());
    for (answer, word) in [(Answer::Violated, "violated"), (Answer::Vacuous, "vacuous")] {
        let names: Vec<String> = claims()
            .filter(|judged| judged.finding.answer == answer)
            .map(|judged| format!("\"{}\"", judged.name()))
            .collect();
        if !names.is_empty() {
            parts.push(format!("{word} as expected: {}", names.join(", ")));
        }
    }
    let held: Vec<_> = claims().filter(|it| it.finding.answer == Answer::Holds).collect();
    match held.as_slice() {
        [] => {}
        [only] => parts.push(format!("holds: \"{}\"", only.name())),
        held => parts.push(format!("{} claims hold", held.len())),
    }
    match verdict.judged.len() - claims().count() {
        0 => {}
        witnesses => parts.push(plural(witnesses, "witness")),
    }
    if !verdict.left_out.is_empty() {
        parts.push(format!("left out: {}", plural(verdict.left_out.len(), "claim")));
    }
    if parts.is_empty() {
        parts.push(format!("the script does what it expects ({})", plural(verdict.steps, "step")));
    }
    parts.join("; ")
}

fn counts(run: &Run, detail: Detail) -> Option<String> {
    let report = run.verdict.report.as_ref()?;
    let mut counts = vec![number(report.states, "state")];
    if run.verdict.standing != Standing::AsExpected || detail == Detail::Violations {
        counts.push(number(report.transitions, "transition"));
        counts.push(format!("depth {}", report.depth));
    }
    if let Some(took) = run.took {
        counts.push(format!("{:.2} s", took.as_secs_f64()));
        counts.push(show_size(report.bytes));
    }
    Some(counts.join(", "))
}

/// What there is to say below the line of a scenario, as lines with their indents.
fn details(verdict: &Verdict, detail: Detail, say: &mut impl FnMut(usize, &str)) {
    for failure in &verdict.failures {
        say(6, &format!("script: {failure}"));
    }
    for miscount in &verdict.miscounts {
        say(6, &format!("found {miscount}"));
    }
    if let Some(undecided) = undecided(verdict) {
        say(6, &format!("undecided: {undecided}"));
    }
    for judged in &verdict.judged {
        let is_told = match judged.standing() {
            Standing::AsExpected => {
                detail == Detail::Violations && judged.finding.answer == Answer::Violated
            }
            Standing::Undecided => false,
            Standing::Unexpected => true,
        };
        if is_told {
            say(6, &headline(judged));
            if let Some(story) = &judged.story {
                tell(story, verdict, say);
            }
        }
    }
    if detail == Detail::Violations || verdict.standing != Standing::AsExpected {
        for claim in &verdict.left_out {
            say(6, &format!("left out, not for this engine: \"{}\"", claim.name));
        }
    }
}

/// What is undecided: the claims by name, the witnesses by number.
fn undecided(verdict: &Verdict) -> Option<String> {
    let open: Vec<&Judged> =
        verdict.judged.iter().filter(|it| it.standing() == Standing::Undecided).collect();
    let claims = open.iter().filter_map(|judged| judged.claim());
    let mut parts: Vec<String> = claims.map(|claim| format!("\"{}\"", claim.name)).collect();
    match open.len() - parts.len() {
        0 => {}
        witnesses => parts.push(plural(witnesses, "witness")),
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// An answer, and how it differs from what was expected.
fn headline(judged: &Judged) -> String {
    let claim = match judged.finding.asked {
        Asked::Claim(claim) => claim,
        Asked::Witness(clause) => return witness(judged, clause),
    };
    let answer = verdict::answer(judged.finding.answer);
    let but = match judged.standing() {
        Standing::AsExpected => " as expected",
        Standing::Undecided => "",
        Standing::Unexpected => match judged.expected {
            Expected::Holds => ", but expected to hold",
            Expected::Violated => ", but expected to be violated",
            Expected::Vacuous => ", but expected to be vacuous",
        },
    };
    format!("{answer}{but}: \"{}\" ({}; {})", claim.name, judged.kind(), claim.source)
}

fn witness(judged: &Judged, clause: Clause) -> String {
    let (says, source) = clause.info().map_or(("", ""), |info| (info.says, info.source));
    let seen = match judged.standing() {
        Standing::AsExpected => "seen",
        Standing::Undecided => "not seen so far",
        Standing::Unexpected => "not seen on any run",
    };
    format!("{seen}: {clause} \"{says}\" (witness; {source})")
}

/// The text of a story, which begins where the script ends.
fn tell(story: &Story, verdict: &Verdict, say: &mut impl FnMut(usize, &str)) {
    match (&story.subject, verdict.steps) {
        (Some(subject), 0) => say(8, &format!("for {subject}:")),
        (Some(subject), _) => say(8, &format!("for {subject}, after the script:")),
        (None, 0) => {}
        (None, _) => say(8, "after the script:"),
    }
    for line in story.numbered() {
        say(8, &line);
    }
    if let Some(diagnosis) = &story.diagnosis {
        say(8, diagnosis);
    }
}

/// All there is to say of one answer, for other formats.
pub(super) fn answer(judged: &Judged, verdict: &Verdict) -> String {
    let mut text = headline(judged);
    if let Some(story) = &judged.story {
        tell(story, verdict, &mut |_, line| {
            text.push('\n');
            text.push_str(line);
        });
    }
    text
}

fn plural(count: usize, what: &str) -> String {
    number(count as u64, what)
}

fn number(count: u64, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness") => format!("{count} witnesses"),
        (count, what) => format!("{count} {what}s"),
    }
}
