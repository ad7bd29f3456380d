//! Premises of claims: a table of 80 columns, JSON, or a page.

use deathwatch_documents::{
    Assumed,
    assumed::{Repaired, StuckRun},
};
use deathwatch_show::{assumed, page};

use super::{DocumentFormat, Format, json};

impl From<DocumentFormat> for Format {
    fn from(format: DocumentFormat) -> Self {
        match format {
            DocumentFormat::Text => Self::Text,
            DocumentFormat::Json => Self::Json,
            DocumentFormat::Html => Self::Html,
        }
    }
}

impl DocumentFormat {
    /// The text that is written as soon as a scenario is answered.
    pub(crate) fn assumed(self, it: &Assumed) -> String {
        if self == Self::Text { assumed::table(it) } else { String::new() }
    }

    /// The waits of a scenario for each cure, written as soon as they are known.
    pub(crate) fn stuck(self, run: &StuckRun) -> String {
        if self == Self::Text { assumed::stuck(run) } else { String::new() }
    }

    /// The text between two scenarios.
    pub(crate) fn between(self) -> &'static str {
        if self == Self::Text { "\n" } else { "" }
    }

    /// The text that is written once all scenarios are answered.
    pub(crate) fn all_assumed(self, all: Vec<Assumed>) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => json::text(&Assumed::document(all)),
            Self::Html => page::of_assumed(&all),
        }
    }

    /// The text that is written once the waits of all scenarios are known.
    pub(crate) fn all_stuck(self, all: Vec<StuckRun>) -> String {
        match self {
            Self::Text => String::new(),
            Self::Json => json::text(&StuckRun::document(all)),
            Self::Html => page::of_stuck(&all),
        }
    }

    /// The repairs of scenarios.
    pub(crate) fn repaired(self, it: Repaired) -> String {
        match self {
            Self::Text => assumed::repaired(&it),
            Self::Json => json::text(&it.document()),
            Self::Html => page::of_repaired(&it),
        }
    }
}
