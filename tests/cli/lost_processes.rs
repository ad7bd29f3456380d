//! Processes that search together, are killed, and go on from their checkpoints with the same
//! answers.

#![cfg(unix)]

use std::{fs, process::Child, thread, time::Duration};

use predicates::prelude::*;

use crate::{
    checkpoints::names,
    cluster::{ALIKE, LARGE as LONGER, SECRET, end, hosts, start},
    fixture::{AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED},
};

/// A world of 28,300 states, with a violated claim.
const WORLD: &str = include_str!("../../scenarios/lifecycle/machine-waits-for-dying-units.toml");
/// A claim of the kind leads.
const LEADS: &str = "a Dying machine is removed";
const PROCESSES: usize = 3;

struct Kill {
    /// Whether the time counts from the next checkpoint, or from the beginning.
    is_after_checkpoint: bool,
    /// The time until the kill.
    time: Duration,
    process: usize,
    /// Whether the others run on until they notice it.
    is_noticed: bool,
}

fn heads(folder: &Folder) -> Vec<Vec<u8>> {
    let names = if folder.path("cp").exists() { names(folder) } else { Vec::new() };
    let heads = names.iter().filter(|name| name.ends_with(".checkpoint"));
    heads.filter_map(|name| fs::read(folder.path(&format!("cp/{name}"))).ok()).collect()
}

/// Begins or resumes a search, and kills a process. Returns whether it was killed.
fn kill(folder: &Folder, ask: &[&str], kill: &Kill) -> bool {
    fs::write(folder.path("hosts"), hosts(PROCESSES)).expect("it is writable");
    let before = heads(folder);
    let mut processes: Vec<Child> = (0..PROCESSES)
        .map(|process| {
            let more = "--cluster hosts --checkpoint cp --resume --threads 1 --time 5m --process";
            let process = process.to_string();
            start(
                folder,
                &[ask, &more.split(' ').collect::<Vec<_>>(), &[&process]].concat(),
                SECRET,
            )
        })
        .collect();
    while kill.is_after_checkpoint
        && heads(folder) == before
        && matches!(processes[0].try_wait(), Ok(None))
    {
        thread::sleep(Duration::from_millis(1));
    }
    thread::sleep(kill.time);
    let mut victim = processes.remove(kill.process);
    victim.kill().expect("it is ours");
    let is_killed = victim.wait().expect("it ends").code().is_none();
    for (place, mut other) in processes.into_iter().enumerate() {
        if is_killed && !kill.is_noticed {
            other.kill().expect("it is ours");
        }
        let (code, output) = end(other);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        // All questions may have been answered before.
        if is_killed && kill.is_noticed && code != Some(AS_EXPECTED) {
            assert_eq!(code, Some(UNDECIDED), "{told}");
            // Only process 0 tells the user about `--resume`.
            assert_eq!(told.contains("`--resume`"), place == 0 && kill.process != 0, "{told}");
        }
        assert_ne!(code, Some(NOT_ASKED), "{told}");
    }
    is_killed
}

/// The answer of a single process that is not killed.
fn undisturbed(folder: &Folder, ask: &[&str]) -> Vec<u8> {
    let alone = folder.command(ask).assert();
    alone.code(AS_EXPECTED).get_output().stdout.clone()
}

fn assert_goes_on(folder: &Folder, ask: &[&str], answer: &[u8]) {
    let more = ["--processes", "3", "--threads", "1", "--checkpoint", "cp", "--resume"];
    let rest = folder.command(&[ask, &more].concat()).assert().code(AS_EXPECTED);
    assert!(rest.get_output().stdout == answer);
    assert!(names(folder).is_empty(), "what is answered leaves nothing");
}

#[test]
fn processes_that_are_killed_go_on_and_answer_with_the_bytes_of_one() {
    let folder = Folder::new().with("world.toml", WORLD);
    let violated = "a machine with principals or containers does not change its life";
    let ask = ["check", "world.toml", "--verbose", "--claim", LEADS, "--claim", violated];
    let answer = undisturbed(&folder, &ask);
    let kills = [(true, 20, 1, true), (false, 500, 0, false), (true, 300, 2, false)];
    for (is_after_checkpoint, time, process, is_noticed) in kills {
        let time = Duration::from_millis(time);
        let is_killed =
            kill(&folder, &ask, &Kill { is_after_checkpoint, time, process, is_noticed });
        assert!(is_killed || process > 0, "it has answered within half a second");
    }
    assert_goes_on(&folder, &ask, &answer);
}

#[test]
#[ignore = "takes minutes"]
fn processes_that_are_killed_twenty_times_answer_with_the_bytes_of_one() {
    are_killed_twenty_times(LONGER, "world.toml");
}

/// The same with symmetry reduction.
#[test]
#[ignore = "takes minutes"]
fn processes_with_representatives_that_are_killed_twenty_times_answer_with_the_bytes_of_one() {
    are_killed_twenty_times(ALIKE, "world.toml#remote-scope");
}

fn are_killed_twenty_times(world: &str, asked: &str) {
    let folder = Folder::new().with("world.toml", world);
    let ask = ["check", asked, "--format", "json", "--verbose"];
    let answer = undisturbed(&folder, &ask);
    let mut kills = 0;
    for round in 0..20_u64 {
        let time = Duration::from_millis(round * 7919 % if round % 2 == 0 { 2000 } else { 200 });
        let (process, is_after_checkpoint) = ((round * 5 + round / 3) % 3, round % 2 == 1);
        let process = usize::try_from(process).expect("it is small");
        let is_noticed = is_after_checkpoint && round % 4 == 1;
        let is_killed =
            kill(&folder, &ask, &Kill { is_after_checkpoint, time, process, is_noticed });
        kills += u32::from(is_killed);
    }
    assert!(kills >= 10, "{kills} kills");
    assert_goes_on(&folder, &ask, &answer);
}

#[test]
fn processes_that_cannot_go_on_say_which_of_them_and_why() {
    let folder = Folder::new().with("large.toml", LARGE);
    let line = "check large.toml --threads 1 --checkpoint cp --max-states";
    let two = |most: u32, more: &str| folder.run(&format!("{line} {most} --processes 2 {more}"));
    two(60_000, "").code(UNDECIDED);
    let refused = |more: &str, why: &[&str]| {
        let run = folder.run(&format!("{line} {more} --resume")).code(NOT_ASKED).stdout("");
        let told = String::from_utf8_lossy(&run.get_output().stderr).replace("\n  │", "");
        assert!(why.iter().all(|why| told.contains(why)), "{told}");
    };
    refused("80000 --processes 3", &["is of process 0 of 2", "is of process 1 of 2"]);
    refused("9000 --processes 2", &["`--max-states` and `--max-memory` raise that"]);
    let is_head = |it: &String| it.ends_with(".1.checkpoint");
    let head = names(&folder).into_iter().find(is_head).expect("process 1 has one");
    let head = folder.path(&format!("cp/{head}"));
    let bytes = fs::read(&head).expect("it is there");
    fs::write(&head, &bytes[1..]).expect("it is writable");
    refused("80000 --processes 2", &["damaged", "process 1 has none of the same moment"]);
    fs::write(&head, &bytes).expect("it is writable");
    two(70_000, "--resume").code(UNDECIDED).stderr("");
    // Without the flag it begins anew.
    two(300, "").code(UNDECIDED);
    two(300, "--resume").code(UNDECIDED).stderr(predicate::str::contains("it begins anew"));
}
