//! What claims need, as a table of 80 columns or as JSON.

use deathwatch_documents::{
    Assumed,
    assumed::{Repaired, StuckRun},
};
use deathwatch_show::assumed;

use super::{ListFormat, json};

impl ListFormat {
    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn assumed(self, it: &Assumed) -> String {
        match self {
            Self::Text => assumed::table(it),
            Self::Json => String::new(),
        }
    }

    /// What waits for each cure in a scenario, as soon as it is known.
    pub(crate) fn stuck(self, run: &StuckRun) -> String {
        match self {
            Self::Text => assumed::stuck(run),
            Self::Json => String::new(),
        }
    }

    /// The text that is written once it is known of all scenarios.
    pub(crate) fn all_stuck(self, all: Vec<StuckRun>) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => json::text(&StuckRun::document(all)),
        }
    }

    /// What repairs scenarios.
    pub(crate) fn repaired(self, it: Repaired) -> String {
        match self {
            Self::Text => assumed::repaired(&it),
            Self::Json => json::text(&it.document()),
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
    pub(crate) fn all_assumed(self, all: Vec<Assumed>) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => json::text(&Assumed::document(all)),
        }
    }
}
