//! Checkpoints: a pair of files for each scenario, from which a search goes on after it was killed.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use deathwatch_claims::check::{
    Checkpoint, CheckpointError, CheckpointOptions, Exchange, open_together,
};
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_show::text::show_size;
use deathwatch_study::{sweep::digest, verdict::Engine};

use crate::{diagnostics, folder, load::Ready, write::reason};

/// The least number of states expanded between two checkpoints: a tenth of a second's worth, and a
/// sixteenth of those before, so that large searches take few.
fn interval(expanded: u64) -> u64 {
    (expanded / 16).max(1 << 14)
}

/// The flags of checkpoints.
#[derive(clap::Args)]
pub(crate) struct CheckpointArgs {
    /// Write to this folder, again and again, what a search needs to go on if it is killed
    ///
    /// There are two files for each scenario, as long as it is not answered. They take some 10 to
    /// 40 bytes for each state. Each of several processes has three of its own, with its number in
    /// their names, so processes may share the folder.
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,

    /// Go on from the checkpoints of an earlier command that asked the same; the answers are those
    /// of a search that was never stopped
    ///
    /// Several processes go on from the last checkpoint that all of them have, and have to be as
    /// many as before.
    #[arg(long, requires = "checkpoint")]
    resume: bool,
}

pub(crate) struct Checkpoints<'a> {
    folder: &'a Path,
    resume: bool,
    /// The questions that every scenario is asked.
    asks: &'a str,
    /// The [checksum](program_checksum) of this program.
    program: u32,
    /// The number of this process, if several search.
    process: Option<usize>,
}

impl CheckpointArgs {
    /// The flags, as all processes that search together have to have them.
    pub(crate) fn flags(&self) -> &'static str {
        match (&self.checkpoint, self.resume) {
            (None, _) => "",
            (Some(_), false) => " --checkpoint",
            (Some(_), true) => " --checkpoint --resume",
        }
    }

    /// The checkpoints, if there are to be any. `asks` is the same for the same question, and
    /// `process` the number of this process if several search.
    pub(crate) fn of<'a>(
        &'a self,
        engine: Engine,
        asks: &'a str,
        process: Option<usize>,
    ) -> Result<Option<Checkpoints<'a>>, Problem> {
        let Some(folder) = &self.checkpoint else { return Ok(None) };
        if engine == Engine::Stateright {
            return Err(Problem::new("stateright leaves no checkpoints")
                .with_help("our own checker does (`--engine own`)"));
        }
        let program = program_checksum()?;
        folder::make(folder)?;
        Ok(Some(Checkpoints { folder, resume: self.resume, asks, program, process }))
    }
}

/// A hash of this program: another one may have other states.
pub(crate) fn program_checksum() -> Result<u32, Problem> {
    let program = env::current_exe().and_then(fs::read).map_err(|error| {
        Problem::new(format!("failed to read this program: {}", reason(&error)))
            .with_help("checkpoints and other processes have to be of the same program")
    })?;
    Ok(crc32fast::hash(&program))
}

