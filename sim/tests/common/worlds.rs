//! Worlds for random walks.

use std::path::Path;

use deathwatch_claims::{
    Claim,
    check::{self, CheckQuestion, CheckReport, SearchSettings},
};
use deathwatch_model::{
    state::State,
    world::{Command, CommandKind, Takes, World, WorldBuilder},
};
use deathwatch_scenario::{Replay, Scenario, find, load, replay};

use super::{MIXED, PAIR, good};

const STORM: &str = r#"
[faults]
crash = true
downtime = true
hardware-failure = true
undetected-hardware-failure = ["1"]
abort = true
lost-connection = true
hook-failure = true
[switch-off]
neglected = ["unit-agent.8", "machine-agent.2"]
"#;

const PAIR_USER: &str = r#"
[user]
"destroy-application mysql" = 1
"destroy-relation wordpress:db mysql:server" = 2
"integrate wordpress:db mysql:server" = 2
"destroy-unit wordpress/0" = 1
"add-unit wordpress" = "unlimited"
"destroy-machine 1" = 1
"destroy-unit --force mysql/0" = 1
"#;

const MIXED_USER: &str = r#"
[user]
"deploy mysql 1" = "unlimited"
"destroy-application mysql" = "unlimited"
"destroy-application logging" = 1
"deploy logging 0" = 1
"add-unit wordpress" = 2
"add-machine 2" = 2
"destroy-machine 0" = 1
"destroy-machine --force 0/lxc/0" = 1
"integrate wordpress:info logging:info" = 1
"integrate wordpress:db mysql:server" = 1
"destroy-relation wordpress:info logging:info" = 1
"destroy-unit wordpress/0" = 1
"destroy-unit --force wordpress/1" = 1
"#;

const OTHER_VARIANTS: &str = r#"
[variants]
relation-tracking = "leave-when-detected"
dead-while-in-scope = "allowed-and-left-on-removal"
settings-cleanup = "cleaner"
peer-relations = "with-application"
units-of-dying-application = "agents-and-cleanup"
unprovisioned-unit = "removed-directly-without-instance"
counterpart-removal = "unasserted"
last-unit-removal = "units-only"
"#;

/// Small worlds with many faults and commands.
pub(crate) fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (world, user) in [(PAIR, PAIR_USER), (MIXED, MIXED_USER)] {
        for transactions in ["split", "atomic"] {
            for variants in ["", OTHER_VARIANTS] {
                scenarios.push(good(&format!(
                    "shows = \"A walk.\"\n[world]\ntransactions = \"{transactions}\"\n\
                     {world}{user}{STORM}{variants}"
                )));
            }
        }
    }
    scenarios
}

/// The shipped scenarios whose worlds are small enough for a check of everything after each step.
pub(crate) fn small_worlds() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[folder]).expect("a folder of scenarios");
    let mut shipped: Vec<Scenario> =
        files.iter().map(|file| load(file).expect("a shipped scenario loads")).collect();
    shipped.retain(|scenario| scenario.world.units.len() + scenario.world.machines.len() < 100);
    assert!(shipped.len() > 200, "the scenarios were not found");
    shipped
}

/// The small worlds that do not say that they have more than `most` states, each with the replay of
/// its script.
pub(crate) fn of_few_states(most: u64) -> Vec<(Scenario, Replay)> {
    let few = small_worlds().into_iter().filter(|it| it.states.is_none_or(|states| states <= most));
    let replayed = |scenario| {
        let replay = replay(&scenario).expect("a script");
        (scenario, replay)
    };
    few.map(replayed).collect()
}

/// The answers to `claims` in all that can follow `start`; `None` if it cannot be searched, or has
/// more than `most` states.
pub(crate) fn search(
    world: &World,
    start: &State,
    claims: Vec<&'static Claim>,
    most: u64,
) -> Option<CheckReport> {
    let question = CheckQuestion { world, start, claims, witnesses: Vec::new(), refines: None };
    let settings = SearchSettings { max_states: Some(most), ..SearchSettings::without_limits(1) };
    check::check(&question, &settings).ok().filter(|report| report.stopped.is_none())
}

/// Every command of `world`, with any arguments that it takes.
pub(crate) fn every_command(world: &WorldBuilder) -> Vec<Command> {
    let of = |kind: &CommandKind| -> Vec<Command> {
        match kind.row().takes {
            Takes::Application(command) => world.application_ids().map(command).collect(),
            Takes::Deployment(command) => {
                let room = |id| match world.application(id) {
                    application if application.subordinate => 0,
                    application => u32::try_from(application.units.len()).expect("few"),
                };
                let deployed = |id| (0..=room(id)).map(move |units| command(id, units));
                world.application_ids().flat_map(deployed).collect()
            }
            Takes::ConstrainedDeployment(command) => {
                let sets = |id| world.constraints.listed().map(move |set| command(id, 0, set));
                world.application_ids().flat_map(sets).collect()
            }
            Takes::Constrained(command) => {
                let sets = |id| world.constraints.listed().map(move |set| command(id, set));
                world.application_ids().flat_map(sets).collect()
            }
            Takes::Reconstrained(command) => {
                let sets = |id| world.constraints.listed().map(move |set| command(id, set));
                world.machine_ids().flat_map(sets).collect()
            }
            Takes::Constraints(command) => world.constraints.listed().map(command).collect(),
            Takes::Machine(command) => world.machine_ids().map(command).collect(),
            Takes::Relation(command) => world.relation_ids().map(command).collect(),
            Takes::Unit(command) => world.unit_ids().map(command).collect(),
        }
    };
    CommandKind::ALL.iter().flat_map(of).collect()
}
