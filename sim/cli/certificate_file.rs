//! Certificate files: the evidence of an answer for every number of units, written whole or not at
//! all.

use std::{io, path::Path};

use deathwatch_claims::check::{Certificate, Stop};
use deathwatch_scenario::Problem;
use deathwatch_study::{
    certificate,
    verdict::{self, Verdict},
};

use crate::{
    diagnostics,
    exit::{Abandon, Exit},
    folder,
    inputs::Inputs,
    interrupt::Deadline,
    load::Ready,
    output::{Output, PIECE},
};

const BEGINS: &str = "{\"certificate\":{";

/// A certificate file that is to be written.
pub(crate) struct CertificateFile {
    output: Output,
    piece: String,
    failed: Option<io::Error>,
    stopped: Option<Stop>,
}

impl CertificateFile {
    /// Opens the file, which is new, or a certificate of before. So it is known to be writable
    /// before time is spent.
    pub(crate) fn open(path: &Path, scenarios: &[Ready], inputs: &Inputs) -> Result<Self, Abandon> {
        let [ready] = scenarios else {
            let count = scenarios.len();
            let message = format!("failed to write one certificate: these are {count} scenarios");
            let help = "name one, as in FILE#NAME; the first of a file is FILE#";
            return Err(Problem::new(message).with_help(help).into());
        };
        if ready.replay.is_cut {
            let message = "failed to write the certificate: the script cannot go on";
            let help = "`deathwatch replay` says why";
            return Err(Problem::new(message).with_help(help).into());
        }
        if path.is_file() {
            let spared = folder::spare_others(path, |beginning| beginning.starts_with(BEGINS));
            spared.map_err(|it| it.with_help("name another file, or remove that one"))?;
        }
        let output = Output::open(Some(path), inputs)?;
        Ok(Self { output, piece: String::new(), failed: None, stopped: None })
    }

    /// The writer of a certificate for a scenario in the form in which it is given.
    pub(crate) fn given(
        &mut self,
        ready: &Ready,
        deadline: &Deadline,
    ) -> impl FnMut(&Certificate<'_>) {
        |it| certificate::write(&ready.scenario, it, &mut |text| self.write(text, deadline))
    }

    /// Writes some more, and says whether to go on.
    fn write(&mut self, text: &str, deadline: &Deadline) -> bool {
        self.piece.push_str(text);
        if self.piece.len() >= PIECE {
            self.failed = self.output.write(&self.piece).err();
            self.piece.clear();
            self.stopped = deadline.stop();
        }
        self.failed.is_none() && self.stopped.is_none()
    }

    /// Completes the file, unless a limit came first.
    pub(crate) fn finish(mut self, verdict: &Verdict) -> Result<Exit, Abandon> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        if let Some(stop) = self.stopped.or(verdict.stopped()) {
            let why = verdict::stopped(stop);
            diagnostics::say(format_args!("no certificate is written: {why}"));
            return Ok(Exit::Undecided);
        }
        self.output.write(&self.piece)?;
        self.output.finish()?;
        Ok(Exit::AsExpected)
    }
}