impl Checkpoints<'_> {
    /// Reports the scenarios that should go on from a checkpoint and have none.
    pub(crate) fn tell_missing(&self, scenarios: &[Ready], is_asked: impl Fn(usize) -> bool) {
        let asked = (0..).zip(scenarios).filter(|(at, _)| self.resume && is_asked(*at));
        let asked = asked.map(|(_, ready)| ready);
        let missing: Vec<&Ready> = asked.filter(|ready| !self.path(ready).exists()).collect();
        let folder = display(self.folder);
        match missing[..] {
            [] => {}
            [ready] => {
                let name = &ready.scenario.name;
                diagnostics::say(format_args!(
                    "{folder} has no checkpoint of {name}: it begins anew"
                ));
            }
            _ => {
                let count = missing.len();
                diagnostics::say(format_args!(
                    "{folder} has no checkpoints of {count} scenarios: they begin anew"
                ));
            }
        }
    }

    /// Opens the checkpoint of a scenario, together with the processes with which this one
    /// searches. `None` if one of these was lost.
    pub(crate) fn open(
        &self,
        ready: &Ready,
        exchange: Option<&dyn Exchange>,
    ) -> Result<Option<Checkpoint>, Problem> {
        let path = self.path(ready);
        let name = display(&path);
        let failed = move |error: &CheckpointError| {
            let why = reason_of(error);
            diagnostics::say(format_args!(
                "failed to write the checkpoint {name}: {why}; the search goes on without"
            ));
        };
        let options = CheckpointOptions {
            path,
            question: self.question(ready, exchange),
            resume: self.resume,
            interval,
            failed: Box::new(failed),
        };
        let opened = match exchange {
            None => Checkpoint::open(options),
            Some(exchange) => open_together(options, exchange),
        };
        match opened {
            Err(CheckpointError::PeerLost) => Ok(None),
            opened => opened.map(Some).map_err(|error| self.problem(ready, &error)),
        }
    }

    /// Why the search of a scenario could not go on from its checkpoint, if so.
    pub(crate) fn refused(
        &self,
        ready: &Ready,
        checkpoint: Option<&Checkpoint>,
    ) -> Option<Problem> {
        checkpoint?.take_error().map(|error| self.problem(ready, &error))
    }

    /// Removes the checkpoint of a scenario that is answered.
    pub(crate) fn remove(&self, ready: &Ready, checkpoint: Checkpoint) {
        if let Err(error) = checkpoint.remove() {
            let (name, why) = (display(&self.path(ready)), reason(&error));
            diagnostics::say(format_args!("failed to remove the checkpoint {name}: {why}"));
        }
    }

    /// Why a search cannot leave checkpoints, or go on from one.
    fn problem(&self, ready: &Ready, error: &CheckpointError) -> Problem {
        let (name, why) = (display(&self.path(ready)), reason_of(error));
        match error {
            CheckpointError::Io(_) => {
                Problem::new(format!("failed to open the checkpoint {name}: {why}"))
            }
            CheckpointError::Process(_) | CheckpointError::PeerLost => {
                Problem::new(format!("failed to go on from the checkpoint {name}: {why}"))
                    .with_help("that process says why; without `--resume` the search begins anew")
            }
            CheckpointError::InUse => Problem::new(format!("the checkpoint {name} is {why}"))
                .with_help("wait for it, or name another folder"),
            CheckpointError::Limits { .. } => {
                Problem::new(format!("the checkpoint {name} has {why}"))
                    .with_help("`--max-states` and `--max-memory` raise that")
            }
            CheckpointError::Layout
            | CheckpointError::Question(_)
            | CheckpointError::Damaged
            | CheckpointError::Space => Problem::new(format!("the checkpoint {name} is {why}"))
                .with_help("without `--resume` it is replaced, and the search begins anew"),
        }
    }

    /// The question of a scenario's checkpoint, line by line; completes "is of …".
    fn question(&self, ready: &Ready, exchange: Option<&dyn Exchange>) -> String {
        let scenario = &ready.scenario;
        let (version, program, asks) = (env!("CARGO_PKG_VERSION"), self.program, self.asks);
        let text = digest(scenario.source().as_bytes());
        let process = exchange.map_or_else(String::new, |it| {
            format!("process {} of {}, from 0\n", it.process(), it.processes())
        });
        format!(
            "version {version} of this program\n\
             another build of this program, with the checksum {program:08x}\n\
             another text of {}, with the checksum {text:016x}\n\
             another question: {asks}\n{process}",
            scenario.name,
        )
    }

    fn path(&self, ready: &Ready) -> PathBuf {
        let address = ready.scenario.address.to_string();
        let digest = digest(format!("{address}\n{}", self.asks).as_bytes());
        let process = self.process.map_or_else(String::new, |process| format!(".{process}"));
        self.folder.join(format!("{digest:016x}{process}.checkpoint"))
    }
}

fn reason_of(error: &CheckpointError) -> String {
    match error {
        CheckpointError::Io(error) => reason(error),
        CheckpointError::InUse => "in use by another process".to_owned(),
        CheckpointError::Layout => "of another version of this program".to_owned(),
        CheckpointError::Question(line) => format!("of {line}"),
        CheckpointError::Damaged => "damaged: it is not what was written".to_owned(),
        CheckpointError::Space => "of other states than this program finds".to_owned(),
        CheckpointError::Limits { states, bytes } => {
            let bytes = show_size(*bytes);
            format!("{states} states and needs {bytes}, more than this search may")
        }
        CheckpointError::Process(process) => {
            format!("process {process} has none of the same moment, or none that it can go on from")
        }
        CheckpointError::PeerLost => "another process was lost".to_owned(),
    }
}
