//! A sweep as `JUnit`: a suite for each scenario, a case for each part of the seeds.
//!
//! A case for each seed would be too many for a viewer, and a case for each claim would hide where
//! it fails. A claim that must be violated by some seed is a case of its own.

use deathwatch_documents::Status;
use deathwatch_model::claims::{Claim, ClaimKind};
use deathwatch_scenario::{Expected, escape::escape};
use deathwatch_show::answers::{failure, undecided};
use deathwatch_study::sweep::{Answered, Part};
use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

use super::{Swept, text};

/// The whole document of a command.
pub(super) fn document(command: &str, sweeps: &[Swept]) -> String {
    let mut report = Report::new(command);
    report.add_test_suites(sweeps.iter().map(|swept| {
        let name = escape(&swept.report.scenario);
        let mut suite = TestSuite::new(&*name);
        for mut case in cases(swept) {
            case.set_classname(&*name);
            suite.add_test_case(case);
        }
        if let Some(took) = swept.took {
            suite.set_time(took.time);
        }
        suite
    }));
    let text = report.to_string();
    text.expect("there are no dates in it, and a string takes any text")
}

fn cases(swept: &Swept) -> Vec<TestCase> {
    let report = &swept.report;
    let mut cases = Vec::new();
    if !report.failures.is_empty() {
        let status = failure(&report.failures.join("\n"));
        cases.push(TestCase::new("the script does what it expects", status));
    }
    let claims = report.claims.iter().filter(|claim| claim.expected == Expected::Violated);
    cases.extend(claims.map(|claim| must_be_violated(swept, claim)));
    // The first part may be empty, the others are not.
    let parts = report.parts.iter().enumerate();
    let parts = parts.filter(|(at, part)| *at > 0 || part.seeds > 0);
    cases.extend(parts.map(|(_, part)| TestCase::new(part.name.as_str(), status(swept, part))));
    if !report.missing.is_empty() {
        let why = swept.undecided_because().unwrap_or_default();
        let seeds = report.missing.join(", ");
        let status = undecided(&format!("{why}\nthese seeds are not run: {seeds}"));
        cases.push(TestCase::new("every seed is run", status));
    }
    cases
}

fn must_be_violated(swept: &Swept, claim: &Answered) -> TestCase {
    let name = format!("some seed {} \"{}\"", claim.claim.kind().decides(), claim.claim.name);
    let status = match claim.status() {
        Status::AsExpected => TestCaseStatus::success(),
        Status::Undecided => undecided(&match swept.undecided_because() {
            Some(why) => format!("no seed so far: {why}"),
            None => "no seed so far".to_owned(),
        }),
        Status::Unexpected => failure("no seed does"),
    };
    TestCase::new(name, status)
}

fn status(swept: &Swept, part: &Part) -> TestCaseStatus {
    let mut lines = Vec::new();
    for (seeds, first) in part.surprises.iter() {
        let (seed, violated) = (first.seed, &first.violated);
        let more = if seeds == 1 { String::new() } else { format!(" and {} more", seeds - 1) };
        let mut claims = swept.report.claims.iter().map(|it| it.claim);
        let claim = claims.find(|it| it.name == violated.claim);
        let decided = claim.map_or(ClaimKind::Always, Claim::kind).decided();
        lines.push(format!("seed {seed}{more}: {decided}: \"{}\"", violated.claim));
        lines.push(format!("step {} of {}, for {}", violated.step, first.steps, violated.subject));
        lines.extend(violated.sentences());
        lines.extend(swept.commands_of(seed));
    }
    lines.extend(part.diverged.as_ref().map(text::diverged));
    if !lines.is_empty() {
        return failure(&lines.join("\n"));
    }
    match &part.unsettled {
        Some(odd) => undecided(&text::unsettled(odd)),
        None if part.seeds == 0 => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("none of these seeds was run");
            status
        }
        None => TestCaseStatus::success(),
    }
}
