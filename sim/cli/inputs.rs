//! The inputs of a command, which none of its outputs may replace.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_study::baseline::Baseline;

/// The files that a command reads.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    paths: BTreeSet<PathBuf>,
    /// Their devices and numbers, as one file may have several names.
    numbers: BTreeSet<(u64, u64)>,
}

impl Inputs {
    pub(crate) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut inputs = Self::default();
        paths.into_iter().for_each(|path| inputs.add(path));
        inputs
    }

    /// The baseline that these journals are, if there are any. They are inputs, too.
    pub(crate) fn baseline(
        &mut self,
        journals: &[PathBuf],
        read: fn(&[PathBuf]) -> Result<Baseline, Problem>,
    ) -> Result<Option<Baseline>, Problem> {
        for journal in journals {
            self.add(journal);
        }
        (!journals.is_empty()).then(|| read(journals)).transpose()
    }

    /// Adds a file, which need not exist yet.
    pub(crate) fn add(&mut self, path: &Path) {
        self.paths.insert(canonical(path));
        self.numbers.extend(number(path));
    }

    /// Checks that `path`, which is to be written, is none of them.
    pub(crate) fn spare(&self, path: &Path) -> Result<(), Problem> {
        let is_read = self.paths.contains(&canonical(path))
            || number(path).is_some_and(|number| self.numbers.contains(&number));
        if !is_read {
            return Ok(());
        }
        let message = format!(
            "failed to write {}: this command reads that file, or writes it",
            display(path)
        );
        Err(Problem::new(message).with_help("name another file for what is written"))
    }
}

/// The path without links. For a file that does not exist yet, the path of its folder and its name.
fn canonical(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The device and the number of a file, if it is one and has them.
#[cfg(unix)]
fn number(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;

    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn number(_: &Path) -> Option<(u64, u64)> {
    None
}
