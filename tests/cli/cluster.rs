//! Several processes that search together: the same bytes as one, or no answer, and never another.

#![cfg(unix)]

use std::{
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use deathwatch_cluster::free_addresses;
use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED};

/// Worlds of 4,715 and 5,175 states with violated claims, and one of 90 in which all hold.
const SMALL: &str =
    include_str!("../../scenarios/relation-scope-bug/5-remote-scope-is-not-enough.toml");
const SMALL_WORLDS: &str = "world.toml# world.toml#left-on-removal world.toml#while-units-live";
/// A world of 67,326 states.
pub(crate) const LARGE: &str =
    include_str!("../../scenarios/relation-scope-bug/2-a-crash-is-enough.toml");
const LARGE_WORLD: &str = "world.toml#before-entering-split";

/// The lines of a file of hosts, at which nobody listens.
pub(crate) fn hosts(processes: usize) -> String {
    free_addresses(processes).unwrap().join("\n")
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

pub(crate) fn start(folder: &Folder, args: &[&str], secret: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(args)
        .env("DEATHWATCH_SECRET", secret)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts")
}

pub(crate) fn end(child: Child) -> (Option<i32>, Output) {
    let output = child.wait_with_output().expect("it is ours");
    (output.status.code(), output)
}

/// Compares what one process prints with what these numbers of processes do.
fn print_the_same(folder: &Folder, ask: &str, processes: [usize; 2], threads: usize) {
    let stdout = |line: &str| folder.run(line).code(AS_EXPECTED).get_output().stdout.clone();
    let alone = stdout(&format!("{ask} --symmetry off"));
    for processes in processes {
        let line = format!("{ask} --processes {processes} --threads {threads}");
        assert!(stdout(&line) == alone, "{ask}: {processes} processes");
    }
}

#[test]
fn several_processes_answer_with_the_bytes_of_one() {
    let folder = Folder::new().with("world.toml", SMALL);
    for format in ["text", "json"] {
        let ask = format!("check {SMALL_WORLDS} --format {format} --verbose");
        print_the_same(&folder, &ask, [2, 3], 2);
    }
}

/// Shipped worlds of up to some hundred states; `sim/tests/clusters` has a sample of all.
#[test]
fn several_processes_answer_shipped_scenarios_as_one_does() {
    let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    print_the_same(&Folder::new(), &format!("check {scenarios}/series --verbose"), [2, 4], 1);
}

#[test]
fn a_process_that_is_killed_leaves_no_answer_or_the_right_one() {
    for (killed, wait) in [(1, 100), (1, 2000), (0, 2000)] {
        let folder = Folder::new().with("world.toml", LARGE).with("hosts", hosts(2));
        let ask =
            |process: usize| format!("check {LARGE_WORLD} --cluster hosts --process {process}");
        let begin = |it| start(&folder, &words(&(ask(it) + " --time 20s")), "");
        let mut processes = [0, 1].map(|it| Some(begin(it)));
        thread::sleep(Duration::from_millis(wait));
        let mut victim = processes[killed].take().expect("it was started");
        victim.kill().expect("it is ours");
        drop(victim.wait());
        let other = processes[1 - killed].take().expect("it was started");
        if killed == 1 && wait < 500 {
            // Process 0 may wait for the other, as it came never.
            thread::sleep(Duration::from_millis(200));
            drop(Command::new("kill").arg("-INT").arg(other.id().to_string()).status());
        }
        let (code, output) = end(other);
        let is_right = || {
            let alone = || folder.run(&format!("check {LARGE_WORLD} --symmetry off"));
            killed == 0 || output.stdout == alone().get_output().stdout
        };
        let is_right = code == Some(AS_EXPECTED) && is_right();
        assert!(is_right || [Some(UNDECIDED), Some(NOT_ASKED)].contains(&code), "{output:?}");
    }
}

#[test]
fn processes_that_differ_say_in_what() {
    let (one, other) = (format!("{SMALL}\n"), format!("{SMALL}\n# Another text.\n"));
    let cases = [
        (&other, "--process 1", "s", "with the checksum"),
        (&one, "--process 1 --claim none", "s", ""),
        (&one, "--process 1", "another", "secret"),
    ];
    for (text, flags, secret, why) in cases {
        let folder = Folder::new().with("world.toml", &one).with("hosts", hosts(2));
        let second = Folder::new().with("world.toml", text);
        std::fs::copy(folder.path("hosts"), second.path("hosts")).unwrap();
        let ask = "check world.toml --cluster hosts --time 20s";
        let first = start(&folder, &words(&format!("{ask} --process 0")), "s");
        let second = end(start(&second, &words(&format!("{ask} {flags}")), secret));
        assert_eq!(second.0, Some(NOT_ASKED), "{second:?}");
        assert!(String::from_utf8_lossy(&second.1.stderr).contains(why), "{second:?}");
        if why.is_empty() {
            // The other one did not come.
            drop(Command::new("kill").arg("-INT").arg(first.id().to_string()).status());
        }
        let (code, output) = end(first);
        // Who is interrupted need not have asked yet.
        let may_be = if why.is_empty() { [NOT_ASKED, UNDECIDED] } else { [NOT_ASKED; 2] };
        assert!(code.is_some_and(|code| may_be.contains(&code)), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new()
        .with("world.toml", SMALL)
        .with("hosts", hosts(2))
        .with("open", "192.0.2.1:4000\n192.0.2.2:4000\n")
        .with("bad", "here\nthere\n")
        .with("short", "12345");
    for (flags, why) in [
        ("--processes 1", "one process needs no others"),
        ("--processes 2 --journal kept", "cannot be used with"),
        ("--processes 2 --engine stateright", "one process"),
        ("--cluster hosts", "--process"),
        ("--cluster hosts --process 2", "there is no process 2"),
        ("--cluster missing --process 0", "failed to read"),
        ("--cluster bad --process 0", "HOST:PORT"),
        ("--cluster open --process 0", "no secret"),
        ("--cluster hosts --process 0 --secret short", "too short"),
    ] {
        folder
            .run(&format!("check world.toml {flags}"))
            .code(NOT_ASKED)
            .stderr(predicate::str::contains(why));
    }
}
