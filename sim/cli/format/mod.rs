//! The formats of results.

mod answers;
mod assumed;
pub(crate) mod json;

use std::{
    env,
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use deathwatch_documents::{Answer, Answers, Sweep, Sweeps, case::Cases};
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_show::{
    answers::searched,
    cases,
    page::{
        self,
        check::{InReports, ScenarioPlacement, of_answers},
    },
    sweep,
    text::{TextDetail, fitted},
};

use crate::{appearance::Appearance, report_pages, write::reason};

pub(crate) use self::answers::{Timed, exit};

/// The environment variable that names the file of the summary of a step.
const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// A format of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: a line per scenario, more where the answer is not the expected one
    #[default]
    Text,
    /// For programs: one object
    Json,
    /// For build servers: a suite per folder or scenario
    Junit,
    /// For a browser: a page that needs nothing beside it
    Html,
    /// For workflows of GitHub: unexpected answers beside the line that expects them, and a summary
    /// of the step
    Github,
    /// For hosts of code: unexpected answers, in SARIF 2.1.0
    Sarif,
}

/// A format of what is for people, programs and browsers, and for no build server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocumentFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one object
    Json,
    /// For a browser: a page that needs nothing beside it
    Html,
}

/// A format of lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one object
    Json,
}

/// The flags that say how much the text format prints.
#[derive(clap::Args)]
pub(crate) struct HowMuch {
    /// Print expected violations as well, with their runs and the texts of their clauses, the names
    /// of all claims, and statistics; in the JSON of `check`, the run of each violated claim as
    /// data, in the form of `deathwatch schema run`; in that of `simulate`, seeds one by one and in
    /// columns, and distributions
    #[arg(long, short)]
    verbose: bool,

    /// Print unexpected answers only
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
}

impl HowMuch {
    /// The detail that these flags ask for, of which one is given at most.
    pub(crate) fn detail(&self) -> TextDetail {
        match (self.quiet, self.verbose) {
            (true, _) => TextDetail::OnlySurprises,
            (false, true) => TextDetail::Violations,
            (false, false) => TextDetail::Surprises,
        }
    }
}

impl Format {
    /// The answer to a question that was asked on the spot.
    pub(crate) fn asked(self, answer: &Answer, look: &Appearance) -> String {
        match self {
            Self::Text => fitted(&searched(answer), look.columns),
            Self::Json => json::text(&Answers::document("ask", vec![answer])),
            Self::Html => of_answers(&[answer], ScenarioPlacement::Alone, None, &InReports::new()),
            Self::Junit | Self::Github | Self::Sarif => {
                self.cases("ask", &[cases::of_answer(answer)])
            }
        }
    }

    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn each(self, timed: &Timed, look: &Appearance) -> String {
        match self {
            Self::Text => answers::one(timed, look),
            Self::Github => cases::annotated(&cases::of_answer(&timed.answer)),
            Self::Json | Self::Junit | Self::Html | Self::Sarif => String::new(),
        }
    }

    /// The text that is written once all scenarios are answered, to `output` if that is a file.
    pub(crate) fn all(
        self,
        all: &mut [Timed],
        among: ScenarioPlacement,
        (look, output): (&Appearance, Option<&Path>),
    ) -> String {
        if self == Self::Json && look.detail != TextDetail::Violations {
            for timed in &mut *all {
                timed.answer.drop_runs();
            }
        }
        let given = all.iter().map(|timed| &timed.answer);
        match self {
            Self::Text => fitted(&answers::summary(all, look), look.columns),
            Self::Json => json::text(&Answers::document("check", given.collect())),
            Self::Github => answers::counted(all, look),
            Self::Junit | Self::Sarif => {
                self.cases("check", &given.map(cases::of_answer).collect::<Vec<_>>())
            }
            Self::Html => {
                let is_shown = |it: &&Answer| {
                    look.detail != TextDetail::OnlySurprises || !answers::is_quiet(it.status)
                };
                let graph = all.iter().find_map(|timed| timed.graph.as_ref());
                let shown: Vec<&Answer> = given.filter(is_shown).collect();
                let in_reports = output.map(|it| report_pages::places(it, &shown));
                of_answers(&shown, among, graph, &in_reports.unwrap_or_default())
            }
        }
    }

