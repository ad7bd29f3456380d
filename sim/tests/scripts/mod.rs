//! Scripts: actors that run until nothing is left to do, transactions that are planned again, and
//! steps that are not possible.

mod guards;
mod hook_queue;
mod reasons;

use deathwatch_model::ids::EntityId;
use deathwatch_scenario::{Instruction, Replay, Scenario, describe, replay};

use crate::common::{
    PAIR, bad, good, parse, render,
    worlds::{scenarios, small_worlds},
};

/// A scenario of the pair with these steps, and tables after the world.
fn pair(steps: &str, tables: &str) -> Scenario {
    good(&format!("shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{PAIR}{tables}"))
}

fn done(scenario: &Scenario) -> Replay {
    replay(scenario).unwrap_or_else(|it| panic!("{}\n{}", render(&it.problem), scenario.source()))
}

/// The transcript of a script, and then its unmet expectations.
fn told(scenario: &Scenario) -> String {
    let replay = done(scenario);
    let failures: Vec<String> = replay.failures.iter().map(ToString::to_string).collect();
    format!("{}---\n{}", replay.transcript, failures.join("\n"))
}

/// The lines of a transcript that are not indented.
fn margin(transcript: &str) -> String {
    let lines = transcript.lines().filter(|line| !line.starts_with(' '));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A transcript without the comments in it.
fn without_comments(transcript: &str) -> Vec<&str> {
    transcript.lines().filter(|line| !line.starts_with('#')).collect()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn an_agent_runs_until_it_has_nothing_left_to_do() {
    let scenario = pair(
        "client: destroy-unit wordpress/0
run unit-agent wordpress/0
run unit-agent wordpress/0 => no-op
run machine-agent 1
run all => no-op
client: deploy wordpress => refused: it exists already",
        "[expect]\ngone = [\"wordpress/0\"]\n",
    );
    snapshot("an_agent_runs", &told(&scenario));
}

#[test]
fn everybody_who_owes_something_runs() {
    let steps = "user: destroy-relation wordpress:db mysql:server\nrun all";
    let tables = "[user]\n\"destroy-relation *\" = 1\n[expect]\n\
                  gone = [\"wordpress:db mysql:server\"]\n";
    let settled = pair(steps, tables);
    let replay = done(&settled);
    assert_eq!(replay.failures, []);
    assert!(replay.transcript.contains("\n# run all (2 steps)\n"), "{}", replay.transcript);
    assert_eq!(replay.actions.len(), 3);
    assert_eq!(replay.transcript, done(&settled).transcript, "it is deterministic");
    // A duty that no actor is assumed to do is not done.
    let lazy = pair(steps, &format!("[assume]\nagents-act = false\n{tables}"));
    let failures = done(&lazy).failures;
    let expected = "expected it to do something, but there was nothing to do";
    assert_eq!(failures[0].message, expected);
    let asked = pair(
        &format!("{}\nrun unit-agent mysql/0", steps.lines().next().expect("a line")),
        "[assume]\nagents-act = false\n[user]\n\"destroy-relation *\" = 1\n",
    );
    assert_eq!(done(&asked).failures, [], "who is named is not assumed to act, but told to");
}

/// A script in which an application with a peer relation and two units is being deployed.
const DEPLOY: &str = "shows = \"A test.\"\nsteps = \"\"\"\nrun user => no-op\nuser: deploy etcd\n";

const ETCD: &str = concat!("\n", include_str!("../../../tests/worlds/etcd.toml"));

#[test]
fn the_user_finishes_the_command_in_progress_and_begins_no_other() {
    let scenario = good(&format!(
        "{DEPLOY}run user\nrun user => no-op\n\"\"\"\n{ETCD}[expect]\n\
         alive = [\"etcd\", \"etcd:cluster\", \"etcd/0\", \"etcd/1\", \"2\"]\n"
    ));
    let replay = done(&scenario);
    assert_eq!(replay.failures, [], "{}", replay.transcript);
    let split =
        ETCD.replace("[world.machines]", "[world]\ntransactions = \"split\"\n[world.machines]");
    let begun = DEPLOY.replace("user: deploy", "user: begin deploy");
    let split = done(&good(&format!("{begun}run user\nrun user => no-op\n\"\"\"\n{split}")));
    assert_eq!((split.failures, split.state), (Vec::new(), replay.state));
}

#[test]
fn the_user_gives_no_other_command_meanwhile() {
    let scenario = good(&format!("{DEPLOY}user: destroy-application etcd\n\"\"\"\n{ETCD}"));
    let impossible = replay(&scenario).expect_err("a deployment is in progress");
    let problem = render(&impossible.problem);
    assert!(problem.contains("-- the user has not finished the command in progress"), "{problem}");
    assert!(problem.contains("`run user` finishes it"), "{problem}");
}

#[test]
fn a_run_that_does_not_end_says_what_keeps_moving() {
    let scenario = pair(
        "client: leave-scope wordpress/0 wordpress:db mysql:server\nrun unit-agent wordpress/0",
        "[variants]\nrelation-tracking = \"remote-scope\"\n[switch-off]\n\
         clauses = [\"enter-scope.4\"]\n",
    );
    let impossible = replay(&scenario).expect_err("the agent enters for ever");
    let problem = render(&impossible.problem);
    assert!(problem.contains("this was not over after "), "{problem}");
    let moving = "this kept moving: unit-agent wordpress/0: enter-scope wordpress/0 wordpress:db";
    assert!(problem.contains(moving), "{problem}");
    let transcript = &impossible.reached.transcript;
    assert!(transcript.contains("\n# run unit-agent wordpress/0, which does not end:\n"));
    assert!(transcript.lines().count() < 150, "it is cut:\n{transcript}");
    assert!(transcript.contains("\n# and so on: "), "{transcript}");
}

/// Two Dead units of a Dying application, both recalled; each deployer counts two units.
const RACE: &str = "
client: destroy-application wordpress
client: destroy-unit wordpress/0
client: destroy-unit wordpress/1
client: set-unit-dead wordpress/0
client: set-unit-dead wordpress/1
machine-agent 1: recall-unit wordpress/1
client: begin remove-unit wordpress/1
run machine-agent 0
";

fn race(steps: &str) -> Scenario {
    good(&format!(
        "shows = \"A test.\"\nsteps = \"\"\"{RACE}{steps}\n\"\"\"\n[world]\n\
         transactions = \"split\"\ntries = 2\n[world.machines]\n0 = {{}}\n1 = {{}}\n\
         [world.applications]\nwordpress = {{ units = [\"0\", \"1\"] }}\n\
         [user]\n\"destroy-machine *\" = 1\n"
    ))
}

#[test]
fn a_transaction_is_done_again_until_it_commits() {
    let scenario = race(
        "client 1: destroy-machine 0
client: retry remove-unit wordpress/1
client: retry remove-unit wordpress/1 => no-op
client: retry set-unit-dead wordpress/1 => refused: it does not exist
user: begin destroy-machine 1
client: destroy-machine 1
user: retry destroy-machine 1 => no-op
client: retry set-machine-dead 1",
    );
    snapshot("a_transaction_is_done_again", &told(&scenario));
}

#[test]
fn a_retry_is_given_up_after_so_many_tries() {
    let contended = "client: abort
client: retry remove-unit wordpress/1
user: begin destroy-machine 1
client 1: destroy-machine 1
user: retry destroy-machine 1 => contended";
    let once = race(contended).source().replace("tries = 2", "tries = 1");
    assert_eq!(done(&good(&once)).failures, []);
    let failures = done(&race(contended)).failures;
    let message = "line 15: expected contended, but there was nothing to do";
    assert_eq!(failures[0].to_string(), message);
}

#[test]
fn what_a_client_leaves_undone_is_noted() {
    let scenario = good(&format!(
        "shows = \"A test.\"\nsteps = \"\"\"
client: leave-scope wordpress/0 wordpress:db mysql:server
unit-agent wordpress/0: drop-directory wordpress:db mysql:server
client: enter-scope wordpress/0 wordpress:db mysql:server
run unit-agent wordpress/0
client: deploy etcd
client: add-peer-relation etcd:cluster
client: add-unit wordpress/1
client: enter-scope wordpress/1 wordpress:db mysql:server
\"\"\"\n{}\"etcd:cluster\" = {{ exists = false }}\n",
        PAIR.replace("mysql = {", "etcd = { exists = false, most-units = 1 }\nmysql = {")
    ));
    snapshot("what_a_client_leaves_undone", &told(&scenario));
}

#[test]
fn the_ends_of_a_relation_may_stand_in_either_order() {
    let swapped = "mysql:server wordpress:db";
    let scenario = pair(
        &format!(
            "client: destroy-relation {swapped}\nuser: destroy-relation {swapped} => no-op\nrun all"
        ),
        &format!(
            "[user]\n\"destroy-relation {swapped}\" = 1\n[expect]\ngone = [\"{swapped}\"]\nin-scope = {{ \"{swapped}\" = [] }}\ncleanups = [\"settings of {swapped}\"]\n"
        ),
    );
    let replay = done(&scenario);
    assert_eq!(replay.failures, []);
    let first = "client: destroy-relation wordpress:db mysql:server\n";
    assert!(replay.transcript.starts_with(first), "{}", replay.transcript);
    let twice = format!(
        "shows = \"A test.\"\n{PAIR}[expect]\nin-scope = {{ \"{swapped}\" = [], \"wordpress:db mysql:server\" = [] }}\n"
    );
    assert!(render(&bad(&twice)).contains("is given twice"));
    let world = format!("shows = \"A test.\"\n{PAIR}\"{swapped}\" = {{}}\n");
    assert!(render(&bad(&world)).contains("is given twice"));
}

#[test]
fn a_unit_may_have_no_machine_at_the_start() {
    let world = PAIR.replace("units = [\"1\"]", "units = [\"unassigned\", \"1\"]");
    let scenario = good(&format!(
        "shows = \"A test.\"\nsteps = \"\"\"\nclient: assign-unit wordpress/0 2\nrun all\n\"\"\"\n{world}"
    ));
    let text = |state| {
        let unit = EntityId::Unit(scenario.world.unit_named("wordpress/0").expect("a unit"));
        describe::document(&scenario.world, state, unit)
    };
    assert_eq!(text(&scenario.start), "unit wordpress/0: Alive, not assigned, not deployed");
    assert_eq!(text(&done(&scenario).state), "unit wordpress/0: Alive, on machine 2, deployed");
}

#[test]
fn the_margin_of_a_transcript_is_a_script_that_does_the_same() {
    for scenario in scenarios().into_iter().chain(small_worlds()) {
        let Ok(replayed) = replay(&scenario) else { continue };
        let mut written = scenario.clone();
        written.steps = steps_of(&scenario, &margin(&replayed.transcript));
        let again = done(&written);
        let name = &scenario.name;
        assert_eq!(again.state, replayed.state, "{name}");
        assert_eq!(again.actions, replayed.actions, "{name}");
        let (one, other) = (&replayed.transcript, &again.transcript);
        assert_eq!(without_comments(one), without_comments(other), "{name}");
    }
}

/// The steps of `scenario` with the script `script`.
fn steps_of(scenario: &Scenario, script: &str) -> Vec<deathwatch_scenario::ScriptStep> {
    let mut file = scenario.table();
    file.insert("steps".to_owned(), script.into());
    let text = toml::to_string(&file).expect("tables can be written");
    parse(&text).unwrap_or_else(|it| panic!("{}\n{script}", render(&it))).steps
}

#[test]
fn instructions_are_read_as_they_are_shown() {
    let world = &pair("", "").world;
    for line in [
        "run all",
        "run user",
        "run unit-agent wordpress/0",
        "run machine-agent 2",
        "run provisioner",
        "client 3: retry leave-scope mysql/0 wordpress:db mysql:server",
        "unit-agent mysql/0: retry set-unit-dead mysql/0",
        "cleaner: delete-settings wordpress:db mysql:server",
    ] {
        let read = Instruction::read(world, line).unwrap_or_else(|it| panic!("{line}: {it:?}"));
        assert_eq!(read.show(world), line);
    }
}
