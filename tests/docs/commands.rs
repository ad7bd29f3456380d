//! Commands in pages: each one prints what the page shows.
//!
//! The commands of a page are run in their order, in a folder with the shipped scenarios and
//! samples of Juju's output. So a later command finds the files that an earlier one has written,
//! and each scenario of the page whose first line names a file. Commands of `.ci/run` are left out,
//! as they take minutes or build something.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::{
    SCENARIO,
    blocks::{FencedBlock, blocks},
    pages, program, read, root,
    transcript::{ShownCommand, commands, matches},
};

/// Samples of Juju's output for models, the first of which the pages use.
const SAMPLES: &str = "sim/tests/diagnosing/samples";
/// The prefix of a command in a clone, where nothing is installed.
const FROM_SOURCE: &str = "cargo run --release -- ";
/// The prefix of the same command once it is installed.
const INSTALLED: &str = "deathwatch ";
/// The prefix of the command that goes on until it is interrupted.
const SERVER: &str = "deathwatch explore ";
/// The default port of a server.
const PORT: &str = ":3000/";
/// The beginning of a comment with an exit code other than 0.
const EXIT_CODE: &str = " # exit code ";

#[test]
fn commands_do_what_the_pages_show() {
    let ci = read(&root().join(".ci/run")).replace(" --locked", "");
    let (mut run, mut wrong) = (0, Vec::new());
    for (page, text) in pages() {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&root().join("scenarios"), &folder.path().join("scenarios"));
        copy(&root().join(SAMPLES), &folder.path().join("samples"));
        for (of, name) in [("status", "status.json"), ("show-unit", "units.json")] {
            let sample = root().join(SAMPLES).join(format!("s1-hook-error-in-scope.{of}.json"));
            fs::copy(sample, folder.path().join(name)).expect("it can be copied");
        }
        for block in blocks(&text) {
            if let Some(name) = file_name(&block) {
                fs::write(folder.path().join(name), &block.text).expect("it can be written");
            }
            for shown in shown_commands(&block) {
                let command = shown.command.split(" #").next().unwrap_or_default().trim();
                if ci.contains(command) {
                    continue;
                }
                run += 1;
                if let Err(why) = try_out(&shown, folder.path()) {
                    wrong.push(format!("{page}:{}: {why}", block.line));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(run >= 41, "the pages have {run} commands");
}

/// The commands of a block, if it has commands.
fn shown_commands(block: &FencedBlock) -> Vec<ShownCommand> {
    if ["console", "sh"].contains(&&*block.language) {
        return commands(&block.language, &block.text);
    }
    Vec::new()
}

/// The file name of a scenario: its first line may be a comment with that name alone.
fn file_name(block: &FencedBlock) -> Option<&Path> {
    let (first, _) = block.text.split_once('\n').filter(|_| block.language == SCENARIO)?;
    let path = Path::new(first.strip_prefix("# ")?);
    let is_file = path.extension().is_some_and(|it| it == "toml") && path.components().count() == 1;
    is_file.then_some(path)
}

/// Runs a command, and compares its output with the shown one.
fn try_out(shown: &ShownCommand, folder: &Path) -> Result<(), String> {
    let command = shown.command.replacen(FROM_SOURCE, INSTALLED, 1);
    if !command.starts_with(INSTALLED) {
        return Err(format!("neither .ci/run nor this test runs\n{shown}"));
    }
    if command.starts_with(SERVER) {
        return serve(shown, &command, folder);
    }
    let output = shell(&command, folder).output().expect("there is a shell");
    let expected = command.split_once(EXIT_CODE).map_or("0", |(_, code)| code.trim());
    let code = output.status.code().map(|code| code.to_string()).unwrap_or_default();
    let printed = String::from_utf8(output.stdout).expect("text");
    if code != expected {
        return Err(format!("exit code {code}\n{shown}\n{printed}"));
    }
    let lines: Vec<&str> = printed.lines().collect();
    if shown.output.is_empty() || matches(&shown.output, &lines) {
        return Ok(());
    }
    Err(format!("{shown}\n\nand it prints\n{printed}"))
}

/// Starts a server on a free port, reads its address, and ends it.
fn serve(shown: &ShownCommand, command: &str, folder: &Path) -> Result<(), String> {
    let command = format!("exec {command} --address 127.0.0.1:0");
    let server = shell(&command, folder).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut server = EndedProcess(server);
    let stdout = server.0.stdout.take().expect("it is piped");
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("it says where it is");
    let printed = match (line.trim_end().rsplit_once(':'), line.split_once("/ until")) {
        (Some((before, _)), Some((_, after))) => {
            format!("{before}{PORT} until{}", after.trim_end())
        }
        _ => line,
    };
    if shown.output.is_empty() || shown.output == [&*printed] {
        return Ok(());
    }
    Err(format!("{shown}\n\nand it prints\n{printed}"))
}

/// A process that is ended when it is dropped.
struct EndedProcess(Child);

impl Drop for EndedProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A shell that runs `command` in `folder`, with `deathwatch` in its path. As on a terminal, errors
/// and output are one stream.
fn shell(command: &str, folder: &Path) -> Command {
    let mut path = vec![program().parent().map(PathBuf::from).unwrap_or_default()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", env::join_paths(path).expect("they are paths"));
    shell
}

/// Copies a folder, so that no command changes what is shipped.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("it can be made");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let path = entry.expect("read").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("it can be copied");
        }
    }
}
