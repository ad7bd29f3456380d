//! Annotations: what is not as expected, each with its place in a file, for hosts that show it
//! there.

mod github;
mod sarif;

use deathwatch_documents::{Answer, ClaimAnswer, Status, Sweep};

pub use self::{
    github::{annotated, annotated_sweep, of_unloaded, summary},
    sarif::{sarif, sarif_of_sweeps, sarif_of_unloaded},
};
use crate::{answers, sweep};

/// Something that is not as expected, or undecided, or a warning.
struct Annotation {
    status: Status,
    /// Whether a baseline has it, if one is given.
    known: Option<bool>,
    /// Its rule, in a few words that stay the same: a claim, or a question about all.
    rule: String,
    /// The passages that a claim rests on.
    source: Option<String>,
    scenario: String,
    /// The file, without which of its scenarios it is.
    file: String,
    /// Its line, if that is known.
    line: Option<usize>,
    message: String,
    /// The steps of the run that shows it.
    steps: Vec<String>,
}

/// The rule of warnings: what a scenario says that can have no effect tells nothing of a claim.
const WARNED_OF: &str = "all that is allowed can happen";

/// The annotations of a scenario: what is not as expected, then what is undecided, then warnings,
/// which are as expected.
fn of_answer(answer: &Answer) -> Vec<Annotation> {
    let about = |status, rule: &str, line: Option<usize>, message: String| Annotation {
        status,
        rule: rule.to_owned(),
        source: None,
        known: answer.known.map(|_| false),
        scenario: answer.scenario.clone(),
        file: file(&answer.file),
        line: line.or(answer.line),
        message,
        steps: Vec::new(),
    };
    let mut all: Vec<Annotation> = Vec::new();
    all.extend(answer.failures.iter().map(|it| {
        about(Status::Unexpected, "the script does what it expects", line_of(it), it.clone())
    }));
    all.extend(answer.miscounts.iter().map(|it| {
        let rule = "the world is as large as expected";
        about(Status::Unexpected, rule, None, format!("found {it}"))
    }));
    for claim in answer.claims.iter().filter(|it| it.status().is_wrong()) {
        let message = answers::text_of_claim(claim, answer);
        all.push(Annotation {
            known: claim.known,
            source: claim.source.clone(),
            steps: steps(claim),
            ..about(claim.status(), &claim.name, claim.line, message)
        });
    }
    if let Some(why) = &answer.too_large {
        let rule = "the world can be searched";
        all.push(about(Status::Unexpected, rule, None, why.clone()));
    } else if answer.status == Status::Undecided {
        let open = answer.claims.iter().filter(|it| it.status() == Status::Undecided);
        let open: Vec<&ClaimAnswer> = open.collect();
        let names: Vec<String> = open.iter().map(|it| it.name.clone()).collect();
        let own = open.iter().find_map(|it| it.reason.as_deref());
        let why = answer.reason.as_deref().or(own).unwrap_or("an answer is open");
        let message = match names.as_slice() {
            [] => format!("undecided: {why}"),
            names => format!("undecided: {why}\n{}", names.join("\n")),
        };
        all.push(about(Status::Undecided, "the scenario is answered", None, message));
    }
    if !answer.warnings.is_empty() {
        let lines: Vec<&str> = answer.warnings.iter().map(|it| it.text.as_str()).collect();
        all.push(about(Status::AsExpected, WARNED_OF, None, lines.join("\n")));
    }
    all
}

/// The annotations of the seeds of a scenario.
fn of_sweep(swept: &Sweep) -> Vec<Annotation> {
    let about = |status, rule: &str, line: Option<usize>, message: String| Annotation {
        status,
        rule: rule.to_owned(),
        source: None,
        known: swept.known.map(|_| false),
        scenario: swept.scenario.clone(),
        file: file(&swept.file),
        line,
        message,
        steps: Vec::new(),
    };
    let mut all: Vec<Annotation> = Vec::new();
    all.extend(swept.failures.iter().map(|it| {
        about(Status::Unexpected, "the script does what it expects", line_of(it), it.clone())
    }));
    for claim in swept.claims.iter().filter(|it| it.status.is_wrong()) {
        let mut lines = vec![sweep::headline(claim)];
        let groups = swept.groups.iter();
        let groups = groups.filter(|group| group.claims.iter().any(|it| it.name == claim.name));
        for group in groups.take(1) {
            lines.extend(group.wait_for.iter().flat_map(deathwatch_documents::WaitFor::sentences));
            lines.extend([group.replay.clone(), group.shrink.clone()]);
        }
        all.push(Annotation {
            known: claim.known,
            source: Some(claim.source.clone()),
            ..about(claim.status, &claim.name, None, lines.join("\n"))
        });
    }
    let diverged = swept.diverged.as_ref().map(sweep::diverged);
    all.extend(diverged.map(|it| about(Status::Unexpected, "a seed is one run", None, it)));
    let unsettled = swept.unsettled.as_ref().map(sweep::unsettled);
    let why = swept.reason.clone().filter(|_| swept.status == Status::Undecided);
    let open = unsettled.into_iter().chain(why.map(|it| format!("undecided: {it}")));
    all.extend(open.map(|it| about(Status::Undecided, "the scenario is answered", None, it)));
    all
}

fn file(address: &str) -> String {
    let end = address.find(".toml#").map_or(address.len(), |at| at + ".toml".len());
    address[..end].to_owned()
}

/// The line that a failure of a script begins with, as in "line 4: …".
fn line_of(failure: &str) -> Option<usize> {
    failure.strip_prefix("line ")?.split_once(':')?.0.parse().ok()
}

/// The steps of the run that shows an answer.
fn steps(claim: &ClaimAnswer) -> Vec<String> {
    let trace = claim.trace.iter();
    trace.flat_map(|it| it.steps.iter().chain(&it.cycle)).map(ToString::to_string).collect()
}
