//! The shipped scenarios, which are in the program.
//!
//! Their paths begin with `scenarios/`, as in the source tree. Where there is no folder of that
//! name, these paths name the files in the program, for every command; the first use is said.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{LazyLock, Once},
};

use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use deathwatch_scenario::{Problem, input, problem::nearest};
use rust_embed::RustEmbed;

use crate::diagnostics::say;

const FOLDER: &str = "scenarios";

/// The files. A build with debug assertions reads them from the source tree as it runs.
#[derive(RustEmbed)]
#[folder = "scenarios"]
struct Files;

/// Makes the files readable, unless there is a folder with their name here.
pub(crate) fn offer() {
    if !Path::new(FOLDER).exists() {
        input::offer(|| {
            let files = paths().filter_map(|path| Some((path.clone(), Files::get(&path)?.data)));
            let files = files.map(|(path, text)| (Path::new(FOLDER).join(path), text));
            files.collect::<BTreeMap<PathBuf, Cow<'static, [u8]>>>()
        });
    }
}

/// Guard of the note that a file is read from the program; it is written once.
static SAID: Once = Once::new();

/// Notes, once, that a file is read from the program.
pub(crate) fn say_offered(files: impl IntoIterator<Item = impl AsRef<Path>>) {
    if files.into_iter().any(|file| input::is_offered(file.as_ref())) {
        SAID.call_once(|| {
            say(format_args!("no folder {FOLDER} is here: those in the program are read"));
        });
    }
}

/// Leaves that unsaid: the process that has started this one says it.
pub(crate) fn leave_unsaid() {
    SAID.call_once(|| ());
}

/// The text of the file called `name`, with or without its folder and its ending.
pub(crate) fn text(name: &str) -> Result<Cow<'static, str>, Problem> {
    let plain = plain(name);
    let file = Files::get(&format!("{plain}.toml"));
    file.map(|file| String::from_utf8_lossy(&file.data).into_owned().into()).ok_or_else(|| {
        let in_folders = NAMES.iter().filter(|known| known.ends_with(&format!("/{plain}")));
        let in_folders: Vec<String> = in_folders.map(|name| format!("`{name}`")).collect();
        let near = match in_folders.join(" or ") {
            none if none.is_empty() => nearest(plain, NAMES.iter().map(String::as_str)),
            some => Some(format!("did you mean {some}?")),
        };
        let list = || "`deathwatch list scenarios` names most of them".to_owned();
        Problem::new(format!("no shipped scenario is called \"{name}\""))
            .with_help(near.unwrap_or_else(list))
    })
}

/// The last part of the name, which is that of a file.
pub(crate) fn file_name(name: &str) -> PathBuf {
    let plain = plain(name);
    format!("{}.toml", plain.rsplit('/').next().unwrap_or(plain)).into()
}

/// The name without folder, ending, and the scenario of the file.
fn plain(name: &str) -> &str {
    let name = name.split_once('#').map_or(name, |(file, _)| file);
    let name = name.strip_prefix("scenarios/").unwrap_or(name);
    name.strip_suffix(".toml").unwrap_or(name)
}

static NAMES: LazyLock<Vec<String>> =
    LazyLock::new(|| paths().map(|path| plain(&path).to_owned()).collect());

fn paths() -> impl Iterator<Item = String> {
    Files::iter().filter(|path| path.ends_with(".toml")).map(Cow::into_owned)
}

/// A parser of names, which shells complete. [`text`] words its errors.
#[derive(Clone)]
pub(crate) struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMES.iter().map(|name| PossibleValue::new(name.as_str()))))
    }
}
