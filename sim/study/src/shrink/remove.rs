//! Removal of elements from a scenario, with all that depends on them, and the new names of the
//! rest.
//!
//! The result need not be a scenario: reading it tells.

use std::collections::BTreeSet;

use deathwatch_scenario::scenario::{SESSIONS, forget_details};
use toml::{Table, Value};

use super::elements::{
    Element, LACKS, LISTS, Renamed, TABLES, array, entities, most_units, placements,
};

/// `table` without `elements` and all that depends on them.
pub(super) fn without(table: &Table, elements: &[Element]) -> (Table, Renamed) {
    let elements: BTreeSet<Element> = elements.iter().cloned().collect();
    let is_left =
        |detail: &&String| !elements.contains(&Element::Entry("detail", (*detail).clone()));
    let details = table.get("detail").and_then(Value::as_table).into_iter().flat_map(Table::keys);
    let details = details.filter(is_left).cloned().collect();
    let mut removal = Removal { elements, details, renamed: Renamed::new() };
    removal.add_dependents(table);
    removal.rename(table);
    let mut smaller = Table::new();
    for (name, value) in table {
        let value = match (name.as_str(), value) {
            ("world", Value::Table(world)) => Value::Table(removal.world(world)),
            (_, Value::Table(entries)) => {
                let mut entries = removal.entries(name, entries);
                if name == "start" {
                    entries = removal.start(&entries);
                }
                if entries.is_empty() {
                    continue;
                }
                Value::Table(entries)
            }
            (_, value) => value.clone(),
        };
        smaller.insert(name.clone(), value);
    }
    (smaller, removal.renamed)
}

pub(super) struct Removal {
    elements: BTreeSet<Element>,
    details: BTreeSet<String>,
    renamed: Renamed,
}

impl Removal {
    pub(super) fn has_machine(&self, name: &str) -> bool {
        self.elements.contains(&Element::Machine(name.to_owned()))
    }

    pub(super) fn has_application(&self, name: &str) -> bool {
        self.elements.contains(&Element::Application(name.to_owned()))
    }

    pub(super) fn has_relation(&self, name: &str) -> bool {
        let application = |end: &str| end.split_once(':').map_or(end, |(name, _)| name).to_owned();
        self.elements.contains(&Element::Relation(name.to_owned()))
            || name.split(' ').any(|end| self.has_application(&application(end)))
    }

    fn has_unit(&self, application: &str, index: usize) -> bool {
        self.elements.contains(&Element::Unit(application.to_owned(), index))
            || self.has_application(application)
    }

    /// Whether the machine or the principal with this name is removed.
    fn has_placement(&self, name: &str) -> bool {
        let unit =
            name.split_once('/').filter(|_| !name.starts_with(|it: char| it.is_ascii_digit()));
        match unit {
            None => self.has_machine(name),
            Some((application, number)) => {
                number.parse().is_ok_and(|index| self.has_unit(application, index))
            }
        }
    }

    /// Adds the elements that depend on the removed ones, until there is none to add.
    fn add_dependents(&mut self, table: &Table) {
        loop {
            let before = self.elements.len();
            for (name, machine) in entities(table, "machines") {
                let parent = machine.get("host").and_then(Value::as_str);
                if parent.is_some_and(|parent| self.has_machine(parent)) {
                    self.elements.insert(Element::Machine(name.clone()));
                }
            }
            for (name, application) in entities(table, "applications") {
                for (index, placement) in placements(application).enumerate() {
                    if self.has_placement(placement) {
                        self.elements.insert(Element::Unit(name.clone(), index));
                    }
                }
            }
            if self.elements.len() == before {
                return;
            }
        }
    }

