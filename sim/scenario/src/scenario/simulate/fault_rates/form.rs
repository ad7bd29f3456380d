//! The form of `[simulate.faults]`: each key with a value of its kind, and the reader.

use deathwatch_model::world::World;
use deathwatch_simulator::settings::FaultRates;
use schemars::{Schema, SchemaGenerator};
use serde::de::MapAccess;

use super::{FaultRateKey, KEYS, RACK, ROWS, RateRow};
use crate::{
    problem::{Problem, Text},
    scenario::{
        known::{RowKeyedTable, Rows},
        simulate::read::time,
        value::Located,
        world::number,
    },
};

/// The rates of faults, as they are written.
#[derive(Debug)]
pub struct Rates;

/// A rate, as it is written.
#[derive(Debug)]
pub enum WrittenRate {
    /// A time, or "never".
    Time(Located<String>),
    Number(Located<i64>),
}

impl Rows for Rates {
    type Key = FaultRateKey;
    type Value = WrittenRate;

    const NAME: &'static str = "FaultRatesFile";
    const ABOUT: &'static str = "The rates of faults: the mean time between two in the whole \
                                 world, or \"never\"; or the number in\na thousand.";

    fn keys() -> &'static [&'static str] {
        &KEYS
    }

    fn key(index: usize) -> FaultRateKey {
        ROWS[index].key
    }

    fn value<'de, A: MapAccess<'de>>(
        key: FaultRateKey,
        map: &mut A,
    ) -> Result<WrittenRate, A::Error> {
        match key {
            FaultRateKey::Timed(..) => map.next_value().map(WrittenRate::Time),
            FaultRateKey::Chance(..) | FaultRateKey::Rack => {
                map.next_value().map(WrittenRate::Number)
            }
        }
    }

    fn schema(key: FaultRateKey, generator: &mut SchemaGenerator) -> Schema {
        let row = ROWS.iter().find(|row| row.key == key);
        let mut schema = match key {
            FaultRateKey::Timed(..) => generator.subschema_for::<Option<String>>(),
            FaultRateKey::Chance(..) | FaultRateKey::Rack => {
                generator.subschema_for::<Option<i64>>()
            }
        };
        let mut set = |key: &str, value: serde_json::Value| schema.insert(key.to_owned(), value);
        set("description", row.map(|row| row.meaning).into());
        match key {
            FaultRateKey::Timed(_, mean) => {
                let default = mean.map_or("never".to_owned(), shown);
                set("default", default.into());
            }
            FaultRateKey::Chance(_, number) => {
                set("minimum", 0.into());
                set("maximum", 1000.into());
                set("default", number.into());
            }
            FaultRateKey::Rack => {
                set("minimum", 1.into());
                set("maximum", 100_000.into());
                set("default", RACK.into());
            }
        }
        schema
    }
}

/// A time in milliseconds, as it is written.
fn shown(time: u64) -> String {
    if time.is_multiple_of(1_000) { format!("{}s", time / 1_000) } else { format!("{time}ms") }
}

/// Reads the rates of faults. A rate of a fault that cannot happen is refused; a fault that can
/// happen has a rate by default.
pub(crate) fn read(
    text: &Text,
    file: &RowKeyedTable<Rates>,
    world: &World,
) -> Result<FaultRates, Problem> {
    let mut rates = FaultRates { timed: Vec::new(), chances: Vec::new(), rack: RACK };
    for row in ROWS.iter() {
        let is_allowed = row.lacks(world).is_none();
        let written = file.get(row.key);
        match row.key {
            FaultRateKey::Timed(fault, mean) => {
                let mean = match written.and_then(WrittenRate::time) {
                    None => mean.filter(|_| is_allowed),
                    Some(at) => {
                        permit(text, at, row, world)?;
                        if at.value == "never" { None } else { Some(time(text, at)?) }
                    }
                };
                rates.timed.push((fault, mean));
            }
            FaultRateKey::Chance(chance, times) => {
                let times = match written.and_then(WrittenRate::number) {
                    None => times * u32::from(is_allowed),
                    Some(at) => {
                        permit(text, at, row, world)?;
                        u32::try_from(number(text, at, 0..=1000)?).expect("it is at most 1000")
                    }
                };
                rates.chances.push((chance, times));
            }
            FaultRateKey::Rack => {
                if let Some(at) = written.and_then(WrittenRate::number) {
                    rates.rack = u32::try_from(number(text, at, 1..=100_000)?).unwrap_or(1);
                }
            }
        }
    }
    Ok(rates)
}

impl RateRow {
    /// The line that the scenario lacks for this fault to happen in `world`.
    fn lacks(&self, world: &World) -> Option<String> {
        let is_on = world.faults.switch(self.by).is_on();
        let detail = self.detail.filter(|detail| !world.detail.has(detail));
        let fault = (!is_on).then(|| format!("[faults] {} = true", self.by.key()));
        fault.or_else(|| detail.map(|detail| format!("[detail] {detail} = true")))
    }
}

impl WrittenRate {
    fn time(&self) -> Option<&Located<String>> {
        match self {
            Self::Time(at) => Some(at),
            Self::Number(_) => None,
        }
    }

    fn number(&self) -> Option<&Located<i64>> {
        match self {
            Self::Number(at) => Some(at),
            Self::Time(_) => None,
        }
    }
}

/// Checks that a fault with a rate can happen at all.
fn permit<T>(text: &Text, at: &Located<T>, row: &RateRow, world: &World) -> Result<(), Problem> {
    let Some(lacking) = row.lacks(world) else { return Ok(()) };
    let message = "this fault has a rate, but cannot strike";
    let problem = text.problem(&at.span, message, "a fault that may strike was expected");
    Err(problem.with_help(format!("allow it: {lacking}")))
}
