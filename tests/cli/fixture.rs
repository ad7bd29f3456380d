//! Helpers for the tests of the command line: scenarios, and a folder to run the binary in.

use std::{ffi::OsStr, fs, time::Duration};

use assert_cmd::{Command, assert::Assert};
use predicates::prelude::*;
use tempfile::TempDir;

use crate::program::program;

/// The smallest world with the relation-scope bug, without claims.
pub(crate) const BUG: &str = concat!("\n", include_str!("../worlds/bug.toml"));

/// A script, and claims about the states after it.
pub(crate) const UNIT: &str = concat!("\n", include_str!("../worlds/unit.toml"));

/// A world with too many states to be searched in a test.
pub(crate) const LARGE: &str = concat!("\n", include_str!("../worlds/large.toml"));

/// A relation that is never left, because its unit always has another duty.
pub(crate) const CYCLE: &str = concat!("\n", include_str!("../worlds/cycle.toml"));

/// A unit is Dead while it is in scope, and then leaves the scope.
pub(crate) const WHILE: &str = concat!("\n", include_str!("../worlds/while.toml"));

/// A shipped scenario without its questions about every number of units, each of which takes a
/// debug build seconds.
pub(crate) fn without_any_size(scenario: &str) -> String {
    scenario.split_inclusive('\n').filter(|line| !line.contains("check.any-size")).collect()
}

/// Exit code: every answer is the expected one.
pub(crate) const AS_EXPECTED: i32 = 0;
/// Exit code: some answer is not.
pub(crate) const UNEXPECTED: i32 = 1;
/// Exit code: the question could not be asked.
pub(crate) const NOT_ASKED: i32 = 2;
/// Exit code: there is no answer within the limits.
pub(crate) const UNDECIDED: i32 = 3;

/// The time after which a command counts as one that never ends. On a busy machine a command can
/// take minutes.
const PATIENCE: Duration = Duration::from_secs(900);

/// A folder of scenarios in which the binary is run.
pub(crate) struct Folder(pub(crate) TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("there is room for a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// The folder with one more file.
    pub(crate) fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("made");
        fs::write(path, text).expect("written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("it was written")
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("read").file_name();
        let mut names: Vec<_> =
            entries.map(|entry| name(entry).into_string().expect("our names are text")).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.current_dir(&self.0).args(args).timeout(PATIENCE);
        command
    }

    /// The binary with these arguments, not started yet.
    pub(crate) fn process<A: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = A>,
    ) -> std::process::Command {
        let mut command = std::process::Command::new(program());
        command.current_dir(&self.0).args(args);
        command
    }

    /// Runs the binary; `line` is split at spaces, as no argument here has one.
    pub(crate) fn run(&self, line: &str) -> Assert {
        self.command(&line.split_whitespace().collect::<Vec<_>>()).assert()
    }

    /// The standard output of a run with this exit code.
    pub(crate) fn stdout(&self, line: &str, code: i32) -> String {
        stdout_of(&self.run(line).code(code))
    }

    /// The visible results of a run: exit code, stdout, stderr.
    pub(crate) fn seen(&self, line: &str) -> String {
        let assert = self.run(line);
        let output = assert.get_output();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it writes text");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let code = output.status.code().expect("it was not killed");
        format!("$ deathwatch {line}\n{stdout}--- stderr\n{stderr}--- exit {code}\n")
    }
}

/// The exit code of a process after this signal.
#[cfg(unix)]
pub(crate) fn code_after(child: &mut std::process::Child, signal: &str) -> Option<i32> {
    let mut kill = std::process::Command::new("kill");
    let killed = kill.args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    child.wait().expect("it ends").code()
}

/// The standard output.
pub(crate) fn stdout_of(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).expect("it writes text")
}

/// The standard error.
pub(crate) fn stderr_of(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).expect("it writes text")
}

/// The words of a text, joined by single spaces.
pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A predicate: the output contains this text, wherever its lines end.
pub(crate) fn says(text: &str) -> impl Predicate<str> + use<> {
    let wanted = words(text);
    predicate::function(move |said: &str| words(said).contains(&wanted))
}

/// The text of a changed journal with the right checksums.
pub(crate) fn sealed(text: &str) -> String {
    let seal = |line: &str| match line.rsplit_once(",\"crc32\":\"") {
        Some((body, _)) => {
            format!("{body},\"crc32\":\"{:08x}\"}}\n", crc32fast::hash(body.as_bytes()))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(seal).collect()
}

/// The bug with the answers that it really has.
pub(crate) fn bug_as_it_is() -> String {
    format!("{BUG}[claims]\n\"a Dying relation is removed\" = \"violated\"\n")
}

/// The bug, expected not to exist.
pub(crate) fn bug_not_known() -> String {
    format!("{BUG}[claims]\n\"a Dying relation is removed\" = \"holds\"\n")
}

pub(crate) fn unit() -> String {
    format!("{UNIT}[claims]\n\"a Dead unit is removed\" = \"holds\"\n")
}

/// The JSON on stdout.
pub(crate) fn json(assert: &Assert) -> serde_json::Value {
    serde_json::from_slice(&assert.get_output().stdout).expect("it is JSON")
}
