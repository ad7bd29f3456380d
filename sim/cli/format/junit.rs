//! `JUnit`: a suite for each folder of scenarios, a case for each question.
//!
//! A viewer shows the class name and the name of a case side by side. So the class name is the
//! scenario, and the name is the claim. Witnesses share one case, as they would outnumber the
//! claims.

use deathwatch_sim::{
    escape::{escape, escape_lines},
    verdict::{Judged, Status, Verdict},
};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::format::{Run, text};

/// The whole document of a command.
pub(super) fn document(command: &str, runs: &[Run]) -> String {
    let mut report = Report::new(command);
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for run in runs {
        let folder = run.verdict.scenario.rsplit_once('/').map_or("scenarios", |(it, _)| it);
        let at = suites.iter().position(|(name, _)| name == folder).unwrap_or_else(|| {
            suites.push((folder.to_owned(), TestSuite::new(&*escape(folder))));
            suites.len() - 1
        });
        suites[at].1.add_test_cases(cases(run));
    }
    report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
    let text = report.to_string();
    text.expect("there are no dates in it, and a string takes any text")
}

/// The questions of one scenario.
fn cases(run: &Run) -> Vec<TestCase> {
    let verdict = &run.verdict;
    let mut cases = Vec::new();
    cases.extend(script(verdict));
    cases.extend(counts(verdict));
    let (witnesses, claims): (Vec<&Judged>, Vec<&Judged>) =
        verdict.judged.iter().partition(|judged| judged.is_witness());
    cases.extend(claims.into_iter().map(|judged| {
        TestCase::new(judged.name(), status(judged.status(), || text::answer(judged, verdict)))
    }));
    if let Some(worst) = witnesses.iter().map(|judged| judged.status()).max() {
        let text = || {
            let open = witnesses.iter().filter(|it| it.status() != Status::AsExpected);
            open.map(|judged| text::answer(judged, verdict)).collect::<Vec<_>>().join("\n")
        };
        cases.push(TestCase::new("every witness is seen", status(worst, text)));
    }
    cases.extend(
        verdict
            .left_out
            .iter()
            .map(|claim| TestCase::new(claim.name, undecided("this engine cannot decide it"))),
    );
    for case in &mut cases {
        case.set_classname(&*escape(&verdict.scenario));
    }
    if let (Some(took), Some(first)) = (run.timing.asked(), cases.first_mut()) {
        first.set_time(took);
    }
    cases
}

fn script(verdict: &Verdict) -> Option<TestCase> {
    let is_all = verdict.report.is_none() && verdict.too_large.is_none();
    let is_asked = verdict.steps > 0 || !verdict.failures.is_empty() || is_all;
    let is_met = if verdict.failures.is_empty() { Status::AsExpected } else { Status::Unexpected };
    let status = status(is_met, || verdict.failures.join("\n"));
    is_asked.then(|| TestCase::new("the script does what it expects", status))
}

/// The case of the numbers of states and transitions, if they are not the expected ones or unknown.
fn counts(verdict: &Verdict) -> Option<TestCase> {
    if !verdict.miscounts.is_empty() {
        let status = status(Status::Unexpected, || verdict.miscounts.join("\n"));
        return Some(TestCase::new("the world is as large as expected", status));
    }
    let is_cut = verdict.stopped().is_some() && verdict.status == Status::Undecided;
    let is_open = is_cut || verdict.too_large.is_some();
    let why = verdict.undecided_because().filter(|_| is_open)?;
    let status = status(Status::Undecided, || why.to_owned());
    Some(TestCase::new("the world is searched to its end", status))
}

fn status(status: Status, text: impl FnOnce() -> String) -> TestCaseStatus {
    match status {
        Status::AsExpected => TestCaseStatus::success(),
        Status::Undecided => undecided(&text()),
        Status::Unexpected => failure(&text()),
    }
}

/// The failure of a case, described in lines.
pub(super) fn failure(text: &str) -> TestCaseStatus {
    non_success(NonSuccessKind::Failure, "not as expected", text)
}

/// The error of a case without an answer, described in lines.
pub(super) fn undecided(text: &str) -> TestCaseStatus {
    non_success(NonSuccessKind::Error, "undecided", text)
}

fn non_success(kind: NonSuccessKind, name: &str, text: &str) -> TestCaseStatus {
    let text = escape_lines(text);
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(name).set_message(text.lines().next().unwrap_or(name)).set_description(&*text);
    status
}
