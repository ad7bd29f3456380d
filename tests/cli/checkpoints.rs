//! Checkpoints: a search that is killed goes on, and has the same answers.

#![cfg(unix)]

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED};

/// A world of 67,326 states with a violated claim about what must follow.
const WORLD: &str = include_str!("../../scenarios/relation-scope-bug/2-a-crash-is-enough.toml");

/// Without commands that destroy units its scenario `remote-scope` has 140,721 states, for which
/// 41,085 stand.
const TWO_UNITS_A_SIDE: &str =
    include_str!("../../scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml");

pub(crate) fn names(folder: &Folder) -> Vec<String> {
    let files = fs::read_dir(folder.path("cp")).expect("it is there");
    let mut names: Vec<String> =
        files.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Begins a search, waits for a checkpoint if `wait` says so, and kills it so long after; says
/// whether it was killed, and left a checkpoint.
fn kill(folder: &Folder, line: &str, wait: bool, time: Duration) -> (bool, bool) {
    let mut search = Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(line.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let has_head = || {
        let is_head = |name: &String| name.ends_with(".checkpoint");
        folder.path("cp").exists() && names(folder).iter().any(is_head)
    };
    while wait && !has_head() && search.try_wait().expect("it is ours").is_none() {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(time);
    search.kill().expect("it is ours");
    let is_killed = search.wait().expect("it ends").code().is_none();
    (is_killed, is_killed && has_head())
}

fn stdout(folder: &Folder, line: &str) -> Vec<u8> {
    folder.run(line).code(AS_EXPECTED).get_output().stdout.clone()
}

#[test]
fn a_search_that_is_killed_twenty_times_has_the_same_answers() {
    is_the_same_after_kills("check world.toml --format json --verbose", WORLD);
}

/// So has one in which a state stands for several.
#[test]
fn a_search_of_representatives_that_is_killed_twenty_times_has_the_same_answers() {
    let ask = "check world.toml#remote-scope --format json --verbose";
    let is_kept = |line: &&str| !line.starts_with("\"destroy-unit");
    let world: Vec<&str> = TWO_UNITS_A_SIDE.lines().filter(is_kept).collect();
    let world = world.join("\n").replace("check.states = 549293", "check.states = 140721");
    is_the_same_after_kills(ask, &world);
}

/// Asks, is killed again and again, and compares.
fn is_the_same_after_kills(ask: &str, world: &str) {
    let folder = Folder::new().with("world.toml", world);
    let undisturbed = stdout(&folder, ask);
    let kept = format!("{ask} --checkpoint cp --resume");
    let (mut kills, mut with_head) = (0, 0);
    for round in 0..20_u64 {
        // Wherever it is killed, it has to go on.
        let time = Duration::from_millis(round * 7919 % if round % 2 == 0 { 300 } else { 40 });
        let line = format!("{kept} --threads {}", 1 + round % 3);
        let (is_killed, has_head) = kill(&folder, &line, round % 2 == 1, time);
        kills += u32::from(is_killed);
        with_head += u32::from(has_head);
    }
    assert!(kills >= 5 && with_head >= 2, "{kills} kills, {with_head} with a checkpoint");
    assert_eq!(stdout(&folder, &kept), undisturbed);
    assert!(names(&folder).is_empty(), "what is answered leaves nothing");
}

/// A search of a large world that ended early, and the name of its checkpoint.
fn unfinished() -> (Folder, String) {
    let folder = Folder::new().with("large.toml", LARGE);
    let begun = folder.run("check large.toml --checkpoint cp --max-states 60000");
    begun.code(UNDECIDED).stderr("");
    let [head, states] = &names(&folder)[..] else { panic!("{:?}", names(&folder)) };
    assert!(head.ends_with(".checkpoint") && states.ends_with(".states"));
    let head = format!("cp/{head}");
    (folder, head)
}

#[test]
fn a_search_goes_on_with_higher_limits_only() {
    let (folder, _) = unfinished();
    let whole = folder.run("check large.toml --max-states 65000").get_output().stdout.clone();
    let less = folder.run("check large.toml --checkpoint cp --resume --max-states 20000");
    less.code(NOT_ASKED)
        .stderr(predicate::str::contains("`--max-states` and `--max-memory` raise that"));
    let more = folder.run("check large.toml --checkpoint cp --resume --max-states 65000");
    more.code(UNDECIDED).stdout(whole).stderr("");
}

#[test]
fn what_is_not_the_same_search_is_refused() {
    let (folder, head) = unfinished();
    let line = "check large.toml --checkpoint cp --resume --max-states 60000";
    let refused = |why: &str| {
        let run = folder.run(line).code(NOT_ASKED).stdout("");
        let told = String::from_utf8_lossy(&run.get_output().stderr).replace('\n', " ");
        assert!(told.contains(&head[3..]) && told.contains(why), "{told}");
    };
    fs::write(folder.path("large.toml"), format!("{LARGE}# Another text.\n")).expect("it is ours");
    refused("another text of large");
    fs::write(folder.path("large.toml"), LARGE).expect("it is ours");
    let bytes = fs::read(folder.path(&head)).expect("it is there");
    fs::write(folder.path(&head), &bytes[..bytes.len() / 2]).expect("it is writable");
    refused("damaged");
    fs::write(folder.path(&head), b"deathwatch checkpoint 0\n").expect("it is writable");
    refused("another version");
    fs::write(folder.path(&head), &bytes).expect("it is writable");
    folder.run(line).code(UNDECIDED).stderr("");
    // Another question has another checkpoint.
    let mut args: Vec<&str> = line.split(' ').collect();
    args.extend(["--claim", "an application counts its relations"]);
    let other = folder.command(&args).assert();
    other.code(UNDECIDED).stderr(predicate::str::contains("it begins anew"));
}

#[test]
fn what_cannot_be_written_is_told() {
    let (folder, head) = unfinished();
    fs::write(folder.path("file"), "").expect("it is writable");
    let line = "check large.toml --max-states 60000";
    let told = folder.run(&format!("{line} --checkpoint file")).code(NOT_ASKED);
    told.stderr(predicate::str::contains("failed to make file"));
    folder.run(&format!("{line} --resume")).code(NOT_ASKED);
    let engine = folder.run(&format!("{line} --checkpoint cp --engine stateright"));
    engine.code(NOT_ASKED).stderr(predicate::str::contains("stateright"));
    // A folder is in the way of the head that is to replace the last one.
    let new = head.replace(".checkpoint", ".new");
    fs::create_dir(folder.path(&new)).expect("it is not there");
    let more = folder.run("check large.toml --max-states 90000 --checkpoint cp --resume");
    more.code(UNDECIDED).stderr(predicate::str::contains("failed to write the checkpoint"));
}
