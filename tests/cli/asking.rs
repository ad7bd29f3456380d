//! Questions of one's own: in the table `[own]`, and on the spot.

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, json};

fn ask(folder: &Folder, flags: &[&str]) -> assert_cmd::assert::Assert {
    let args: Vec<&str> = ["ask", "bug.toml"].iter().chain(flags).copied().collect();
    folder.command(&args).assert()
}

fn bug() -> Folder {
    Folder::new().with("bug.toml", bug_as_it_is())
}

const STUCK: &str = "quiescent && relations.exists(r, r.life == \"dying\" && size(r.in_scope) > 0)";

#[test]
fn a_question_is_answered_with_the_shortest_run() {
    let folder = bug();
    let seen = predicate::str::starts_with(format!("reached: {STUCK}\n"))
        .and(predicate::str::contains("faults: fail-hardware"));
    ask(&folder, &["--reachable", STUCK]).code(AS_EXPECTED).stdout(seen);
    let never = format!("!({STUCK})");
    let seen = predicate::str::starts_with(format!("violated: {never}\n  1  "));
    ask(&folder, &["--always", &never]).code(UNEXPECTED).stdout(seen);
    let leads = ["--each", "relation", "--leads", "it.life == \"dying\"", "!it.exists"];
    let seen = predicate::str::contains("for relation wordpress:db mysql:server")
        .and(predicate::str::contains("and nothing more happens"));
    ask(&folder, &leads).code(UNEXPECTED).stdout(seen);
    let step = ["--each", "unit", "--step", "before.life == after.life || after.life != \"alive\""];
    let seen = predicate::str::starts_with("holds of every transition: each unit: ");
    ask(&folder, &step).code(AS_EXPECTED).stdout(seen);
    let never = ["--reachable", "relations.exists(r, r.life == \"dead\")"];
    ask(&folder, &never).code(UNEXPECTED).stdout(predicate::str::starts_with("never reached: "));
    let owed = ["--each", "unit", "--leads", "it.life == \"dead\"", "!it.exists"];
    ask(&folder, &owed).code(UNEXPECTED).stdout(predicate::str::starts_with("vacuous, "));
    let assert = ask(&folder, &["--reachable", STUCK, "--format", "json"]).code(AS_EXPECTED);
    assert_eq!(json(&assert)["runs"][0]["claims"][0]["kind"], "reachable");
    assert_eq!(json(&assert)["command"], "ask");
}

#[test]
fn a_question_has_no_answer_within_its_limits() {
    let folder = bug();
    let limited = ["--always", "true", "--max-states", "3"];
    let seen = predicate::str::starts_with("undecided: true\n  the greatest number of states");
    ask(&folder, &limited).code(UNDECIDED).stdout(seen);
}

#[test]
fn a_question_can_be_asked_of_seeds() {
    let folder = bug();
    let always = ["--always", "relations.all(r, r.life != \"dying\")", "--seeds", "0..50"];
    ask(&folder, &always).code(UNEXPECTED).stdout(predicate::str::contains("seed 0"));
    let reachable = ["--reachable", "relations.exists(r, r.life == \"dying\")", "--seeds", "0..50"];
    ask(&folder, &reachable).code(AS_EXPECTED);
    let never = ["--reachable", "relations.exists(r, r.life == \"dead\")", "--seeds", "0..9"];
    ask(&folder, &never).code(UNEXPECTED).stdout(predicate::str::contains("reached by no seed"));
    let assert = ask(&folder, &[&reachable[..], &["--format", "json"]].concat());
    assert_eq!(json(&assert)["runs"][0]["answer"], "holds");
}

/// The commands that an answer names, as their arguments.
fn commands(folder: &Folder, flags: &[&str]) -> Vec<Vec<String>> {
    let assert = ask(folder, flags);
    let shown = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    let commands = shown.lines().filter_map(|line| line.trim().strip_prefix("deathwatch "));
    commands.map(words).collect()
}

/// The words of a command whose quotes are single ones.
fn words(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.replace("'\\''", "\u{1}").chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => found.push(String::new()),
            '\u{1}' => found.last_mut().expect("there is one").push('\''),
            letter => found.last_mut().expect("there is one").push(letter),
        }
    }
    found
}

#[test]
fn the_commands_of_a_question_replay_and_shrink_the_seed_that_answers_it() {
    let leads = ["--each", "relation", "--leads", "it.life == 'dying'", "!it.exists"];
    for (flags, decided) in [
        (&["--always", "relations.all(r, r.life != 'dying')"][..], "violated"),
        (&["--always=-1 < size(units.filter(u, u.exists && size(u.scopes) == 0))-1"], "violated"),
        (&["--reachable", "relations.exists(r, r.life == \"dying\")"], "reached"),
        (&["--each", "relation", "--step", "before.life == after.life"], "violated"),
        (&leads, "violated"),
    ] {
        let folder = bug();
        let found = commands(&folder, &[flags, &["--seeds", "0..50"]].concat());
        let [replay, shrink] = &found[..] else { panic!("{flags:?}: {found:?}") };
        let answer = predicate::str::contains(format!("\n{decided}"));
        let replay: Vec<&str> = replay.iter().map(String::as_str).collect();
        folder.command(&replay).assert().stdout(answer);
        let shrink: Vec<&str> = shrink.iter().map(String::as_str).collect();
        let shrink = [&shrink[..], &["--output", "small.toml"]].concat();
        folder
            .command(&shrink)
            .assert()
            .code(AS_EXPECTED)
            .stderr(predicate::str::contains(decided));
        folder.run("replay small.toml").code(AS_EXPECTED);
        let found = if decided == "reached" { decided } else { "violated as expected" };
        folder.run("check small.toml").code(AS_EXPECTED).stdout(predicate::str::contains(found));
    }
}

