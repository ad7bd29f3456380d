//! Sweeps of seeds as text, JSON or `JUnit`.
//!
//! `merge` writes what one undivided `simulate` would have written, byte for byte. So both are
//! written here, and neither mentions which command it was.

mod figures;
mod json;
mod junit;
pub(super) mod kinds;
pub(super) mod text;

use std::{fmt::Write as _, time::Duration};

use deathwatch_documents::{Status, Sweeps, sweep::ShrunkRun};
use deathwatch_model::check::Stop;
use deathwatch_show::{
    page,
    text::{Detail, number},
};
use deathwatch_study::{
    sweep::{Failing, Group, Kind, Report},
    verdict,
};

use self::json::Each;
use super::{Format, asked, json::text as json_text};
use crate::shell::quoted;

/// The result of one scenario.
pub(crate) struct Swept {
    /// The report.
    pub(crate) report: Report,
    /// The reason why seeds are missing, if they are.
    pub(crate) lacks: Option<Lacks>,
    /// The time that it took, if that is to be printed.
    pub(crate) took: Option<Took>,
    /// The shortest run of each group of failures, if that is to be found.
    pub(crate) shrunk: Vec<Option<ShrunkRun>>,
    /// The flags of the question, if it was asked on the spot: no file has it.
    pub(crate) asked: Vec<String>,
}

/// A reason why seeds are missing.
#[derive(Clone, Debug)]
pub(crate) enum Lacks {
    /// They were not run.
    Stopped(Stop),
    /// No journal has them. If whole shards are missing, their names, as the beginning of "…
    /// missing".
    NotMerged(Option<String>),
}

/// The time and the amount of what was run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) time: Duration,
    pub(crate) seeds: u64,
    pub(crate) steps: u64,
}

impl Took {
    /// A rate: `of` things in a second.
    fn rate(&self, of: u64) -> u128 {
        u128::from(of) * 1000 / self.time.as_millis().max(1)
    }
}

impl Swept {
    /// The reason why it is undecided, as the end of "undecided: …".
    fn undecided_because(&self) -> Option<String> {
        match (&self.lacks, &self.report.unsettled) {
            (Some(Lacks::Stopped(stop)), _) => Some(verdict::stopped(*stop).to_owned()),
            (Some(Lacks::NotMerged(Some(which))), _) => Some(format!("{which} missing")),
            (Some(Lacks::NotMerged(None)), _) => {
                Some("not all seeds are in the journals".to_owned())
            }
            (None, Some(odd)) => Some(format!("{} did not settle", number(odd.seeds, "seed"))),
            (None, None) => None,
        }
    }

    /// The commands that replay and shrink the run of `failing`, a failure of `group`.
    fn commands(&self, group: &Group, failing: &Failing) -> [String; 2] {
        let [replay, mut shrink] = self.commands_of(failing.seed);
        if let Kind::Root(kind) = &group.kind {
            let _ = write!(shrink, " --root {}", quoted(&kind.to_string()));
        }
        [replay, shrink]
    }

    /// The commands that replay and shrink the run of `seed`.
    fn commands_of(&self, seed: u64) -> [String; 2] {
        let (file, seed) = (quoted(&self.report.file), seed.to_string());
        ["replay", "shrink"].map(|verb| {
            let words = ["deathwatch", verb, &file, "--seed", &seed];
            let asked = self.asked.iter().map(String::as_str);
            words.into_iter().chain(asked).collect::<Vec<_>>().join(" ")
        })
    }
}

impl Format {
    /// The answer to a question that was asked of seeds on the spot.
    pub(crate) fn asked_of_seeds(self, swept: &Swept) -> String {
        match self {
            Self::Text => asked::of_seeds(swept),
            Self::Json => data("ask", std::slice::from_ref(swept), Detail::Surprises),
            Self::Html => page(std::slice::from_ref(swept)),
            Self::Junit => junit::document("deathwatch ask", std::slice::from_ref(swept)),
        }
    }

    /// The text that is written as soon as a scenario is swept.
    pub(crate) fn each_sweep(self, swept: &Swept, detail: Detail) -> String {
        let is_quiet = detail == Detail::OnlySurprises && is_as_expected(swept);
        match self {
            Self::Text if is_quiet => String::new(),
            Self::Text => text::swept(swept, detail),
            Self::Json | Self::Junit | Self::Html => String::new(),
        }
    }

    /// The text that is written once all scenarios are swept.
    pub(crate) fn all_sweeps(self, sweeps: &[Swept], detail: Detail) -> String {
        let is_quiet = detail == Detail::OnlySurprises && sweeps.iter().all(is_as_expected);
        match self {
            Self::Text if is_quiet => String::new(),
            Self::Text => text::summary(sweeps),
            Self::Json => data("simulate", sweeps, detail),
            Self::Html => page(sweeps),
            Self::Junit => junit::document("deathwatch simulate", sweeps),
        }
    }
}

/// The sweeps of a command as JSON; in detail, with what is said of single seeds.
fn data(command: &str, sweeps: &[Swept], detail: Detail) -> String {
    let each = match detail {
        Detail::Violations => Each::Shown,
        Detail::Surprises | Detail::OnlySurprises => Each::Summed,
    };
    let runs = sweeps.iter().map(|swept| json::swept(swept, each)).collect();
    json_text(&Sweeps::new(command, runs).to_value())
}

/// The sweeps of a command as a page.
fn page(sweeps: &[Swept]) -> String {
    let sweeps: Vec<_> = sweeps.iter().map(|swept| json::swept(swept, Each::Shown)).collect();
    page::of_sweeps(&sweeps)
}

fn is_as_expected(swept: &Swept) -> bool {
    swept.report.status == Status::AsExpected
}
