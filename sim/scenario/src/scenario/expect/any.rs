//! Values of any type with their places in the file. The type that a field expects is known only
//! once the field is, and so is the mistake in its value.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

use crate::scenario::value::{Located, Map};

/// A value of the file.
#[derive(Clone, Debug)]
pub enum TomlValue {
    Flag(bool),
    /// A whole number.
    Number(i64),
    Text(String),
    List(Vec<Located<TomlValue>>),
    Table(Map<Located<TomlValue>>),
}

impl<'de> Deserialize<'de> for TomlValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TomlValueVisitor)
    }
}

struct TomlValueVisitor;

impl<'de> Visitor<'de> for TomlValueVisitor {
    type Value = TomlValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flag, a whole number, a string, an array or a table")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<TomlValue, E> {
        Ok(TomlValue::Flag(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<TomlValue, E> {
        Ok(TomlValue::Number(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<TomlValue, E> {
        Ok(TomlValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<TomlValue, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(TomlValue::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TomlValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Located<String>, Located<TomlValue>>()? {
            entries.push(entry);
        }
        entries.sort_by_key(|(name, _)| name.span.start);
        Ok(TomlValue::Table(Map(entries)))
    }
}
