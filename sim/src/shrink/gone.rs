//! Leaving items out of a scenario: what goes with them, and what the rest is called then.
//!
//! The result need not be a scenario (a session may lack the place that it needs); whoever reads it
//! finds out.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::items::{Item, LACKS, LISTS, Renamed, TABLES, array, hosts, places, things};

/// What `table` says without `items` and all that goes with them.
pub(super) fn without(table: &Table, items: &[Item]) -> (Table, Renamed) {
    let mut gone = Gone { items: items.iter().cloned().collect(), renamed: Renamed::new() };
    gone.take_along(table);
    gone.rename(table);
    let mut smaller = Table::new();
    for (name, value) in table {
        let value = match (name.as_str(), value) {
            ("world", Value::Table(world)) => Value::Table(gone.world(world)),
            (_, Value::Table(entries)) => {
                let entries = gone.entries(name, entries);
                if entries.is_empty() {
                    continue;
                }
                Value::Table(entries)
            }
            (_, value) => value.clone(),
        };
        smaller.insert(name.clone(), value);
    }
    (smaller, gone.renamed)
}

/// What is left out.
struct Gone {
    items: BTreeSet<Item>,
    renamed: Renamed,
}

impl Gone {
    fn machine(&self, name: &str) -> bool {
        self.items.contains(&Item::Machine(name.to_owned()))
    }

    fn application(&self, name: &str) -> bool {
        self.items.contains(&Item::Application(name.to_owned()))
    }

    fn relation(&self, name: &str) -> bool {
        let application = |end: &str| end.split_once(':').map_or(end, |(name, _)| name).to_owned();
        self.items.contains(&Item::Relation(name.to_owned()))
            || name.split(' ').any(|end| self.application(&application(end)))
    }

    fn unit(&self, application: &str, index: usize) -> bool {
        self.items.contains(&Item::Unit(application.to_owned(), index))
            || self.application(application)
    }

    /// Whether a machine or a principal is.
    fn host(&self, name: &str) -> bool {
        let unit =
            name.split_once('/').filter(|_| !name.starts_with(|it: char| it.is_ascii_digit()));
        match unit {
            None => self.machine(name),
            Some((application, number)) => {
                number.parse().is_ok_and(|index| self.unit(application, index))
            }
        }
    }

    /// Adds what goes with what is gone, until nothing more does.
    fn take_along(&mut self, table: &Table) {
        loop {
            let before = self.items.len();
            for (name, machine) in things(table, "machines") {
                let host = machine.get("host").and_then(Value::as_str);
                if host.is_some_and(|host| self.machine(host)) {
                    self.items.insert(Item::Machine(name.clone()));
                }
            }
            for (name, application) in things(table, "applications") {
                for (index, host) in hosts(application).enumerate() {
                    if self.host(host) {
                        self.items.insert(Item::Unit(name.clone(), index));
                    }
                }
            }
            if self.items.len() == before {
                return;
            }
        }
    }

    /// Units are numbered without gaps, so those behind one that is gone move up.
    fn rename(&mut self, table: &Table) {
        for (name, application) in things(table, "applications") {
            let mut next = 0;
            for index in 0..places(application) {
                let old = format!("{name}/{index}");
                if self.unit(name, index) {
                    self.renamed.insert(old, None);
                } else {
                    if next < index {
                        self.renamed.insert(old, Some(format!("{name}/{next}")));
                    }
                    next += 1;
                }
            }
        }
    }

    /// What `name` is called now, if it is not gone.
    fn now(&self, name: &str) -> Option<String> {
        match self.renamed.get(name) {
            None => Some(name.to_owned()),
            Some(renamed) => renamed.clone(),
        }
    }

    fn world(&self, world: &Table) -> Table {
        let mut smaller = Table::new();
        for (kind, value) in world {
            let Value::Table(things) = value else {
                smaller.insert(kind.clone(), value.clone());
                continue;
            };
            let mut rest = Table::new();
            for (name, thing) in things {
                let Value::Table(thing) = thing else { continue };
                let thing = match kind.as_str() {
                    "machines" if self.machine(name) => continue,
                    "applications" if self.application(name) => continue,
                    "applications" => self.smaller_application(name, thing),
                    "relations" if self.relation(name) => continue,
                    "relations" => self.smaller_relation(name, thing),
                    _ => thing.clone(),
                };
                rest.insert(name.clone(), Value::Table(self.without_lacks(kind, name, thing)));
            }
            smaller.insert(kind.clone(), Value::Table(rest));
        }
        smaller
    }

