//! Values of any type that know where they are in the file: what is expected of a field depends on
//! the field, and so does what is wrong with it.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, SeqAccess, Visitor},
};

use crate::scenario::value::{At, Map};

/// A value of the file.
#[derive(Clone, Debug)]
pub enum Any {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<At<Any>>),
    /// A table.
    Table(Map<At<Any>>),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor)
    }
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a flag, a whole number, a string, an array or a table")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Any, E> {
        Ok(Any::Flag(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Any, E> {
        Ok(Any::Number(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Any, E> {
        Ok(Any::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Any, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Any::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<At<String>, At<Any>>()? {
            entries.push(entry);
        }
        entries.sort_by_key(|(name, _)| name.span.start);
        Ok(Any::Table(Map(entries)))
    }
}
