//! What claims need, as a table of 80 columns or as JSON.

mod json;
mod stuck;
mod text;

use deathwatch_documents::{self as documents, assumed::StuckRun};
use deathwatch_study::{
    assume::{Assumed, MOST_CHOICES, Open, SearchLimit, Stuck, VariantSetting},
    verdict::stopped,
};

use super::ListFormat;

impl ListFormat {
    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn assumed(self, assumed: &Assumed) -> String {
        match self {
            Self::Text => text::table(assumed),
            Self::Json => String::new(),
        }
    }

    /// What waits for each cure in a scenario, as soon as it is known.
    pub(crate) fn stuck(self, scenario: &str, stuck: &[Stuck]) -> String {
        match self {
            Self::Text => stuck::text(scenario, stuck),
            Self::Json => String::new(),
        }
    }

    /// The text that is written once it is known of all scenarios.
    pub(crate) fn all_stuck(self, all: &[(&str, Vec<Stuck>)]) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => {
                let runs = all.iter().map(|(scenario, stuck)| stuck::document(scenario, stuck));
                super::json::text(&StuckRun::document(runs.collect()))
            }
        }
    }

    /// The text between two scenarios.
    pub(crate) fn between(self) -> &'static str {
        match self {
            Self::Text => "\n",
            Self::Json => "",
        }
    }

    /// The text that is written once all scenarios are answered.
    pub(crate) fn all_assumed(self, all: &[Assumed]) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => {
                let runs = all.iter().map(json::run).collect();
                super::json::text(&documents::Assumed::document(runs))
            }
        }
    }
}

/// The reason why a choice is open.
fn reason(open: &Open) -> &'static str {
    match open {
        Open::Impossible => "the scenario is not possible so",
        Open::Limit(SearchLimit::TooLarge(why)) => why.reason(),
        Open::Limit(SearchLimit::Stopped(stop)) => stopped(*stop),
    }
}

/// The reason why no other choices than the scenario's own were decided.
fn why_no_others() -> String {
    format!("there are more than {MOST_CHOICES} combinations; name fewer with --variants")
}

/// A choice of variants in words.
fn chosen(variants: &[VariantSetting]) -> String {
    match variants {
        [] => "as they are".to_owned(),
        some => joined(some.iter().map(|(name, value)| format!("{name} = {value}")), "; "),
    }
}

fn joined(parts: impl Iterator<Item = String>, by: &str) -> String {
    parts.collect::<Vec<_>>().join(by)
}
