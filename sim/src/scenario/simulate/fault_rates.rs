//! The rates of faults: the table `[simulate.faults]`, a row for each key.
//!
//! A fault of the protocol has its row in the model. Here are the rows of what a simulation makes of
//! several faults, or of one at a certain moment.

use std::sync::LazyLock;

use deathwatch_model::world::{FaultKind, Rate, World};
use schemars::{Schema, SchemaGenerator};
use serde::de::MapAccess;

use super::read::time;
use crate::{
    problem::{Problem, Text},
    scenario::{
        known::{Known, Rows},
        value::At,
        world::number,
    },
};

/// A fault that comes by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedFault {
    /// A fault of the protocol.
    Of(FaultKind),
    /// Machines next to each other fail at once.
    RackFailure,
    /// Provisioner and cleaner are gone for a while.
    ProvisionerOutage,
    /// Every transaction on one document aborts for a while.
    AbortStorm,
}

/// A fault that takes the place of a step, or comes right after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// A fault of the protocol.
    Of(FaultKind),
    /// An agent crashes where it loses something: between plan and commit, or between entering a
    /// scope and writing its directory.
    CrashBeforeCommit,
    /// An agent crashes as soon as it was restarted.
    CrashAtRestart,
}

/// The rates of faults. Only faults that the scenario's `[faults]` allows happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRates {
    /// The mean time between two faults of a kind in the whole world, in milliseconds; `None` is
    /// never.
    pub timed: Vec<(TimedFault, Option<u64>)>,
    /// The number of times in a thousand.
    pub chances: Vec<(Chance, u32)>,
    /// The number of machines in a rack.
    pub rack: u32,
}

impl FaultRates {
    /// The mean time between two such faults, in milliseconds; `None` is never.
    pub fn every(&self, fault: TimedFault) -> Option<u64> {
        self.timed.iter().find(|(known, _)| *known == fault).and_then(|(_, mean)| *mean)
    }

    /// The number of times in a thousand that this happens.
    pub fn per_mille(&self, chance: Chance) -> u32 {
        self.chances.iter().find(|(known, _)| *known == chance).map_or(0, |(_, number)| *number)
    }
}

/// What has a key in `[simulate.faults]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Key {
    /// A mean time.
    Timed(TimedFault, Option<u64>),
    /// A number in a thousand.
    Chance(Chance, u32),
    /// The size of a rack.
    Rack,
}

/// The row of a key.
struct Row {
    name: &'static str,
    key: Key,
    /// The switch without which it cannot happen.
    by: FaultKind,
    meaning: &'static str,
}

/// The number of machines in a rack, by default.
const RACK: u32 = 4;

/// The rows of this file, each after the row of a fault of the protocol.
const OURS: [(FaultKind, Row); 6] = [
    (
        FaultKind::UndetectedHardwareFailure,
        Row {
            name: "rack-failure",
            key: Key::Timed(TimedFault::RackFailure, None),
            by: FaultKind::HardwareFailure,
            meaning: "The mean time between two failures of a rack: machines next to each other, all \
                  at once.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        Row {
            name: "rack",
            key: Key::Rack,
            by: FaultKind::HardwareFailure,
            meaning: "The number of machines in a rack.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        Row {
            name: "provisioner-outage",
            key: Key::Timed(TimedFault::ProvisionerOutage, None),
            by: FaultKind::Crash,
            meaning: "The mean time between two outages of the provisioner and the cleaner.",
        },
    ),
    (
        FaultKind::UndetectedHardwareFailure,
        Row {
            name: "abort-storm",
            key: Key::Timed(TimedFault::AbortStorm, None),
            by: FaultKind::Abort,
            meaning: "The mean time between two periods in which every transaction on one document \
                  aborts.",
        },
    ),
    (
        FaultKind::Abort,
        Row {
            name: "crash-before-commit",
            key: Key::Chance(Chance::CrashBeforeCommit, 50),
            by: FaultKind::Crash,
            meaning: "The number of times in a thousand that an agent crashes where it loses \
                  something: between\nplan and commit, or between entering a scope and writing its \
                  directory.",
        },
    ),
    (
        FaultKind::Abort,
        Row {
            name: "crash-at-restart",
            key: Key::Chance(Chance::CrashAtRestart, 100),
            by: FaultKind::Crash,
            meaning: "The number of restarts in a thousand that end in another crash.",
        },
    ),
];

