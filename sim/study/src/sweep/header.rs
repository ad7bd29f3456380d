//! The header: the question of a sweep. It is the first line of a journal, and identifies the
//! sweep.
//!
//! The header holds all that a report says besides the results, so that journals can be merged
//! without the scenarios.

use std::{collections::BTreeSet, fmt};

use deathwatch_claims::{Claim, ClaimKind};
use deathwatch_model::world::{Details, FaultKind};
use deathwatch_scenario::{Expected, replay::Replay, shell::quoted};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{
    plan::SweepPlan,
    result::SeedResult,
    seeds::{GREATEST, Seeds, Shard},
};
use crate::{
    journal::{self, JournalFormat},
    simulate::Simulation,
};

/// The description of a sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepHeader {
    form: JournalFormat,
    pub seeds: Seeds,
    /// The shard of them that is run.
    pub shard: Shard,
    /// The condition under which a scenario is done.
    pub until: Until,
    /// Whether each seed is run twice.
    pub verify: bool,
    pub scenarios: Vec<About>,
}

/// The condition under which a scenario is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// The sweep is done at the first seed, in the order of the plan, that violates a claim
    /// unexpectedly.
    FirstSurprise,
    End,
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FirstSurprise => "that ends with the first surprise",
            Self::End => "that goes on after surprises",
        })
    }
}

/// The scenario, as a report describes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub scenario: String,
    pub file: String,
    pub(super) text: String,
    /// The variants that the command sets, as in "relation-tracking=remote-scope".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// The seeds that are known to have failed.
    pub known: Vec<u64>,
    /// The claims, each with the answer that is expected of all seeds together.
    #[serde(serialize_with = "write_claims", deserialize_with = "read_claims")]
    pub claims: Vec<(&'static Claim, Expected)>,
    /// The expectations that its script does not meet.
    pub failures: Vec<String>,
    /// Whether its script cannot go on: then no seed is run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    pub details: Vec<String>,
    /// The faults that seeds may have.
    pub faults: Vec<String>,
    /// The selections of details that its seeds draw; none, if they draw nothing.
    pub draws: Vec<Vec<String>>,
    /// The names of the rules of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

impl SweepHeader {
    pub fn new(seeds: Seeds, shard: Shard, until: Until, scenarios: Vec<About>) -> Self {
        let form = JournalFormat::of(<Self as journal::JournalHeader>::COMMAND);
        Self { form, seeds, shard, until, verify: false, scenarios }
    }

    /// The plan of a scenario, which must be one of this sweep.
    pub fn plan(&self, about: &About) -> SweepPlan {
        if about.is_cut {
            return SweepPlan::new(&[], &Seeds::default(), self.shard);
        }
        SweepPlan::new(&about.known, &self.seeds, self.shard)
    }

    fn says_verified(&self) -> &'static str {
        if self.verify { "seeds that are run twice" } else { "seeds that are run once" }
    }
}

impl journal::JournalHeader for SweepHeader {
    const COMMAND: &'static str = "simulate";
    const OF: &'static str = "sweep";
    const DEPENDS: &'static str = "a run depends on its scenario, its seed";
    const SURE: u32 = 256;
    type Result = SeedResult;

    fn whole(&self) -> Self {
        Self { shard: Shard::WHOLE, ..self.clone() }
    }

    fn scenarios(&self) -> usize {
        self.scenarios.len()
    }

    fn subject(&self, scenario: usize, seed: u64) -> String {
        format!("seed {seed} of {}", self.scenarios[scenario].scenario)
    }

    fn difference(&self, other: &Self) -> Option<String> {
        let names = |header: &Self| -> Vec<String> {
            header.scenarios.iter().map(|about| about.scenario.clone()).collect()
        };
        if names(self) != names(other) {
            return Some(format!("other scenarios, {}", names(self).join(", ")));
        }
        let mut pairs = self.scenarios.iter().zip(&other.scenarios);
        if let Some(difference) = pairs.find_map(|(mine, theirs)| mine.difference(theirs)) {
            return Some(difference);
        }
        let settings = [
            (self.seeds != other.seeds, format!("other seeds, {}", self.seeds)),
            (self.shard != other.shard, format!("shard {}", self.shard)),
            (self.until != other.until, format!("a sweep {}", self.until)),
            (self.verify != other.verify, self.says_verified().to_owned()),
        ];
        settings.into_iter().find_map(|(differs, says)| differs.then_some(says))
    }

    fn grows_to(&self, later: &Self) -> bool {
        let grown = Self { seeds: later.seeds.clone(), ..self.clone() };
        self.seeds.are_among(&later.seeds) && grown.difference(later).is_none()
    }

