//! Replays: scripts are carried out as the protocol says, and unmet expectations are reported.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{clause::Clause, world::Command};
use deathwatch_scenario::{Scenario, describe, replay};

use crate::common::{MIXED, PAIR, good};

/// Snapshots without the expression that made them.
fn plain() -> insta::internals::SettingsBindDropGuard {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind_to_scope()
}

/// The transcript, and then the unmet expectations.
fn told(scenario: &Scenario) -> String {
    let replay = replay(scenario).expect("every step is possible");
    let failures: Vec<String> = replay.failures.iter().map(ToString::to_string).collect();
    format!("{}---\n{}", replay.transcript, failures.join("\n"))
}

#[test]
fn a_world_begins_as_it_is_described() {
    let _plain = plain();
    let scenario = good(&format!("shows = \"Everything.\"{MIXED}"));
    let documents = EntityId::all(&scenario.world)
        .map(|subject| describe::document(&scenario.world, &scenario.start, subject));
    insta::assert_snapshot!(documents.collect::<Vec<_>>().join("\n"));
}

#[test]
fn entities_keep_the_order_of_the_file() {
    let scenario = good(
        "shows = \"Order.\"\n[world.machines]\n10 = {}\n9 = {}\n\"9/lxc/0\" = { host = \"9\" }\n1 = {}\n",
    );
    let names: Vec<&str> = scenario.world.machines.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["10", "9", "9/lxc/0", "1"]);
}

#[test]
fn a_scenario_has_what_its_file_says() {
    let scenario = good(&format!(
        r#"
shows = "Everything that can be said."
rules = ["leave-scope", "remove-unit.4"]
witnesses = ["leave-scope", "remove-unit.4"]
{MIXED}
[world]
transactions = "split"
tries = 2
[variants]
relation-tracking = "remote-scope"
[user]
"deploy mysql 1" = "unlimited"
"destroy-unit --force wordpress/0" = 2
"destroy-machine --force 1" = 1
[faults]
crash = true
hardware-failure = true
undetected-hardware-failure = ["1", "0"]
[assume]
agents-act = false
per = "duty"
strong = true
[switch-off]
clauses = ["unit-agent.9"]
asserts = ["remove-unit.4"]
neglected = ["unit-agent.8"]
[claims]
all = "vacuous"
"a Dying unit is removed" = "violated"
[check]
states = 4711
"#
    ));
    let clause = |name: &str| Clause::named(name).expect("it exists");
    assert_eq!((scenario.name.as_str(), scenario.shows.len()), ("test", 28));
    assert_eq!((scenario.rules.len(), scenario.rules[6]), (7, clause("remove-unit.4")));
    assert_eq!(scenario.witnesses, [clause("leave-scope.1"), clause("remove-unit.4")]);
    let world = &scenario.world;
    assert_eq!((world.tries, world.faults.hardware_failure.len()), (2, 4));
    assert_eq!(world.faults.undetected_hardware_failure.len(), 2);
    assert!(world.faults.undetected_hardware_failure.is_sorted());
    assert!(matches!(world.commands[0].command, Command::Deploy(_, 1)));
    assert!(matches!(world.commands[1].command, Command::ForceDestroyUnit(_)));
    assert!(matches!(world.commands[2].command, Command::ForceDestroyMachine(_)));
    assert_eq!(
        world.commands.iter().map(|it| it.most).collect::<Vec<_>>(),
        [None, Some(2), Some(1)]
    );
    assert!(world.is_off(clause("unit-agent.9")));
    assert!(world.unasserted.contains(clause("remove-unit.4")));
    assert!(world.neglected.contains(clause("unit-agent.8")));
    assert!(!world.assumptions.agents_act && world.assumptions.strong);
    assert_eq!((scenario.states, scenario.transitions), (Some(4711), None));
    let [relation] = world.relation_ids().take(1).collect::<Vec<_>>()[..] else { panic!() };
    assert!(
        scenario.start.runtime.memberships(relation).directory.is_empty(),
        "scopes are remembered"
    );
    let unusual: Vec<_> =
        scenario.claims.iter().filter(|(_, answer)| answer.to_string() != "vacuous").collect();
    assert_eq!(unusual.len(), 1);
}

/// Two units of a Dying application, both Dead and recalled, on two machines.
const TWO_DEAD: &str = concat!("\n", include_str!("../../tests/worlds/two-dead.toml"));

#[test]
fn a_race_of_two_deployers_is_shown_step_by_step() {
    let _plain = plain();
    insta::assert_snapshot!(told(&good(TWO_DEAD)));
}

#[test]
fn the_other_end_of_a_race_is_a_failure_that_names_the_assert() {
    let swapped = TWO_DEAD.replace("machine-agent 1: abort\n", "machine-agent 1: commit\n");
    let replay_of = |source: &str| replay(&good(source)).expect("possible").failures;
    let failures = replay_of(&swapped);
    assert_eq!(
        failures.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "line 17: expected to commit, but it aborts: remove-unit.4 expects application wordpress \
          to be Alive or to have at least 2 units or to be in a relation, but it is Dying, 1 unit, \
          0 relations"
        ]
    );
    let swapped = TWO_DEAD.replace("machine-agent 0: commit\n", "machine-agent 0: abort\n");
    let failures = replay_of(&swapped);
    assert_eq!(
        failures[0].to_string(),
        "line 16: expected to abort, but it commits: all that it asserts holds"
    );
}

