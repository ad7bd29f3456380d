//! The header of a recording: what was asked, and of which world.

use deathwatch_model::{
    clause::Clause,
    ids::MachineId,
    variants::Variants,
    world::{self, FaultKind, Per, Scope, Switch, Transactions, World},
};
use schemars::JsonSchema;
use serde::Serialize;

use super::data::{Table, Tier};
use deathwatch_scenario::scenario::{Scenario, display};

/// What was asked, and of which world.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// What it shows.
    pub shows: String,
    /// The clauses that it is about.
    pub rules: Vec<String>,
    /// The command that makes this run again.
    pub made_by: String,
    /// Where the run comes from.
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
    /// What is switched off.
    pub switched_off: SwitchedOff,
}

/// Where a run comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The value.
    pub value: String,
    /// What it means.
    pub means: String,
}

/// An assumption.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Assumption {
    /// What is assumed.
    pub says: String,
    /// Whether it is.
    pub made: bool,
}

/// A command that users may give.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The command.
    pub command: String,
    /// How often; null is without limit.
    pub most: Option<u8>,
}

/// A switch of faults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What may happen.
    pub means: String,
    /// Whether it may.
    pub on: bool,
    /// The machines that it may strike, if it strikes machines.
    pub machines: Option<Vec<String>>,
}

/// What is switched off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Whether its charm is a subordinate one.
    pub subordinate: bool,
    /// The units that it may have.
    pub units: Vec<String>,
}

/// A relation that may exist.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Its applications, each once.
    pub applications: Vec<String>,
    /// "global", "container" or "peer".
    pub scope: String,
}

impl Header {
    /// The header of a run of `scenario`.
    pub(super) fn of(
        scenario: &Scenario,
        made_by: &str,
        origin: Origin,
        script: usize,
        counts: Option<Counts>,
    ) -> Self {
        let world = &scenario.world;
        let names = |clauses: &mut dyn Iterator<Item = Clause>| -> Vec<String> {
            clauses.map(|clause| clause.to_string()).collect()
        };
        let those =
            |is_in: &dyn Fn(Clause) -> bool| names(&mut Clause::all().filter(|it| is_in(*it)));
        Self {
            scenario: scenario.name.clone(),
            file: display(&scenario.path),
            shows: scenario.shows.clone(),
            rules: names(&mut scenario.rules.iter().copied()),
            made_by: made_by.to_owned(),
            origin,
            script,
            counts,
            transactions: match world.transactions {
                Transactions::Split => "split".to_owned(),
                Transactions::Atomic => "atomic".to_owned(),
            },
            details: world.detail.on().map(str::to_owned).collect(),
            variants: variants(&world.variants),
            assumptions: assumptions(world),
            fairness: if world.assumptions.strong { "strong" } else { "weak" }.to_owned(),
            fairness_per: match world.assumptions.per {
                Per::Agent => "agent".to_owned(),
                Per::Duty => "duty".to_owned(),
            },
            commands: commands(world),
            users: world.user_ids().count(),
            faults: FaultKind::ALL.iter().map(|kind| fault(world, *kind)).collect(),
            switched_off: SwitchedOff {
                clauses: those(&|it| world.without.contains(it)),
                asserts: those(&|it| world.unasserted.contains(it)),
                neglected: those(&|it| world.neglected.contains(it)),
            },
        }
    }
}

fn variants(variants: &Variants) -> Table<Setting> {
    let changed = variants.changed().into_iter().map(|(name, value)| {
        let infos = Variants::LIST.iter().filter(|info| info.name == name);
        let mut values = infos.flat_map(|info| info.values);
        let means = values.find(|(known, _)| *known == value).map_or("", |(_, means)| means);
        (name.to_owned(), Setting { value, means: means.to_owned() })
    });
    changed.collect()
}

fn assumptions(world: &World) -> Table<Assumption> {
    let all = world::Assumption::ALL.iter().map(|it| {
        let (row, made) = (it.row(), it.is_made(&world.assumptions));
        (row.key.to_owned(), Assumption { says: row.says.to_owned(), made })
    });
    all.collect()
}

fn commands(world: &World) -> Vec<Given> {
    let commands = world.commands.iter();
    let given =
        |it: &world::Allowed| Given { command: world.show_command(it.command), most: it.most };
    commands.map(given).collect()
}

fn fault(world: &World, kind: FaultKind) -> (String, Fault) {
    let switch = world.faults.switch(kind);
    let names = |ids: &[MachineId]| ids.iter().map(|id| world.machine(*id).name.clone()).collect();
    let machines = match switch {
        Switch::Whole(_) => None,
        Switch::For(ids) => Some(names(ids)),
    };
    let means = kind.row().meaning.to_owned();
    (kind.key().to_owned(), Fault { means, on: switch.is_on(), machines })
}

impl Entities {
    /// The entities that `world` may have.
    pub(super) fn of(world: &World) -> Self {
        let machines = world.machines.iter().map(|it| {
            let host = it.parent.map(|id| world.machine(id).name.clone());
            let (manages_model, hosts_units) = (it.manages_model, it.hosts_units);
            (it.name.clone(), Machine { host, manages_model, hosts_units })
        });
        let applications = world.applications.iter().map(|it| {
            let units = it.units().map(|id| world.unit(id).name.clone()).collect();
            (it.name.clone(), Application { subordinate: it.subordinate, units })
        });
        let relations = world.relations.iter().map(|it| {
            let ends = it.applications().map(|id| world.application(id).name.clone());
            let scope = match it.scope {
                Scope::Global => "global",
                Scope::Container => "container",
                Scope::Peer => "peer",
            };
            let scope = scope.to_owned();
            (it.name.clone(), Relation { applications: ends.collect(), scope })
        });
        Self {
            machines: machines.collect(),
            applications: applications.collect(),
            relations: relations.collect(),
        }
    }
}
