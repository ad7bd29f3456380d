//! Several processes that search together: they print the bytes that one does, or no answer, but
//! never another one.

#![cfg(unix)]

use std::{
    fs::Permissions,
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use deathwatch_cluster::free_addresses;
use predicates::prelude::*;

use crate::fixture::{
    AS_EXPECTED, Folder, LARGE as NO_END, NOT_ASKED, UNDECIDED, bug_as_it_is, without_any_size,
};

/// Worlds of 4,715 and 5,175 states with violated claims, and one of 90 in which all hold.
const SMALL: &str =
    include_str!("../../scenarios/relation-scope-bug/5-remote-scope-is-not-enough.toml");
const SMALL_WORLDS: &str = "world.toml# world.toml#left-on-removal world.toml#while-units-live";
/// A world of over 8,000 states in 2,664 orbits: two units a side are alike.
pub(crate) const ALIKE: &str =
    include_str!("../../scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml");
/// A world of 67,326 states.
pub(crate) const LARGE: &str =
    include_str!("../../scenarios/relation-scope-bug/2-a-crash-is-enough.toml");
const LARGE_WORLD: &str = "world.toml#before-entering-split";

/// The secret that the processes of a cluster share.
pub(crate) const SECRET: &str = "0123456789abcdef";

/// The lines of a file of hosts with free addresses.
pub(crate) fn hosts(processes: usize) -> String {
    free_addresses(processes).unwrap().join("\n")
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

pub(crate) fn start(folder: &Folder, args: &[&str], secret: &str) -> Child {
    folder
        .process(args)
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

/// Asserts that these numbers of processes print the bytes that one process does.
fn print_the_same(folder: &Folder, ask: &str, processes: &[usize], threads: usize) {
    let stdout = |line: &str| folder.run(line).code(AS_EXPECTED).get_output().stdout.clone();
    let alone = stdout(ask);
    for processes in processes {
        let line = format!("{ask} --processes {processes} --threads {threads}");
        assert!(stdout(&line) == alone, "{ask}: {processes} processes");
    }
}

#[test]
fn several_processes_answer_with_the_bytes_of_one() {
    let folder =
        Folder::new().with("world.toml", without_any_size(SMALL)).with("alike.toml", ALIKE);
    // JSON contains all that text does.
    for (format, processes) in [("text", 2), ("json", 3)] {
        let all = format!("check {SMALL_WORLDS} --symmetry off --format {format} --verbose");
        let some = format!("check alike.toml# --symmetry on --format {format} --verbose");
        print_the_same(&folder, &all, &[processes], 2);
        print_the_same(&folder, &some, &[processes], 1);
    }
}

/// Shipped worlds of up to some hundred states; `sim/tests/clusters` compares a sample of all.
#[test]
fn several_processes_answer_shipped_scenarios_as_one_does() {
    let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios");
    let ask = format!("check {scenarios}/series --symmetry off --verbose");
    print_the_same(&Folder::new(), &ask, &[2, 4], 1);
}

#[test]
fn a_process_that_is_killed_leaves_no_answer_or_the_right_one() {
    for (killed, wait) in [(1, 100), (1, 2000), (0, 2000)] {
        let folder = Folder::new().with("world.toml", LARGE).with("hosts", hosts(2));
        let ask =
            |process: usize| format!("check {LARGE_WORLD} --cluster hosts --process {process}");
        let begin = |it| start(&folder, &words(&(ask(it) + " --time 20s")), SECRET);
        let mut processes = [0, 1].map(|it| Some(begin(it)));
        thread::sleep(Duration::from_millis(wait));
        let mut victim = processes[killed].take().expect("it was started");
        victim.kill().expect("it is ours");
        drop(victim.wait());
        let other = processes[1 - killed].take().expect("it was started");
        if killed == 1 && wait < 500 {
            // Process 0 may wait for the other one, which never came.
            thread::sleep(Duration::from_millis(200));
            signal(other.id(), "-INT");
        }
        let (code, output) = end(other);
        let is_right = || {
            let alone = || folder.run(&format!("check {LARGE_WORLD}"));
            killed == 0 || output.stdout == alone().get_output().stdout
        };
        let is_right = code == Some(AS_EXPECTED) && is_right();
        assert!(is_right || [Some(UNDECIDED), Some(NOT_ASKED)].contains(&code), "{output:?}");
    }
}

/// The processes that this one has started and that still run, as the system lists them.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let numbers = list.unwrap_or_default();
    numbers.split_whitespace().map(|it| it.parse().unwrap()).filter(|it| runs(*it)).collect()
}

#[cfg(target_os = "linux")]
fn runs(process: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|state| !state.contains(") Z "))
}

#[cfg(target_os = "linux")]
fn kill(process: u32) {
    signal(process, "-KILL");
}

fn signal(process: u32, signal: &str) {
    Command::new("kill").arg(signal).arg(process.to_string()).status().expect("it is there");
}

/// The processes that this one has started, once their number is `count`.
#[cfg(target_os = "linux")]
fn started_by(first: &mut Child, count: usize) -> Vec<u32> {
    let mut started = children(first.id());
    while started.len() < count && matches!(first.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(1));
        started = children(first.id());
    }
    started
}