#[test]
fn an_abort_may_name_the_clause_that_it_is_due_to() {
    let said = |said: &str| {
        let abort = format!("machine-agent 1: abort => aborted{said}\n");
        let source = TWO_DEAD.replace("machine-agent 1: abort\n", &abort);
        let failures = replay(&good(&source)).expect("possible").failures;
        failures.first().map(ToString::to_string)
    };
    assert_eq!(said(""), None);
    assert_eq!(said(": remove-unit.4"), None);
    let other = said(": remove-unit.1").expect("it is another clause");
    let begins = "line 17: expected aborted: remove-unit.1, but it aborted: remove-unit.4 expects ";
    assert!(other.starts_with(begins), "{other}");
}

#[test]
fn clients_try_every_branch_of_a_transaction() {
    let _plain = plain();
    let scenario = good(
        &format!(
            r#"
shows = "What one transaction does in each case."
steps = """
client: destroy-machine 0 => refused: it is the last manager machine
client: destroy-machine 1 => refused: it has units
client 1: destroy-unit wordpress/0
client 1: destroy-unit wordpress/0 => no-op
client: remove-unit wordpress/0 => refused: it is not Dead
client 2: begin destroy-relation wordpress:db mysql:server
client 2: commit
client: leave-scope mysql/0 wordpress:db mysql:server
unit-agent wordpress/0: leave-scope wordpress/0 wordpress:db mysql:server
unit-agent mysql/0: drop-directory wordpress:db mysql:server => no-op
"""
{PAIR}
[expect]
dying = ["wordpress/0"]
alive = ["wordpress:db mysql:server", "mysql"]
gone = ["1"]
units = {{ wordpress = 2 }}
relations = {{ wordpress = 0 }}
in-scope = {{ "wordpress:db mysql:server" = ["mysql/0"] }}
cleanups = ["units of mysql"]
"#
        )
        .replace("unit-agent mysql/0: drop-directory wordpress:db mysql:server => no-op\n", ""),
    );
    insta::assert_snapshot!(told(&scenario));
}

#[test]
fn steps_that_do_something_else_are_failures() {
    let _plain = plain();
    insta::assert_snapshot!(told(&good(&format!(
        r#"
shows = "Everything is expected in vain."
steps = """
client: destroy-machine 0
client: destroy-machine 0 => no-op
client: destroy-unit wordpress/0 => no-op
client: destroy-unit wordpress/0
user: destroy-machine 1 => refused: it has containers
user: destroy-unit wordpress/0 => no-op
unit-agent wordpress/0: leave-scope wordpress/0 wordpress:db mysql:server => aborted
"""
{PAIR}"#
    ))));
}

#[test]
fn a_refused_user_and_a_contended_one_can_be_scripted() {
    let scenario = good(&format!(
        r#"
shows = "The user gives up after one try."
steps = """
user: begin destroy-unit wordpress/0
faults: abort-transaction user => contended
user: begin destroy-unit wordpress/0
client: destroy-unit wordpress/0
user: abort => contended
"""
{PAIR}
[world]
transactions = "split"
tries = 1
[user]
"destroy-unit wordpress/0" = 1
[faults]
abort = true
"#
    ));
    assert_eq!(replay(&scenario).expect("possible").failures, []);
}

#[test]
fn documents_are_described_in_a_line() {
    let scenario = good(&format!(
        "shows = \"A hook fails.\"\nsteps = \"\"\"\nclient: destroy-unit wordpress/0\n\
         faults: fail-hooks wordpress/0 wordpress:db mysql:server\n\
         faults: fail-hardware-unnoticed 2\n\"\"\"\n{PAIR}[faults]\nhook-failure = true\n\
         undetected-hardware-failure = true\n"
    ));
    let replay = replay(&scenario).expect("possible");
    let lines: Vec<String> = EntityId::all(&scenario.world)
        .filter(|it| matches!(it, EntityId::Unit(_) | EntityId::Machine(_) | EntityId::Relation(_)))
        .map(|it| describe::document(&scenario.world, &replay.state, it))
        .collect();
    assert_eq!(
        lines,
        [
            "machine 0: Alive, running",
            "machine 1: Alive, running, units wordpress/0",
            "machine 2: Alive, its hardware failed unnoticed, units mysql/0",
            "unit wordpress/0: Dying, on machine 1, deployed, its hook failed in \
             wordpress:db mysql:server",
            "unit wordpress/1: gone",
            "unit mysql/0: Alive, on machine 2, not deployed",
            "relation wordpress:db mysql:server: Alive, 2 in scope (wordpress/0, mysql/0), \
             unit settings, directories of wordpress/0",
        ]
    );
}

/// Before the agent is deployed nothing is known about the first hooks, so each description has one
/// fact more than the one before it.
#[test]
fn changes_of_history_are_paired_by_what_they_are_about() {
    let scenario = good(
        r#"
shows = "An agent is deployed, and installs its charm."
steps = """
machine-agent 0: deploy-unit wordpress/0
unit-agent wordpress/0: run-install-hook
"""
detail.hooks = true
world.machines.0 = { jobs = ["manage-model", "host-units"] }
world.applications.wordpress = { units = ["0"], deployed = false }
[claims]
"the hook after install is config-changed, and the next is start" = "holds"
"the stop hook has begun when a unit that ran is set Dead by its agent" = "holds"
"#,
    );
    let told = told(&scenario);
    let lines: Vec<&str> = told.lines().filter(|it| it.contains("history of")).collect();
    let expected = [
        "    history of wordpress/0: none of its hooks has begun",
        "    history of wordpress/0: none of its hooks has begun -> its install hook has begun",
    ];
    assert_eq!(lines, expected);
}
