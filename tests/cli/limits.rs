//! Limits: an answer beyond them is undecided.

use std::time::Duration;

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::{
    fixture::{
        Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known, code_after,
        json, says, stderr_of, unit, words,
    },
    program::program,
};

#[test]
fn an_answer_beyond_the_limits_is_open() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("check bug.toml --max-states 5"));
    assert_snapshot!(folder.seen("check bug.toml --max-states 5 --format json"));
    assert_snapshot!(folder.seen("check bug.toml --max-states 5 --format junit"));
}

#[test]
fn what_is_remembered_changes_no_byte() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    for command in [
        "check bug.toml unit.toml --verbose",
        "check bug.toml unit.toml --format json",
        "check bug.toml --max-states 100 --format json",
        "check bug.toml --engine stateright --verbose",
        "ask bug.toml --reachable units.exists(u,u.life=='dead')",
        "assume bug.toml",
    ] {
        let printed = |flag: &str| {
            let output = folder.run(&format!("{command} --threads 2{flag}"));
            let output = output.get_output().clone();
            (output.status.code(), output.stdout, output.stderr)
        };
        assert_eq!(printed(" --no-cache"), printed(""), "{command}");
    }
}

#[test]
fn time_and_memory_are_limits_too() {
    let folder = Folder::new().with("large.toml", LARGE);
    let time = folder.run("check large.toml --time 2s").code(UNDECIDED);
    time.stdout(says("undecided: the time was over"));
    let memory = folder.run("check large.toml --max-memory 1MiB").code(UNDECIDED);
    memory.stdout(says("undecided: the greatest amount of memory"));
}

#[test]
fn the_second_opinion_reports_what_it_found_before_a_limit() {
    let world = format!("witnesses = [\"destroy-unit.1\"]\n{}", LARGE.trim_start());
    let folder = Folder::new().with("large.toml", world);
    let found = folder.run("check large.toml --engine stateright --max-states 500 --format json");
    found.code(UNDECIDED).stdout(predicate::str::contains("destroy-unit.1"));
}

#[test]
fn an_unexpected_answer_beats_an_open_one_and_a_bad_file_beats_both() {
    let folder = Folder::new()
        .with("bug.toml", bug_not_known())
        .with("large.toml", LARGE)
        .with("bad.toml", "shows = 1");
    folder.run("check large.toml --max-states 20").code(UNDECIDED);
    folder.run("check bug.toml large.toml --max-states 20").code(UNEXPECTED);
    let all = folder.run("check bug.toml large.toml bad.toml --max-states 20").code(NOT_ASKED);
    all.stdout(predicate::str::contains(
        "3 scenarios: 0 as expected, 1 not as expected, 2 undecided",
    ));
}

#[test]
fn bounds_that_make_no_sense_are_refused() {
    let folder = Folder::new().with("unit.toml", unit());
    let mut seen = String::new();
    for flag in ["--max-states", "--threads", "--max-memory", "--time"] {
        let bounds = match flag {
            "--max-memory" => ["0", "0GiB", "1000000TiB", "99999999999999TiB", "lots"],
            "--time" => ["0", "0s", "9999999h", "99999999999999999999s", "soon"],
            _ => ["0", "-1", "99999999999999", "99999999999999999999", "many"],
        };
        for bound in bounds {
            let assert = folder.run(&format!("check unit.toml {flag}={bound}"));
            let stderr = stderr_of(&assert.code(NOT_ASKED).stdout(""));
            seen.push_str(stderr.lines().next().expect("it says something"));
            seen.push('\n');
        }
    }
    insta::with_settings!({ filters => [(r"\d+\.\d GiB in all", "[SIZE] in all")] }, {
        assert_snapshot!(seen);
    });
}

/// A world in which a seed takes longer than any test waits.
fn endless() -> Folder {
    let storm = "[simulate]\nstorm = \"8760h\"\n[claims]";
    Folder::new().with("endless.toml", LARGE.replace("[claims]", storm))
}

#[test]
fn time_is_a_limit_within_a_seed() {
    let folder = endless();
    for flags in ["", "--verify", "--jobs 1", "--keep-going --journal seeds.jsonl"] {
        let line = format!("simulate endless.toml --seeds 0..9 --time 1s {flags}");
        let assert = folder.run(&line).code(UNDECIDED);
        assert.stdout(says("undecided: the time was over"));
    }
}

