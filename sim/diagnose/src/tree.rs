//! JSON and YAML as one tree, with errors that name file and place and never quote what is there:
//! it may be a secret.

use std::str;

use deathwatch_scenario::Problem;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

/// The commands whose output is read.
pub(crate) const COMMANDS: &str = "run these two commands:\n\
    juju status --format json > status.json\n\
    juju show-unit --format json $(jq -r '.applications[].units//{}|to_entries[]|.key,\
    (.value.subordinates//{}|keys[])' status.json) > units.json";

/// The greatest size of a file, in bytes.
const MOST_BYTES: usize = 256 << 20;
/// The greatest depth of a tree.
const DEEPEST: usize = 100;

/// The beginnings of files that are no text, with their kind and a remedy.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"\xFF\xFE", "UTF-16 text, as PowerShell writes it", AS_UTF_8),
    (b"\xFE\xFF", "UTF-16 text", AS_UTF_8),
    (b"\xFD7zXZ\0", "a compressed archive", UNPACKED),
    (b"\x1F\x8B", "a compressed archive", UNPACKED),
    (b"\x28\xB5\x2F\xFD", "a compressed archive", UNPACKED),
    (b"BZh", "a compressed archive", UNPACKED),
    (b"PK\x03\x04", "a compressed archive", UNPACKED),
];
const AS_UTF_8: &str =
    "write it as UTF-8: juju status --format json | Out-File -Encoding utf8 status.json";
const UNPACKED: &str = "unpack it, and name the folder";

/// Reads the tree that the file called `name` is.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Value, Problem> {
    if bytes.len() > MOST_BYTES {
        return Err(Problem::new(format!("{name}: the file is larger than 256 MiB")));
    }
    for (beginning, what, help) in FOREIGN {
        if bytes.starts_with(beginning) {
            return Err(Problem::new(format!("{name}:1: this is {what}")).with_help(*help));
        }
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = 1 + before.matches('\n').count();
        let message = format!("{name}:{line}: this is not UTF-8 text");
        Problem::new(message).with_help("JSON or YAML of Juju was expected, as it was printed")
    })?;
    match text.trim_start().chars().next() {
        None => Err(expected(name, 1, "the file is empty")),
        Some('{' | '[') => json(name, text),
        Some(_) if is_table(text) => Err(expected(name, 1, "this is a table for people")),
        Some(_) => yaml(name, text),
    }
}

/// Whether a file is JSON rather than YAML, by its beginning.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.iter().find(|it| !it.is_ascii_whitespace()).is_some_and(|it| b"{[".contains(it))
}

/// Whether this is what `juju status` prints without a format.
fn is_table(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let heads = ["Model", "App", "Unit", "Machine", "Name"];
    words.len() > 2 && heads.contains(&words[0]) && !first.contains(':')
}

fn expected(name: &str, line: usize, what: &str) -> Problem {
    let lines: Vec<String> = COMMANDS.lines().map(str::to_owned).collect();
    let message = format!("{name}:{line}: {what}, and JSON or YAML was expected");
    Problem::new(message).with_help_lines(&lines)
}

fn json(name: &str, text: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let what = if error.is_eof() { "the JSON breaks off here" } else { "this is no JSON" };
        let message = format!("{name}:{line}:{column}: {what}");
        Problem::new(message).with_help("the whole output of one command of Juju was expected")
    })
}

/// A mapping or sequence that is being read, and the key that waits for its value.
enum OpenCollection {
    Map(Map<String, Value>, Option<String>),
    List(Vec<Value>),
}

