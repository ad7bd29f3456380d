//! The address of a scenario: its file, and which of the scenarios of that file it is.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::display;

/// The address of a scenario, as a command line names it: `FILE`, or `FILE#NAME` for the one that
/// the table `[also."NAME"]` of the file describes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    /// The path of its file, as it was given.
    pub file: PathBuf,
    /// The name of its table in `[also]`; `None` for the scenario that the rest of the file
    /// describes.
    pub also: Option<Arc<str>>,
}

impl Address {
    /// The address that `path` is. What exists under this name is meant as a whole; otherwise `#`
    /// ends the name of the file, which has to end in ".toml".
    pub fn given(path: &Path) -> Self {
        let text = path.to_str().filter(|_| !path.exists());
        let split = text.and_then(|text| Some((text, text.find(".toml#")? + ".toml".len())));
        match split {
            None => Self { file: path.to_owned(), also: None },
            Some((text, end)) => {
                Self { file: text[..end].into(), also: Some(text[end + 1..].into()) }
            }
        }
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
