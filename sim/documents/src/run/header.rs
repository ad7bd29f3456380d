//! The header of a run: what was asked, and of which world.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Table, Tier};

/// The question, and the world that it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// The sentence on what it shows.
    pub shows: String,
    /// The clauses that it is about.
    pub rules: Vec<String>,
    /// The command that makes this run again.
    pub made_by: String,
    /// The origin of the run.
    pub origin: Origin,
    /// The number of its first steps that are the script of the scenario.
    pub script: usize,
    /// The search that found it.
    pub counts: Option<Counts>,
    /// "split" or "atomic".
    pub transactions: String,
    /// The details that are on.
    pub details: Vec<String>,
    /// The variants that are not at their defaults.
    pub variants: Table<Setting>,
    /// Whether agents know the scopes of their units by directories on their own disks.
    pub directories: bool,
    /// The assumptions.
    pub assumptions: Table<Assumption>,
    /// The fairness that is assumed of agents that act: "weak" or "strong".
    pub fairness: String,
    /// Whether that is assumed of each "agent", or of each "duty".
    pub fairness_per: String,
    /// The commands that users may give.
    pub commands: Vec<Given>,
    /// The number of users.
    pub users: usize,
    /// The faults.
    pub faults: Table<Fault>,
    /// The clauses and asserts that are switched off.
    pub switched_off: SwitchedOff,
    /// The rules of the scenario's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_rules: Vec<String>,
}

/// The origin of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Origin {
    /// The script of the scenario.
    Script,
    /// A search, which found it as a counterexample or as a witness.
    Search,
    /// A simulation.
    Seed {
        /// The seed.
        seed: u64,
    },
}

/// The size of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The greatest length of a shortest path to a state.
    pub depth: u32,
}

/// The value of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The value.
    pub value: String,
    /// Its meaning.
    pub means: String,
}

/// An assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// The assumption in a sentence.
    pub says: String,
    /// Whether it is.
    pub made: bool,
}

/// A command that users may give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The command.
    pub command: String,
    /// The greatest number of times; null is without limit.
    pub most: Option<u8>,
}

/// A switch of faults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The event that may happen.
    pub means: String,
    /// Whether it may.
    pub on: bool,
    /// The machines that it may strike, if it strikes machines.
    pub machines: Option<Vec<String>>,
}

/// The clauses and asserts that are switched off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchedOff {
    /// Clauses that nobody carries out.
    pub clauses: Vec<String>,
    /// Clauses whose asserts are not judged at the commit.
    pub asserts: Vec<String>,
    /// Duties that agents neglect.
    pub neglected: Vec<String>,
}

/// The entities that a world may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entities {
    /// The machines.
    pub machines: Table<Machine>,
    /// The applications.
    pub applications: Table<Application>,
    /// The relations.
    pub relations: Table<Relation>,
}

impl Entities {
    /// The tier and the name in "unit wordpress/0", if the world may have such an entity.
    pub fn entity(&self, text: &str) -> Option<(Tier, String)> {
        let (kind, name) = text.split_once(' ')?;
        let tiers = [Tier::Machine, Tier::Application, Tier::Unit, Tier::Relation];
        let tier = tiers.into_iter().find(|tier| tier.word() == kind)?;
        let is_there = match tier {
            Tier::Machine => self.machines.contains_key(name),
            Tier::Application => self.applications.contains_key(name),
            Tier::Unit => {
                self.applications.values().any(|it| it.units.iter().any(|unit| unit == name))
            }
            Tier::Relation => self.relations.contains_key(name),
        };
        is_there.then(|| (tier, name.to_owned()))
    }
}

/// A machine or container that may exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The machine that it is a container of.
    pub host: Option<String>,
    /// Whether it runs provisioner and cleaner.
    pub manages_model: bool,
    /// Whether it hosts units.
    pub hosts_units: bool,
}

/// An application that may exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Whether its charm is a subordinate one.
    pub subordinate: bool,
    /// The units that it may have.
    pub units: Vec<String>,
}

/// A relation that may exist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Its applications, each once.
    pub applications: Vec<String>,
    /// "global", "container" or "peer".
    pub scope: String,
}
