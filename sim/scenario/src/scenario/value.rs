//! Values of scenario files, with their positions in the file.

use std::{borrow::Cow, fmt, marker::PhantomData, ops::Range};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

/// A value and its position in the file.
#[derive(Clone, Debug)]
pub struct Located<T> {
    pub value: T,
    /// The bytes of the file that it is written in, quotes included.
    pub span: Range<usize>,
}

impl AsRef<str> for &Located<String> {
    fn as_ref(&self) -> &str {
        &self.value
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        Ok(Self { span: spanned.span(), value: spanned.into_inner() })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A table whose keys are names, in the order of the file.
#[derive(Clone, Debug)]
pub struct Map<V>(pub Vec<(Located<String>, V)>);

impl<V> Default for Map<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> Map<V> {
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Located<String>, &V)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Map<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MapVisitor(PhantomData))
    }
}

struct MapVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for MapVisitor<V> {
    type Value = Map<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<V>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Located<String>, V>()? {
            entries.push(entry);
        }
        entries.sort_by_key(|(name, _)| name.span.start);
        Ok(Map(entries))
    }
}

impl<V: JsonSchema> JsonSchema for Map<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("MapOf{}", V::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": generator.subschema_for::<V>(),
        })
    }
}

/// The greatest number of times that a command may be given.
#[derive(Clone, Copy, Debug)]
pub enum CommandLimit {
    Times(i64),
    /// Without limit.
    Unlimited,
}

impl<'de> Deserialize<'de> for CommandLimit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CommandLimitVisitor)
    }
}

struct CommandLimitVisitor;

impl Visitor<'_> for CommandLimitVisitor {
    type Value = CommandLimit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number from 1 to 255, or \"unlimited\"")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<CommandLimit, E> {
        Ok(CommandLimit::Times(number))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<CommandLimit, E> {
        if word == "unlimited" {
            return Ok(CommandLimit::Unlimited);
        }
        Err(E::invalid_value(de::Unexpected::Str(word), &self))
    }
}

impl JsonSchema for CommandLimit {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "CommandLimit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "integer", "minimum": 1, "maximum": 255 },
                { "const": "unlimited" },
            ],
        })
    }
}

/// A choice of machines.
#[derive(Clone, Debug)]
pub enum MachineChoice {
    All,
    These(Vec<Located<String>>),
}

impl Default for MachineChoice {
    fn default() -> Self {
        Self::These(Vec::new())
    }
}

impl<'de> Deserialize<'de> for MachineChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MachineChoiceVisitor)
    }
}

struct MachineChoiceVisitor;

impl<'de> Visitor<'de> for MachineChoiceVisitor {
    type Value = MachineChoice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of machines, or true for every machine")
    }

    fn visit_bool<E: de::Error>(self, all: bool) -> Result<MachineChoice, E> {
        Ok(if all { MachineChoice::All } else { MachineChoice::default() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut names: A) -> Result<MachineChoice, A::Error> {
        let mut these = Vec::new();
        while let Some(name) = names.next_element()? {
            these.push(name);
        }
        Ok(MachineChoice::These(these))
    }
}

impl JsonSchema for MachineChoice {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Which".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "boolean" },
                { "type": "array", "items": { "type": "string" } },
            ],
        })
    }
}
