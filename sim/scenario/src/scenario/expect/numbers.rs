//! Numbers of entities that exist: how many machines the steps have left, whatever their names are.

use std::fmt;

use deathwatch_model::ids::EntityId;
use deathwatch_model::{state::State, world::World};
use serde_json::{Value, json};

use super::any::TomlValue;
use crate::{
    problem::{Problem, Text},
    scenario::{
        names::{duplicate, with_suggestion},
        value::{Located, Map},
    },
};

/// The key of the table of numbers.
pub(super) const NUMBER: &str = "number";

/// The kinds of entities that are counted.
const KINDS: [&str; 4] = ["machines", "applications", "units", "relations"];

/// The number of entities of a kind that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    kind: &'static str,
    /// The number of entities of this kind.
    pub count: u64,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "number of {}: {}", self.kind, self.count)
    }
}

impl Number {
    pub fn of(&self, world: &World, state: &State) -> u64 {
        let exists = |it: &EntityId| kind(*it) == self.kind && it.life(state).is_some();
        EntityId::all(world).filter(exists).count() as u64
    }
}

fn kind(entity: EntityId) -> &'static str {
    let [machines, applications, units, relations] = KINDS;
    match entity {
        EntityId::Machine(_) => machines,
        EntityId::Application(_) => applications,
        EntityId::Unit(_) => units,
        EntityId::Relation(_) => relations,
    }
}

/// The numbers of the table, each with the place of its name.
pub(super) fn read(
    text: &Text,
    value: &Located<TomlValue>,
) -> Result<Vec<(Number, usize)>, Problem> {
    let TomlValue::Table(Map(entries)) = &value.value else {
        let message = format!("`{NUMBER}` is a table: how many exist of each kind");
        return Err(text.problem(&value.span, message, "a table was expected"));
    };
    let mut numbers: Vec<(Number, usize)> = Vec::new();
    for (at, (name, value)) in entries.iter().enumerate() {
        let Some(kind) = KINDS.into_iter().find(|kind| *kind == name.value) else {
            let message = format!("`{}` are not counted", name.value);
            let label = format!("one of these was expected: {}", KINDS.join(", "));
            return Err(with_suggestion(
                text.problem(&name.span, message, &label),
                &name.value,
                KINDS.into_iter(),
            ));
        };
        if let Some((first, _)) = entries[..at].iter().find(|(it, _)| it.value == name.value) {
            return Err(duplicate(text, name, &first.span));
        }
        let count = match value.value {
            TomlValue::Number(number) => u64::try_from(number).ok(),
            TomlValue::Flag(_) | TomlValue::Text(_) | TomlValue::List(_) | TomlValue::Table(_) => {
                None
            }
        };
        let Some(count) = count else {
            let label = "a whole number that is not negative was expected";
            return Err(text.problem(&value.span, "this is no number of entities", label));
        };
        numbers.push((Number { kind, count }, name.span.start));
    }
    Ok(numbers)
}

pub(super) fn schema() -> Value {
    let number = json!({ "type": "integer", "minimum": 0 });
    let kinds = KINDS.map(|kind| (kind.to_owned(), number.clone()));
    let kinds: serde_json::Map<String, Value> = kinds.into_iter().collect();
    json!({
        "description": "How many of a kind exist: { machines = 3 }.",
        "type": "object",
        "properties": kinds,
        "additionalProperties": false,
    })
}
