//! Claims of a scenario's own, in the table `[own]`.

use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNEXPECTED, bug_as_it_is, json, says, stderr_of,
};

const OWN: &str =
    "\n[own.\"no relation is Dying\"]\nalways = \"relations.all(r, r.life != 'dying')\"\n";

#[test]
fn a_claim_of_a_scenario_is_checked_simulated_replayed_and_shrunk() {
    let text = bug_as_it_is();
    let violated = "[claims]\n\"no relation is Dying\" = \"violated\"\n";
    let folder = Folder::new().with("bug.toml", text.replace("[claims]\n", violated) + OWN);
    let name = || says("\"no relation is Dying\"");
    folder.run("check bug.toml --verbose").code(AS_EXPECTED).stdout(name());
    folder.run("check bug.toml --format junit").code(AS_EXPECTED);
    folder.run("simulate bug.toml --seeds 0..50 --keep-going").stdout(name());
    folder.run("replay bug.toml --seed 0").stdout(name());
    let args = ["shrink", "bug.toml", "--seed", "0", "--claim", "no relation is Dying"];
    folder.command(&args).assert().stdout(predicate::str::contains("destroy-relation"));
    let args = ["check", "bug.toml", "-v", "--claim", "no relation is Dying"];
    folder.command(&args).assert().code(AS_EXPECTED).stdout(name());
}

#[test]
fn a_script_that_violates_a_claim_of_its_scenario_is_counted_by_every_seed() {
    let own = r#"shows = "A unit is told to go by the script itself."
steps = """
client: destroy-unit wordpress/0
"""
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
[world.applications]
wordpress.units = ["1"]
[own."no unit is told to go"]
each = "unit"
step = 'before.life != "alive" || after.life != "dying"'
[claims]
"no unit is told to go" = "violated"
"#;
    let folder = Folder::new().with("bug.toml", own);
    folder.run("simulate bug.toml --seeds 0..3").code(AS_EXPECTED);
}

#[test]
fn a_wrong_claim_of_a_scenario_is_refused_with_its_place() {
    let wrong = |own: &str| bug_as_it_is() + "\n[own.\"it is so\"]\n" + own;
    let lines = bug_as_it_is().lines().count();
    for (own, column, said) in [
        ("always = 'units.all(u, u.lief == \"dead\")'", 26, "`life`"),
        ("always = \"units.all(u, u.name == \\\"x/0\\\")\"", 34, "nothing is called `x/0`"),
        ("each = 'unti'\nalways = 'true'", 8, "`unit`"),
        ("always = 'units'", 11, "this is a list"),
        ("step = 'true'\nalways = 'true'", 8, "two things"),
        ("each = 'unit'", 6, "says nothing"),
        ("step = 'true || false'", 9, "reads nothing"),
    ] {
        let folder = Folder::new().with("bug.toml", wrong(own));
        let assert = folder.run("check bug.toml").code(NOT_ASKED);
        let stderr = stderr_of(&assert);
        assert!(stderr.contains(said), "{own}:\n{stderr}");
        let is_there =
            (lines + 2..lines + 5).any(|line| stderr.contains(&format!(":{line}:{column}")));
        assert!(is_there, "{own} at {column}:\n{stderr}");
    }
}

#[test]
fn a_claim_of_a_scenario_is_in_the_journals_of_its_shards() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + OWN);
    for shard in 1..=2 {
        folder.run(&format!(
            "simulate bug.toml --seeds 0..20 --keep-going --shard {shard}/2 --journal {shard}.jsonl"
        ));
    }
    let merged = folder.run("merge 1.jsonl 2.jsonl");
    let whole = folder.run("simulate bug.toml --seeds 0..20 --keep-going");
    assert_eq!(merged.get_output().stdout, whole.get_output().stdout);
    whole.stdout(predicate::str::contains("no relation is Dying"));
}

