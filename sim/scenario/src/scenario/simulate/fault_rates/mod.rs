//! The rates of faults: the table `[simulate.faults]`, a row for each key.
//!
//! A fault of the protocol has its row in the model. Here are the rows of what a simulation makes
//! of several faults, or of one at a certain moment. `form` has the form of the table, and reads
//! it.

mod form;

use std::sync::LazyLock;

use deathwatch_model::world::{Details, FaultKind, Rate};
use deathwatch_simulator::settings::{Chance, TimedFault};

pub(crate) use self::form::{Rates, read};

/// A key of `[simulate.faults]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultRateKey {
    Timed(TimedFault, Option<u64>),
    Chance(Chance, u32),
    Rack,
}

struct RateRow {
    name: &'static str,
    key: FaultRateKey,
    /// The switch without which it cannot happen.
    by: FaultKind,
    /// The detail without which it cannot happen, either.
    detail: Option<&'static str>,
    meaning: &'static str,
}

/// The number of machines in a rack, by default.
const RACK: u32 = 4;

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
static ROWS: LazyLock<Vec<RateRow>> = LazyLock::new(|| {
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
