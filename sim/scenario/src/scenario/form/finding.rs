//! The form of the table `[finding]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scenario::value::Located;

/// A mistake of the documents that the scenario shows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FindingFile {
    /// The severity of the mistake.
    pub severity: Located<Severity>,
    /// The mistake in a sentence, with the passage.
    pub sentence: Located<String>,
}

/// The severity of a mistake; the worst comes first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A destroyed entity is never removed, although every agent does its duty.
    NeverRemoved,
    /// A destroyed entity waits until a user stops or an operator steps in.
    UntilCured,
    /// An entity or a value that a user made is lost.
    Lost,
    /// A promise to users or to charms is not kept.
    PromiseBroken,
    /// Two passages contradict each other, so that to keep one is to break the other.
    Contradiction,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Self; 5] = [
        Self::NeverRemoved,
        Self::UntilCured,
        Self::Lost,
        Self::PromiseBroken,
        Self::Contradiction,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::NeverRemoved => "never-removed",
            Self::UntilCured => "until-cured",
            Self::Lost => "lost",
            Self::PromiseBroken => "promise-broken",
            Self::Contradiction => "contradiction",
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::NeverRemoved => {
                "Something that is destroyed is never removed, although every agent does its duty"
            }
            Self::UntilCured => {
                "Something that is destroyed waits until a user stops or an operator steps in"
            }
            Self::Lost => "Something that somebody made or wrote is lost",
            Self::PromiseBroken => "A promise to users or to charms is not kept",
            Self::Contradiction => {
                "Two passages contradict each other, so that whoever keeps one breaks the other"
            }
        }
    }

    /// Whether the mistake is that an entity is not removed.
    pub fn is_about_removal(self) -> bool {
        matches!(self, Self::NeverRemoved | Self::UntilCured)
    }
}
