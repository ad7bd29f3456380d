//! Merging: the journals of shards give the report that one machine alone would have written.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};

use super::{
    answered::Answered,
    header::{Header, Subject},
    journal,
};
use crate::sweep::agree;
use deathwatch_scenario::{Problem, scenario::display};

/// The result of merging.
pub struct Merged {
    /// The scenarios in their order, with their answers; those without are missing, and the name of
    /// their shard says where from.
    pub answers: Vec<(Subject, Result<Answered, String>)>,
}

/// Merges the journals at `paths`.
///
/// # Errors
/// If one of them cannot be read, if they are about different questions, or if they contradict each
/// other.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, Problem> {
    let mut whole: Option<(&Path, Header)> = None;
    let mut all: BTreeMap<usize, (Answered, String)> = BTreeMap::new();
    for path in paths {
        let (header, answers) = journal::load(path)?;
        let (first, header) = match &whole {
            None => (path.as_path(), header),
            Some((first, known)) => {
                agree(first, path, "checks", header.difference(known))?;
                (*first, known.clone())
            }
        };
        for (number, (answered, line)) in answers {
            let place = format!("{}:{line}", display(path));
            match all.entry(number) {
                Entry::Vacant(entry) => drop(entry.insert((answered, place))),
                Entry::Occupied(entry) if entry.get().0 == answered => {}
                Entry::Occupied(entry) => {
                    let (scenario, first) = (&answered.scenario, &entry.get().1);
                    let message =
                        format!("{first} and {place} contradict each other about {scenario}");
                    let help = "an answer depends on its scenario, the question and the version only, \
                                so one of the journals is damaged or was made by another program";
                    return Err(Problem::new(message).with_help(help));
                }
            }
        }
        whole = Some((first, header));
    }
    let (_, header) = whole.ok_or_else(|| Problem::new("there is no journal to merge"))?;
    let answers = header.scenarios.iter().enumerate().map(|(number, subject)| {
        let missing = || format!("{}/{}", header.shard_of(number), header.shard.of);
        let answered = all.remove(&number).map(|(answered, _)| answered);
        (subject.clone(), answered.ok_or_else(missing))
    });
    Ok(Merged { answers: answers.collect() })
}
