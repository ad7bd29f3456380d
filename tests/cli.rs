//! The command line, as a user and a script see it: exit codes, formats, and words.
//!
//! Every test writes its own scenarios to a folder of its own and runs the binary in there, so
//! that no path of this machine can reach a snapshot.

use std::{fs, path::Path, process::Stdio, time::Duration};

use assert_cmd::{Command, assert::Assert};
use insta::assert_snapshot;
use predicates::prelude::*;
use tempfile::TempDir;

/// The smallest world with the relation-scope bug; what it claims is left open.
const BUG: &str = r#"
shows = "A unit agent that lost its disk forgets a relation, which then stays."
witnesses = ["leave-scope.1"]
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress.units = ["1"]
mysql.units = ["2"]
[world.relations]
"wordpress:db mysql:server".entered = ["wordpress/0", "mysql/0"]
[user]
"destroy-relation wordpress:db mysql:server" = 1
[faults]
hardware-failure = ["2"]
"#;

/// A script and what follows from it.
const UNIT: &str = r#"
shows = "A Dead unit is removed by its deployer."
witnesses = ["remove-unit.1", "remove-unit.3"]
steps = """
client: destroy-unit wordpress/0
unit-agent wordpress/0: set-unit-dead wordpress/0
"""
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
[world.applications]
wordpress.units = ["1"]
[expect]
dead = ["wordpress/0"]
"#;

/// A world of more states than anybody waits for.
const LARGE: &str = r#"
shows = "A large world."
[world]
transactions = "split"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
3 = {}
4 = {}
[world.applications]
wordpress.units = ["1", "2"]
mysql.units = ["3", "4"]
[world.relations]
"wordpress:db mysql:server" = {}
[user]
"destroy-relation wordpress:db mysql:server" = "unlimited"
"destroy-application wordpress" = "unlimited"
"destroy-unit wordpress/0" = "unlimited"
"destroy-unit mysql/0" = "unlimited"
"destroy-machine 1" = "unlimited"
[faults]
crash = true
hardware-failure = true
[claims]
"an application counts its relations" = "holds"
"#;

/// A relation that is never left, because its unit always finds something else to do.
const CYCLE: &str = r#"
shows = "A unit agent that is kept busy with one relation need never leave the other."
steps = "client: destroy-relation wordpress:db mysql:server"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress.units = ["1"]
mysql.units = ["2"]
[world.relations]
"wordpress:db mysql:server".entered = ["wordpress/0"]
"wordpress:web mysql:admin" = {}
[user]
"destroy-relation wordpress:web mysql:admin" = "unlimited"
"integrate wordpress:web mysql:admin" = "unlimited"
[claims]
"a Dying relation is removed" = "holds"
"#;

const AS_EXPECTED: i32 = 0;
const UNEXPECTED: i32 = 1;
const NOT_ASKED: i32 = 2;
const UNDECIDED: i32 = 3;

/// A folder of scenarios in which the binary is run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("there is room for a folder"))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// The folder, with a file more in it.
    fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("made");
        fs::write(path, text).expect("written");
        self
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it was written")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("read").file_name();
        let mut names: Vec<_> =
            entries.map(|entry| name(entry).into_string().expect("our names are text")).collect();
        names.sort_unstable();
        names
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("deathwatch").expect("cargo has built it");
        command.current_dir(&self.0).args(args).timeout(Duration::from_secs(120));
        command
    }

    /// Runs the binary; `line` is split at spaces, as no argument here has one.
    fn run(&self, line: &str) -> Assert {
        self.command(&line.split_whitespace().collect::<Vec<_>>()).assert()
    }

    /// All that is seen of a run: exit code, stdout, stderr.
    fn seen(&self, line: &str) -> String {
        let assert = self.run(line);
        let output = assert.get_output();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it writes text");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let code = output.status.code().expect("it was not killed");
        format!("$ deathwatch {line}\n{stdout}--- stderr\n{stderr}--- exit {code}\n")
    }
}

/// The bug with the answers it really has.
fn bug_as_it_is() -> String {
    format!("{BUG}[claims]\n\"a Dying relation is removed\" = \"violated\"\n")
}

/// The bug by somebody who does not know of it.
fn bug_not_known() -> String {
    format!("{BUG}[claims]\n\"a Dying relation is removed\" = \"holds\"\n")
}

fn unit() -> String {
    format!("{UNIT}[claims]\n\"a Dead unit is removed\" = \"holds\"\n")
}

// What is as expected, and what is not.