    /// Units are numbered without gaps, so those behind a removed one move up.
    fn rename(&mut self, table: &Table) {
        for (name, application) in entities(table, "applications") {
            let mut next = 0;
            for index in 0..most_units(application) {
                let old = format!("{name}/{index}");
                if self.has_unit(name, index) {
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

    /// The new name of `name`; `None` if it is removed.
    pub(super) fn new_name(&self, name: &str) -> Option<String> {
        match self.renamed.get(name) {
            None => Some(name.to_owned()),
            Some(renamed) => renamed.clone(),
        }
    }

    fn world(&self, world: &Table) -> Table {
        let mut smaller = Table::new();
        for (kind, value) in world {
            let Value::Table(entities) = value else {
                smaller.insert(kind.clone(), value.clone());
                continue;
            };
            let mut rest = Table::new();
            for (name, entity) in entities {
                let Value::Table(entity) = entity else { continue };
                let entity = match kind.as_str() {
                    "machines" if self.has_machine(name) => continue,
                    "applications" if self.has_application(name) => continue,
                    "applications" => self.smaller_application(name, entity),
                    "relations" if self.has_relation(name) => continue,
                    "relations" => self.smaller_relation(name, entity),
                    _ => entity.clone(),
                };
                rest.insert(name.clone(), Value::Table(self.without_lacks(kind, name, entity)));
            }
            smaller.insert(kind.clone(), Value::Table(rest));
        }
        smaller
    }

    /// `entity` without its removed lacks.
    fn without_lacks(&self, kind: &str, name: &str, mut entity: Table) -> Table {
        for (of, key) in LACKS.into_iter().filter(|(of, _)| *of == kind) {
            if self.elements.contains(&Element::Lack(of, name.to_owned(), key)) {
                entity.remove(key);
            }
        }
        entity
    }

    fn smaller_application(&self, name: &str, application: &Table) -> Table {
        let mut smaller = application.clone();
        let stays = |index: &usize| !self.has_unit(name, *index);
        let all = 0..most_units(application);
        let (left, initial) = (all.filter(stays).count(), placements(application).count());
        for key in ["units", "subordinates"] {
            let Some(list) = application.get(key) else { continue };
            let list = array(list).enumerate().filter(|(index, _)| stays(index));
            let list = list.filter_map(|(_, placement)| self.new_name(placement)).map(Value::from);
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
        forget_details(&mut smaller, |detail| !self.details.contains(detail));
        smaller
    }

    fn smaller_relation(&self, name: &str, relation: &Table) -> Table {
        let mut smaller = relation.clone();
        if let Some(list) = relation.get("entered") {
            let stays = |unit: &&str| {
                !self.elements.contains(&Element::Entered(name.to_owned(), (*unit).to_owned()))
            };
            let list = array(list).filter(stays).filter_map(|unit| self.new_name(unit));
            let list: Vec<Value> = list.map(Value::from).collect();
            if list.is_empty() {
                smaller.remove("entered");
            } else {
                smaller.insert("entered".to_owned(), Value::Array(list));
            }
        }
        smaller
    }

    /// The remaining entries of a table of the file.
    fn entries(&self, table: &str, entries: &Table) -> Table {
        let mut rest = Table::new();
        for (key, value) in entries {
            let known = TABLES.into_iter().find(|known| *known == table);
            let entry = known.map(|table| Element::Entry(table, key.clone()));
            let Some(name) = self.new_key(table, key) else { continue };
            if entry.is_some_and(|entry| self.elements.contains(&entry)) {
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
        let listed = known.map(|table| Element::Listed(table, key.to_owned(), name.to_owned()));
        let is_gone = listed.is_some_and(|listed| self.elements.contains(&listed));
        !(is_gone || table == "faults" && self.has_machine(name))
    }

    /// The new form of a key: a command has names in it.
    pub(super) fn new_key(&self, table: &str, key: &str) -> Option<String> {
        if table != "user" || key == SESSIONS {
            return Some(key.to_owned());
        }
        let (verb, about) = match key.split_once(" --force ") {
            Some((verb, about)) => (format!("{verb} --force"), about),
            None => key.split_once(' ').map(|(verb, about)| (verb.to_owned(), about))?,
        };
        let first = about.split(' ').next().unwrap_or_default();
        if self.has_relation(about) || self.has_application(first) || self.has_machine(about) {
            return None;
        }
        Some(format!("{verb} {}", self.new_name(about)?))
    }
}

impl Removal {
    /// The remaining entries of `[start]`, by their new names.
    pub(super) fn start(&self, entries: &Table) -> Table {
        let rest = entries.iter().filter_map(|(key, value)| {
            let value = match value {
                Value::Table(fields) => {
                    let fields = fields.iter().filter_map(|(subject, value)| {
                        Some((self.stated(subject)?, self.stated_value(value)?))
                    });
                    Value::Table(fields.collect())
                }
                value => self.stated_value(value)?,
            };
            let is_empty = value.as_table().is_some_and(Table::is_empty);
            (!is_empty).then(|| (key.clone(), value))
        });
        rest.collect()
    }

    /// The value with the new names of the elements in it; `None` if it names a removed one.
    fn stated_value(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::String(name) => self.stated(name)?.into(),
            Value::Array(list) => {
                Value::Array(list.iter().filter_map(|it| self.stated_value(it)).collect())
            }
            Value::Table(counts) => {
                let counts = counts.iter().filter_map(|(command, count)| {
                    Some((self.new_key("user", command)?, count.clone()))
                });
                Value::Table(counts.collect())
            }
            value => value.clone(),
        })
    }

    /// The new form of a name or of a cleanup document, which has a name in it.
    fn stated(&self, text: &str) -> Option<String> {
        let kinds = ["settings of ", "units of ", "force unit ", "force machine "];
        let prefix = kinds.into_iter().find(|prefix| text.starts_with(prefix)).unwrap_or_default();
        let name = &text[prefix.len()..];
        if self.has_relation(name) || self.has_application(name) || self.has_machine(name) {
            return None;
        }
        Some(format!("{prefix}{}", self.new_name(name)?))
    }
}
