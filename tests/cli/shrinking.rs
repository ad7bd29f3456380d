//! Shrinking a script: from the command to a scenario that replays and has the answer that it
//! expects.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, json, stderr_of, words,
};

/// The bug, in a world and a script with much that has no effect on it.
const STORM: &str = concat!("\n", include_str!("../worlds/storm.toml"));

fn storm() -> Folder {
    Folder::new().with("storm.toml", STORM)
}

/// The result at the end of the time is a scenario, too.
#[test]
fn a_reduction_ends_when_its_time_is_over() {
    let folder = storm();
    for time in ["1ms", "10ms", "30ms", "90ms"] {
        let line = format!("shrink storm.toml --time {time} --output {time}.toml");
        let shrunk = folder.run(&line).code(predicate::in_iter([AS_EXPECTED, UNDECIDED]));
        let says = stderr_of(&shrunk);
        if folder.path(&format!("{time}.toml")).exists() {
            folder.run(&format!("check {time}.toml")).code(AS_EXPECTED);
        } else {
            assert!(words(&says).contains("undecided: the time was over before"), "{says}");
        }
    }
    folder.run("shrink storm.toml --time 0s").code(NOT_ASKED);
}

#[test]
fn a_script_shrinks_to_what_matters() {
    assert_snapshot!(storm().seen("shrink storm.toml"));
}

#[test]
fn what_is_written_replays_and_is_answered_as_it_expects() {
    let folder = storm();
    folder.run("shrink storm.toml --output small.toml").code(AS_EXPECTED).stdout("");
    folder.run("replay small.toml").code(AS_EXPECTED);
    folder.run("check small.toml").code(AS_EXPECTED);
    // stateright cannot decide the claim, and reports that.
    folder.run("check small.toml --engine stateright").code(UNDECIDED);
    let again = folder.run("shrink small.toml").code(AS_EXPECTED);
    let (again, small) = (again.get_output().stdout.clone(), folder.read("small.toml"));
    let again = String::from_utf8(again).expect("text");
    let but_what_it_shows = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(but_what_it_shows(&again), but_what_it_shows(&small), "it cannot be shrunk again");
}

#[test]
fn json_is_one_object_with_the_scenario() {
    let folder = storm();
    let assert = folder.run("shrink storm.toml --format json").code(AS_EXPECTED).stderr("");
    let run = &json(&assert)["run"];
    assert_eq!(run["claim"], "a Dying relation is removed");
    assert_eq!(run["subject"], "relation wordpress:db mysql:server");
    assert_eq!((&run["minimal"], &run["check"]), (&true.into(), &"violated".into()));
    assert_eq!((&run["before"]["units"], &run["after"]["units"]), (&3.into(), &1.into()));
    let text = run["text"].as_str().expect("text").to_owned();
    folder.with("small.toml", text).run("check small.toml").code(AS_EXPECTED);
}

#[test]
fn no_file_is_replaced_unless_that_is_wanted() {
    let folder = storm().with("small.toml", "precious");
    assert_snapshot!(folder.seen("shrink storm.toml --output small.toml"));
    assert_eq!(folder.read("small.toml"), "precious");
    folder.run("shrink storm.toml --output small.toml --force").code(AS_EXPECTED);
    assert!(folder.read("small.toml").starts_with("shows = "));
    folder.run("shrink storm.toml --output storm.toml").code(NOT_ASKED);
}

#[test]
fn the_claim_may_be_chosen() {
    let folder = storm();
    let claim = "an application counts its units";
    let args = ["shrink", "storm.toml", "--claim", claim];
    assert_eq!(folder.command(&args).assert().get_output().status.code(), Some(UNEXPECTED));
    let args = ["shrink", "storm.toml", "--claim", "a Dying relation is removed"];
    folder.command(&args).assert().code(AS_EXPECTED);
    folder.command(&["shrink", "storm.toml", "--claim", "it works"]).assert().code(NOT_ASKED);
}

#[test]
fn a_run_that_violates_nothing_is_not_shrunk() {
    let text = STORM.replace("faults: fail-hardware 2\n", "");
    let text = text.replace("provisioner: start-instance 2\n", "");
    let text = text.replace("machine-agent 2: deploy-unit mysql/0\n", "");
    let folder = Folder::new().with("calm.toml", text);
    assert_snapshot!(folder.seen("shrink calm.toml --output small.toml"));
    assert_eq!(folder.names(), ["calm.toml"], "nothing is written");
}

#[test]
fn the_best_so_far_is_written_when_the_tries_are_used_up() {
    let folder = storm();
    folder
        .run("shrink storm.toml --tries 10 --output small.toml")
        .code(UNDECIDED)
        .stderr(predicate::str::contains("it may not be minimal"));
    folder.run("replay small.toml").code(AS_EXPECTED);
    folder.run("shrink storm.toml --tries 0").code(NOT_ASKED);
}

#[test]
fn questions_that_cannot_be_asked_are_refused() {
    let folder = storm().with("bad.toml", "shows = 1\n");
    folder.run("shrink missing.toml").code(NOT_ASKED);
    folder.run("shrink bad.toml").code(NOT_ASKED).stderr(predicate::str::contains("bad.toml:1:9"));
    folder.run("shrink").code(NOT_ASKED);
    folder.run("shrink storm.toml --output storm.toml/small.toml").code(NOT_ASKED);
}

/// A scenario without claims is asked all claims, so the history that they read is kept.
#[test]
fn what_is_asked_by_nobody_is_kept_for_the_question() {
    let deployed = r#"
shows = "A unit is added."
steps = "client: add-unit wordpress/0"
detail.hooks = true
world.machines.0 = { jobs = ["manage-model"] }
world.applications.wordpress.most-units = 1
expect.alive = ["wordpress/0"]
"#;
    let idle = r#"
shows = "An empty script, and no claims."
steps = ""
claims = {}
detail.provisioning = true
world.machines.2 = { provisioned = false }
"#;
    let folder = Folder::new().with("deployed.toml", deployed).with("idle.toml", idle);
    folder.run("shrink deployed.toml").code(UNEXPECTED);
    folder.run("shrink idle.toml --seed 1").code(AS_EXPECTED);
    folder.run("simulate idle.toml --seeds 0..2").code(UNEXPECTED);
    folder.run("replay idle.toml --seed 1").code(UNEXPECTED);
}

#[test]
fn a_transaction_that_is_pending_at_the_violation_is_aborted() {
    let text = "shows = \"The counterpart is not told.\"\nsteps = \"\"\"\n\
                client 1: destroy-relation wordpress:db mysql:server\n\
                client 1: begin destroy-application wordpress\n\
                client 2: leave-scope mysql/0 wordpress:db mysql:server\n\
                client 1: abort\n\"\"\"\n\
                switch-off.clauses = [\"leave-scope.6\"]\n\
                world.transactions = \"split\"\n\
                world.applications.wordpress = { units = [\"1\"] }\n\
                world.applications.mysql = { units = [\"2\"] }\n\
                world.relations.\"wordpress:db mysql:server\" = { entered = [\"mysql/0\"] }\n\
                claims.\"an application counts its relations\" = \"violated\"\n";
    let folder = Folder::new().with("untold.toml", text);
    for (flags, output) in [("", "script.toml"), ("--seed 0", "seed.toml")] {
        folder.run(&format!("shrink untold.toml {flags} --output {output}")).code(AS_EXPECTED);
        folder.run(&format!("check {output}")).code(AS_EXPECTED);
        assert!(!folder.read(output).contains("begin"), "what was pending is not needed");
    }
}
