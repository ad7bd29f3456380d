//! Tables `[also."NAME"]`: each has the differences from the rest of its file, and so describes
//! another scenario of that file.
//!
//! The two are merged as TOML, before anything is understood. Keys and values keep their places in
//! the file, so that a problem points to the line that was written.

use std::{borrow::Cow, collections::BTreeMap, ops::Range, sync::Arc};

use toml::{
    Spanned,
    de::{DeArray, DeTable, DeValue},
};

use toml_edit::{DocumentMut, TableLike};

use super::{names::with_suggestion, not_understood::MISSING_KEY};
use crate::problem::{AlsoPart, LineOffsets, Problem, Text};

const ALSO: &str = "also";

/// The key of the list that a table takes back from the rest of its file.
const WITHOUT: &str = "without";

/// The keys that are about one scenario: its sentences, the finding that it shows, its figures and
/// the seeds that failed in it. A table `also` inherits none of them.
const OF_ONE: &[&[&str]] = &[
    &["shows"],
    &[ALSO],
    &["finding"],
    &["check", "states"],
    &["check", "transitions"],
    &["check", "any-size", "views"],
    &["check", "any-size", "not-asked"],
    &["simulate", "seeds"],
];

/// The schema of the tables, whose keys are those of a scenario: `properties` is the schema of
/// these.
pub(crate) fn schema(properties: &serde_json::Value) -> serde_json::Value {
    let mut keys = properties.clone();
    let description = "The keys of the rest of the file that this scenario does not have, such as \
        \"steps\" or \"world.machines.3\".";
    keys[WITHOUT] = serde_json::json!({
        "description": description,
        "type": "array",
        "items": { "type": "string" },
    });
    if let Some(keys) = keys.as_object_mut() {
        keys.remove(ALSO);
    }
    serde_json::json!({
        "type": "object",
        "properties": keys,
        "required": ["shows"],
        "additionalProperties": false,
    })
}

/// The problem that a file is no TOML.
type NotToml<'a> = &'a dyn Fn(&toml::de::Error) -> Problem;

/// A file that was parsed once for all of its scenarios: it may describe thousands.
pub(super) struct ParsedFile<'a> {
    /// The file without its tables `also`.
    rest: Spanned<DeTable<'a>>,
    /// The tables `also` of the file, in its order.
    tables: Vec<Also<'a>>,
    /// The place of each in that order, by name.
    places: BTreeMap<String, usize>,
    pub(super) lines: LineOffsets,
}

impl<'a> ParsedFile<'a> {
    pub(super) fn new(text: &'a Text, not_toml: NotToml<'_>) -> Result<Self, Problem> {
        let mut rest = DeTable::parse(&text.source).map_err(|error| not_toml(&error))?;
        let tables = take(text, rest.get_mut())?;
        let places = tables.iter().enumerate().map(|(place, it)| (it.name.clone(), place));
        Ok(Self { rest, places: places.collect(), tables, lines: LineOffsets::of(&text.source) })
    }

    /// The document that `text` stands for: the file without its tables `also`, or with one of them
    /// merged into it.
    pub(super) fn document(&self, text: &Text) -> Result<Spanned<DeTable<'a>>, Problem> {
        let mut document = self.rest.clone();
        if let Some(part) = &text.part {
            let place = self.places.get(&*part.name).expect("it was found before");
            merge(text, document.get_mut(), self.tables[*place].clone())?;
        }
        for at in &text.left_out {
            leave_out(document.get_mut(), *at);
        }
        for (name, value) in &text.set {
            set_variant(document.get_mut(), name, value);
        }
        Ok(document)
    }

    /// The table that is called `name`, from its name to that of the next one.
    pub(super) fn part(&self, text: &Text, name: &Arc<str>) -> Result<AlsoPart, Problem> {
        let place = self.places.get(&**name).ok_or_else(|| unknown(text, name, &self.tables))?;
        let end = self.tables.get(place + 1).map_or(text.source.len(), |it| it.named.start);
        Ok(AlsoPart { name: name.clone(), named: self.tables[*place].named.clone(), end })
    }
}