#[test]
#[cfg(target_os = "linux")]
fn who_waits_for_a_process_that_hangs_hears_time_and_an_interruption() {
    let folder = Folder::new().with("large.toml", NO_END).with("tmp/mine", "");
    for time in ["2s", "1h"] {
        let ask = format!("check large.toml --processes 2 --threads 1 --time {time}");
        let temporary = folder.path("tmp");
        let mut first = folder
            .process(words(&ask))
            .env("TMPDIR", &temporary)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let started = started_by(&mut first, 1);
        thread::sleep(Duration::from_secs(1));
        for child in &started {
            signal(*child, "-STOP");
        }
        assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 1, "no file is left by a kill");
        let waited = std::time::Instant::now();
        if time == "1h" {
            thread::sleep(Duration::from_millis(300));
            signal(first.id(), "-INT");
        }
        let (code, output) = end(first);
        assert_eq!(code, Some(UNDECIDED), "{output:?}");
        assert!(waited.elapsed() < Duration::from_secs(20), "{:?}", waited.elapsed());
        assert!(!started.iter().any(|it| runs(*it)), "who hangs is ended, too");
    }
}

#[test]
fn who_is_interrupted_before_all_have_come_has_no_answer() {
    let hosts = hosts(2);
    let folder = Folder::new().with("world.toml", SMALL).with("hosts", hosts.clone());
    let ask = "check world.toml --cluster hosts --process 0";
    for (flags, is_interrupted) in [("", true), (" --time 5s", false)] {
        let first = start(&folder, &words(&format!("{ask}{flags}")), SECRET);
        while is_interrupted && TcpStream::connect(hosts.lines().next().unwrap()).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
        if is_interrupted {
            signal(first.id(), "-INT");
        }
        let (code, output) = end(first);
        assert_eq!(code, Some(UNDECIDED), "{output:?}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("before all processes had come"), "{told}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn processes_of_one_machine_end_together() {
    let folder = Folder::new().with("world.toml", LARGE);
    let ask = format!("check {LARGE_WORLD} --processes 3");
    for victim in [None, Some(0), Some(1)] {
        let mut first = start(&folder, &words(&ask), "");
        let mut started = started_by(&mut first, 2);
        kill(victim.map_or(first.id(), |place: usize| started[place]));
        let (code, output) = end(first);
        if victim.is_some() {
            assert!([Some(NOT_ASKED), Some(UNDECIDED)].contains(&code), "{output:?}");
        }
        for _ in 0..1000 {
            started.retain(|it| runs(*it));
            if !started.is_empty() {
                thread::sleep(Duration::from_millis(20));
            }
        }
        assert!(started.is_empty(), "{victim:?}: {started:?} go on alone");
    }
}

#[test]
fn a_process_that_misses_another_says_which_in_time() {
    let hosts = hosts(4);
    let folder = Folder::new().with("world.toml", SMALL).with("hosts", hosts.clone());
    let ask = |process: usize, time: &str| {
        let ask = "check world.toml --cluster hosts --connect-within";
        start(&folder, &words(&format!("{ask} {time} --process {process}")), SECRET)
    };
    let says = |child: Child, why: &str| {
        let (code, output) = end(child);
        assert_eq!(code, Some(NOT_ASKED), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{why}: {output:?}");
    };
    // Process 0 has let process 2 in, which waits for process 1 as long as its own limit says.
    let first = ask(0, "1m");
    while TcpStream::connect(hosts.lines().next().unwrap()).is_err() {
        thread::sleep(Duration::from_millis(20));
    }
    says(ask(2, "3s"), "process 1 did not come");
    says(first, "process 2 came, and has ended since");
    says(ask(0, "300ms"), "processes 1, 2, 3 did not come");
}

#[test]
fn processes_that_differ_say_in_what() {
    let (one, other) = (format!("{SMALL}\n"), format!("{SMALL}\n# Another text.\n"));
    let cases = [
        (&other, "--process 1", SECRET, "with the checksum"),
        (&one, "--process 1 --claim none", SECRET, ""),
        (&one, "--process 1", "another sixteen", "too short"),
        (&one, "--process 1", "another of sixteen", "does not know the secret"),
    ];
    for (text, flags, secret, why) in cases {
        let folder = Folder::new().with("world.toml", &one).with("hosts", hosts(2));
        let second = Folder::new().with("world.toml", text);
        std::fs::copy(folder.path("hosts"), second.path("hosts")).unwrap();
        let ask = "check world.toml --cluster hosts --time 20s";
        let first = start(&folder, &words(&format!("{ask} --process 0")), SECRET);
        let second = end(start(&second, &words(&format!("{ask} {flags}")), secret));
        assert_eq!(second.0, Some(NOT_ASKED), "{second:?}");
        assert!(String::from_utf8_lossy(&second.1.stderr).contains(why), "{second:?}");
        let waits = why != "with the checksum";
        if waits {
            // The other process did not come, or was turned away.
            signal(first.id(), "-INT");
        }
        let (code, output) = end(first);
        assert_eq!(code, Some(if waits { UNDECIDED } else { NOT_ASKED }), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new()
        .with("world.toml", SMALL)
        .with("hosts", hosts(2))
        .with("bad", "here\nthere\n")
        .with("short", "12345")
        .with("open", SECRET);
    std::fs::set_permissions(folder.path("open"), Permissions::from_mode(0o644)).unwrap();
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    for (flags, why) in [
        ("--processes 1", "one process needs no others"),
        ("--processes 2 --journal kept", "cannot be used with"),
        ("--processes 2 --engine stateright", "one process"),
        ("--cluster hosts", "--process"),
        ("--cluster hosts --process 2", "there is no process 2"),
        ("--cluster missing --process 0", "failed to read"),
        ("--cluster bad --process 0", "HOST:PORT"),
        ("--cluster hosts --process 0", "no secret"),
        ("--cluster hosts --process 0 --secret short", "too short"),
        ("--cluster hosts --process 0 --secret open", "everybody can read open"),
        ("--cluster hosts --process 0 --secret pipe", "not an ordinary file"),
        ("--cluster pipe --process 0", "not an ordinary file"),
    ] {
        folder
            .run(&format!("check world.toml {flags}"))
            .code(NOT_ASKED)
            .stderr(predicate::str::contains(why));
    }
}

/// After `--` there are only paths, even where they look like flags.
#[test]
fn paths_may_stand_behind_two_dashes() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check --processes 2 -- bug.toml").code(AS_EXPECTED);
}