#[test]
fn an_expected_violation_is_as_it_should_be() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check bug.toml unit.toml"));
    assert_snapshot!(folder.seen("check bug.toml unit.toml --verbose"));
}

#[test]
fn an_unexpected_violation_is_told() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    assert_snapshot!(folder.seen("check bug.toml"));
}

#[test]
fn a_run_that_goes_round_for_ever_is_told_with_its_cycle() {
    let folder = Folder::new().with("cycle.toml", CYCLE);
    assert_snapshot!(folder.seen("check cycle.toml"));
    let claim = json(&folder.run("check cycle.toml --format json"))["runs"][0]["claims"][0].clone();
    assert_eq!(claim["trace"].as_array().map(Vec::len), Some(3));
    assert_eq!(claim["cycle"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_claim_that_unexpectedly_holds_is_not_as_it_should_be() {
    let claims = "[claims]\n\"a Dead unit is removed\" = \"violated\"\n\
                  \"a Dying relation is removed\" = \"holds\"\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{claims}"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn a_script_must_do_what_it_says() {
    let folder = Folder::new().with("unit.toml", UNIT.replace("dead =", "alive ="));
    assert_snapshot!(folder.seen("check unit.toml"));
    assert_snapshot!(folder.seen("replay unit.toml"));
}

#[test]
fn a_script_alone_is_an_answer() {
    let script = UNIT.replace("witnesses = [\"remove-unit.1\", \"remove-unit.3\"]", "");
    let folder = Folder::new().with("unit.toml", script);
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn pinned_numbers_must_be_right() {
    let pins = "[check]\nstates = 4\ntransitions = 2\n";
    let folder = Folder::new().with("unit.toml", format!("{UNIT}{pins}"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn a_witness_must_be_seen() {
    let folder = Folder::new().with("unit.toml", UNIT.replace("remove-unit.3", "deploy.1"));
    assert_snapshot!(folder.seen("check unit.toml"));
}

#[test]
fn single_claims_can_be_asked() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let ask = |claim: &str| folder.command(&["check", "bug.toml", "--claim", claim]).assert();
    ask("a Dying relation is removed").code(AS_EXPECTED);
    ask("an application counts its relations")
        .code(AS_EXPECTED)
        .stdout(predicate::str::contains("holds: \"an application counts its relations\" ("));
    ask("no such claim").code(NOT_ASKED).stderr(predicate::str::contains("list claims"));
}

#[test]
fn stateright_is_asked_what_it_can_decide() {
    let claim = "\"an application counts its relations\" = \"holds\"\n";
    let folder = Folder::new().with("bug.toml", bug_as_it_is() + claim);
    assert_snapshot!(folder.seen("check bug.toml --engine stateright --verbose"));
}

#[test]
fn both_engines_count_the_same_states() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    let states = |engine: &str| {
        let line = format!("check bug.toml unit.toml --format json --engine {engine}");
        let runs = json(&folder.run(&line))["runs"].clone();
        let runs = runs.as_array().expect("an array").clone();
        runs.iter().map(|run| run["states"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(states("own"), states("stateright"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("unit.toml", unit());
    for format in ["text", "json", "junit"] {
        let bytes = |threads: u8| {
            let line = format!("check . --format {format} --threads {threads}");
            folder.run(&line).get_output().stdout.clone()
        };
        assert_eq!(bytes(1), bytes(2), "{format}");
    }
}

// Limits.

#[test]
fn an_answer_beyond_the_limits_is_open() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("check bug.toml --max-states 5"));
    assert_snapshot!(folder.seen("check bug.toml --max-states 5 --format json"));
    assert_snapshot!(folder.seen("check bug.toml --max-states 5 --format junit"));
}

#[test]
fn time_and_memory_are_limits_too() {
    let folder = Folder::new().with("large.toml", LARGE);
    let time = folder.run("check large.toml --time 100ms").code(UNDECIDED);
    time.stdout(predicate::str::contains("undecided: the time was over"));
    let memory = folder.run("check large.toml --max-memory 1MiB").code(UNDECIDED);
    memory.stdout(predicate::str::contains("undecided: the greatest amount of memory"));
}

#[test]
fn an_unexpected_answer_beats_an_open_one_and_a_bad_file_beats_both() {
    let folder = Folder::new()
        .with("bug.toml", bug_not_known())
        .with("large.toml", LARGE)
        .with("bad.toml", "shows = 1");
    folder.run("check large.toml --max-states 20").code(UNDECIDED);
    folder.run("check bug.toml large.toml --max-states 20").code(UNEXPECTED);
    let nothing_was_searched = folder.run("check bug.toml large.toml bad.toml --max-states 20");
    nothing_was_searched.code(NOT_ASKED).stdout("");
}

#[test]
fn bounds_that_make_no_sense_are_refused() {
    let folder = Folder::new().with("unit.toml", unit());
    let mut seen = String::new();
    for flag in ["--max-states", "--threads", "--max-memory", "--time"] {
        let bounds = match flag {
            "--max-memory" => ["0", "0GiB", "1000000TiB", "99999999999999TiB", "lots"],
            "--time" => ["0", "0s", "9999999h", "99999999999999999999s", "soon"],
            _ => ["0", "-1", "99999999999", "99999999999999999999", "many"],
        };
        for bound in bounds {
            let assert = folder.run(&format!("check unit.toml {flag}={bound}"));
            let stderr = assert.code(NOT_ASKED).stdout("").get_output().stderr.clone();
            let stderr = String::from_utf8(stderr).expect("it writes text");
            seen.push_str(stderr.lines().next().expect("it says something"));
            seen.push('\n');
        }
    }
    insta::with_settings!({ filters => [(r"\d+\.\d GiB in all", "[SIZE] in all")] }, {
        assert_snapshot!(seen);
    });
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_what_is_known() {
    let folder = Folder::new().with("large.toml", LARGE);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(["check", "large.toml", "--output", "answer.txt"])
        .spawn()
        .expect("it starts");
    // Ctrl-C is listened to before the output is opened, so its temporary file is a sign.
    while folder.names().len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(killed.success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(UNDECIDED));
    assert!(folder.read("answer.txt").contains("undecided: it was interrupted"));
}

// Questions that cannot be asked.

#[test]
fn a_world_that_is_too_large_is_a_question_that_cannot_be_asked() {
    let large = UNIT.replace("[expect]", "mysql.most-units = 100\n[expect]");
    let folder = Folder::new().with("large.toml", large).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check large.toml unit.toml"));
    assert_snapshot!(folder.seen("check large.toml --engine stateright"));
    folder.run("replay large.toml").code(AS_EXPECTED);
}

#[test]
fn bad_files_are_reported_with_their_places() {
    let world = "shows = \"It is bad.\"\n[world.machines]\n0 = {}\n1 = {}\n\
                 [world.applications]\nwordpress.units = [\"1\"]\n";
    let with = |more: &str| format!("{world}{more}");
    let cyclic = "shows = \"It is bad.\"\n[world.machines]\n0.host = \"1\"\n1.host = \"0\"\n";
    let bad: [(&str, String, &str); 14] = [
        ("unknown key", with("[wurld]\n"), "bad.toml:7:2"),
        ("unknown inner key", with("[faults]\ncrush = true\n"), "bad.toml:8:1"),
        ("wrong type", "shows = 1\n".to_owned(), "bad.toml:1:9"),
        ("wrong inner type", with("[faults]\ncrash = \"yes\"\n"), "bad.toml:8:9"),
        ("no TOML", "shows = = 1\n".to_owned(), "bad.toml:1:"),
        ("unknown claim", with("[claims]\n\"it works\" = \"holds\"\n"), "bad.toml:8:1"),
        ("unknown unit", with("[expect]\ngone = [\"mysql/0\"]\n"), "bad.toml:8:9"),
        ("unknown variant", with("[variants]\nnone = \"of them\"\n"), "bad.toml:8:1"),
        ("bound of zero", with("[user]\n\"destroy-unit wordpress/0\" = 0\n"), "bad.toml:8:30"),
        ("huge bound", with("[user]\n\"destroy-unit wordpress/0\" = 99999\n"), "bad.toml:8:30"),
        ("huge number", with("mysql.most-units = 99999999999999999999\n"), "bad.toml:7:20"),
        ("cyclic container", cyclic.to_owned(), "bad.toml:"),
        ("empty", String::new(), "bad.toml:1:1"),
        ("step", format!("steps = \"cleaner: remove-unit wordpress/0\"\n{world}"), "bad.toml:1:"),
    ];
    for (what, text, place) in bad {
        let folder = Folder::new().with("bad.toml", text);
        for command in ["check", "replay", "explore", "list scenarios"] {
            let assert = folder.run(&format!("{command} bad.toml")).code(NOT_ASKED).stdout("");
            let stderr = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
            assert!(stderr.contains(place), "{what}: {place} is not in\n{stderr}");
            assert!(!stderr.contains("panicked"), "{what}:\n{stderr}");
        }
    }
}

#[test]
fn files_that_are_no_scenarios_are_reported() {
    let folder = Folder::new().with("binary.toml", [0, 159, 146, 150]).with("empty/note.md", "");
    assert_snapshot!(folder.seen("check binary.toml"));
    assert_snapshot!(folder.seen("check missing.toml"));
    assert_snapshot!(folder.seen("check empty"));
    assert_snapshot!(folder.seen("check"));
}

#[test]
fn all_bad_files_are_reported_at_once() {
    let folder = Folder::new()
        .with("unit.toml", unit())
        .with("one.toml", "shows = 1\n")
        .with("two.toml", "[wurld]\n");
    assert_snapshot!(folder.seen("check ."));
}

#[test]
fn a_step_that_is_not_enabled_is_a_bad_question() {
    let text = UNIT.replace("client: destroy-unit", "cleaner: remove-unit");
    let folder = Folder::new().with("unit.toml", text);
    assert_snapshot!(folder.seen("replay unit.toml"));
}

#[test]
fn diagnostics_have_no_colours_unless_somebody_sees_them() {
    let folder = Folder::new().with("bad.toml", "shows = 1\n");
    for line in ["check bad.toml", "check --threads 0", "check missing.toml"] {
        let escape = predicate::str::contains("\u{1b}").not();
        folder.run(line).code(NOT_ASKED).stderr(escape);
    }
}

// Formats and outputs.

#[test]
fn json_is_one_object() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check bug.toml unit.toml --format json"));
}

#[test]
fn junit_has_a_suite_per_folder_and_a_case_per_claim() {
    let folder = Folder::new()
        .with("bugs/known.toml", bug_as_it_is())
        .with("bugs/unknown.toml", bug_not_known())
        .with("units/unit.toml", unit())
        .with("units/wrong.toml", UNIT.replace("dead =", "alive =") + "[check]\nstates = 7\n");
    assert_snapshot!(folder.seen("check bugs units --format junit"));
}

#[test]
fn times_are_told_only_if_asked_for() {
    let folder = Folder::new().with("unit.toml", unit());
    let seconds = |line: &str| json(&folder.run(line))["runs"][0]["seconds"].clone();
    assert!(seconds("check unit.toml --format json").is_null());
    assert!(seconds("check unit.toml --format json --timings").is_number());
    let text = folder.run("check unit.toml --timings").code(AS_EXPECTED);
    text.stdout(predicate::str::is_match(r"\(3 states, \d+\.\d\d s, ").expect("a pattern"));
}

#[test]
fn an_output_file_is_replaced_as_a_whole() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("out.json", "old");
    let to_stdout = folder.run("check bug.toml --format json").get_output().stdout.clone();
    let line = "check bug.toml --format json --output out.json";
    folder.run(line).code(UNEXPECTED).stdout("").stderr("");
    assert_eq!(folder.read("out.json").as_bytes(), to_stdout);
    assert_eq!(folder.names(), ["bug.toml", "out.json"]);
}

#[test]
fn an_output_file_stays_as_it_is_if_the_question_is_bad() {
    let folder = Folder::new().with("bad.toml", "shows = 1\n").with("out.txt", "old");
    folder.run("check bad.toml --output out.txt").code(NOT_ASKED);
    assert_eq!(folder.read("out.txt"), "old");
    assert_eq!(folder.names(), ["bad.toml", "out.txt"]);
}

#[test]
fn an_output_that_cannot_be_written_is_reported_first() {
    let folder = Folder::new().with("large.toml", LARGE);
    assert_snapshot!(folder.seen("check large.toml --output missing/out.txt"));
    assert_snapshot!(folder.seen("check large.toml --output ."));
    assert_snapshot!(folder.seen("check large.toml --output large.toml/out.txt"));
    assert_snapshot!(folder.seen("check large.toml --write-traces large.toml"));
}

#[cfg(unix)]
#[test]
fn an_output_that_is_no_file_is_written_to_and_not_replaced() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let folder = Folder::new().with("unit.toml", unit()).with("real/out.txt", "old");
    folder.run("check unit.toml --output /dev/null").code(AS_EXPECTED);
    let null = fs::metadata("/dev/null").expect("it is there");
    assert!(null.file_type().is_char_device());

    symlink("real/out.txt", folder.path("link.txt")).expect("a link");
    folder.run("check unit.toml --output link.txt").code(AS_EXPECTED);
    assert!(folder.path("link.txt").is_symlink());
    assert!(folder.read("real/out.txt").contains("1 scenario as expected"));
}

#[test]
fn a_reader_that_goes_away_makes_nobody_panic() {
    let folder = Folder::new().with("unit.toml", unit());
    for (line, code) in [
        ("list clauses", AS_EXPECTED),
        ("schema", AS_EXPECTED),
        ("replay unit.toml", AS_EXPECTED),
        ("check unit.toml", UNDECIDED),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
            .current_dir(&folder.0)
            .args(line.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(code), "{line}");
    }
}

#[test]
fn a_counterexample_is_a_scenario() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    folder.run("check bug.toml --write-traces found").code(UNEXPECTED);
    let found = "found/bug/a-dying-relation-is-removed.toml";
    assert_snapshot!(folder.read(found));
    assert_snapshot!(folder.seen(&format!("replay {found}")));
    folder.run("check found").code(AS_EXPECTED);
}

// The other commands.

#[test]
fn replay_tells_what_each_step_changes() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("replay unit.toml"));
    assert_snapshot!(folder.seen("replay unit.toml bug.toml"));
}

#[test]
fn lists_name_what_there_is() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("list scenarios bug.toml unit.toml"));
    assert_snapshot!(folder.seen("list scenarios bug.toml --format json"));
    for (what, name) in [
        ("claims", "a Dying unit is removed"),
        ("variants", "relation-tracking"),
        ("clauses", "remove-unit.4"),
    ] {
        let contains = || predicate::str::contains(name);
        folder.run(&format!("list {what}")).code(AS_EXPECTED).stdout(contains());
        let assert = folder.run(&format!("list {what} --format json")).code(AS_EXPECTED);
        let list = json(&assert);
        assert_eq!(list["command"], format!("list {what}"));
        let names = list[what].as_array().expect("an array").iter();
        assert!(names.clone().any(|item| item["name"] == name), "{what}");
    }
    folder.run("list everything").code(NOT_ASKED);
    folder.run("list claims bug.toml").code(NOT_ASKED);
}

#[test]
fn the_schema_is_json() {
    let folder = Folder::new();
    let assert = folder.run("schema").code(AS_EXPECTED);
    assert!(json(&assert)["properties"]["world"].is_object());
}

#[test]
fn only_this_machine_may_explore() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("explore bug.toml --address 0.0.0.0:3000"));
    assert_snapshot!(folder.seen("explore bug.toml --address localhost"));
    folder.run("explore .").code(NOT_ASKED).stderr(predicate::str::contains("more than one"));

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = taken.local_addr().expect("it has one");
    let assert = folder.run(&format!("explore bug.toml --address {address}")).code(NOT_ASKED);
    assert.stderr(predicate::str::contains("failed to serve on 127.0.0.1"));
}

