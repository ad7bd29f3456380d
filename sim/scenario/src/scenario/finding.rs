//! The table `[finding]`: that a scenario shows a mistake of the documents, and how bad it is.

use deathwatch_claims::Claim;

use super::{
    Expected,
    form::{FindingFile, Severity},
};
use crate::problem::{Problem, Text};

/// A mistake of the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentMistake {
    pub severity: Severity,
    /// The mistake in a sentence, with the passage.
    pub sentence: String,
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
