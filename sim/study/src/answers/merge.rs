//! Merging: the journals of shards give the report that one machine alone would have written.

use std::path::PathBuf;

use deathwatch_documents::Answer;
use deathwatch_scenario::Problem;

use super::header::{AnswersHeader, AskedScenario};
use crate::journal;

/// The scenarios in their order, with their answers. Where there is none, it is the name of the
/// shard that lacks it.
pub type MergedAnswers = Vec<(AskedScenario, Result<Answer, String>)>;

/// Merges the journals at `paths`.
///
/// # Errors
/// If one of them cannot be read, if they are about different questions, or if they contradict each
/// other.
pub fn merge(paths: &[PathBuf]) -> Result<MergedAnswers, Problem> {
    let (headers, results) = journal::merge::<AnswersHeader>(paths)?;
    let header = &headers[0];
    let answers = header.scenarios.iter().zip(results).enumerate();
    let answers = answers.map(|(number, (subject, answers))| {
        let missing = || format!("{}/{}", header.shard_of(number), header.shard.of);
        (subject.clone(), answers.into_values().next().ok_or_else(missing))
    });
    Ok(answers.collect())
}
