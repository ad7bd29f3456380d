//! The table `[finding]`: that a scenario shows a mistake of the documents, and how bad it is.

use deathwatch_claims::Claim;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Expected, value::Located};
use crate::problem::{Problem, Text};

/// A mistake of the documents that the scenario shows.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FindingFile {
    /// The severity of the mistake.
    pub severity: Located<Severity>,
    /// The mistake in a sentence, with the passage.
    pub sentence: Located<String>,
}

/// A mistake of the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentMistake {
    pub severity: Severity,
    /// The mistake in a sentence, with the passage.
    pub sentence: String,
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

/// The finding; a scenario that has one expects some claim to be violated.
pub(super) fn read(
    text: &Text,
    file: Option<&FindingFile>,
    claims: &[(&'static Claim, Expected)],
) -> Result<Option<DocumentMistake>, Problem> {
    let Some(file) = file else { return Ok(None) };
    let sentence = file.sentence.value.trim();
    if sentence.is_empty() || sentence.contains('\n') {
        let message = "a finding says in a sentence what is wrong";
        return Err(text.problem(&file.sentence.span, message, "one sentence was expected"));
    }
    if claims.iter().all(|(_, expected)| *expected != Expected::Violated) {
        let message = "a finding is shown by a claim that is violated";
        let problem = text.problem(&file.severity.span, message, "no finding was expected");
        return Err(
            problem.with_help("expect it in [claims]: \"a Dying unit is removed\" = \"violated\"")
        );
    }
    Ok(Some(DocumentMistake { severity: file.severity.value, sentence: sentence.to_owned() }))
}
