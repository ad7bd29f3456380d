//! The form of the table `[simulate.faults]`: a row for each key, and what may stand there.
//!
//! A fault of the protocol has its row in the model. Here are the rows of what a simulation makes
//! of several faults, or of one at a certain moment.

use std::sync::LazyLock;

use deathwatch_model::world::{Details, FaultKind, Rate};
use deathwatch_simulator::settings::{Chance, TimedFault};
use schemars::{Schema, SchemaGenerator};
use serde::de::MapAccess;

use super::known::Rows;
use crate::scenario::value::Located;

/// A key of `[simulate.faults]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultRateKey {
    Timed(TimedFault, Option<u64>),
    Chance(Chance, u32),
    Rack,
}

pub(in crate::scenario) struct RateRow {
    pub(in crate::scenario) name: &'static str,
    pub(in crate::scenario) key: FaultRateKey,
    /// The switch without which it cannot happen.
    pub(in crate::scenario) by: FaultKind,
    /// The detail without which it cannot happen, either.
    pub(in crate::scenario) detail: Option<&'static str>,
    pub(in crate::scenario) meaning: &'static str,
}

/// The number of machines in a rack, by default.
pub(in crate::scenario) const RACK: u32 = 4;

/// The rows of this file, each after the row of a fault of the protocol.
const OURS: [(FaultKind, RateRow); 7] = [
    (
        FaultKind::UndetectedHardwareFailure,
        RateRow {
            name: "rack-failure",
            key: FaultRateKey::Timed(TimedFault::RackFailure, None),
            by: FaultKind::HardwareFailure,
            detail: None,
            meaning: "The mean time between two failures of a rack: machines next to each other, all \
                  at once.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        RateRow {
            name: "rack",
            key: FaultRateKey::Rack,
            by: FaultKind::HardwareFailure,
            detail: None,
            meaning: "The number of machines in a rack.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        RateRow {
            name: "provisioner-outage",
            key: FaultRateKey::Timed(TimedFault::ProvisionerOutage, None),
            by: FaultKind::Crash,
            detail: None,
            meaning: "The mean time between two outages of the provisioner and the cleaner.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        RateRow {
            name: "abort-storm",
            key: FaultRateKey::Timed(TimedFault::AbortStorm, None),
            by: FaultKind::Abort,
            detail: None,
            meaning: "The mean time between two periods in which every transaction on one document \
                  aborts.",
        },
    ),
    (
        FaultKind::Abort,
        RateRow {
            name: "crash-before-commit",
            key: FaultRateKey::Chance(Chance::CrashBeforeCommit, 50),
            by: FaultKind::Crash,
            detail: None,
            meaning: "The number of times in a thousand that an agent crashes where it loses \
                  something: between\nplan and commit, or between entering a scope and writing its \
                  directory.",
        },
    ),
    (
        FaultKind::Abort,
        RateRow {
            name: "crash-at-restart",
            key: FaultRateKey::Chance(Chance::CrashAtRestart, 100),
            by: FaultKind::Crash,
            detail: None,
            meaning: "The number of restarts in a thousand that end in another crash.",
        },
    ),
    (
        FaultKind::UnitHookFailure,
        RateRow {
            name: "named-hook-failure",
            key: FaultRateKey::Chance(Chance::NamedHookFailure, 100),
            by: FaultKind::UnitHookFailure,
            detail: Some("hooks"),
            meaning: "The number of a unit's own hooks in a thousand that fail, of those that have a name.",
        },
    ),
];

/// All rows, in order.
pub(in crate::scenario) static ROWS: LazyLock<Vec<RateRow>> = LazyLock::new(|| {
    let mut ours = Vec::from(OURS);
    let mut rows = Vec::new();
    for &by in FaultKind::ALL {
        rows.extend(by.row().rate.map(|(rate, meaning)| {
            let key = match rate {
                Rate::Every(mean) => FaultRateKey::Timed(TimedFault::Of(by), mean),
                Rate::PerMille(number) => FaultRateKey::Chance(Chance::Of(by), number),
            };
            RateRow { name: by.key(), key, by, detail: by.row().needs, meaning }
        }));
        rows.extend(ours.extract_if(.., |(after, _)| *after == by).map(|(_, row)| row));
    }
    rows
});

/// The keys that mean nothing with these details.
pub(crate) fn rates_lacking(details: Details) -> impl Iterator<Item = &'static str> {
    let rows = ROWS.iter().filter(move |row| row.detail.is_some_and(|it| !details.has(it)));
    rows.map(|row| row.name)
}

static KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().map(|row| row.name).collect());

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

impl WrittenRate {
    pub(in crate::scenario) fn time(&self) -> Option<&Located<String>> {
        match self {
            Self::Time(at) => Some(at),
            Self::Number(_) => None,
        }
    }

    pub(in crate::scenario) fn number(&self) -> Option<&Located<i64>> {
        match self {
            Self::Number(at) => Some(at),
            Self::Time(_) => None,
        }
    }
}
