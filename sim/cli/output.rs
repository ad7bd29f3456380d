//! The output: stdout, or a file that is written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

use deathwatch_claims::check::Stop;
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_show::text::TextDetail;
use deathwatch_study::{destination, verdict};

use crate::{
    appearance::Appearance,
    diagnostics,
    exit::{Abandon, Exit, unloaded},
    format::Format,
    inputs::Inputs,
    interrupt::Deadline,
    load::{self, Ready},
    temporary::Temporary,
    write::{exists, reason, unwritable},
};

/// The number of bytes that are worth writing at once.
pub(crate) const PIECE: usize = 1 << 16;

/// The flags that say how and where the results of a command are written.
#[derive(clap::Args)]
pub(crate) struct Results {
    /// The format of the results
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Write the results to this file, whole or not at all, instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Results {
    /// Opens the output, which must be none of the files that are read.
    pub(crate) fn open(&self, inputs: &Inputs) -> Result<Output, Abandon> {
        if self.format == Format::Html {
            no_page_to_terminal(self.path())?;
        }
        Output::open(self.output.as_deref(), inputs)
    }

    /// The result of loading these paths for `command`; if a limit came first, the output says so.
    /// It cannot be a file that is read, nor the `journal`.
    pub(crate) fn of_loaded<T>(
        &self,
        command: &str,
        (paths, journal): (&[PathBuf], Option<&Path>),
        loaded: Result<T, Abandon>,
    ) -> Result<T, Abandon> {
        if let Err(Abandon::Stopped(stop)) = &loaded {
            // A terminal is told by the error itself.
            if self.output.is_some() || self.format != Format::Text {
                let files = load::files(paths)?;
                let read = files.iter().map(|address| address.file.as_path());
                let mut output = self.open(&Inputs::of(read.chain(journal)))?;
                output.write(&self.format.unloaded(command, &unloaded(*stop)))?;
                output.finish()?;
            }
        }
        loaded
    }

    /// The file of the output, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    pub(crate) fn look(&self, detail: TextDetail) -> Appearance {
        match self.output {
            Some(_) => Appearance::of_file(detail),
            None => Appearance::of_stdout(detail),
        }
    }
}

pub(crate) enum Output {
    Stdout(io::Stdout),
    /// A file that is not regular, such as a named pipe.
    Special(File),
    /// A temporary file beside the wanted one, which it replaces in the end.
    File(Temporary),
    /// A temporary file beside the wanted one, which is not there yet, and may not be in the end.
    New(Temporary),
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Self::Stdout(io::stdout())
    }

    /// Opens the output. So it is known to be writable before time is spent, and to be none of the
    /// inputs.
    pub(crate) fn open(path: Option<&Path>, inputs: &Inputs) -> Result<Self, Abandon> {
        let Some(path) = path else { return Ok(Self::stdout()) };
        inputs.spare(path)?;
        Ok(Self::file(path).map_err(|error| unwritable(path, &error))?)
    }

    /// A new file, opened so that no other process can make it in the meantime.
    pub(crate) fn create(path: &Path) -> Result<Self, Abandon> {
        let file = if path.is_symlink() || path.exists() {
            Err(io::ErrorKind::AlreadyExists.into())
        } else {
            Temporary::beside(path)
        };
        Ok(Self::New(file.map_err(|error| exists(path, &error))?))
    }

    fn file(path: &Path) -> io::Result<Self> {
        // A link is followed: its target is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match destination::open_special(&path)? {
            Some(file) => Ok(Self::Special(file)),
            None => Ok(Self::File(Temporary::beside(&path)?)),
        }
    }

    /// Writes `text`.
    pub(crate) fn write(&mut self, text: &str) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => {
                stdout.write_all(text.as_bytes())?;
                stdout.flush()
            }
            Self::Special(file) => file.write_all(text.as_bytes()),
            Self::File(file) | Self::New(file) => {
                let written = file.write_all(text.as_bytes());
                written.map_err(|error| {
                    let message = format!("{}: {}", display(file.path()), reason(&error));
                    io::Error::new(error.kind(), message)
                })
            }
        }
    }

    /// Completes the output, so that it lasts.
    pub(crate) fn finish(self) -> Result<(), Abandon> {
        match self {
            Self::Stdout(_) | Self::Special(_) => Ok(()),
            Self::File(file) => {
                let path = file.path().to_owned();
                Ok(file.replace().map_err(|error| unwritable(&path, &error))?)
            }
            Self::New(file) => {
                let path = file.path().to_owned();
                Ok(file.create().map_err(|error| exists(&path, &error))?)
            }
        }
    }
}

/// A long text that is written piece by piece, until it is over or a limit is reached.
pub(crate) struct Pieces {
    output: Output,
    piece: String,
    failed: Option<io::Error>,
    stopped: Option<Stop>,
}

impl Pieces {
    pub(crate) fn to(output: Output) -> Self {
        Self { output, piece: String::new(), failed: None, stopped: None }
    }

    /// Writes some more, and says whether to go on.
    pub(crate) fn write(&mut self, text: &str, deadline: &Deadline) -> bool {
        self.piece.push_str(text);
        if self.piece.len() >= PIECE {
            self.failed = self.output.write(&self.piece).err();
            self.piece.clear();
            self.stopped = deadline.stop();
        }
        self.failed.is_none() && self.stopped.is_none()
    }

    /// Completes the output, unless `stopped` or a limit of before keeps it from being whole: then
    /// `what` is not written.
    pub(crate) fn finish(mut self, stopped: Option<Stop>, what: &str) -> Result<Exit, Abandon> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        if let Some(stop) = self.stopped.or(stopped) {
            diagnostics::say(format_args!("no {what} is written: {}", verdict::stopped(stop)));
            return Ok(Exit::Undecided);
        }
        self.output.write(&self.piece)?;
        self.output.finish()?;
        Ok(Exit::AsExpected)
    }
}

/// The only scenario of which one `what` is written, whose script has to come to its end.
pub(crate) fn only<'a>(
    scenarios: &'a [Ready],
    what: &str,
    help: &str,
) -> Result<&'a Ready, Problem> {
    let [ready] = scenarios else {
        let count = scenarios.len();
        let message = format!("failed to write one {what}: these are {count} scenarios");
        let problem = Problem::new(message);
        return Err(if help.is_empty() { problem } else { problem.with_help(help) });
    };
    if ready.replay.is_cut {
        let message = format!("failed to write the {what}: the script cannot go on");
        return Err(Problem::new(message).with_help("`deathwatch replay` says why"));
    }
    Ok(ready)
}

/// An error, if a page would go to a terminal, where it cannot be read.
pub(crate) fn no_page_to_terminal(file: Option<&Path>) -> Result<(), Problem> {
    if file.is_some() || !io::stdout().is_terminal() {
        return Ok(());
    }
    let problem = Problem::new("a page is for a browser, and this would go to the terminal");
    Err(problem.with_help("send it to a file, as in: --format html > FILE.html"))
}

/// Checks that stdout was not closed when the process began.
pub(crate) fn is_open() -> Result<(), Abandon> {
    if !deathwatch_stdout::is_closed() {
        return Ok(());
    }
    let problem = Problem::new("failed to write the output: standard output is closed");
    Err(problem.with_help("send it to a file, or to /dev/null if nobody is to read it").into())
}
