//! Answers for every number of units.

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known, json, says,
};

/// The violation of the bug's claim, with the numbers of units.
const WITH: &str = "violated with 1 unit of wordpress and 1 unit of mysql: \"a Dying relation is \
                    removed\"";

fn fixed() -> String {
    format!("{}[variants]\nrelation-tracking = \"remote-scope\"\n", bug_not_known())
}

/// A scenario with these pinned numbers of every answer for any number of units.
fn asks(scenario: &str, pins: &str) -> String {
    format!("{scenario}[check]\nany-size = {{ {pins} }}\n")
}

#[test]
fn what_is_violated_is_shown_by_the_smallest_instance() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check bug.toml --any-size").code(AS_EXPECTED).stdout(says(WITH));
    assert_snapshot!(folder.seen("check bug.toml --any-size --verbose"));
    let folder = folder.with("bug.toml", bug_not_known());
    let failed = folder.run("check bug.toml --any-size").code(UNEXPECTED);
    failed.stdout(says(WITH).and(says("deathwatch check bug.toml --any-size")));
}

#[test]
fn what_holds_for_every_number_is_told_in_each_format() {
    let folder = Folder::new().with("fixed.toml", fixed());
    let views = predicate::str::contains("views for every number of units");
    folder.run("check fixed.toml --any-size").code(AS_EXPECTED).stdout(views);
    let run = json(&folder.run("check fixed.toml --any-size --format json").code(AS_EXPECTED));
    let any_size = &run["runs"][0]["any_size"];
    assert_eq!(any_size["applications"], serde_json::json!(["wordpress", "mysql"]));
    assert_eq!(any_size["hold"], serde_json::json!(["a Dying relation is removed"]));
    let junit = folder.run("check fixed.toml --any-size --format junit").code(AS_EXPECTED);
    junit.stdout(predicate::str::contains("a Dying relation is removed"));
}

/// A reachable condition is reported with the number of units that reaches it, or as unreachable.
#[test]
fn what_can_be_reached_is_told_with_the_number_of_units() {
    let own = "[own.\"a relation is Dying\"]\nreachable = \"relations.exists(r, r.life == 'dying')\"\n\
               [own.\"a machine is Dying\"]\nreachable = \"machines.exists(m, m.life == 'dying')\"\n\
               [claims]\n\"a relation is Dying\" = \"holds\"\n\"a machine is Dying\" = \"violated\"\n";
    let world = bug_not_known().replace("[claims]\n", own);
    let folder = Folder::new().with("own.toml", &world);
    let seen = folder.run("check own.toml --any-size --certificate own.jsonl --verbose");
    let reached =
        says("reached with 1 unit of wordpress and 1 unit of mysql: \"a relation is Dying\"");
    let never = says("reached with no number of units: \"a machine is Dying\"");
    seen.code(UNEXPECTED).stdout(reached.and(never));
    let kept = folder.read("own.jsonl");
    let line = kept.lines().find(|it| it.contains("\"a machine is Dying\"")).expect("a line");
    assert!(line.contains("\"never_reached\":true"), "{line}");
    let shown = r#"{"shown":{"asked":"a relation is Dying","is_reached":true,"units":[1,1]"#;
    assert!(kept.lines().any(|it| it.starts_with(shown)), "{kept}");
    // A condition that only a larger instance reaches contradicts the expectation that it is never
    // reached.
    let more = world.replace(
        "relations.exists(r, r.life == 'dying')",
        "size(relation('wordpress:db mysql:server').in_scope) > 2",
    );
    let more = more
        .replace("\"a relation is Dying\" = \"holds\"", "\"a relation is Dying\" = \"violated\"");
    let folder = folder.with("own.toml", asks(&more, ""));
    let larger =
        says("reached with 1 unit of wordpress and 2 units of mysql: \"a relation is Dying\"");
    folder.run("check own.toml --verbose").code(UNEXPECTED).stdout(larger);
}

/// A scenario's own claim that views say nothing of is no answer, and no pass.
#[test]
fn an_own_claim_that_is_not_asked_is_undecided() {
    let own = "[own.\"some unit is Alive\"]\nalways = 'units.exists(u, u.life == \"alive\")'\n\
               [claims]\n\"some unit is Alive\" = \"holds\"\n";
    let world = "shows = \"A test.\"\nworld.applications.wordpress = { units = [\"1\"] }\n";
    let folder = Folder::new().with("own.toml", format!("{world}{own}"));
    let seen = folder.run("check own.toml --any-size");
    seen.code(UNDECIDED).stdout(says("undecided: \"some unit is Alive\""));
    folder.run("check own.toml").code(AS_EXPECTED);
}

#[test]
fn a_limit_leaves_every_number_undecided() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let open = says("the greatest number of states was reached");
    let limited = folder.run("check bug.toml --any-size --max-states 5").code(UNDECIDED);
    limited.stdout(open.and(says("deathwatch check bug.toml --any-size")));
}

