//! Questions given on the command line.

use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, json, says, stdout_of,
};

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
    let seen = says(&format!("reached: {STUCK} 1  user"))
        .and(predicate::str::contains("faults: fail-hardware"));
    ask(&folder, &["--reachable", STUCK]).code(AS_EXPECTED).stdout(seen);
    let never = format!("!({STUCK})");
    let seen = says(&format!("violated: {never} 1  "));
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
    let shown = stdout_of(&assert);
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
        let found = if decided == "reached" { decided } else { " 1 violated," };
        folder.run("check small.toml").code(AS_EXPECTED).stdout(predicate::str::contains(found));
    }
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

#[test]
fn a_question_that_takes_too_long_is_refused() {
    let world = "shows = \"A large world.\"\n[world.machines]\n\"0..=1000\" = {}\n\
                 [world.applications]\nmysql.units = [\"1..=1000\"]\n";
    let folder = Folder::new().with("bug.toml", world);
    let nested = "units.all(a, units.all(b, units.all(c, units.all(d, d.exists))))";
    let said = predicate::str::contains("steps in this world");
    ask(&folder, &["--always", nested]).code(NOT_ASKED).stderr(said.clone());
    let squared =
        ["--each", "unit", "--always", "units.all(a, units.all(b, a.exists == b.exists))"];
    ask(&folder, &squared).code(NOT_ASKED).stderr(said.clone());
    let text = format!("{world}[own.\"it is so\"]\nreachable = '{nested}'\n");
    let folder = Folder::new().with("bug.toml", text);
    let place = predicate::str::contains("bug.toml:7:14").and(said);
    folder.run("check bug.toml").code(NOT_ASKED).stderr(place);
}

#[test]
fn questions_of_any_letters_are_shown_escaped() {
    let folder = bug();
    let shown = |flags: &[&str]| {
        let output = ask(&folder, flags).get_output().clone();
        let shown = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert!(
            !shown.contains(|it: char| it.is_control() && !"\n\t".contains(it)),
            "{flags:?}: {shown:?}"
        );
        (output.status.code(), shown)
    };
    for (condition, code, said) in [
        ("", NOT_ASKED, "--always:1:1"),
        (" \n ", NOT_ASKED, "--always:2:2"),
        ("units.all(u, u.name != 'é漢')", NOT_ASKED, "--always:1:24"),
        ("units.all(ü, true)", NOT_ASKED, "--always:1:11"),
        ("true // é漢 \u{202e}", AS_EXPECTED, "true // é漢 \\u{202e}"),
        ("true // \u{1b}[31m", AS_EXPECTED, "true // \\u{1b}[31m"),
        ("units.all(u,\n\t!u.force)", AS_EXPECTED, "units.all(u,\\n\t!u.force)"),
        ("units.all(u, '\u{1b}' == u.name)", NOT_ASKED, "nothing is called `\\u{1b}`"),
    ] {
        let (found, shown) = shown(&["--always", condition]);
        assert_eq!((found, shown.contains(said)), (Some(code), true), "{condition:?}: {shown}");
    }
    let never = "units.exists(u, u.exists) // '\u{1b}'\n// \u{202e}é";
    let asked = ["--reachable", never, "--seeds", "0..2"];
    let (_, shown) = shown(&asked);
    assert!(
        shown.contains("$'units.exists(u, u.exists) // \\'\\x1b\\'\\x0a// \\xe2\\x80\\xae"),
        "{shown}"
    );
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
    // Counts of given commands are no values of CEL, and a world has no fixed number of clients of
    // scripts.
    assert_eq!(others, [("user", "given"), ("client", "pending")]);
    let keys = rows.iter().filter_map(|row| row["fields"].as_array()).flatten();
    let keys = keys.filter(|field| !field["key"].is_null()).count();
    assert_eq!(keys, fields.len() - others.len());
}
