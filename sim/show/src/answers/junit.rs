//! `JUnit`: a suite for each folder of scenarios, a case for each question.
//!
//! A viewer shows the class name and the name of a case side by side. So the class name is the
//! scenario, and the name is the claim. Witnesses share one case, as they would outnumber the
//! claims.

use std::time::Duration;

use deathwatch_documents::{Answer, ClaimAnswer, Status};
use deathwatch_scenario::escape::{escape, escape_lines};
use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

use super::text::text_of_claim;
use crate::status::{Junit, row};

/// The whole document of a command.
pub fn junit<'a>(command: &str, answers: impl IntoIterator<Item = &'a Answer>) -> String {
    let mut report = Report::new(command);
    let mut suites: Vec<(String, TestSuite)> = Vec::new();
    for answer in answers {
        let folder = answer.scenario.rsplit_once('/').map_or("scenarios", |(it, _)| it);
        let at = suites.iter().position(|(name, _)| name == folder).unwrap_or_else(|| {
            suites.push((folder.to_owned(), TestSuite::new(&*escape(folder))));
            suites.len() - 1
        });
        suites[at].1.add_test_cases(test_cases(answer));
    }
    report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
    written(&report)
}

/// The cases of one scenario: a question each.
fn test_cases(answer: &Answer) -> Vec<TestCase> {
    let mut cases = Vec::new();
    cases.extend(script(answer));
    cases.extend(counts(answer));
    let (witnesses, claims): (Vec<&ClaimAnswer>, Vec<&ClaimAnswer>) =
        answer.claims.iter().partition(|it| it.is_witness());
    let claims = claims.into_iter();
    cases.extend(claims.map(|it| case(&it.name, it.status(), || text_of_claim(it, answer))));
    if let Some(worst) = witnesses.iter().map(|it| it.status()).max() {
        let text = || {
            let open = witnesses.iter().filter(|it| it.status() != Status::AsExpected);
            open.map(|it| text_of_claim(it, answer)).collect::<Vec<_>>().join("\n")
        };
        cases.push(case("every witness is seen", worst, text));
    }
    let why = || "this engine cannot decide it".to_owned();
    cases.extend(answer.left_out.iter().map(|name| case(name, Status::Undecided, why)));
    if let (Some(first), false) = (cases.first_mut(), answer.warnings.is_empty()) {
        let lines: Vec<String> =
            answer.warnings.iter().map(|it| format!("warning: {}", it.text)).collect();
        first.set_system_err(&*escape_lines(&lines.join("\n")));
    }
    for case in &mut cases {
        case.set_classname(&*escape(&answer.scenario));
    }
    if let (Some(took), Some(first)) = (answer.seconds, cases.first_mut()) {
        first.set_time(Duration::from_secs_f64(took));
    }
    cases
}

/// A question, and what is said of its answer unless that is the expected one.
fn case(name: &str, is: Status, says: impl FnOnce() -> String) -> TestCase {
    let says = if is == Status::AsExpected { String::new() } else { says() };
    TestCase::new(&*escape(name), junit_status(is, &says))
}

fn script(answer: &Answer) -> Option<TestCase> {
    let is_all = answer.states.is_none() && answer.too_large.is_none() && answer.reason.is_none();
    let is_asked = answer.steps > 0 || !answer.failures.is_empty() || is_all;
    let is_met = if answer.failures.is_empty() { Status::AsExpected } else { Status::Unexpected };
    let says = || answer.failures.join("\n");
    is_asked.then(|| case("the script does what it expects", is_met, says))
}

/// The case of the numbers of states and transitions, if they are not the expected ones or unknown;
/// or of a scenario that nobody has answered.
fn counts(answer: &Answer) -> Option<TestCase> {
    if !answer.miscounts.is_empty() {
        let says = || answer.miscounts.join("\n");
        return Some(case("the world is as large as expected", Status::Unexpected, says));
    }
    let is_cut = answer.stopped.is_some() && answer.status == Status::Undecided;
    let is_open = is_cut || answer.too_large.is_some() || answer.unanswered;
    let why = answer.reason.as_ref().filter(|_| is_open)?;
    let question = if answer.unanswered {
        "the scenario is answered"
    } else {
        "the world is searched to its end"
    };
    Some(case(question, Status::Undecided, || why.clone()))
}

/// What a case comes to, with what there is to say of it in lines, unless it is as expected. What
/// fails as the baseline does is skipped, which build servers do not count as a failure.
pub(crate) fn junit_status(status: Status, text: &str) -> TestCaseStatus {
    let text = escape_lines(text);
    match row(status).junit {
        Junit::Success => TestCaseStatus::success(),
        Junit::Skipped(message) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(message).set_description(&*text);
            status
        }
        Junit::NonSuccess(kind, name) => {
            let message = text.lines().next().unwrap_or(name);
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(name).set_message(message).set_description(&*text);
            status
        }
    }
}

/// That a command is undecided, and why: a limit came before the scenarios were loaded.
pub fn junit_of_unloaded(command: &str, why: &str) -> String {
    let mut suite = TestSuite::new("scenarios");
    suite.add_test_case(TestCase::new(
        "the scenarios are loaded",
        junit_status(Status::Undecided, why),
    ));
    let mut report = Report::new(command);
    report.add_test_suite(suite);
    written(&report)
}

pub(crate) fn written(report: &Report) -> String {
    report.to_string().expect("there are no dates in it, and a string takes any text")
}
