//! Elements: the removable parts of a scenario, each entity and each permission.
//!
//! The list goes from containers to what they contain: an application takes its units and relations
//! along, and a machine the units on it. So what goes with an element stands behind it, and
//! removing an element leaves the indices before it as they were.

use std::{collections::BTreeMap, fmt::Write as _};

use toml::{Table, Value};

/// An element that can be removed from a scenario.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// An entry of a table: a detail, a command of `[user]`, a fault, an assumption.
    Entry(&'static str, String),
    /// An application, with its units and relations.
    Application(String),
    /// A machine, with its containers and with the units on them.
    Machine(String),
    Relation(String),
    /// A unit of an application, by its index.
    Unit(String, usize),
    /// A field of an entity at the start that differs from the default.
    Lack(&'static str, String, &'static str),
    /// A name in an array of a table: a machine that may fail, a clause that is switched off.
    Listed(&'static str, String, String),
    /// A unit in scope of a relation at the start.
    Entered(String, String),
}

/// The new names of units whose names have changed; `None` for units that are removed.
pub(super) type Renamed = BTreeMap<String, Option<String>>;

/// `line` with the new names of units; `None` if one of them is removed.
pub(super) fn renamed_line(line: &str, renamed: &Renamed) -> Option<String> {
    let mut text = String::with_capacity(line.len());
    for (index, word) in line.split(' ').enumerate() {
        let name = word.strip_suffix(':').unwrap_or(word);
        if index > 0 {
            text.push(' ');
        }
        match renamed.get(name) {
            None => text.push_str(word),
            Some(None) => return None,
            Some(Some(now)) => {
                let _ = write!(text, "{now}{}", &word[name.len()..]);
            }
        }
    }
    Some(text)
}

/// The tables whose entries can be removed.
pub(super) const TABLES: [&str; 5] = ["detail", "user", "faults", "assume", "start"];
/// The tables with arrays whose names can be removed.
pub(super) const LISTS: [&str; 3] = ["faults", "switch-off", "start"];

/// The keys by which an entity of a kind lacks something at the start. Without such a key it is
/// there, and the run need not make it.
pub(super) const LACKS: [(&str, &str); 6] = [
    ("applications", "exists"),
    ("applications", "deployed"),
    ("machines", "exists"),
    ("machines", "provisioned"),
    ("machines", "never-starts"),
    ("relations", "exists"),
];

/// All elements of `table`.
pub(super) fn elements(table: &Table) -> Vec<Element> {
    let mut elements = Vec::new();
    for name in TABLES {
        let keys = inner(table, name).map(|(key, _)| Element::Entry(name, key.clone()));
        elements.extend(keys);
    }
    elements.extend(
        entities(table, "applications").map(|(name, _)| Element::Application(name.clone())),
    );
    elements.extend(entities(table, "machines").map(|(name, _)| Element::Machine(name.clone())));
    elements.extend(entities(table, "relations").map(|(name, _)| Element::Relation(name.clone())));
    for (name, application) in entities(table, "applications") {
        elements
            .extend((0..most_units(application)).map(|index| Element::Unit(name.clone(), index)));
    }
    for (kind, key) in LACKS {
        let lacks = entities(table, kind).filter(|(_, entity)| entity.contains_key(key));
        elements.extend(lacks.map(|(name, _)| Element::Lack(kind, name.clone(), key)));
    }
    for name in LISTS {
        for (key, list) in inner(table, name) {
            let listed = |it: &str| Element::Listed(name, key.clone(), it.to_owned());
            elements.extend(array(list).map(listed));
        }
    }
    for (name, relation) in entities(table, "relations") {
        let units = relation.get("entered").into_iter().flat_map(array);
        elements.extend(units.map(|unit| Element::Entered(name.clone(), unit.to_owned())));
    }
    elements
}

/// The entries of a table of the file.
fn inner<'a>(table: &'a Table, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    table.get(name).and_then(Value::as_table).into_iter().flatten()
}

/// The entities of a kind that there may be.
pub(super) fn entities<'a>(
    table: &'a Table,
    kind: &str,
) -> impl Iterator<Item = (&'a String, &'a Table)> {
    let world = table.get("world").and_then(Value::as_table);
    let entities = world.and_then(|world| world.get(kind)).and_then(Value::as_table);
    entities.into_iter().flatten().filter_map(|(name, entity)| Some((name, entity.as_table()?)))
}

pub(super) fn array(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// The placements of an application's units at the start: names of machines or of principals.
pub(super) fn placements(application: &Table) -> impl Iterator<Item = &str> {
    let both = ["units", "subordinates"].into_iter();
    both.filter_map(|key| application.get(key)).flat_map(array)
}

/// The number of units that an application can have.
pub(super) fn most_units(application: &Table) -> usize {
    let most = application.get("most-units").and_then(Value::as_integer);
    most.and_then(|most| usize::try_from(most).ok())
        .unwrap_or_else(|| placements(application).count())
}
