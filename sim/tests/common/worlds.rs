//! Worlds for random walks and for searches.

use std::path::Path;

use deathwatch_claims::{
    Claim,
    check::{self, CheckQuestion, CheckReport, SearchSettings},
};
use deathwatch_model::{
    ids::EntityId,
    state::State,
    world::{
        Command, CommandArgument, CommandArguments, CommandKind, CommandParameter, World,
        WorldBuilder,
    },
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
/// Their questions for every number of units are removed: these take some a thousand times as long
/// as their states, and have tests of their own.
pub(crate) fn small_worlds() -> Vec<Scenario> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let files = find(&[folder]).expect("a folder of scenarios");
    let mut shipped: Vec<Scenario> =
        files.iter().map(|file| load(file).expect("a shipped scenario loads")).collect();
    for scenario in &mut shipped {
        scenario.any_size = None;
    }
    shipped.retain(|scenario| scenario.world.units.len() + scenario.world.machines.len() < 100);
    assert!(shipped.len() > 200, "the scenarios were not found");
    shipped
}

/// The small worlds whose files state no more than `most` states or no number, each with the replay
/// of its script.
pub(crate) fn of_few_states(most: u64) -> Vec<(Scenario, Replay)> {
    let few = small_worlds().into_iter().filter(|it| it.states.is_none_or(|states| states <= most));
    let replayed = |scenario| {
        let replay = replay(&scenario).expect("a script");
        (scenario, replay)
    };
    few.map(replayed).collect()
}

/// The answers to `claims` in a search from `start`; `None` if it cannot be searched, or has more
/// than `most` states.
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
    let room = |given: &CommandArguments| match given {
        [Some(CommandArgument::Entity(EntityId::Application(id))), ..] => {
            match world.application(*id) {
                application if application.subordinate => 0,
                application => u32::try_from(application.units.len()).expect("few"),
            }
        }
        _ => 0,
    };
    let entities = |ids: Vec<EntityId>| ids.into_iter().map(CommandArgument::Entity).collect();
    let arguments = |parameter: CommandParameter, given: &CommandArguments| -> Vec<_> {
        match parameter {
            CommandParameter::Application => {
                entities(world.application_ids().map(EntityId::Application).collect())
            }
            CommandParameter::Machine => {
                entities(world.machine_ids().map(EntityId::Machine).collect())
            }
            CommandParameter::Relation => {
                entities(world.relation_ids().map(EntityId::Relation).collect())
            }
            CommandParameter::Unit => entities(world.unit_ids().map(EntityId::Unit).collect()),
            CommandParameter::Units => (0..=room(given)).map(CommandArgument::Units).collect(),
            CommandParameter::Constraints => {
                world.constraints.listed().map(CommandArgument::Constraints).collect()
            }
        }
    };
    let of = |kind: &CommandKind| -> Vec<Command> {
        let mut lists = vec![CommandArguments::default()];
        for (at, parameter) in kind.row().takes.iter().enumerate() {
            let longer = lists.iter().flat_map(|given| {
                arguments(*parameter, given).into_iter().map(move |argument| {
                    let mut given = *given;
                    given[at] = Some(argument);
                    given
                })
            });
            lists = longer.collect();
        }
        lists.iter().map(|given| kind.with(*given).expect("it takes them")).collect()
    };
    CommandKind::ALL.iter().flat_map(of).collect()
}
