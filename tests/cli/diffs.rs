//! Differences between two scenarios or two journals: `check --diff`.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, BUG, CYCLE, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, UNIT, WHILE,
    bug_as_it_is, bug_not_known, json, stdout_of, unit,
};

/// A folder with the bug.
fn folder() -> Folder {
    Folder::new().with("bug.toml", bug_as_it_is())
}

fn fixed() -> String {
    bug_not_known() + "[variants]\nrelation-tracking = \"leave-when-detected\"\n"
}

#[test]
fn the_bug_and_its_fix_differ_in_five_lines() {
    let folder = folder();
    let set = "check --diff bug.toml --set relation-tracking=remote-scope";
    assert_snapshot!(folder.seen(set));
    let text = folder.stdout(set, UNEXPECTED);
    assert_eq!(text.lines().count(), 5);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert_snapshot!(folder.seen(&format!("{set} --verbose")));
}

#[test]
fn what_is_answered_alike_is_not_told() {
    let folder = folder().with("again.toml", bug_not_known());
    folder.run("check --diff bug.toml bug.toml").code(AS_EXPECTED).stdout("").stderr("");
    // Another expectation is not another answer.
    folder.run("check --diff bug.toml again.toml -v").code(AS_EXPECTED).stdout("").stderr("");
    let page = folder.run("check --diff bug.toml again.toml --format html").code(AS_EXPECTED);
    page.stdout(predicate::str::contains("A and B are answered alike"));
    let document = json(&folder.run("check --diff bug.toml again.toml --format json"));
    assert_eq!(document["scenarios"], serde_json::json!([]));
}

#[test]
fn a_run_of_b_is_played_in_a() {
    let folder = folder().with("fixed.toml", fixed());
    let forth = json(&folder.run("check --diff bug.toml fixed.toml --format json"));
    let back = json(&folder.run("check --diff fixed.toml bug.toml --format json"));
    let run = |document: &serde_json::Value| document["scenarios"][0]["run"].clone();
    assert_eq!((run(&forth)["side"].as_str(), run(&back)["side"].as_str()), (Some("a"), Some("b")));
    assert_eq!(run(&forth)["parting"], run(&back)["parting"]);
    assert_eq!(run(&forth)["runs"]["a"]["steps"], run(&back)["runs"]["b"]["steps"]);
}

/// Three reasons to depart: a fault that the other world does not have, a transaction that it
/// refuses, and a cycle that it can leave.
#[test]
fn a_run_parts_where_the_other_world_cannot_follow() {
    let claim = "[claims]\n\"a Dead unit is in no scope\" = \"violated\"\n";
    let idle = CYCLE.replace("\"unlimited\"", "1");
    let folder = folder()
        .with("sound.toml", fixed().replace("hardware-failure = [\"2\"]", "crash = true"))
        .with("while.toml", format!("{WHILE}{claim}"))
        .with("round.toml", CYCLE)
        .with("once.toml", idle)
        .with("fair.toml", format!("{CYCLE}[assume]\nper = \"duty\"\n"))
        .with("alone.toml", ALONE)
        .with("script.toml", SCRIPT.to_owned() + &bug_as_it_is());
    assert_snapshot!(folder.seen("check --diff bug.toml sound.toml"));
    let forbidden = "check --diff while.toml --set dead-while-in-scope=forbidden";
    assert_snapshot!(folder.seen(forbidden));
    assert_snapshot!(folder.seen("check --diff round.toml once.toml"));
    assert_snapshot!(folder.seen("check --diff round.toml fair.toml"));
    assert_snapshot!(folder.seen("check --diff bug.toml alone.toml"));
    assert_snapshot!(folder.seen("check --diff bug.toml script.toml"));
}

/// A claim about states depends on no later step.
#[test]
fn a_state_is_not_left_by_going_on() {
    let own = "[own.\"nobody forgets\"]\neach = \"membership\"\nalways = '!it.directory'\n";
    let folder = Folder::new().with("own.toml", bug_as_it_is() + own);
    let line = "check --diff own.toml --set relation-tracking=remote-scope";
    assert_snapshot!(folder.seen(line));
}