#[test]
fn a_bad_file_is_asked_again_for_every_number() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("bad.toml", "shows = 1\n");
    let again = says("deathwatch check bad.toml --any-size --verbose");
    folder.run("check bad.toml bug.toml --any-size").code(NOT_ASKED).stdout(again);
    let again = says("deathwatch check bad.toml --verbose");
    folder.run("check bad.toml bug.toml").code(NOT_ASKED).stdout(again);
}

#[test]
fn a_world_that_is_no_template_cannot_be_asked() {
    let machine = "[world.machines]\n0 = { jobs = [\"manage-model\"] }\n1 = {}\n";
    let shared = "[world.applications]\nwordpress.units = [\"1\"]\nmysql.units = [\"1\"]\n";
    let claims = "[claims]\n\"a Dead unit is removed\" = \"vacuous\"\n";
    let world = format!("shows = \"Two units share a machine.\"\n{machine}{shared}{claims}");
    let folder = Folder::new().with("shared.toml", &world);
    let why = says("cannot be asked for every number of units: ");
    folder.run("check shared.toml --any-size").code(NOT_ASKED).stderr(why);
    let folder = folder.with("shared.toml", asks(&world, ""));
    let why = says("found no answers for every number of units, as no unit may be any number");
    folder.run("check shared.toml").code(UNEXPECTED).stdout(why);
}

#[test]
fn flags_that_every_number_makes_no_sense_with_are_refused() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    for flag in ["--refines", "--engine stateright", "--checkpoint kept", "--processes 2"] {
        let refused = folder.run(&format!("check bug.toml --any-size {flag}")).code(NOT_ASKED);
        refused.stderr(says("'--any-size' cannot be used with"));
    }
}

#[test]
fn a_pinned_number_that_differs_fails() {
    let folder = Folder::new().with("bug.toml", asks(&bug_as_it_is(), ""));
    let run = json(&folder.run("check bug.toml --format json").code(AS_EXPECTED));
    let views = run["runs"][0]["any_size"]["views"].as_u64().expect("a number");
    let folder = folder.with("bug.toml", asks(&bug_as_it_is(), &format!("views = {views}")));
    folder.run("check bug.toml").code(AS_EXPECTED);
    let wrong = asks(&bug_as_it_is(), &format!("views = {}, not-asked = 1", views + 1));
    let folder = folder.with("bug.toml", wrong);
    for flag in ["", "--any-size"] {
        let failed = folder.run(&format!("check bug.toml {flag}")).code(UNEXPECTED);
        let told = says(&format!("{views} views, but {} are expected", views + 1));
        let of = "0 claims that are not asked for every number of units, but 1 are expected";
        failed.stdout(told.and(says(of)));
    }
}

#[test]
fn a_certificate_is_written_whole_and_the_same_each_time() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("mine.jsonl", "mine\n");
    let line = "check bug.toml --any-size --certificate";
    folder.run(&format!("{line} to/one.jsonl")).code(AS_EXPECTED);
    folder.run(&format!("{line} two.jsonl")).code(AS_EXPECTED);
    let text = folder.read("two.jsonl");
    assert_eq!(text, folder.read("to/one.jsonl"));
    assert!(text.starts_with("{\"certificate\":{\"deathwatch\":"), "{text}");
    // A certificate is replaced, and a file of another origin is not.
    folder.run(&format!("{line} two.jsonl")).code(AS_EXPECTED);
    let refused = folder.run(&format!("{line} mine.jsonl")).code(NOT_ASKED);
    refused.stderr(says("somebody else has made it"));
    assert_eq!(folder.read("mine.jsonl"), "mine\n");
    folder.run(&format!("{line} bug.toml")).code(NOT_ASKED);
    // A limit leaves no half-written certificate.
    let limited = folder.run(&format!("{line} less.jsonl --max-states 5")).code(UNDECIDED);
    limited.stderr(says("no certificate is written"));
    assert!(!folder.path("less.jsonl").exists());
}

#[test]
fn a_certificate_is_about_one_scenario_and_every_number() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("fixed.toml", fixed());
    let refused = folder.run("check --any-size --certificate all.jsonl bug.toml fixed.toml");
    refused.code(NOT_ASKED).stderr(says("these are 2 scenarios"));
    let refused = folder.run("check bug.toml --certificate bug.jsonl").code(NOT_ASKED);
    refused.stderr(says("--any-size"));
}

/// Each line conforms to the schema.
#[test]
fn the_lines_of_a_certificate_have_a_schema() {
    let folder = Folder::new().with("fixed.toml", fixed());
    folder.run("check fixed.toml --any-size --certificate fixed.jsonl").code(AS_EXPECTED);
    let schema = json(&folder.run("schema certificate").code(AS_EXPECTED));
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    for line in folder.read("fixed.jsonl").lines() {
        let line = serde_json::from_str(line).expect("a line of JSON");
        assert!(schema.is_valid(&line), "{line}");
    }
}

#[test]
fn what_must_be_assumed_is_not_asked_of_every_number() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let why = says("`assume` does not answer for every number of units");
    folder.run("assume bug.toml --any-size").code(NOT_ASKED).stderr(why);
}
