//! The reader of `[simulate]`: times, rates, and whether a fault with a rate can happen at all.

use std::ops::RangeInclusive;

use deathwatch_claims::Claim;
use deathwatch_model::world::World;
use deathwatch_simulator::settings::{Latency, PerCommand, SimulationSettings};

use super::{
    fault_rates,
    time::{milliseconds, time},
};
use crate::{
    problem::{Problem, Text},
    scenario::{
        Expected, claims,
        form::{LatencyFile, SimulateFile},
        names::no_duplicates,
        value::Located,
    },
};

/// The simulation of a scenario: rates, steps, and the worlds that seeds draw.
#[derive(Clone, Debug)]
pub struct Simulate {
    /// Whether the scenario has the table, and so is meant to be simulated.
    pub is_given: bool,
    /// The seeds that once failed. They run first.
    pub seeds: Vec<u64>,
    /// Whether each seed draws which of the details of the world are on.
    pub draws_details: bool,
    /// The settings from which its runs are drawn.
    pub settings: SimulationSettings,
    /// The claims and the answers expected of a sweep, if they are not those of `check`.
    pub claims: Option<Vec<(&'static Claim, Expected)>>,
}

/// Reads the settings of the simulation of `world`.
pub(crate) fn read(
    text: &Text,
    file: Option<&SimulateFile>,
    world: &World,
    own: &[&'static Claim],
) -> Result<Simulate, Problem> {
    let default = SimulateFile::default();
    let (is_given, file) = (file.is_some(), file.unwrap_or(&default));
    no_duplicates(text, &file.seeds)?;
    let mut seeds = Vec::new();
    for seed in &file.seeds {
        let Ok(number) = u64::try_from(seed.value) else {
            return Err(text.problem(&seed.span, "a seed is not negative", "expected a seed"));
        };
        seeds.push(number);
    }
    let claims = match &file.claims {
        None => None,
        Some(file) => Some(claims::claims(text, file, own, world.detail, None)?),
    };
    Ok(Simulate {
        is_given,
        seeds,
        draws_details: file.draw_details.as_ref().is_some_and(|draws| draws.value),
        settings: settings(text, file, world)?,
        claims,
    })
}

fn settings(
    text: &Text,
    file: &SimulateFile,
    world: &World,
) -> Result<SimulationSettings, Problem> {
    Ok(SimulationSettings {
        swarm: file.swarm,
        storm: time_or(text, file.storm.as_ref(), 10_000)?,
        calm_steps: file.calm_steps.unwrap_or_else(|| enough_steps(world)),
        workload: file.workload,
        rates: PerCommand::of(|kind| {
            file.rates.get(kind).map_or(kind.row().weight, |weight| *weight).into()
        }),
        pause: range_or(text, file.pause.as_ref(), 1..=1_000)?,
        faults: fault_rates::read(text, &file.faults, world)?,
        latency: latency(text, &file.latency)?,
    })
}

/// The default bound on the steps of the calm: more than any world of this size has been seen to
/// need in order to settle.
fn enough_steps(world: &World) -> u64 {
    100_000 + 200 * (world.machines.len() + world.units.len()) as u64
}

fn latency(text: &Text, file: &LatencyFile) -> Result<Latency, Problem> {
    Ok(Latency {
        watch: range_or(text, file.watch.as_ref(), 1..=100)?,
        transaction: range_or(text, file.transaction.as_ref(), 1..=50)?,
        step: range_or(text, file.step.as_ref(), 1..=20)?,
        hook: range_or(text, file.hook.as_ref(), 10..=2_000)?,
        named_hook: range_or(text, file.named_hook.as_ref(), 100..=5_000)?,
        restart: range_or(text, file.restart.as_ref(), 100..=2_000)?,
        operator: range_or(text, file.operator.as_ref(), 1_000..=10_000)?,
        instance: range_or(text, file.instance.as_ref(), 100..=2_000)?,
        outage: range_or(text, file.outage.as_ref(), 1_000..=20_000)?,
    })
}

fn time_or(text: &Text, at: Option<&Located<String>>, default: u64) -> Result<u64, Problem> {
    at.map_or(Ok(default), |at| time(text, at))
}

fn range_or(
    text: &Text,
    at: Option<&Located<String>>,
    default: RangeInclusive<u64>,
) -> Result<RangeInclusive<u64>, Problem> {
    let Some(at) = at else { return Ok(default) };
    let expected = "a time, or two with .. between them, was expected: \"10ms\", \"1s..2m\"";
    let (first, last) = at.value.split_once("..").unwrap_or((&at.value, &at.value));
    match (milliseconds(first), milliseconds(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        (Some(_), Some(_)) => {
            Err(text.problem(&at.span, "the times are in the wrong order", expected))
        }
        _ => Err(text.problem(&at.span, format!("`{}` is not a time", at.value), expected)),
    }
}