/// A run that is shown is kept in memory, so its states and its memory have limits, too.
#[test]
fn the_run_of_one_seed_has_limits() {
    let folder = endless();
    for (limit, why) in [
        // On a busy machine the time may be over before the scenario is loaded.
        ("--time 1s", "the time was over before the "),
        ("--max-states 20", "the greatest number of states was reached before the run had ended"),
        ("--max-memory 1KiB", "the greatest amount of memory was reached before the run had ended"),
    ] {
        for flags in ["", "--verbose", "--format json", "--write-scenario run.toml"] {
            let line = format!("replay endless.toml --seed 1 {limit} {flags}");
            let cut = folder.run(&line).code(UNDECIDED).stdout("");
            cut.stderr(predicate::str::contains(why));
        }
    }
    assert_eq!(folder.names(), ["endless.toml"]);
    let shrunk = folder.run("shrink endless.toml --seed 1 --time 1s").code(UNDECIDED).stdout("");
    shrunk.stderr(predicate::str::contains("the time was over before the "));
    let states = folder.run("replay endless.toml --seed 1 --always false --max-states 20");
    states.code(UNEXPECTED);
}

#[test]
fn time_is_a_limit_while_scenarios_are_loaded() {
    let world = "shows = \"It takes long to be read.\"\n[world.machines]\n\"1..=50000\" = {}\n\
                 [world.applications]\nwordpress.units = [\"1..=50000\"]\n";
    let folder = Folder::new().with("1.toml", world).with("2.toml", world).with("3.toml", world);
    for command in ["check", "simulate", "report --scenarios"] {
        let assert = folder.run(&format!("{command} . --time 1ms")).code(UNDECIDED).stdout("");
        let says = "undecided: the time was over before the scenarios were loaded";
        assert.stderr(predicate::str::contains(says));
    }
}