    /// The results of `command`, in a format that is the same for answers and for sweeps.
    fn cases(self, command: &str, scenarios: &[Cases]) -> String {
        match self {
            Self::Junit => cases::junit(&format!("deathwatch {command}"), scenarios),
            Self::Sarif => json::text(&cases::sarif(scenarios)),
            Self::Github => scenarios.iter().map(cases::annotated).collect(),
            Self::Text | Self::Json | Self::Html => String::new(),
        }
    }

    /// Adds the result of `command` to the summary of a step, if the format is one for steps.
    pub(crate) fn sum_up(
        self,
        command: &str,
        scenarios: impl Iterator<Item = Cases>,
    ) -> Result<(), Problem> {
        if self != Self::Github {
            return Ok(());
        }
        let scenarios: Vec<Cases> = scenarios.collect();
        add_to_summary(&cases::summary(&format!("deathwatch {command}"), &scenarios))
    }

    /// The answer of seeds to a question given on the command line.
    pub(crate) fn asked_of_seeds(self, mut swept: Sweep, look: &Appearance) -> String {
        match self {
            Self::Text => fitted(&sweep::asked(&swept), look.columns),
            Self::Json => {
                swept.drop_details();
                json::text(&Sweeps::document("ask", &[swept]))
            }
            Self::Html => page::of_sweeps(&[swept]),
            Self::Junit | Self::Github | Self::Sarif => {
                self.cases("ask", &[cases::of_sweep(&swept)])
            }
        }
    }

    /// The text that is written as soon as a scenario is swept.
    pub(crate) fn each_sweep(self, swept: &Sweep, look: &Appearance) -> String {
        let is_quiet = look.detail == TextDetail::OnlySurprises && answers::is_quiet(swept.status);
        match self {
            Self::Text if is_quiet => String::new(),
            Self::Text => sweep::swept(swept, look.detail, look.columns),
            Self::Github => cases::annotated(&cases::of_sweep(swept)),
            Self::Json | Self::Junit | Self::Html | Self::Sarif => String::new(),
        }
    }

    /// The text that is written once all scenarios are swept.
    pub(crate) fn all_sweeps(self, sweeps: &mut [Sweep], look: &Appearance) -> String {
        let is_quiet = look.detail == TextDetail::OnlySurprises
            && sweeps.iter().all(|it| answers::is_quiet(it.status));
        match self {
            Self::Text if is_quiet => String::new(),
            Self::Text | Self::Github => sweep::summary(sweeps),
            Self::Json => {
                if look.detail != TextDetail::Violations {
                    sweeps.iter_mut().for_each(Sweep::drop_details);
                }
                json::text(&Sweeps::document("simulate", sweeps))
            }
            Self::Html => page::of_sweeps(sweeps),
            Self::Junit | Self::Sarif => {
                let cases: Vec<Cases> = sweeps.iter().map(cases::of_sweep).collect();
                self.cases("simulate", &cases)
            }
        }
    }

    /// The text or document that `command` is undecided, as a limit came before the scenarios were
    /// loaded.
    pub(crate) fn unloaded(self, command: &str, why: &str) -> String {
        match self {
            Self::Text => format!("undecided: {why}\n"),
            Self::Json => json::text(&Answers::unloaded(command, why)),
            Self::Junit => cases::junit_of_unloaded(&format!("deathwatch {command}"), why),
            Self::Html => page::of_unloaded(why),
            Self::Github => cases::of_unloaded(&format!("deathwatch {command}"), why),
            Self::Sarif => json::text(&cases::sarif_of_unloaded(why)),
        }
    }
}

/// A list as one JSON object.
pub(crate) fn json_list(of: &str, items: Vec<serde_json::Value>) -> String {
    json::document(&format!("list {of}"), of, items)
}

/// Adds `text` to the summary of a step of a workflow of GitHub, if there is one.
fn add_to_summary(text: &str) -> Result<(), Problem> {
    let Some(path) = env::var_os(SUMMARY).filter(|path| !path.is_empty()) else { return Ok(()) };
    let path = PathBuf::from(path);
    let file = OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let (path, reason) = (display(&path), reason(&error));
        Problem::new(format!("failed to write the summary of the step, {path}: {reason}"))
    })
}