    /// A thing that lacks nothing any more of what is left out.
    fn without_lacks(&self, kind: &str, name: &str, mut thing: Table) -> Table {
        for (of, key) in LACKS.into_iter().filter(|(of, _)| *of == kind) {
            if self.items.contains(&Item::Lack(of, name.to_owned(), key)) {
                thing.remove(key);
            }
        }
        thing
    }

    fn smaller_application(&self, name: &str, application: &Table) -> Table {
        let mut smaller = application.clone();
        let stays = |index: &usize| !self.unit(name, *index);
        let all = 0..places(application);
        let (left, initial) = (all.filter(stays).count(), hosts(application).count());
        for key in ["units", "subordinates"] {
            let Some(list) = application.get(key) else { continue };
            let list = array(list).enumerate().filter(|(index, _)| stays(index));
            let list = list.filter_map(|(_, host)| self.now(host)).map(Value::from);
            let list: Vec<Value> = list.collect();
            if list.is_empty() {
                smaller.remove(key);
            } else {
                smaller.insert(key.to_owned(), Value::Array(list));
            }
        }
        if left > (0..initial).filter(stays).count() {
            let left = i64::try_from(left).unwrap_or(i64::MAX);
            smaller.insert("most-units".to_owned(), left.into());
        } else {
            smaller.remove("most-units");
        }
        smaller
    }

    fn smaller_relation(&self, name: &str, relation: &Table) -> Table {
        let mut smaller = relation.clone();
        if let Some(list) = relation.get("entered") {
            let stays = |unit: &&str| {
                !self.items.contains(&Item::Entered(name.to_owned(), (*unit).to_owned()))
            };
            let list = array(list).filter(stays).filter_map(|unit| self.now(unit));
            let list: Vec<Value> = list.map(Value::from).collect();
            if list.is_empty() {
                smaller.remove("entered");
            } else {
                smaller.insert("entered".to_owned(), Value::Array(list));
            }
        }
        smaller
    }

    /// The entries that are left of a table of the file.
    fn entries(&self, table: &str, entries: &Table) -> Table {
        let mut rest = Table::new();
        for (key, value) in entries {
            let known = TABLES.into_iter().find(|known| *known == table);
            let entry = known.map(|table| Item::Entry(table, key.clone()));
            let Some(name) = self.key(table, key) else { continue };
            if entry.is_some_and(|entry| self.items.contains(&entry)) {
                continue;
            }
            let value = match value {
                Value::Array(list) => {
                    let stays =
                        |it: &&Value| it.as_str().is_none_or(|it| self.lists(table, key, it));
                    let list: Vec<Value> = list.iter().filter(stays).cloned().collect();
                    if list.is_empty() {
                        continue;
                    }
                    Value::Array(list)
                }
                value => value.clone(),
            };
            rest.insert(name, value);
        }
        rest
    }

    /// Whether the array `key` of a table of the file still has `name`.
    fn lists(&self, table: &str, key: &str, name: &str) -> bool {
        let known = LISTS.into_iter().find(|known| *known == table);
        let listed = known.map(|table| Item::Listed(table, key.to_owned(), name.to_owned()));
        let is_gone = listed.is_some_and(|listed| self.items.contains(&listed));
        !(is_gone || table == "faults" && self.machine(name))
    }

    /// A key as it is now: a command has names in it.
    fn key(&self, table: &str, key: &str) -> Option<String> {
        if table != "user" {
            return Some(key.to_owned());
        }
        let (verb, about) = match key.split_once(" --force ") {
            Some((verb, about)) => (format!("{verb} --force"), about),
            None => key.split_once(' ').map(|(verb, about)| (verb.to_owned(), about))?,
        };
        let first = about.split(' ').next().unwrap_or_default();
        if self.relation(about) || self.application(first) || self.machine(about) {
            return None;
        }
        Some(format!("{verb} {}", self.now(about)?))
    }
}