fn yaml(name: &str, text: &str) -> Result<Value, Problem> {
    let mut open: Vec<OpenCollection> = Vec::new();
    let mut whole = None;
    for event in Parser::new_from_str(text) {
        let (event, line) = match event {
            Ok((event, span)) => (event, span.start.line()),
            Err(error) => {
                let (line, column) = (error.marker().line(), error.marker().col() + 1);
                let what = format!("this is no YAML in column {column}");
                return Err(expected(name, line, &what));
            }
        };
        let refused = |what: &str| expected(name, line, what);
        let value = match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => continue,
            Event::DocumentStart(_) if whole.is_none() => continue,
            Event::DocumentStart(_) => return Err(refused("a second document begins here")),
            Event::Alias(_) => return Err(refused("there is an alias")),
            Event::MappingStart(_, Some(_)) | Event::SequenceStart(_, Some(_)) => {
                return Err(refused("there is a tag"));
            }
            Event::MappingStart(..) | Event::SequenceStart(..) if open.len() >= DEEPEST => {
                return Err(refused("this is nested too deeply"));
            }
            Event::MappingStart(..) => {
                open.push(OpenCollection::Map(Map::new(), None));
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(OpenCollection::List(Vec::new()));
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => match open.pop() {
                Some(OpenCollection::Map(map, _)) => Value::Object(map),
                Some(OpenCollection::List(list)) => Value::Array(list),
                None => continue,
            },
            Event::Scalar(text, style, _, tag) => {
                if let Some(OpenCollection::Map(_, key @ None)) = open.last_mut() {
                    *key = Some(text.into_owned());
                    continue;
                }
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                if is_plain { plain(&text) } else { Value::String(text.into_owned()) }
            }
        };
        match open.last_mut() {
            None => whole = Some(value),
            Some(OpenCollection::List(list)) => list.push(value),
            Some(OpenCollection::Map(map, key)) => match key.take() {
                Some(key) => drop(map.insert(key, value)),
                None => return Err(refused("a key is no text")),
            },
        }
    }
    match whole {
        Some(value @ Value::Object(_)) => Ok(value),
        _ => Err(expected(name, 1, "this is a text")),
    }
}

/// The value of a scalar without quotes.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => true.into(),
        "false" => false.into(),
        _ => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
    }
}

/// A part of a tree, and where it is.
#[derive(Clone)]
pub(crate) struct TreeNode<'a> {
    pub(crate) value: &'a Value,
    file: &'a str,
    pointer: String,
}

impl<'a> TreeNode<'a> {
    pub(crate) fn whole(file: &'a str, value: &'a Value) -> Self {
        Self { value, file, pointer: String::new() }
    }

    fn below(&self, key: &str, value: &'a Value) -> Self {
        let key = key.replace('~', "~0").replace('/', "~1");
        Self { value, file: self.file, pointer: format!("{}/{key}", self.pointer) }
    }

    /// The problem that something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> Problem {
        let pointer = if self.pointer.is_empty() { "/" } else { &self.pointer };
        Problem::new(format!("{}: {pointer}: {what} was expected", self.file))
    }

    /// The value of the key, unless that is null.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.below(key, value))
    }

    /// The value at a path of keys.
    pub(crate) fn at(&self, path: &[&str]) -> Option<Self> {
        path.iter().try_fold(self.clone(), |node, key| node.get(key))
    }

    /// The text below a path of keys; nothing where there is none.
    pub(crate) fn text(&self, path: &[&str]) -> Result<Option<String>, Problem> {
        let Some(node) = self.at(path) else { return Ok(None) };
        match node.value {
            Value::String(text) => Ok(Some(text.clone())),
            Value::Number(number) => Ok(Some(number.to_string())),
            Value::Bool(flag) => Ok(Some(flag.to_string())),
            _ => Err(node.expected("a text")),
        }
    }

    /// The flag below a path of keys.
    pub(crate) fn flag(&self, path: &[&str]) -> Result<Option<bool>, Problem> {
        let Some(node) = self.at(path) else { return Ok(None) };
        node.value.as_bool().map(Some).ok_or_else(|| node.expected("true or false"))
    }

    /// The entries of the table that is below a key; none where there is nothing.
    pub(crate) fn table(&self, key: &str) -> Result<Vec<(&'a str, Self)>, Problem> {
        self.get(key).map_or(Ok(Vec::new()), |node| node.entries())
    }

    /// Its entries, if it is a table.
    pub(crate) fn entries(&self) -> Result<Vec<(&'a str, Self)>, Problem> {
        let Value::Object(map) = self.value else { return Err(self.expected("a table")) };
        Ok(map.iter().map(|(key, value)| (key.as_str(), self.below(key, value))).collect())
    }

    /// The items of the list that is below a key; none where there is nothing.
    pub(crate) fn list(&self, key: &str) -> Result<Vec<Self>, Problem> {
        let Some(node) = self.get(key) else { return Ok(Vec::new()) };
        let Value::Array(items) = node.value else { return Err(node.expected("a list")) };
        let items = items.iter().enumerate();
        Ok(items.map(|(index, item)| node.below(&index.to_string(), item)).collect())
    }
}