#[test]
fn what_can_be_reached_is_told_as_reached() {
    let dying =
        "[own.\"it can be Dying\"]\nreachable = \"relations.exists(r, r.life == 'dying')\"\n";
    let dead = dying.replace("dying", "dead").replace("Dying", "Dead");
    let text =
        bug_as_it_is().replace("[claims]\n", "[claims]\n\"it can be Dead\" = \"violated\"\n");
    let folder = Folder::new().with("bug.toml", format!("{text}\n{dying}{dead}"));
    let seen = predicate::str::contains("reached as expected: \"it can be Dying\"")
        .and(predicate::str::contains("never reached as expected: \"it can be Dead\""));
    folder.run("check bug.toml --verbose").code(AS_EXPECTED).stdout(seen);
    let counted = predicate::str::contains(" 1 violated, 1 never reached, 1 reached, 18 states");
    folder.run("check bug.toml").code(AS_EXPECTED).stdout(counted);
    let wrong = text.replace("Dead\" = \"violated", "Dying\" = \"violated");
    let folder = Folder::new().with("bug.toml", format!("{wrong}\n{dying}{dead}"));
    let seen = || {
        predicate::str::contains("reached, but expected to be out of reach")
            .and(predicate::str::contains("never reached, but expected to be reached"))
    };
    folder.run("check bug.toml").code(UNEXPECTED).stdout(seen());
    folder.run("check bug.toml --format junit").code(UNEXPECTED).stdout(seen());
    let seeds = "simulate bug.toml --seeds 0..20 --keep-going --format junit";
    let seen = predicate::str::contains("reached: &quot;it can be Dying&quot;");
    folder.run(seeds).code(UNEXPECTED).stdout(seen);
}

#[test]
fn names_that_are_taken_are_refused_with_the_reason() {
    for (name, said) in [
        ("a Dying unit is removed", "the claim `a Dying unit is removed` is built in"),
        ("all", "`all` stands for every claim"),
        (" ", "a claim has a name"),
    ] {
        let own = format!("{}\n[own.\"{name}\"]\nalways = \"true\"\n", bug_as_it_is());
        let folder = Folder::new().with("bug.toml", own);
        folder.run("check bug.toml").code(NOT_ASKED).stderr(predicate::str::contains(said));
    }
    let text =
        bug_as_it_is().replace("[claims]\n", "[claims]\n\"no relation is Dyin\" = \"violated\"\n");
    let folder = Folder::new().with("bug.toml", text + OWN);
    let said = predicate::str::contains("did you mean `no relation is Dying`?");
    folder.run("check bug.toml").code(NOT_ASKED).stderr(said);
}

#[test]
fn stateright_decides_what_is_always_so_and_what_can_be_reached() {
    let reachable =
        "\n[own.\"it can be Dying\"]\nreachable = \"relations.exists(r, r.life == 'dying')\"\n";
    let violated = "[claims]\n\"no relation is Dying\" = \"violated\"\n";
    let text = bug_as_it_is().replace("[claims]\n", violated) + OWN + reachable;
    let folder = Folder::new().with("bug.toml", text);
    for name in ["no relation is Dying", "it can be Dying"] {
        let args = ["check", "bug.toml", "-v", "--engine", "stateright", "--claim", name];
        folder.command(&args).assert().code(AS_EXPECTED).stdout(predicate::str::contains(name));
    }
}

/// The lines of many claims are found in one reading of the file.
#[test]
fn a_scenario_can_have_thousands_of_claims() {
    let head = "shows = \"A test.\"\nworld.applications.wordpress = {}\n".to_owned();
    let text = (0..2_000)
        .fold(head, |text, at| text + "own.\"c" + &at.to_string() + "\".always = \"true\"\n");
    let folder = Folder::new().with("a.toml", text);
    let answers = json(&folder.run("check a.toml --format json").code(AS_EXPECTED));
    assert_eq!(answers["runs"][0]["claims"][1_999]["line"], 2_002);
}

#[test]
fn a_rule_that_never_applies_is_told() {
    let rule = "[rule.never]\nact = \"destroy-unit {it}\"\nactor = \"unit-agent\"\neach = \"unit\"\n\
                when = 'it.life == \"dead\" && it.life == \"alive\"'\n";
    let folder = Folder::new().with("never.toml", format!("{}{rule}", bug_as_it_is()));
    let told = "warning: never: the rule \"never\" never applies here";
    folder.run("check never.toml").success().stderr(says(told));
    // stateright does not note what is done under which rule.
    folder.run("check never.toml --engine stateright").stderr(says("never applies").not());
}

#[test]
fn a_condition_that_keeps_an_act_from_all_is_not_told_as_idle() {
    let rule = "[rule.nobody]\nonly = \"leave-scope\"\nactor = \"unit-agent\"\neach = \"unit\"\n\
                when = 'false'\n";
    let folder = Folder::new().with("nobody.toml", format!("{}{rule}", bug_as_it_is()));
    folder.run("check nobody.toml").code(UNEXPECTED).stderr("");
}
