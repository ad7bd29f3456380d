//! Merging: journals of shards make the results of the whole.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
};

use deathwatch_scenario::{Problem, scenario::display};

use super::{Earlier, JournalHeader, ResultsByKey, load};

/// The headers of the journals at `paths`, in their order, and the results of each scenario in all
/// of them.
///
/// # Errors
/// If there is none, if one of them cannot be read, if they are about different things, or if they
/// contradict each other.
pub(crate) fn merge<H: JournalHeader>(
    paths: &[PathBuf],
) -> Result<(Vec<H>, Earlier<H::Result>), Problem> {
    let (mut headers, mut journals) = (Vec::<H>::new(), Vec::new());
    for path in paths {
        let journal = load::<H>(path)?;
        headers.push(journal.header);
        journals.push((path.as_path(), journal.results));
    }
    let [first, ..] = headers.as_slice() else {
        return Err(Problem::new("there is no journal to merge"));
    };
    let whole = first.whole();
    for (path, header) in paths.iter().zip(&headers) {
        if let Some(difference) = header.whole().difference(&whole) {
            let (path, first) = (display(path), display(&paths[0]));
            let message = format!("the journals {first} and {path} are of different {}s", H::OF);
            return Err(Problem::new(message).with_help(format!("{path} is of {difference}")));
        }
    }
    let results = union(&whole, journals)?;
    Ok((headers, results))
}

/// A result, the journal that has it, and the line.
type Placed<'a, R> = (R, &'a Path, usize);

/// The results of each scenario in all journals.
fn union<H: JournalHeader>(
    whole: &H,
    journals: Vec<(&Path, ResultsByKey<H::Result>)>,
) -> Result<Earlier<H::Result>, Problem> {
    let mut all: Vec<BTreeMap<u64, Placed<'_, H::Result>>> = Vec::new();
    all.resize_with(whole.scenarios(), BTreeMap::new);
    for (path, results) in journals {
        for (at, results) in results.into_iter().enumerate() {
            for (key, (result, line)) in results {
                match all[at].entry(key) {
                    Entry::Vacant(entry) => drop(entry.insert((result, path, line))),
                    Entry::Occupied(entry) if entry.get().0 == result => {}
                    Entry::Occupied(entry) => {
                        let (_, first, first_line) = entry.get();
                        let both = [(*first, *first_line), (path, line)];
                        return Err(contradiction::<H>(&whole.subject(at, key), both));
                    }
                }
            }
        }
    }
    let without_places = |results: BTreeMap<u64, Placed<'_, H::Result>>| {
        results.into_iter().map(|(key, (result, ..))| (key, result)).collect()
    };
    Ok(all.into_iter().map(without_places).collect())
}

fn contradiction<H: JournalHeader>(subject: &str, places: [(&Path, usize); 2]) -> Problem {
    let [first, other] = places.map(|(path, line)| format!("{}:{line}", display(path)));
    let message = format!("{first} and {other} contradict each other about {subject}");
    let help = "so one of the journals is damaged or was made by another program";
    Problem::new(message).with_help(format!("{} and the version only, {help}", H::DEPENDS))
}
