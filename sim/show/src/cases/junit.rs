//! `JUnit`: suites of cases.
//!
//! A viewer shows the class name and the name of a case side by side. So the class name is the
//! scenario, and the name is the question.

use std::time::Duration;

use deathwatch_documents::{
    Status,
    case::{Cases, QuestionCase, Readers},
};
use deathwatch_scenario::escape::{escape, escape_lines};
use quick_junit::{Report, TestCase, TestCaseStatus, TestSuite};

use super::{WARNED_OF, case};
use crate::status::{Junit, row};

/// The whole document of a command.
pub fn junit(command: &str, all: &[Cases]) -> String {
    let mut report = Report::new(command);
    let mut suites: Vec<(&str, TestSuite)> = Vec::new();
    for cases in all {
        let at = suites.iter().position(|(name, _)| *name == cases.suite).unwrap_or_else(|| {
            suites.push((&cases.suite, TestSuite::new(&*escape(&cases.suite))));
            suites.len() - 1
        });
        suites[at].1.add_test_cases(test_cases(cases));
    }
    report.add_test_suites(suites.into_iter().map(|(_, suite)| suite));
    written(&report)
}

fn written(report: &Report) -> String {
    report.to_string().expect("there are no dates in it, and a string takes any text")
}

/// The suite of a command that is undecided, as a limit came before the scenarios were loaded.
pub fn junit_of_unloaded(command: &str, why: &str) -> String {
    let all = vec![case("the scenarios are loaded", Status::Undecided, why.to_owned())];
    let suite = "scenarios".to_owned();
    junit(
        command,
        &[Cases { suite, scenario: String::new(), file: String::new(), seconds: None, all }],
    )
}

/// A test for each question, with all cases about it.
fn test_cases(cases: &Cases) -> Vec<TestCase> {
    let all = cases.all.iter().filter(|it| it.readers != Readers::Hosts);
    let (warnings, asked): (Vec<&QuestionCase>, Vec<&QuestionCase>) =
        all.partition(|it| it.question == WARNED_OF);
    let asked = asked.chunk_by(|one, next| one.question == next.question);
    let mut tests: Vec<TestCase> = asked.map(test_case).collect();
    for test in tests.iter_mut().filter(|_| !cases.scenario.is_empty()) {
        test.set_classname(&*escape(&cases.scenario));
    }
    let Some(first) = tests.first_mut() else { return tests };
    if let Some(warned) = warnings.first() {
        let lines = warned.message.lines().map(|it| format!("warning: {it}"));
        first.set_system_err(&*escape_lines(&lines.collect::<Vec<_>>().join("\n")));
    }
    if let Some(took) = cases.seconds {
        first.set_time(Duration::from_secs_f64(took));
    }
    tests
}

fn test_case(of_one: &[&QuestionCase]) -> TestCase {
    let worst = of_one.iter().map(|it| it.status).max().unwrap_or(Status::AsExpected);
    let lines: Vec<&str> = of_one.iter().map(|it| it.message.as_str()).collect();
    TestCase::new(&*escape(&of_one[0].question), status(worst, &escape_lines(&lines.join("\n"))))
}

/// The status of a test, with its text in lines. A known failure of the baseline is skipped, as
/// build servers do not count that as a failure; so is a question that was not asked.
fn status(status: Status, text: &str) -> TestCaseStatus {
    match row(status).junit {
        Junit::Success if text.is_empty() => TestCaseStatus::success(),
        Junit::Success => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(text);
            status
        }
        Junit::Skipped(message) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(message).set_description(text);
            status
        }
        Junit::NonSuccess(kind, name) => {
            let message = text.lines().next().unwrap_or(name);
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(name).set_message(message).set_description(text);
            status
        }
    }
}
