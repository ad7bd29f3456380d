//! What can be left out of a scenario: each thing there may be, and each thing that may happen.
//!
//! The list goes from what carries others to what is carried, since an application takes its
//! units and relations along, and a machine what is on it: so what goes with an item stands behind
//! it, and the items before it keep their numbers.

use std::collections::BTreeMap;

use toml::{Table, Value};

/// Something that a scenario can do without, or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// An entry of a table: a command of `[user]`, a fault, an assumption.
    Entry(&'static str, String),
    /// An application, with its units and relations.
    Application(String),
    /// A machine, with its containers and with the units on them.
    Machine(String),
    /// A relation.
    Relation(String),
    /// A place for a unit of an application, by its number.
    Unit(String, usize),
    /// That a thing of a kind is not at the start what it is by default.
    Lack(&'static str, String, &'static str),
    /// A name in an array of a table: a machine that may fail, a clause that is switched off.
    Listed(&'static str, String, String),
    /// That a unit is in scope of a relation at the start.
    Entered(String, String),
}

/// New names of units, where they have changed. A unit that is gone has none.
pub(super) type Renamed = BTreeMap<String, Option<String>>;

/// The tables whose entries can go.
pub(super) const TABLES: [&str; 3] = ["user", "faults", "assume"];
/// The tables that have arrays whose names can go.
pub(super) const LISTS: [&str; 2] = ["faults", "switch-off"];

/// What things of a kind may lack at the start. What exists need not be made by the run.
pub(super) const LACKS: [(&str, &str); 5] = [
    ("applications", "exists"),
    ("applications", "deployed"),
    ("machines", "exists"),
    ("machines", "provisioned"),
    ("relations", "exists"),
];

/// All that can be left out of what `table` says.
pub(super) fn items(table: &Table) -> Vec<Item> {
    let mut items = Vec::new();
    for name in TABLES {
        let keys = inner(table, name).map(|(key, _)| Item::Entry(name, key.clone()));
        items.extend(keys);
    }
    items.extend(things(table, "applications").map(|(name, _)| Item::Application(name.clone())));
    items.extend(things(table, "machines").map(|(name, _)| Item::Machine(name.clone())));
    items.extend(things(table, "relations").map(|(name, _)| Item::Relation(name.clone())));
    for (name, application) in things(table, "applications") {
        items.extend((0..places(application)).map(|index| Item::Unit(name.clone(), index)));
    }
    for (kind, key) in LACKS {
        let lacks = things(table, kind).filter(|(_, thing)| thing.contains_key(key));
        items.extend(lacks.map(|(name, _)| Item::Lack(kind, name.clone(), key)));
    }
    for name in LISTS {
        for (key, list) in inner(table, name) {
            let listed = |it: &str| Item::Listed(name, key.clone(), it.to_owned());
            items.extend(array(list).map(listed));
        }
    }
    for (name, relation) in things(table, "relations") {
        let units = relation.get("entered").into_iter().flat_map(array);
        items.extend(units.map(|unit| Item::Entered(name.clone(), unit.to_owned())));
    }
    items
}

/// The entries of a table of the file.
fn inner<'a>(table: &'a Table, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    table.get(name).and_then(Value::as_table).into_iter().flatten()
}

/// The things of a kind that there may be.
pub(super) fn things<'a>(
    table: &'a Table,
    kind: &str,
) -> impl Iterator<Item = (&'a String, &'a Table)> {
    let world = table.get("world").and_then(Value::as_table);
    let things = world.and_then(|world| world.get(kind)).and_then(Value::as_table);
    things.into_iter().flatten().filter_map(|(name, thing)| Some((name, thing.as_table()?)))
}

pub(super) fn array(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Where the units of an application are at the start: on machines, or with principals.
pub(super) fn hosts(application: &Table) -> impl Iterator<Item = &str> {
    let both = ["units", "subordinates"].into_iter();
    both.filter_map(|key| application.get(key)).flat_map(array)
}

/// How many units an application can have.
pub(super) fn places(application: &Table) -> usize {
    let most = application.get("most-units").and_then(Value::as_integer);
    most.and_then(|most| usize::try_from(most).ok()).unwrap_or_else(|| hosts(application).count())
}