/// Every row, in order.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut ours = Vec::from(OURS);
    let mut rows = Vec::new();
    for &by in FaultKind::ALL {
        rows.extend(by.row().rate.map(|(rate, meaning)| {
            let key = match rate {
                Rate::Every(mean) => Key::Timed(TimedFault::Of(by), mean),
                Rate::PerMille(number) => Key::Chance(Chance::Of(by), number),
            };
            Row { name: by.key(), key, by, meaning }
        }));
        rows.extend(ours.extract_if(.., |(after, _)| *after == by).map(|(_, row)| row));
    }
    rows
});

static KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ROWS.iter().map(|row| row.name).collect());

/// The rates of faults, as they are written.
#[derive(Debug)]
pub(crate) struct Rates;

/// A rate, as it is written.
#[derive(Debug)]
pub(crate) enum Written {
    /// A time, or "never".
    Time(At<String>),
    /// A number.
    Number(At<i64>),
}

impl Rows for Rates {
    type Key = Key;
    type Value = Written;

    const NAME: &'static str = "FaultRatesFile";
    const ABOUT: &'static str = "The rates of faults: the mean time between two in the whole \
                                 world, or \"never\"; or the number in\na thousand.";

    fn keys() -> &'static [&'static str] {
        &KEYS
    }

    fn key(index: usize) -> Key {
        ROWS[index].key
    }

    fn value<'de, A: MapAccess<'de>>(key: Key, map: &mut A) -> Result<Written, A::Error> {
        match key {
            Key::Timed(..) => map.next_value().map(Written::Time),
            Key::Chance(..) | Key::Rack => map.next_value().map(Written::Number),
        }
    }

    fn schema(key: Key, generator: &mut SchemaGenerator) -> Schema {
        let row = ROWS.iter().find(|row| row.key == key);
        let mut schema = match key {
            Key::Timed(..) => generator.subschema_for::<Option<String>>(),
            Key::Chance(..) | Key::Rack => generator.subschema_for::<Option<i64>>(),
        };
        let mut set = |key: &str, value: serde_json::Value| schema.insert(key.to_owned(), value);
        set("description", row.map(|row| row.meaning).into());
        match key {
            Key::Timed(_, mean) => {
                let default = mean.map_or("never".to_owned(), shown);
                set("default", default.into());
            }
            Key::Chance(_, number) => {
                set("minimum", 0.into());
                set("maximum", 1000.into());
                set("default", number.into());
            }
            Key::Rack => {
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
pub(super) fn read(text: &Text, file: &Known<Rates>, world: &World) -> Result<FaultRates, Problem> {
    let mut rates = FaultRates { timed: Vec::new(), chances: Vec::new(), rack: RACK };
    for row in ROWS.iter() {
        let is_allowed = world.faults.switch(row.by).is_on();
        let written = file.get(row.key);
        match row.key {
            Key::Timed(fault, mean) => {
                let mean = match written.and_then(Written::time) {
                    None => mean.filter(|_| is_allowed),
                    Some(at) => {
                        permit(text, at, row.by, is_allowed)?;
                        if at.value == "never" { None } else { Some(time(text, at)?) }
                    }
                };
                rates.timed.push((fault, mean));
            }
            Key::Chance(chance, times) => {
                let times = match written.and_then(Written::number) {
                    None => times * u32::from(is_allowed),
                    Some(at) => {
                        permit(text, at, row.by, is_allowed)?;
                        u32::try_from(number(text, at, 0..=1000)?).expect("it is at most 1000")
                    }
                };
                rates.chances.push((chance, times));
            }
            Key::Rack => {
                if let Some(at) = written.and_then(Written::number) {
                    rates.rack = u32::try_from(number(text, at, 1..=100_000)?).unwrap_or(1);
                }
            }
        }
    }
    Ok(rates)
}

impl Written {
    fn time(&self) -> Option<&At<String>> {
        match self {
            Self::Time(at) => Some(at),
            Self::Number(_) => None,
        }
    }

    fn number(&self) -> Option<&At<i64>> {
        match self {
            Self::Number(at) => Some(at),
            Self::Time(_) => None,
        }
    }
}

/// Checks that a fault with a rate can happen at all.
fn permit<T>(text: &Text, at: &At<T>, by: FaultKind, is_allowed: bool) -> Result<(), Problem> {
    if is_allowed {
        return Ok(());
    }
    let message = "this fault has a rate, but cannot strike";
    let problem = text.problem(&at.span, message, "a fault that may strike was expected");
    Err(problem.with_help(format!("allow it: [faults] {} = true", by.key())))
}
