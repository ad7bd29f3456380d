//! The result of one seed, as a journal keeps it.

use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::world::World;
use deathwatch_scenario::describe;
use deathwatch_simulator::stats::Stats;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::simulate::{SeedRun, Simulation, SimulationEnd};

/// The result of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedResult {
    pub seed: u64,
    pub end: Ended,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<Violated>,
    pub stats: Stats,
    /// A hash of all that was enabled and chosen, and when.
    #[serde(serialize_with = "write_hex", deserialize_with = "read_hex")]
    pub digest: u64,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    Settled,
    /// The calm did not settle, as these actions kept repeating.
    Unsettled(String),
    /// Its second run differed from the first, which is a defect of this program; says how.
    Diverged(String),
}

/// A violated claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Violated {
    pub claim: String,
    /// The document that violates it, as in "unit mysql/0".
    pub subject: String,
    /// The number of steps up to the violation.
    pub step: u64,
    /// The diagnosis of a claim about what must follow.
    pub wait_for: Option<WaitFor>,
    /// The rule of the step that violates it, if it is about states or steps.
    pub rule: Option<String>,
}

impl Violated {
    /// Its diagnosis in sentences without full stops, the roots first.
    pub fn sentences(&self) -> Vec<String> {
        self.wait_for.as_ref().map_or_else(Vec::new, WaitFor::sentences)
    }
}

impl SeedResult {
    /// The result of `run` in `world`.
    pub fn of(world: &World, run: SeedRun) -> Self {
        let violated = |it: crate::simulate::SeedViolation| Violated {
            claim: it.claim.name.to_owned(),
            subject: describe::subject_of(world, it.claim, it.subject),
            step: it.step,
            wait_for: it.wait_for,
            rule: it.rule.map(|rule| rule.name().to_owned()),
        };
        Self {
            seed: run.seed,
            end: match run.end {
                SimulationEnd::Settled => Ended::Settled,
                SimulationEnd::Unsettled(why) => Ended::Unsettled(why),
            },
            violations: run.violations.into_iter().map(violated).collect(),
            stats: run.stats,
            digest: run.digest,
        }
    }

    /// Runs `seed`; `None` if `stop` said so.
    pub fn by_running(
        simulation: &Simulation<'_>,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        simulation.run(seed, stop).map(|run| Self::of(&simulation.drawn(seed).world, run))
    }

    /// Runs `seed` twice; `None` if `stop` said so.
    pub fn by_verifying(
        simulation: &Simulation<'_>,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        Some(match simulation.verify(seed, stop)? {
            Ok(run) => Self::of(&simulation.drawn(seed).world, run),
            Err(divergence) => Self {
                seed,
                end: Ended::Diverged(format!("step {}: {}", divergence.step, divergence.differed)),
                violations: Vec::new(),
                stats: Stats::default(),
                digest: 0,
            },
        })
    }
}

/// A number as sixteen hexadecimal digits: some programs that read JSON keep only 53 bits of a
/// number.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn write_hex<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
    format!("{number:016x}").serialize(to)
}

fn read_hex<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let text = String::deserialize(from)?;
    u64::from_str_radix(&text, 16).map_err(D::Error::custom)
}