/// Leaves the innermost key or item out that is at this offset, and says which keys lead to it. A
/// claim of the scenario's own is left out as a whole; scripts are not, as their lines can be.
pub(super) fn leave_out(file: &mut DeTable<'_>, at: usize) -> Option<Vec<String>> {
    let path = path_to(file, at)?;
    match &path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["steps" | "loop"] => {}
        [path @ .., ""] => drop_item(file, path, at),
        [table @ ("own" | "rule"), name, ..] => drop(remove(file, &[*table, *name])),
        path => drop(remove(file, path)),
    }
    Some(path)
}

/// The keys that lead to the value at this offset; an item of an array has an empty key.
fn path_to(table: &DeTable<'_>, at: usize) -> Option<Vec<String>> {
    table.iter().find_map(|(key, value)| {
        let rest = match value.get_ref() {
            DeValue::Table(inner) => path_to(inner, at),
            DeValue::Array(items) if items.iter().any(|item| item.span().contains(&at)) => {
                Some(vec![String::new()])
            }
            _ => value.span().contains(&at).then(Vec::new),
        };
        let rest = rest.or_else(|| key.span().contains(&at).then(Vec::new))?;
        Some([vec![key.get_ref().to_string()], rest].concat())
    })
}

/// Sets a variant. No place in the file says so.
fn set_variant(file: &mut DeTable<'_>, name: &str, value: &str) {
    const VARIANTS: &str = "variants";
    let nowhere = 0..0;
    if !file.contains_key(VARIANTS) {
        let table = DeValue::Table(DeTable::new());
        let key = Spanned::new(nowhere.clone(), VARIANTS.into());
        file.insert(key, Spanned::new(nowhere.clone(), table));
    }
    if let Some(DeValue::Table(variants)) = file.get_mut(VARIANTS).map(Spanned::get_mut) {
        variants.remove(name);
        let value = DeValue::String(value.to_owned().into());
        let key = Spanned::new(nowhere.clone(), name.to_owned().into());
        variants.insert(key, Spanned::new(nowhere, value));
    }
}

/// Removes the item at this offset from the array at the end of `path`.
fn drop_item(table: &mut DeTable<'_>, path: &[&str], at: usize) {
    let Some((key, rest)) = path.split_first() else { return };
    match table.get_mut(*key).map(Spanned::get_mut) {
        Some(DeValue::Table(inner)) => drop_item(inner, rest, at),
        Some(DeValue::Array(items)) => {
            let all = std::mem::replace(items, DeArray::new()).into_iter();
            *items = all.filter(|item| !item.span().contains(&at)).collect();
        }
        _ => {}
    }
}

/// The names of the tables `also` of a file, in its order; none if it is no scenario file.
pub(super) fn names(source: &str) -> Vec<Arc<str>> {
    let text = Text::new("", source.into());
    let Ok(mut document) = DeTable::parse(&text.source) else { return Vec::new() };
    let tables = take(&text, document.get_mut()).unwrap_or_default();
    tables.into_iter().map(|also| also.name.into()).collect()
}

/// The table of a file in which a scenario of it is edited: its table `also`, or the file itself.
pub fn part_of<'a>(file: &'a mut DocumentMut, also: Option<&str>) -> Option<&'a mut dyn TableLike> {
    match also {
        None => Some(file.as_table_mut()),
        Some(name) => file.get_mut(ALSO)?.as_table_like_mut()?.get_mut(name)?.as_table_like_mut(),
    }
}

/// A table `also`.
#[derive(Clone)]
struct Also<'a> {
    name: String,
    /// The bytes of its name.
    named: Range<usize>,
    table: DeTable<'a>,
}

/// Takes the tables `also` out of a file.
fn take<'a>(text: &Text, file: &mut DeTable<'a>) -> Result<Vec<Also<'a>>, Problem> {
    let Some(tables) = file.remove(ALSO) else { return Ok(Vec::new()) };
    let expected = "a table for each further scenario was expected, [also.\"NAME\"]";
    let not_table = |span: &Range<usize>| {
        Err(text.problem(span, "the value of `also` is not as expected", expected))
    };
    let span = tables.span();
    let DeValue::Table(tables) = tables.into_inner() else { return not_table(&span) };
    let mut all = Vec::with_capacity(tables.len());
    for (name, table) in tables {
        let (named, span) = (name.span(), table.span());
        let DeValue::Table(table) = table.into_inner() else { return not_table(&span) };
        let name = name.into_inner().into_owned();
        if !is_name(&name) {
            let message = format!("`{name}` cannot be the name of a scenario");
            let label = "words were expected, without / and #";
            return Err(text.problem(&named, message, label));
        }
        all.push(Also { name, named, table });
    }
    all.sort_by_key(|also| also.named.start);
    Ok(all)
}

