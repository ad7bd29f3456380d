//! The other processes of a cluster on this machine: process 0 starts them, and they end with it.

use std::{
    ffi::OsString,
    io,
    process::{Child, Command, Stdio},
};

use deathwatch_cluster::HostAddress;
use deathwatch_scenario::Problem;

use crate::{limits::Limits, write::reason};

/// The other processes that were started on this machine. They are killed if they are dropped.
#[derive(Default)]
pub(crate) struct LocalProcesses {
    children: Vec<Child>,
}

impl LocalProcesses {
    /// Starts a process for each address but the first, with the flags of this one, and with a
    /// secret in an environment variable.
    pub(crate) fn start(
        addresses: &[HostAddress],
        (variable, secret): (&str, &str),
        limits: &Limits,
    ) -> Result<Self, Problem> {
        let failed = |error: &io::Error| {
            Problem::new(format!("failed to start another process: {}", reason(error)))
        };
        let program = std::env::current_exe().map_err(|error| failed(&error))?;
        let mut started = Self::default();
        for process in 1..addresses.len() {
            let mut command = Command::new(&program);
            let (flags, paths) = split(std::env::args_os().skip(1));
            command.args(without_processes(flags.into_iter()));
            if !is_given("--threads") {
                command.args(limits.threads.map(|threads| format!("--threads={threads}")));
            }
            if !is_given("--max-memory") {
                command.args(limits.max_memory.map(|bytes| format!("--max-memory={bytes}B")));
            }
            // A file would be left where this process is killed.
            command.arg(format!("--addresses={}", addresses.join(",")));
            command.arg(format!("--process={process}"));
            command.arg(format!("--started-by={}", std::process::id()));
            command.args(paths);
            command.env(variable, secret).stdin(Stdio::null()).stdout(Stdio::null());
            started.children.push(command.spawn().map_err(|error| failed(&error))?);
        }
        Ok(started)
    }

    /// Whether one of the processes has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.children.iter_mut().any(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Waits for all of them to end.
    pub(crate) fn wait(mut self) {
        for mut child in std::mem::take(&mut self.children) {
            drop(child.wait());
        }
    }
}

impl Drop for LocalProcesses {
    fn drop(&mut self) {
        for child in &mut self.children {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// Whether the process with this number, which has started this one, is gone.
#[cfg(unix)]
pub(crate) fn is_orphan(parent: u32) -> bool {
    std::os::unix::process::parent_id() != parent
}

/// Whether the process that has started this one is gone; this system does not tell.
#[cfg(not(unix))]
pub(crate) fn is_orphan(_: u32) -> bool {
    false
}

/// Whether a flag of this command is given.
fn is_given(flag: &str) -> bool {
    let is_it = |argument: OsString| {
        let text = argument.to_string_lossy();
        text == flag || text.strip_prefix(flag).is_some_and(|rest| rest.starts_with('='))
    };
    split(std::env::args_os()).0.into_iter().any(is_it)
}

/// The arguments before `--`, and those from there on, which are no flags.
fn split(arguments: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let mut flags: Vec<OsString> = arguments.collect();
    let end = flags.iter().position(|it| it == "--").unwrap_or(flags.len());
    let paths = flags.split_off(end);
    (flags, paths)
}

/// The arguments without `--processes` and its value.
fn without_processes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let (mut kept, mut is_value) = (Vec::new(), false);
    for argument in arguments {
        let text = argument.to_string_lossy();
        if !is_value && text != "--processes" && !text.starts_with("--processes=") {
            kept.push(argument);
            continue;
        }
        is_value = text == "--processes";
    }
    kept
}
