//! The address of a scenario: its file, and which of the scenarios of that file it is.

use std::{
    fmt,
    path::{MAIN_SEPARATOR, Path, PathBuf},
    sync::Arc,
};

use crate::{
    input,
    problem::{Problem, nearest},
};

/// The address of a scenario, as a command line names it: `FILE#NAME` for the one that the table
/// `[also."NAME"]` of the file describes, and `FILE#` or `FILE` for the first one.
///
/// To a command over many scenarios `FILE` stands for all of the file, and `FILE#` for the first
/// one alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// The path of its file, as it was given.
    pub file: PathBuf,
    /// The name of its table in `[also]`; `None` for the scenario that the rest of the file
    /// describes.
    pub also: Option<Arc<str>>,
}

impl Address {
    /// The address that `path` is.
    pub fn given(path: &Path) -> Self {
        match split(path) {
            None => path.into(),
            Some((file, also)) => {
                Self { file: file.into(), also: (!also.is_empty()).then(|| also.into()) }
            }
        }
    }

    /// Whether `path` names one scenario of a file, and not all of them.
    pub(super) fn is_one(path: &Path) -> bool {
        split(path).is_some()
    }

    /// The address of the scenario called `name` below `folder`.
    pub fn below(folder: &Path, name: &str) -> Self {
        let (file, also) = name.split_once('#').unzip();
        let file = folder.join(format!("{}.toml", file.unwrap_or(name)));
        Self { file, also: also.map(Arc::from) }
    }

    /// The name of its scenario: the address without ".toml".
    pub fn name(&self) -> String {
        let file = display(&self.file);
        self.with_also(file.strip_suffix(".toml").unwrap_or(&file))
    }

    /// The text behind which `#NAME` stands, if it has one.
    pub fn with_also(&self, file: &str) -> String {
        match &self.also {
            None => file.to_owned(),
            Some(also) => format!("{file}#{also}"),
        }
    }
}

/// The file of an address and the name behind its `#`, if it has one. A path that exists as it
/// stands is taken whole; otherwise `#` ends the name of the file, which has to end in ".toml".
fn split(path: &Path) -> Option<(&str, &str)> {
    let text = path.to_str().filter(|_| !path.exists())?;
    let (file, also) = text.split_at(text.find(".toml#")? + ".toml".len());
    Some((file, &also[1..]))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.with_also(&display(&self.file)))
    }
}

impl From<&Path> for Address {
    fn from(file: &Path) -> Self {
        Self { file: file.to_owned(), also: None }
    }
}

impl From<&PathBuf> for Address {
    fn from(file: &PathBuf) -> Self {
        file.as_path().into()
    }
}

impl From<&Self> for Address {
    fn from(address: &Self) -> Self {
        address.clone()
    }
}

/// A path as text, with "/" between its parts.
pub fn display(path: &Path) -> String {
    let path = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' { path.into_owned() } else { path.replace(MAIN_SEPARATOR, "/") }
}

/// The problem that `path` cannot be read.
pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let path = display(path);
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            let known: Vec<String> = input::offered_below(Path::new("")).map(display).collect();
            let near = nearest(&path, known.iter().map(String::as_str));
            let form = || "a scenario is a file or a folder of files called NAME.toml".to_owned();
            Problem::new(format!("there is no file {path}")).with_help(near.unwrap_or_else(form))
        }
        _ => Problem::new(format!("{path} cannot be read: {error}")),
    }
}
