//! `JUnit`: a suite for each folder of scenarios, a case for each question.
//!
//! A viewer shows the class name and the name of a case side by side. So the class name is the
//! scenario, and the name is the claim. Witnesses share one case, as they would outnumber the
//! claims.

use deathwatch_scenario::escape::{escape, escape_lines};
use deathwatch_study::{
    answers::Case,
    verdict::{Judged, Status, Verdict},
};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::format::{text, told::Told};

/// The whole document of a command.
pub(super) fn document(command: &str, all: &[Told]) -> String {
    let mut report = Report::new(command);
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for told in all {
        let folder = told.answered.scenario.rsplit_once('/').map_or("scenarios", |(it, _)| it);
        let at = suites.iter().position(|(name, _)| name == folder).unwrap_or_else(|| {
            suites.push((folder.to_owned(), TestSuite::new(&*escape(folder))));
            suites.len() - 1
        });
        suites[at].1.add_test_cases(test_cases(told));
    }
    report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
    let text = report.to_string();
    text.expect("there are no dates in it, and a string takes any text")
}

/// The cases of one scenario, as the format has them.
fn test_cases(told: &Told) -> Vec<TestCase> {
    let cases = told.answered.cases.iter();
    let cases =
        cases.map(|case| TestCase::new(&*escape(&case.name), status(case.status, &case.says)));
    let mut cases: Vec<TestCase> = cases.collect();
    for case in &mut cases {
        case.set_classname(&*escape(&told.answered.scenario));
    }
    if let (Some(took), Some(first)) = (told.timing.asked(), cases.first_mut()) {
        first.set_time(took);
    }
    cases
}

/// The questions of one scenario.
pub(super) fn cases(verdict: &Verdict) -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(script(verdict));
    cases.extend(counts(verdict));
    let (witnesses, claims): (Vec<&Judged>, Vec<&Judged>) =
        verdict.judged.iter().partition(|judged| judged.is_witness());
    cases.extend(
        claims
            .into_iter()
            .map(|judged| case(&judged.name(), judged.status(), || text::answer(judged, verdict))),
    );
    if let Some(worst) = witnesses.iter().map(|judged| judged.status()).max() {
        let text = || {
            let open = witnesses.iter().filter(|it| it.status() != Status::AsExpected);
            open.map(|judged| text::answer(judged, verdict)).collect::<Vec<_>>().join("\n")
        };
        cases.push(case("every witness is seen", worst, text));
    }
    let why = || "this engine cannot decide it".to_owned();
    cases.extend(verdict.left_out.iter().map(|claim| case(claim.name, Status::Undecided, why)));
    cases
}

/// A question, and what is said of its answer unless that is the expected one.
fn case(name: &str, status: Status, says: impl FnOnce() -> String) -> Case {
    let says = if status == Status::AsExpected { String::new() } else { says() };
    Case { name: name.to_owned(), status, says }
}

fn script(verdict: &Verdict) -> Option<Case> {
    let is_all = verdict.report.is_none() && verdict.too_large.is_none();
    let is_asked = verdict.steps > 0 || !verdict.failures.is_empty() || is_all;
    let is_met = if verdict.failures.is_empty() { Status::AsExpected } else { Status::Unexpected };
    let says = || verdict.failures.join("\n");
    is_asked.then(|| case("the script does what it expects", is_met, says))
}

/// The case of the numbers of states and transitions, if they are not the expected ones or unknown.
fn counts(verdict: &Verdict) -> Option<Case> {
    if !verdict.miscounts.is_empty() {
        let says = || verdict.miscounts.join("\n");
        return Some(case("the world is as large as expected", Status::Unexpected, says));
    }
    let is_cut = verdict.stopped().is_some() && verdict.status == Status::Undecided;
    let is_open = is_cut || verdict.too_large.is_some();
    let why = verdict.undecided_because().filter(|_| is_open)?;
    Some(case("the world is searched to its end", Status::Undecided, || why.to_owned()))
}

fn status(status: Status, says: &str) -> TestCaseStatus {
    match status {
        Status::AsExpected => TestCaseStatus::success(),
        Status::Undecided => undecided(says),
        Status::Unexpected => failure(says),
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