/// In a format of documents the output is one document, and it states that there is no answer.
#[test]
fn a_limit_while_scenarios_are_loaded_is_told_in_every_format() {
    let world = "shows = \"It takes long to be read.\"\n[world.machines]\n\"1..=50000\" = {}\n\
                 [world.applications]\nwordpress.units = [\"1..=50000\"]\n";
    let folder = Folder::new().with("in/1.toml", world);
    let says = "the time was over before the scenarios were loaded";
    for (command, schema) in
        [("check", "check"), ("simulate", "sweep"), ("ask", "check"), ("assume", "check")]
    {
        let question = if command == "ask" { "--always true" } else { "" };
        let line = format!("{command} in/1.toml {question} --time 1ms");
        let asked = folder.run(&format!("{line} --format json")).code(UNDECIDED);
        let document = json(&asked);
        assert_eq!(document["undecided"], says, "{command}");
        let schema = json(&folder.run(&format!("schema {schema}")));
        assert!(jsonschema::is_valid(&schema, &document), "{command}: {document:#}");
        folder.run(&format!("{line} --output {command}.txt")).code(UNDECIDED).stdout("");
        assert_eq!(folder.read(&format!("{command}.txt")), format!("undecided: {says}\n"));
        if command == "assume" {
            continue;
        }
        folder.run(&format!("{line} --format junit --output {command}.xml")).code(UNDECIDED);
        let junit = folder.read(&format!("{command}.xml"));
        assert!(junit.contains(&format!("<testsuites name=\"deathwatch {command}\" tests=\"1\"")));
        assert!(junit.contains("errors=\"1\"") && junit.contains(says), "{junit}");
        let page = folder.run(&format!("{line} --format html")).code(UNDECIDED);
        page.stdout(predicate::str::contains(says));
    }
    let text = folder.read("in/1.toml");
    folder.run("check in --time 1ms --format json --output in/1.toml").code(NOT_ASKED);
    assert_eq!(folder.read("in/1.toml"), text, "what is read is not replaced");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_seed_that_is_run_twice() {
    let folder = endless();
    for signal in ["-INT", "-TERM"] {
        let mut child = folder
            .process("simulate endless.toml --seed 1 --verify --output answer.txt".split(' '))
            .spawn()
            .expect("it starts");
        while folder.names().iter().all(|name| !name.starts_with(".deathwatch-")) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(code_after(&mut child, signal), Some(UNDECIDED));
        assert!(words(&folder.read("answer.txt")).contains("undecided: it was interrupted"));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_is_known() {
    let folder = Folder::new().with("large.toml", LARGE);
    let mut child = folder
        .process(["check", "large.toml", "--output", "answer.txt"])
        .spawn()
        .expect("it starts");
    // Ctrl-C is handled before the output is opened, so its temporary file is a sign.
    while folder.names().len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(code_after(&mut child, "-INT"), Some(UNDECIDED));
    assert!(words(&folder.read("answer.txt")).contains("undecided: it was interrupted"));
}

/// With a limited address space, a failing allocation would end the process.
#[cfg(target_os = "linux")]
#[test]
fn the_addresses_that_there_may_be_are_a_limit() {
    let folder = Folder::new().with("large.toml", LARGE);
    let binary = program().display().to_string();
    let script = format!("ulimit -v 200000; exec {binary} check large.toml --threads 2");
    let mut shell = assert_cmd::Command::new("sh");
    let shell = shell.current_dir(folder.0.path()).args(["-c", &script]).assert();
    shell.code(UNDECIDED).stdout(predicate::str::contains("the greatest amount of memory"));
}

/// Copies the binary into a folder that others may read. No limit holds for root, so another user
/// runs it.
#[cfg(target_os = "linux")]
fn for_others(folder: &Folder) {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    fs::copy(program(), folder.path("deathwatch")).expect("copied");
    fs::set_permissions(&folder.0, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// The exit code and the output for this user, with at most `most` processes and threads.
#[cfg(target_os = "linux")]
fn seen_with_processes(
    folder: &Folder,
    user: &str,
    most: u32,
    line: &str,
) -> (i32, String, String) {
    use std::process::Command;

    let is_root = Command::new("id").arg("-u").output().expect("it runs").stdout == b"0\n";
    let reuid = format!("--reuid={user}");
    let user: &[&str] = if is_root { &["setpriv", &reuid, "--clear-groups"] } else { &[] };
    // Shells disagree on the letter of this limit.
    let script = format!(
        "(ulimit -p {most}) 2>/dev/null && ulimit -p {most} || ulimit -u {most}; \
         exec ./deathwatch {line}"
    );
    let args = [user, &["sh", "-c", script.as_str()]].concat();
    let output =
        Command::new(args[0]).args(&args[1..]).current_dir(&folder.0).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes text");
    let code = output.status.code().expect("it was not killed");
    (code, text(output.stdout), text(output.stderr))
}

/// The answers for a user who may start no further process or thread.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_done_without() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("large.toml", LARGE);
    for_others(&folder);
    for line in [
        "check bug.toml --threads 64",
        "check bug.toml --threads 64 --engine stateright",
        "check large.toml --threads 64 --max-states 20000",
        "simulate bug.toml --seeds 0..60 --jobs 64 --keep-going",
        "shrink bug.toml --seed 17",
    ] {
        let expected = folder.seen(line);
        let (code, stdout, stderr) = seen_with_processes(&folder, "65534", 1, line);
        let seen = format!("$ deathwatch {line}\n{stdout}--- stderr\n{stderr}--- exit {code}\n");
        if line.ends_with("stateright") {
            // stateright works only on threads of its own.
            assert_eq!((code, stdout.as_str()), (NOT_ASKED, ""), "{seen}");
            assert!(stderr.contains("failed to start a thread of stateright's checker"), "{seen}");
        } else {
            assert_eq!(seen, expected);
        }
    }
}

/// Only a few threads can be started, and the number varies.
#[cfg(target_os = "linux")]
#[test]
fn the_second_opinion_asks_for_no_more_threads_than_there_may_be() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    for_others(&folder);
    for _ in 0..20 {
        let line = "check bug.toml --engine stateright --threads 32";
        let (code, stdout, stderr) = seen_with_processes(&folder, "65533", 6, line);
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!([UNDECIDED, NOT_ASKED].contains(&code), "{code}: {stdout}{stderr}");
    }
}

/// A single state of such a world has thousands of successors, each of which takes long.
#[test]
fn limits_are_heard_within_a_single_state() {
    let shipped = |name: &str| {
        format!("{}/scenarios/simulate/1000-units/{name}.toml", env!("CARGO_MANIFEST_DIR"))
    };
    let (evacuated, everywhere) =
        (shipped("machine-evacuation"), shipped("subordinates-everywhere"));
    let folder = Folder::new();
    for ask in [
        vec!["ask", &evacuated, "--always", "true"],
        vec!["check", &everywhere, "--claim", "a Dead unit is removed"],
    ] {
        let begun = std::time::Instant::now();
        let args = [&ask[..], &["--time", "2s", "--max-memory", "200MiB"]].concat();
        folder.command(&args).assert().code(UNDECIDED);
        assert!(begun.elapsed() < Duration::from_secs(30), "{ask:?}: {:?}", begun.elapsed());
    }
}