    fn validate(&self) -> Result<(), &'static str> {
        if !self.seeds.is_in_order() {
            return Err("its seeds overlap or are not in order");
        }
        let is_wrong = |about: &About| {
            let claims = about.claims.iter().map(|(claim, _)| claim.name);
            let is_great = about.known.iter().any(|it| *it > GREATEST);
            has_twice(claims) || has_twice(&about.known) || is_great
        };
        if self.scenarios.iter().any(is_wrong) {
            return Err("a claim or a known seed is there twice, or too great");
        }
        Ok(())
    }

    fn key(&self, scenario: usize, result: &SeedResult) -> Result<u64, String> {
        let (about, seed) = (&self.scenarios[scenario], result.seed);
        if self.plan(about).position(seed).is_none() {
            return Err(format!("seed {seed} does not belong to it"));
        }
        for (index, violated) in result.violations.iter().enumerate() {
            if about.claim(&violated.claim).is_none() {
                return Err("it is about a claim that is not asked".to_owned());
            }
            if result.violations[..index].iter().any(|it| it.claim == violated.claim) {
                return Err("it names a claim twice".to_owned());
            }
        }
        Ok(seed)
    }
}

impl About {
    /// The description of the scenario that is simulated, whose script led to `replay`.
    pub fn new(simulation: &Simulation<'_>, replay: &Replay) -> Self {
        let scenario = simulation.scenario;
        let names = |details: Details| details.on().map(str::to_owned).collect();
        let faults = FaultKind::ALL.iter().filter(|kind| simulation.can_have(**kind));
        Self {
            scenario: scenario.name.clone(),
            file: scenario.address.to_string(),
            text: format!("{:016x}", digest(scenario.source().as_bytes())),
            set: scenario.set().map(|(name, value)| format!("{name}={value}")).collect(),
            known: simulation.known_seeds().to_vec(),
            claims: simulation.claims.clone(),
            failures: replay.failures.iter().map(ToString::to_string).collect(),
            is_cut: replay.is_cut,
            details: names(scenario.world.detail),
            faults: faults.map(|kind| kind.key().to_owned()).collect(),
            draws: simulation.draws().map(names).collect(),
            rules: scenario.world.own_rules.clauses().map(|(_, name)| name.to_owned()).collect(),
        }
    }

    /// The first thing in which `self` differs from `other`, a scenario of the same name, as the
    /// end of "it is of …".
    pub fn difference(&self, other: &Self) -> Option<String> {
        let names = |about: &Self| -> Vec<(&str, Expected)> {
            about.claims.iter().map(|(claim, expected)| (claim.name, *expected)).collect()
        };
        let what = [
            (self.text != other.text, "another text"),
            (self.set != other.set, "other variants"),
            (self.known != other.known, "other known seeds"),
            (names(self) != names(other), "other claims"),
            (self.failures != other.failures, "another end of the script"),
            (self.file != other.file, "another file"),
        ];
        let (_, what) = what.into_iter().find(|(differs, _)| *differs)?;
        Some(format!("{what} of {}", self.scenario))
    }

    /// The scenario's name as words of a command line.
    pub(super) fn words(&self) -> String {
        let mut words = vec![quoted(&self.file)];
        words.extend(self.set.iter().map(|it| format!("--set {it}")));
        words.join(" ")
    }

    /// The number of the claim called `name`, and the expected answer.
    pub(super) fn claim(&self, name: &str) -> Option<(usize, Expected)> {
        let at = self.claims.iter().position(|(claim, _)| claim.name == name)?;
        Some((at, self.claims[at].1))
    }
}

fn has_twice<T: Ord>(all: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    !all.into_iter().all(|it| seen.insert(it))
}

/// The Fowler-Noll-Vo hash of `bytes`: the same on every machine, in every version.
pub fn digest(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

fn write_claims<S: Serializer>(
    claims: &[(&'static Claim, Expected)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(claims.iter().map(|(claim, expected)| {
        let name = claim.name.to_owned();
        if claim.is_own() {
            Recorded::Own(name, *expected, claim.kind().name().to_owned())
        } else {
            Recorded::BuiltIn(name, *expected)
        }
    }))
}

fn read_claims<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(&'static Claim, Expected)>, D::Error> {
    let claims = Vec::<Recorded>::deserialize(from)?.into_iter();
    let known = |recorded: Recorded| {
        let (claim, name, expected) = match recorded {
            Recorded::BuiltIn(name, expected) => (deathwatch_claims::named(&name), name, expected),
            Recorded::Own(name, expected, kind) => {
                (ClaimKind::named(&kind).map(|kind| Claim::recorded(&name, kind)), name, expected)
            }
        };
        let claim = claim.ok_or_else(|| D::Error::custom(format!("no such claim: `{name}`")))?;
        Ok((claim, expected))
    };
    claims.map(known).collect()
}

/// A claim in a journal, and the answer that is expected; one of the scenario's own with its kind,
/// as only the scenario has more of it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Recorded {
    Own(String, Expected, String),
    BuiltIn(String, Expected),
}
