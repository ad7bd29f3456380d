//! The form of the table `[faults]`. Its keys are the switches of the model.

use deathwatch_model::world::FaultKind;
use schemars::{Schema, SchemaGenerator};
use serde::de::MapAccess;

use super::known::Rows;
use crate::scenario::value::MachineChoice;

/// The faults that may happen.
#[derive(Debug)]
pub struct Switches;

impl Rows for Switches {
    type Key = FaultKind;
    type Value = MachineChoice;

    const NAME: &'static str = "FaultsFile";
    const ABOUT: &'static str = "The faults that may happen.";

    fn keys() -> &'static [&'static str] {
        FaultKind::KEYS
    }

    fn key(index: usize) -> FaultKind {
        FaultKind::ALL[index]
    }

    fn value<'de, A: MapAccess<'de>>(
        kind: FaultKind,
        map: &mut A,
    ) -> Result<MachineChoice, A::Error> {
        if kind.names_machines() {
            return map.next_value();
        }
        Ok(if map.next_value()? { MachineChoice::All } else { MachineChoice::default() })
    }

    fn schema(kind: FaultKind, generator: &mut SchemaGenerator) -> Schema {
        let mut switch = if kind.names_machines() {
            generator.subschema_for::<MachineChoice>()
        } else {
            generator.subschema_for::<bool>()
        };
        switch.insert("description".to_owned(), kind.row().meaning.into());
        if !kind.names_machines() {
            switch.insert("default".to_owned(), false.into());
        }
        switch
    }
}