/// A script after which the relation must be removed.
const SCRIPT: &str = r#"
steps = """
user: destroy-relation wordpress:db mysql:server
run all
"""
"#;

/// Worlds with the same answers and different sizes: the clauses that only one of them carries out
/// are listed, if there are any.
#[test]
fn where_only_sizes_differ_the_clauses_do_or_do_not() {
    let claim = "[claims]\n\"a Dead unit is removed\" = \"holds\"\n";
    let of = |more: &str| format!("{}{more}", unit().split("[claims]").next().expect("it begins"));
    let user = "[user]\n\"destroy-application wordpress\" = 1\n";
    let folder = Folder::new()
        .with("unit.toml", of(claim))
        .with("user.toml", of(&format!("{user}{claim}")))
        .with("bug.toml", bug_as_it_is())
        .with("split.toml", bug_as_it_is() + "[world]\ntransactions = \"split\"\n");
    let mut seen = String::new();
    for line in ["bug.toml split.toml", "unit.toml user.toml", "user.toml unit.toml --verbose"] {
        seen += &folder.seen(&format!("check --diff {line}"));
    }
    assert_snapshot!(seen);
    let page = folder.run("check --diff unit.toml user.toml --format html").code(UNEXPECTED);
    page.stdout(predicate::str::contains("only B carries out <code>destroy-application."));
    let answered = json(&folder.run("check --diff bug.toml split.toml --format json"));
    assert_eq!(answered["scenarios"][0]["carried_out"]["a"], serde_json::json!([]));
    let other = "check --diff bug.toml --set relation-tracking=remote-scope --format json";
    let other = json(&folder.run(other));
    assert_eq!(other["scenarios"][0]["carried_out"], serde_json::Value::Null);
}

/// A witness is asked of both sides, whichever names it.
#[test]
fn a_witness_that_one_side_does_not_have_is_a_difference() {
    let asks_none = bug_not_known().replace("witnesses = [\"leave-scope.1\"]\n", "");
    let off = format!("{asks_none}[switch-off]\nclauses = [\"leave-scope.1\"]\n");
    let folder = folder().with("none.toml", asks_none).with("off.toml", off);
    assert_snapshot!(folder.seen("check --diff bug.toml off.toml"));
    let back = json(&folder.run("check --diff off.toml bug.toml --format json"));
    assert_eq!(back["scenarios"][0]["run"]["side"], "b");
    folder.run("check --diff bug.toml none.toml").code(AS_EXPECTED).stdout("").stderr("");
    let claim = ["check", "--diff", "bug.toml", "off.toml", "--claim", "a Dead unit is removed"];
    let only = stdout_of(&folder.command(&claim).assert());
    assert!(!only.contains("is carried out"), "{only}");
}

/// An outline is compared on both sides that have one.
#[test]
fn an_outline_to_which_one_side_does_not_keep_is_a_difference() {
    let hooks = "[detail]\nhooks = true\n";
    let folder = Folder::new()
        .with("keeps.toml", format!("{SPLIT}{hooks}[check]\nrefines = true\n"))
        .with("acts.toml", format!("{SPLIT}{hooks}[switch-off]\nclauses = [\"unit-agent.16\"]\n"))
        .with("plain.toml", SPLIT);
    let mut seen = folder.seen("check --diff keeps.toml acts.toml");
    seen += &folder.seen("check --diff keeps.toml plain.toml");
    assert_snapshot!(seen);
}

/// A unit that is forced while its agent may crash.
const SPLIT: &str = r#"
shows = "A unit is forced."
[world]
transactions = "split"
[world.machines]
0 = { jobs = ["manage-model", "host-units"] }
[world.applications]
wordpress = { units = ["0"], deployed = false }
[user]
"destroy-unit --force wordpress/0" = 1
[faults]
crash = true
[claims]
"a Dead unit is removed" = "holds"
"#;

/// The scenario, asked for every number of units.
fn of_every_number(scenario: &str) -> String {
    format!("{scenario}[check]\nany-size = {{}}\n")
}