#[test]
fn explore_serves_the_world_to_a_browser() {
    let folder = Folder::new().with("unit.toml", unit());
    let address = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
        free.local_addr().expect("it has one")
    };
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(["explore", "unit.toml", "--address", &address.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let answer = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        get(address, "/.states/").ok()
    });
    child.kill().expect("it still serves");
    child.wait().expect("it ends");
    let answer = answer.expect("it answers within ten seconds");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("life: Dead"), "it begins where the script ends:\n{answer}");
}

/// What a server answers to a browser.
fn get(address: std::net::SocketAddr, path: &str) -> std::io::Result<String> {
    use std::io::{Read as _, Write as _};

    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[test]
fn help_says_what_each_command_answers() {
    let folder = Folder::new();
    assert_snapshot!(folder.seen("--help"));
    for command in ["check", "replay", "explore", "list", "schema"] {
        let both = predicate::str::contains("Answers: ").and(predicate::str::contains("Examples:"));
        folder.run(&format!("{command} --help")).code(AS_EXPECTED).stdout(both);
    }
    folder.run("").code(NOT_ASKED);
    folder.run("chekc").code(NOT_ASKED).stderr(predicate::str::contains("'check'"));
}

fn json(assert: &Assert) -> serde_json::Value {
    serde_json::from_slice(&assert.get_output().stdout).expect("it is JSON")
}

/// The tests are about files they write themselves.
#[test]
fn no_test_leaves_a_path_in_a_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    for entry in fs::read_dir(folder).expect("there are snapshots") {
        let path = entry.expect("read").path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("cli__")) {
            let text = fs::read_to_string(&path).expect("text");
            assert!(!text.contains("/tmp"), "{}", path.display());
        }
    }
}
