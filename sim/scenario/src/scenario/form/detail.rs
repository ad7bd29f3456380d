//! The form of the table `[detail]`. Its keys are the details of the model.

use deathwatch_model::world::Details;
use schemars::{Schema, SchemaGenerator};
use serde::de::MapAccess;

use super::known::Rows;
use crate::scenario::value::Located;

/// The details that a world has.
#[derive(Debug)]
pub struct Levels;

impl Rows for Levels {
    type Key = &'static str;
    type Value = Located<bool>;

    const NAME: &'static str = "DetailFile";
    const ABOUT: &'static str = "The details that the world has beside the protocol of D1 and D2.";

    fn keys() -> &'static [&'static str] {
        Details::NAMES
    }

    fn key(index: usize) -> &'static str {
        Details::NAMES[index]
    }

    fn value<'de, A: MapAccess<'de>>(
        _: &'static str,
        map: &mut A,
    ) -> Result<Located<bool>, A::Error> {
        map.next_value()
    }

    fn schema(name: &'static str, generator: &mut SchemaGenerator) -> Schema {
        let mut switch = generator.subschema_for::<bool>();
        let info = Details::LIST.iter().find(|info| info.name == name);
        let adds = info.map_or("", |info| info.adds);
        switch.insert("description".to_owned(), adds.into());
        switch.insert("default".to_owned(), false.into());
        switch
    }
}