/// Answers for every number of units are asked on both sides, whatever either expects.
#[test]
fn answers_for_every_number_of_units_are_compared() {
    let (every, known) = (of_every_number(&bug_not_known()), of_every_number(&bug_as_it_is()));
    let folder = folder().with("every.toml", every).with("known.toml", known);
    let fixed = "check --diff every.toml --set relation-tracking=remote-scope";
    assert_snapshot!(folder.seen(fixed));
    let page = folder.run(&format!("{fixed} --format html"));
    page.stdout(predicate::str::contains("violated in A, holds in B for every number of units"));
    for same in ["known.toml every.toml", "every.toml bug.toml"] {
        folder.run(&format!("check --diff {same}")).code(AS_EXPECTED).stdout("").stderr("");
    }
    folder.run("check known.toml --journal as-it-is.jsonl").code(AS_EXPECTED);
    let set = "--set relation-tracking=remote-scope";
    folder.run(&format!("check known.toml {set} --journal fixed.jsonl")).code(UNEXPECTED);
    let journals = json(&folder.run("check --diff as-it-is.jsonl fixed.jsonl --format json"));
    let scenarios = json(&folder.run(&format!("{fixed} --format json")));
    let of = |document: &serde_json::Value| document["scenarios"][0]["every_number"].clone();
    assert_eq!(of(&journals), of(&scenarios));
    assert_eq!(of(&journals)[0]["answer"], serde_json::json!({ "a": "violated", "b": "holds" }));
}

/// A claim that the worlds of both sides keep, and that larger instances of one of them break. No
/// run of its own world shows that.
#[test]
fn what_only_a_larger_instance_breaks_is_a_difference() {
    let own = "[own.\"few are in scope\"]\n\
               always = \"size(relation('wordpress:db mysql:server').in_scope) < 3\"\n";
    let own = of_every_number(&format!("{}{own}", bug_not_known()));
    let never = own.replace("[\"wordpress/0\", \"mysql/0\"]", "[]")
        + "[switch-off]\nclauses = [\"unit-agent.1\"]\n";
    let folder = Folder::new().with("own.toml", &own).with("never.toml", never);
    assert_snapshot!(folder.seen("check --diff own.toml never.toml"));
}

/// A script that cannot go on is an answer, as it is to a check.
#[test]
fn a_step_that_one_side_cannot_take_is_a_difference() {
    let steps = "user: destroy-relation wordpress:db mysql:server\n\
                 unit-agent wordpress/0: leave-scope wordpress/0 wordpress:db mysql:server\n";
    let script = format!("steps = \"\"\"\n{steps}\"\"\"\n{}", bug_not_known());
    let off = format!("{script}[switch-off]\nclauses = [\"unit-agent.2\"]\n");
    let folder = Folder::new().with("leaves.toml", script).with("off.toml", off);
    let mut seen = folder.seen("check --diff leaves.toml off.toml");
    seen += &folder.seen("check --diff off.toml leaves.toml");
    seen += &folder.seen("check --diff off.toml off.toml");
    assert_snapshot!(seen);
}

/// A unit that a user may destroy, and a claim of its own.
const ALLOWED: &str = r#"
shows = "A unit is destroyed."
[world]
applications.wordpress = { units = ["1"] }
[user]
"destroy-unit wordpress/0" = 1
[own."it is never Dead"]
each = "unit"
always = 'it.life != "dead"'
[also."not-allowed"]
shows = "No unit is destroyed."
without = ["user"]
[also."other"]
shows = "The claim is another one."
own."it is never Dead" = { each = "unit", always = 'it.life != "dying"' }
[also."ruled"]
shows = "A rule does not allow it."
rule."not now" = { only = "destroy-unit", each = "unit", when = 'false' }
[also."no-claims"]
shows = "It has no claims."
claims = {}
"#;

/// What one world allows to a user is not done in another one that does not.
#[test]
fn a_command_that_is_not_allowed_is_not_possible() {
    let folder = Folder::new().with("unit.toml", ALLOWED);
    let mut seen = String::new();
    for other in ["not-allowed", "ruled"] {
        seen += &folder.seen(&format!("check --diff unit.toml# unit.toml#{other}"));
    }
    assert_snapshot!(seen);
}

