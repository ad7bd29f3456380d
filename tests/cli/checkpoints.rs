//! Checkpoints: a search that is killed can go on, and has the same answers.

#![cfg(unix)]

use std::{fs, process::Stdio, thread, time::Duration};

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED, without_any_size};

/// A world of 67,326 states with a violated claim of the kind leads.
const WORLD: &str = include_str!("../../scenarios/relation-scope-bug/2-a-crash-is-enough.toml");

/// A scenario with symmetries. Without commands that destroy units, its scenario `remote-scope` has
/// 140,721 states in 41,085 orbits.
const TWO_UNITS_A_SIDE: &str =
    include_str!("../../scenarios/relation-scope-bug/7-two-units-a-side-as-written.toml");

pub(crate) fn names(folder: &Folder) -> Vec<String> {
    let files = fs::read_dir(folder.path("cp")).expect("it is there");
    let mut names: Vec<String> =
        files.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Begins a search, waits for a checkpoint if `wait`, and kills it after `time`. Returns whether it
/// was killed, and whether it left a checkpoint.
fn kill(folder: &Folder, line: &str, wait: bool, time: Duration) -> (bool, bool) {
    let mut search = folder
        .process(line.split_whitespace())
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

/// The same with symmetry reduction.
#[test]
fn a_search_of_representatives_that_is_killed_twenty_times_has_the_same_answers() {
    let ask = "check world.toml#remote-scope --format json --verbose";
    let world = without_any_size(TWO_UNITS_A_SIDE);
    let is_kept = |line: &&str| !line.starts_with("\"destroy-unit");
    let world: Vec<&str> = world.lines().filter(is_kept).collect();
    let world = world.join("\n").replace("check.states = 549293", "check.states = 140721");
    is_the_same_after_kills(ask, &world);
}

/// Kills a search twenty times, resumes it, and compares the answers.
fn is_the_same_after_kills(ask: &str, world: &str) {
    let folder = Folder::new().with("world.toml", world);
    let undisturbed = stdout(&folder, ask);
    let kept = format!("{ask} --checkpoint cp --resume");
    let (mut kills, mut with_head) = (0, 0);
    for round in 0..20_u64 {
        // The search goes on from any point at which it was killed.
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

/// A search of a large world that ended early, and the path of its checkpoint.
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
    // Without what is looked up, representatives are not searched for.
    let slow = folder.run("check large.toml --checkpoint cp --resume --max-states 100 --no-cache");
    slow.code(UNDECIDED).stderr(predicate::str::contains("it begins anew"));
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
    // A folder blocks the path of the new head, which is to replace the last one.
    let new = head.replace(".checkpoint", ".new");
    fs::create_dir(folder.path(&new)).expect("it is not there");
    let more = folder.run("check large.toml --max-states 90000 --checkpoint cp --resume");
    more.code(UNDECIDED).stderr(predicate::str::contains("failed to write the checkpoint"));
}

/// A head in its parts: the first line and the question with its length, its numbers, the findings
/// with their length, and the last numbers. Each number is in bytes of seven bits, the lowest
/// first.
struct Head {
    begins: Vec<u8>,
    numbers: Vec<u64>,
    findings: Vec<u8>,
    ends: Vec<u8>,
}

fn number(from: &mut &[u8]) -> u64 {
    let end = from.iter().position(|byte| *byte < 0x80).expect("it has an end");
    let (bytes, rest) = from.split_at(end + 1);
    *from = rest;
    bytes.iter().rev().fold(0, |all, byte| all << 7 | u64::from(byte & 0x7f))
}

fn bytes_of(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}

impl Head {
    fn read(head: &[u8]) -> Self {
        let line = head.iter().position(|byte| *byte == b'\n').expect("a line") + 1;
        let mut rest = &head[line..head.len() - 4];
        let question = usize::try_from(number(&mut rest)).unwrap();
        rest = &rest[question..];
        let begins = head[..head.len() - 4 - rest.len()].to_vec();
        let mut numbers: Vec<u64> = (0..11).map(|_| number(&mut rest)).collect();
        for _ in 0..numbers[10] {
            let room = number(&mut rest);
            numbers.push(room);
            numbers.extend((0..room).map(|_| number(&mut rest)));
        }
        let findings = usize::try_from(number(&mut rest)).unwrap();
        let (findings, ends) = rest.split_at(findings);
        Self { begins, numbers, findings: findings.to_vec(), ends: ends.to_vec() }
    }

    fn written(&self) -> Vec<u8> {
        let head = [self.body(), self.ends.clone()].concat();
        let crc = crc32fast::hash(&head).to_le_bytes();
        [head, crc.to_vec()].concat()
    }

    fn body(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().flat_map(|it| bytes_of(*it)).collect();
        let length = bytes_of(self.findings.len() as u64);
        [self.begins.clone(), numbers, length, self.findings.clone()].concat()
    }

    /// Signs the file of states for this head, and the head for that file.
    fn sign(&mut self, states: &mut [u8]) {
        let (_, mark) = states.split_last_chunk_mut().expect("it ends with a mark");
        *mark = crc32fast::hash(&self.body()).to_le_bytes();
        let checksum = bytes_of(crc32fast::hash(states).into());
        self.ends = [bytes_of(states.len() as u64), checksum].concat();
    }
}

/// An unfinished search with a checkpoint that is changed and signed again.
struct Forged {
    folder: Folder,
    line: &'static str,
    head: String,
    states: String,
    original: Vec<u8>,
    found: Vec<u8>,
}

impl Forged {
    fn new(folder: Folder, line: &'static str) -> Self {
        let names = names(&folder);
        let [head, states] = [0, 1].map(|it| format!("cp/{}", names[it]));
        let [original, found] =
            [&head, &states].map(|it| fs::read(folder.path(it)).expect("it is there"));
        Self { folder, line, head, states, original, found }
    }

    fn head(&self) -> Head {
        let head = Head::read(&self.original);
        assert!(head.written() == self.original, "it is understood");
        head
    }

    fn findings(&self) -> String {
        String::from_utf8(self.head().findings).expect("lines")
    }

    /// Whether the search goes on after a change of its head; both files are signed again.
    fn goes_on(&self, what: &str, change: impl FnOnce(&mut Head)) -> bool {
        let (mut head, mut states) = (self.head(), self.found.clone());
        change(&mut head);
        head.sign(&mut states);
        self.answers(what, &head.written(), &states)
    }

    fn answers(&self, what: &str, head: &[u8], states: &[u8]) -> bool {
        fs::write(self.folder.path(&self.head), head).expect("it is writable");
        fs::write(self.folder.path(&self.states), states).expect("it is writable");
        let run = self.folder.run(self.line);
        let output = run.get_output();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code();
        assert!([Some(NOT_ASKED), Some(UNDECIDED)].contains(&code), "{what}: {code:?} {told}");
        let is_refused = code == Some(NOT_ASKED);
        assert_eq!(told.contains("damaged"), is_refused, "{what}: {told}");
        !is_refused
    }
}

fn of_a_large_world() -> Forged {
    Forged::new(unfinished().0, "check large.toml --checkpoint cp --resume --max-states 60000")
}

/// A changed head does not belong to the states that were written with the original.
#[test]
fn a_head_that_was_changed_and_signed_again_is_damaged() {
    let forged = of_a_large_world();
    for at in 0..10 {
        let mut head = forged.head();
        head.numbers[at] += 1;
        let what = format!("{at} is one more");
        assert!(!forged.answers(&what, &head.written(), &forged.found), "{what}");
    }
    let mut head = forged.head();
    let end = forged.findings().trim_end().rfind('\n').expect("there are some") + 1;
    head.findings.truncate(end);
    assert!(!forged.answers("one less", &head.written(), &forged.found));
    assert!(forged.answers("as it was", &forged.original, &forged.found));
}

/// The index of the number of expanded states in a head.
const EXPANDED: usize = 4;

/// A checkpoint that was changed and signed again, at any place, is refused or harmless.
#[test]
fn a_checkpoint_that_was_changed_and_signed_again_ends_no_process() {
    let forged = of_a_large_world();
    assert!(forged.goes_on("as it was", |_| ()));
    let (original, counts) = (forged.head(), forged.head().numbers.len());
    let mut refused = 0;
    for at in (0..11).chain((11..counts).step_by(counts / 4)) {
        // The peak memory is only reported, so any value is accepted.
        let values = [original.numbers[at] + 1, u64::MAX];
        for value in values.into_iter().skip(usize::from(at % 2 == 0)) {
            let what = format!("{value} at {at}");
            refused += u32::from(!forged.goes_on(&what, |head| head.numbers[at] = value));
        }
    }
    assert!(refused > 15, "{refused} were refused");
    for expanded in [original.numbers[EXPANDED] - 300, original.numbers[EXPANDED] + 100, 60_000] {
        let what = format!("{expanded} are expanded");
        assert!(!forged.goes_on(&what, |head| head.numbers[EXPANDED] = expanded), "{what}");
    }
    let findings = forged.findings();
    let first = findings.lines().find(|it| it.starts_with("carried-out")).expect("some clause");
    let words: Vec<&str> = first.split(' ').collect();
    let others = [("59999", "0"), ("0", "99999"), ("99999999", "0")].map(|(state, position)| {
        findings.replacen(first, &[words[0], words[1], state, position, words[4]].join(" "), 1)
    });
    let more = ["violated 0 5 0 0\n", "departed 0 5 0 0\n", "nonsense\n"];
    let more = more.map(|line| format!("{findings}{line}"));
    // The search misses a clause that is carried out in many states.
    let less = findings.replacen(&format!("{first}\n"), "", 1);
    for changed in others.into_iter().chain(more).chain([less]) {
        assert!(!forged.goes_on(&changed, |head| head.findings = changed.clone().into_bytes()));
    }
}

/// With symmetry reduction, the images of labels are part of the checkpoint and cannot be left out.
#[test]
fn a_checkpoint_of_representatives_that_was_changed_ends_no_process() {
    let folder = Folder::new().with("world.toml", without_any_size(TWO_UNITS_A_SIDE));
    let line = "check world.toml#remote-scope --symmetry on --max-states 60000 --checkpoint cp";
    folder.run(line).code(UNDECIDED);
    let line = "check world.toml#remote-scope --symmetry on --max-states 60000 --checkpoint cp \
                --resume";
    let forged = Forged::new(folder, line);
    assert!(forged.goes_on("as it was", |_| ()));
    let findings = forged.findings();
    let becomes: Vec<&str> = findings.lines().filter(|it| it.starts_with("becomes")).collect();
    for line in becomes.iter().step_by(becomes.len() / 3) {
        let less = findings.replacen(&format!("{line}\n"), "", 1);
        assert!(!forged.goes_on(line, |head| head.findings = less.into_bytes()), "{line}");
    }
    let none = findings.lines().filter(|it| !it.starts_with("becomes"));
    let none: String = none.flat_map(|it| [it, "\n"]).collect();
    assert!(!forged.goes_on("none", |head| head.findings = none.into_bytes()));
}