#[test]
fn what_can_be_reached_is_told_as_reached() {
    let dying =
        "[own.\"it can be Dying\"]\nreachable = \"relations.exists(r, r.life == 'dying')\"\n";
    let dead = dying.replace("dying", "dead").replace("Dying", "Dead");
    let text =
        bug_as_it_is().replace("[claims]\n", "[claims]\n\"it can be Dead\" = \"violated\"\n");
    let folder = Folder::new().with("bug.toml", format!("{text}\n{dying}{dead}"));
    let seen = predicate::str::contains("reached: \"it can be Dying\"")
        .and(predicate::str::contains("never reached as expected: \"it can be Dead\""));
    folder.run("check bug.toml").code(AS_EXPECTED).stdout(seen);
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
fn a_question_that_means_nothing_is_refused_with_its_place() {
    let folder = bug();
    let place =
        || predicate::str::contains("--always:1:20").and(predicate::str::contains("`life`"));
    let wrong = ["--always", "relations.all(r, r.lief != \"dying\")"];
    ask(&folder, &wrong).code(NOT_ASKED).stderr(place());
    for verb in ["replay", "shrink"] {
        let args = [&[verb, "bug.toml", "--seed", "0"][..], &wrong].concat();
        folder.command(&args).assert().code(NOT_ASKED).stderr(place());
        let args = [verb, "bug.toml", "--seed", "0", "--each", "unit"];
        folder.command(&args).assert().code(NOT_ASKED);
        let two = ["--always", "true", "--claim", "a Dying unit is removed"];
        let args = [&[verb, "bug.toml", "--seed", "0"][..], &two].concat();
        folder.command(&args).assert().code(NOT_ASKED);
    }
    folder.command(&["replay", "bug.toml", "--always", "true"]).assert().code(NOT_ASKED);
    ask(&folder, &[]).code(NOT_ASKED);
    ask(&folder, &["--always", "true", "--reachable", "true"]).code(NOT_ASKED);
    ask(&folder, &["--each", "unti", "--always", "it.exists"]).code(NOT_ASKED);
}

const OWN: &str =
    "\n[own.\"no relation is Dying\"]\nalways = \"relations.all(r, r.life != 'dying')\"\n";

#[test]
fn a_claim_of_a_scenario_is_checked_simulated_replayed_and_shrunk() {
    let text = bug_as_it_is();
    let violated = "[claims]\n\"no relation is Dying\" = \"violated\"\n";
    let folder = Folder::new().with("bug.toml", text.replace("[claims]\n", violated) + OWN);
    let name = predicate::str::contains("\"no relation is Dying\"");
    folder.run("check bug.toml").code(AS_EXPECTED).stdout(name.clone());
    folder.run("check bug.toml --format junit").code(AS_EXPECTED);
    folder.run("simulate bug.toml --seeds 0..50 --keep-going").stdout(name.clone());
    folder.run("replay bug.toml --seed 0").stdout(name.clone());
    let args = ["shrink", "bug.toml", "--seed", "0", "--claim", "no relation is Dying"];
    folder.command(&args).assert().stdout(predicate::str::contains("destroy-relation"));
    let args = ["check", "bug.toml", "--claim", "no relation is Dying"];
    folder.command(&args).assert().code(AS_EXPECTED).stdout(name);
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
    ] {
        let folder = Folder::new().with("bug.toml", wrong(own));
        let assert = folder.run("check bug.toml").code(NOT_ASKED);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
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
fn rows_have_the_fields_that_can_be_expected_of_them() {
    let folder = Folder::new();
    let list = |of: &str| {
        let listed = json(&folder.run(&format!("list {of} --format json")))[of].clone();
        listed.as_array().expect("an array").clone()
    };
    let (rows, fields) = (list("rows"), list("fields"));
    let in_rows = |field: &serde_json::Value| {
        let row = rows.iter().find(|row| row["name"] == field["row"])?;
        let mut fields = row["fields"].as_array()?.iter();
        fields.find(|it| it["key"] == field["name"] && it["means"] == field["means"])
    };
    let others = fields.iter().filter(|field| in_rows(field).is_none());
    let others: Vec<(&str, &str)> = others
        .map(|it| (it["row"].as_str().expect("a name"), it["name"].as_str().expect("a name")))
        .collect();
    // Counts of commands are no value of CEL, and of the clients of scripts a world knows no number.
    assert_eq!(others, [("user", "given"), ("client", "pending")]);
    let keys = rows.iter().filter_map(|row| row["fields"].as_array()).flatten();
    let keys = keys.filter(|field| !field["key"].is_null()).count();
    assert_eq!(keys, fields.len() - others.len());
}
