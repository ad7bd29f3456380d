//! A sweep as `JUnit`: a suite for each scenario, a case for each part of the seeds.
//!
//! A case for each seed would be too many for a viewer, and a case for each claim would hide where
//! it fails. A claim that must be violated by some seed is a case of its own.

use std::time::Duration;

use deathwatch_documents::{
    QuestionKind, Status, Sweep, WaitFor,
    sweep::{Part, SweptClaim},
};
use deathwatch_scenario::escape::escape;
use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

use super::text;
use crate::answers::{junit_status, written};

/// The whole document of a command.
pub fn junit(command: &str, sweeps: &[Sweep]) -> String {
    let mut report = Report::new(command);
    report.add_test_suites(sweeps.iter().map(|swept| {
        let name = escape(&swept.scenario);
        let mut suite = TestSuite::new(&*name);
        for mut case in cases(swept) {
            case.set_classname(&*name);
            suite.add_test_case(case);
        }
        if let Some(seconds) = swept.seconds {
            suite.set_time(Duration::from_secs_f64(seconds));
        }
        suite
    }));
    written(&report)
}

fn cases(swept: &Sweep) -> Vec<TestCase> {
    let mut cases = Vec::new();
    if !swept.failures.is_empty() {
        let status = junit_status(Status::Unexpected, &swept.failures.join("\n"));
        cases.push(TestCase::new("the script does what it expects", status));
    }
    let claims = swept.claims.iter().filter(|claim| claim.needs_a_seed());
    cases.extend(claims.map(|claim| needs_a_seed(swept, claim)));
    // The first part may be empty, the others are not.
    let parts = swept.parts.iter().enumerate();
    let parts = parts.filter(|(at, part)| *at > 0 || part.seeds > 0);
    cases.extend(parts.map(|(_, part)| TestCase::new(part.name.as_str(), status(swept, part))));
    if !swept.missing.is_empty() {
        let why = swept.reason.as_deref().unwrap_or_default();
        let seeds = swept.missing.join(", ");
        let status =
            junit_status(Status::Undecided, &format!("{why}\nthese seeds are not run: {seeds}"));
        cases.push(TestCase::new("every seed is run", status));
    }
    cases
}

fn needs_a_seed(swept: &Sweep, claim: &SweptClaim) -> TestCase {
    let name = format!("some seed {} \"{}\"", claim.kind.decides(), claim.name);
    // That no seed does is a failure that no baseline knows.
    let (status, says) = match (claim.status, &swept.reason) {
        (Status::AsExpected, _) => (Status::AsExpected, String::new()),
        (Status::Undecided, Some(why)) => (Status::Undecided, format!("no seed so far: {why}")),
        (Status::Undecided, None) => (Status::Undecided, "no seed so far".to_owned()),
        _ => (Status::Unexpected, "no seed does".to_owned()),
    };
    TestCase::new(&*escape(&name), junit_status(status, &says))
}

fn status(swept: &Sweep, part: &Part) -> TestCaseStatus {
    let mut lines = Vec::new();
    for it in &part.surprises {
        let (seed, claim) = (it.first_seed, &it.claim);
        let more = match it.seeds {
            1 => String::new(),
            seeds => format!(" and {} more", seeds - 1),
        };
        let known = swept.claims.iter().find(|known| known.name == *claim);
        let decided = known.map_or(QuestionKind::Always, |known| known.kind).decided();
        lines.push(format!("seed {seed}{more}: {decided}: \"{claim}\""));
        lines.push(format!("step {} of {}, for {}", it.step, it.steps, it.subject));
        lines.extend(it.wait_for.iter().flat_map(WaitFor::sentences));
        lines.extend(it.commands.clone());
    }
    lines.extend(part.diverged.as_ref().map(text::diverged));
    let is_known =
        |claim: &str| swept.claims.iter().any(|it| it.name == claim && it.status == Status::Known);
    let are_known = part.surprises.iter().all(|it| is_known(&it.claim));
    if !lines.is_empty() && are_known && part.diverged.is_none() && part.unsettled.is_none() {
        return junit_status(Status::Known, &lines.join("\n"));
    }
    if !lines.is_empty() {
        return junit_status(Status::Unexpected, &lines.join("\n"));
    }
    match &part.unsettled {
        Some(odd) => junit_status(Status::Undecided, &text::unsettled(odd)),
        None if part.seeds == 0 => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("none of these seeds was run");
            status
        }
        None => TestCaseStatus::success(),
    }
}
