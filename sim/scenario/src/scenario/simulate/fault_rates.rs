//! The reader of the table `[simulate.faults]`.

use deathwatch_model::world::World;
use deathwatch_simulator::settings::FaultRates;

use super::time::time;
use crate::{
    problem::{Problem, Text},
    scenario::{
        form::{FaultRateKey, RACK, ROWS, RateRow, Rates, RowKeyedTable, WrittenRate},
        value::Located,
        world::number,
    },
};

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

/// Checks that a fault with a rate can happen at all.
fn permit<T>(text: &Text, at: &Located<T>, row: &RateRow, world: &World) -> Result<(), Problem> {
    let Some(lacking) = row.lacks(world) else { return Ok(()) };
    let message = "this fault has a rate, but cannot strike";
    let problem = text.problem(&at.span, message, "a fault that may strike was expected");
    Err(problem.with_help(format!("allow it: {lacking}")))
}