/// Whether `name` can stand behind the `#` of an address.
fn is_name(name: &str) -> bool {
    let is_good = |letter: char| !letter.is_control() && !"/\\#".contains(letter);
    !name.is_empty() && name.trim() == name && name.chars().all(is_good)
}

fn unknown(text: &Text, wanted: &str, tables: &[Also<'_>]) -> Problem {
    let problem = Problem::new(format!("{} has no scenario `#{wanted}`", text.name()));
    if tables.is_empty() {
        return problem.with_help("it has no table [also.\"NAME\"]");
    }
    with_suggestion(problem, wanted, tables.iter().map(|also| also.name.as_str()))
}

/// Merges a table `also` into the rest of its file.
fn merge<'a>(text: &Text, file: &mut DeTable<'a>, also: Also<'a>) -> Result<(), Problem> {
    let Also { named, mut table, .. } = also;
    if let Some((key, _)) = table.get_key_value(ALSO) {
        let label = "not expected within one";
        return Err(text.problem(&key.span(), "a table `also` has no further ones", label));
    }
    if !table.contains_key("shows") {
        let label = "expected in the table that begins here";
        return Err(text.problem(&named, format!("{MISSING_KEY} `shows`"), label));
    }
    for path in OF_ONE {
        remove(file, path);
    }
    if let Some(without) = table.remove(WITHOUT) {
        take_back(text, file, without)?;
    }
    table.into_iter().for_each(|(key, value)| put("", file, key, value));
    Ok(())
}

/// Puts a value into the table called `name`, into the place of the one that is there. Tables are
/// merged, but for a claim of the scenario's own, and for claims where the new table says something
/// of all.
fn put<'a>(
    name: &str,
    table: &mut DeTable<'a>,
    key: Spanned<Cow<'a, str>>,
    value: Spanned<DeValue<'a>>,
) {
    let Some(there) = table.get_mut(key.get_ref().as_ref()) else {
        table.insert(key, value);
        return;
    };
    let is_whole = |new: &DeTable<'_>| {
        ["own", "rule"].contains(&name) || key.get_ref() == "claims" && new.contains_key("all")
    };
    let span = value.span();
    match (there.get_mut(), value.into_inner()) {
        (DeValue::Table(there), DeValue::Table(new)) if !is_whole(&new) => {
            new.into_iter().for_each(|(inner, value)| put(key.get_ref(), there, inner, value));
        }
        (_, value) => *there = Spanned::new(span, value),
    }
}

/// Removes the key at the end of `path`; says whether it was there.
fn remove(table: &mut DeTable<'_>, path: &[impl AsRef<str>]) -> bool {
    let Some((last, way)) = path.split_last() else { return false };
    let inner =
        way.iter().try_fold(table, |table, key| match table.get_mut(key.as_ref())?.get_mut() {
            DeValue::Table(table) => Some(table),
            _ => None,
        });
    inner.is_some_and(|table| table.remove(last.as_ref()).is_some())
}

/// Removes from the file the keys that `without` lists.
fn take_back(
    text: &Text,
    file: &mut DeTable<'_>,
    without: Spanned<DeValue<'_>>,
) -> Result<(), Problem> {
    let expected = "an array of keys was expected, such as [\"steps\", \"world.machines.3\"]";
    let wrong = |span: &Range<usize>| {
        Err(text.problem(span, "the value of `without` is not as expected", expected))
    };
    let span = without.span();
    let DeValue::Array(keys) = without.into_inner() else { return wrong(&span) };
    for key in keys {
        let span = key.span();
        let DeValue::String(key) = key.into_inner() else { return wrong(&span) };
        let Ok(path) = toml_edit::Key::parse(&key) else {
            let label = "a key was expected, such as world.machines.3 or claims.'a claim'";
            return Err(text.problem(&span, format!("`{key}` is not a key"), label));
        };
        let path: Vec<&str> = path.iter().map(toml_edit::Key::get).collect();
        if !remove(file, &path) {
            let message = format!("the file has no `{key}` that could be taken back");
            let label = "a key of the rest of the file was expected";
            return Err(text.problem(&span, message, label));
        }
    }
    Ok(())
}