/// An agent that keeps nothing on its disk has nothing to lose.
#[test]
fn a_crash_that_loses_nothing_is_none() {
    let crash = bug_as_it_is().replace("hardware-failure = [\"2\"]", "crash = true");
    let crash =
        crash.replace("entered = [\"wordpress/0\", \"mysql/0\"]", "entered = [\"mysql/0\"]");
    let folder = Folder::new().with("crash.toml", crash);
    let told = folder.stdout("check --diff crash.toml --set relation-tracking=remote-scope", 1);
    let told = told.replace("\n ", "");
    assert!(told.contains("an agent that crashes loses nothing here"), "{told}");
}

/// A claim of one name that means something else is a difference, even where it is answered alike.
#[test]
fn claims_of_one_name_may_be_different_ones() {
    let folder = Folder::new().with("unit.toml", ALLOWED);
    let other = "check --diff unit.toml# unit.toml#other";
    assert_snapshot!(folder.seen(other));
    let document = json(&folder.run(&format!("{other} --format json")).code(UNEXPECTED));
    assert_eq!(document["scenarios"][0]["claims"][0]["is_other"], true);
    let page = folder.run(&format!("{other} --format html")).code(UNEXPECTED);
    page.stdout(predicate::str::contains("A and B have different claims of the same names"));
    // One run is the beginning of the other.
    folder.run("check unit.toml# --journal one.jsonl").code(UNEXPECTED);
    let text = ALLOWED.replacen("!= \"dead\"", "!= \"dying\"", 1);
    let folder = folder.with("unit.toml", text);
    folder.run("check unit.toml# --journal other.jsonl").code(UNEXPECTED);
    assert_snapshot!(folder.seen("check --diff one.jsonl other.jsonl"));
}

/// What is kept of history, the line of a step and the order of questions are no differences.
#[test]
fn what_is_no_difference_of_the_worlds_is_not_told() {
    let failing = unit().replace("dead = [", "alive = [");
    let folder = Folder::new()
        .with("unit.toml", unit())
        .with("none.toml", format!("claims = {{}}{UNIT}"))
        .with("fails.toml", &failing)
        .with("lower.toml", format!("# A line more.\n{failing}"));
    for same in ["unit.toml none.toml", "fails.toml lower.toml"] {
        folder.run(&format!("check --diff {same}")).code(AS_EXPECTED).stdout("").stderr("");
    }
}

/// The settings of charms and of a scenario's own rules are told where they differ.
#[test]
fn charms_and_rules_that_differ_are_told() {
    let hooks = "[detail]\nhooks = true\nrelations = true\n";
    let with = |charm: &str| {
        let units = format!("wordpress = {{ units = [\"1\"], {charm} }}");
        format!("{}{hooks}", bug_not_known().replace("wordpress.units = [\"1\"]", &units))
    };
    let folder = Folder::new()
        .with("joined.toml", with("hooks = [\"relation-joined\"]"))
        .with("broken.toml", with("hooks = [\"relation-broken\"]"));
    let told = json(&folder.run("check --diff joined.toml broken.toml --format json"));
    let names = told["scenarios"][0]["settings"].as_array().expect("settings").iter();
    let names: Vec<&str> = names.filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["hooks of application wordpress"]);
}

/// A world without the unit whose machine fails.
const ALONE: &str = concat!("\n", include_str!("../worlds/alone.toml"));

