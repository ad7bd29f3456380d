//! Merging: the journals of shards give the report that one machine alone would have written.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};

use deathwatch_documents::Answer;
use deathwatch_scenario::{Problem, scenario::display};

use super::header::{AnswersHeader, AskedScenario};
use crate::journal::{self, JournalHeader as _, agree};

/// The result of merging.
pub struct MergedAnswers {
    /// The scenarios in their order, with their answers; those without are missing, and the name of
    /// their shard says where from.
    pub answers: Vec<(AskedScenario, Result<Answer, String>)>,
}

/// Merges the journals at `paths`.
///
/// # Errors
/// If one of them cannot be read, if they are about different questions, or if they contradict each
/// other.
pub fn merge(paths: &[PathBuf]) -> Result<MergedAnswers, Problem> {
    let mut whole: Option<(&Path, AnswersHeader)> = None;
    let mut all: BTreeMap<usize, (Answer, String)> = BTreeMap::new();
    for path in paths {
        let journal = journal::load::<AnswersHeader>(path)?;
        match &whole {
            None => whole = Some((path.as_path(), journal.header)),
            Some((first, known)) => {
                let difference = journal.header.whole().difference(&known.whole());
                agree(first, path, "checks", difference)?;
            }
        }
        for (number, answers) in journal.results.into_iter().enumerate() {
            for (answer, line) in answers.into_values() {
                let place = format!("{}:{line}", display(path));
                match all.entry(number) {
                    Entry::Vacant(entry) => drop(entry.insert((answer, place))),
                    Entry::Occupied(entry) if entry.get().0 == answer => {}
                    Entry::Occupied(entry) => {
                        return Err(contradiction(&answer.scenario, &entry.get().1, &place));
                    }
                }
            }
        }
    }
    let (_, header) = whole.ok_or_else(|| Problem::new("there is no journal to merge"))?;
    let answers = header.scenarios.iter().enumerate().map(|(number, subject)| {
        let missing = || format!("{}/{}", header.shard_of(number), header.shard.of);
        let answer = all.remove(&number).map(|(answer, _)| answer);
        (subject.clone(), answer.ok_or_else(missing))
    });
    Ok(MergedAnswers { answers: answers.collect() })
}

fn contradiction(scenario: &str, first: &str, place: &str) -> Problem {
    let message = format!("{first} and {place} contradict each other about {scenario}");
    Problem::new(message).with_help(
        "an answer depends on its scenario, the question and the version only, so one of the journals \
         is damaged or was made by another program",
    )
}
