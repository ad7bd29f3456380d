//! What is written where a limit comes before the scenarios are loaded: whoever reads a document gets one.

use deathwatch_documents::Answers;
use deathwatch_show::{answers::undecided, page};

use quick_junit::{Report, TestCase, TestSuite};

use super::{Format, json};

impl Format {
    /// That `command` is undecided, and why.
    pub(crate) fn unloaded(self, command: &str, why: &str) -> String {
        match self {
            Self::Text => format!("undecided: {why}\n"),
            Self::Json => json::text(&Answers::unloaded(command, why)),
            Self::Junit => {
                let mut suite = TestSuite::new("scenarios");
                suite.add_test_case(TestCase::new("the scenarios are loaded", undecided(why)));
                let mut report = Report::new(format!("deathwatch {command}"));
                report.add_test_suite(suite);
                report.to_string().expect("there are no dates in it, and a string takes any text")
            }
            Self::Html => page::of_unloaded(why),
        }
    }
}