/// A journal has answers and runs, and no world.
#[test]
fn journals_are_compared_scenario_by_scenario() {
    let folder = folder().with("unit.toml", unit());
    folder.run("check . --journal before.jsonl").code(AS_EXPECTED);
    folder.run("check . --journal again.jsonl").code(AS_EXPECTED);
    let same = "check --diff before.jsonl again.jsonl";
    folder.run(same).code(AS_EXPECTED).stdout("").stderr("");
    folder.run(&format!("{same} --verbose")).code(AS_EXPECTED).stdout("").stderr("");
    let folder = folder.with("bug.toml", fixed());
    folder.run("check bug.toml --journal after.jsonl").code(AS_EXPECTED);
    assert_snapshot!(folder.seen("check --diff before.jsonl after.jsonl"));
    assert_snapshot!(folder.seen("check --diff before.jsonl after.jsonl --verbose"));
    let longer = BUG.replace("entered = [\"wordpress/0\", \"mysql/0\"]", "entered = [\"mysql/0\"]");
    let claim = "[claims]\n\"a Dying relation is removed\" = \"violated\"\n";
    let folder = folder.with("bug.toml", format!("{longer}{claim}"));
    folder.run("check bug.toml --journal longer.jsonl").code(AS_EXPECTED);
    assert_snapshot!(folder.seen("check --diff before.jsonl longer.jsonl"));
}

#[test]
fn journals_of_seeds_are_compared_seed_by_seed() {
    let folder = folder();
    let simulate = "simulate bug.toml --keep-going --seeds";
    folder.run(&format!("{simulate} 0..40 --journal before.jsonl"));
    folder.run(&format!("{simulate} 0..40 --jobs 2 --journal again.jsonl"));
    folder.run("check --diff before.jsonl again.jsonl").code(AS_EXPECTED).stdout("").stderr("");
    let folder = folder.with("bug.toml", fixed());
    folder.run(&format!("{simulate} 0..50 --journal after.jsonl"));
    assert_snapshot!(folder.seen("check --diff before.jsonl after.jsonl"));
    let page = folder.run("check --diff before.jsonl after.jsonl --format html").code(UNEXPECTED);
    page.stdout(predicate::str::contains("seeds of one side only: 0 of A, 10 of B"));
}

#[test]
fn a_search_that_is_cut_off_is_undecided() {
    let folder = Folder::new().with("large.toml", LARGE).with("bug.toml", bug_as_it_is());
    let line = "check --diff large.toml --set settings-cleanup=cleaner --max-states 500";
    assert_snapshot!(folder.seen(line));
    folder.run(line).code(UNDECIDED);
}

/// The common steps are shown once, before a branch for each side.
#[test]
fn a_page_has_a_trunk_and_two_branches() {
    let folder = folder();
    let line = "check --diff bug.toml --set relation-tracking=remote-scope --format html";
    let page = folder.stdout(line, UNEXPECTED);
    assert_eq!(page.matches("class=\"rows trunk\"").count(), 1);
    assert_eq!(page.matches("class=\"rows branch\"").count(), 2);
    for part in [
        "relation-tracking=remote-scope fixes it: a Dying relation is removed",
        "(A violated, B holds)",
        "A, which violates it",
        "from step 6 on by itself",
        "Detect Dying relations whose scope it has entered and leave them.",
        "is local-directory in A, and remote-scope in B",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = folder().with("broken.toml", "shows = 1\n");
    folder.run("check bug.toml --journal checked.jsonl").code(AS_EXPECTED);
    folder.run("simulate bug.toml --seeds 0..2 --keep-going --journal swept.jsonl");
    let mut seen = String::new();
    for line in [
        "check --diff bug.toml",
        "check --diff",
        "check --diff bug.toml bug.toml bug.toml",
        "check --diff bug.toml checked.jsonl",
        "check --diff checked.jsonl swept.jsonl",
        "check --diff bug.toml none.toml",
        "check --diff bug.toml broken.toml",
        "check --diff bug.toml bug.toml#none",
        "check --diff bug.toml --set relation-tracking",
        "check --diff bug.toml --set relation-tracking=never",
        "check --diff checked.jsonl checked.jsonl --set relation-tracking=remote-scope",
        "check --diff bug.toml bug.toml --format junit",
        "check --diff bug.toml bug.toml --output bug.toml",
        "check --diff bug.toml bug.toml --shard 1/2",
    ] {
        folder.run(line).code(NOT_ASKED).stdout("");
        seen += &folder.seen(line);
    }
    assert_snapshot!(seen);
}
