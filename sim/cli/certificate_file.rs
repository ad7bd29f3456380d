//! Certificate files: the evidence of an answer for every number of units, written whole or not at
//! all.

use std::path::Path;

use deathwatch_claims::check::Certificate;
use deathwatch_study::{certificate, verdict::Verdict};

use crate::{
    exit::{Abandon, Exit},
    folder,
    inputs::Inputs,
    interrupt::Deadline,
    load::Ready,
    output::{Output, Pieces, only},
};

const BEGINS: &str = "{\"certificate\":{";

/// A certificate file that is to be written.
pub(crate) struct CertificateFile(Pieces);

impl CertificateFile {
    /// Opens the file, which is new, or a certificate of before. So it is known to be writable
    /// before time is spent.
    pub(crate) fn open(path: &Path, scenarios: &[Ready], inputs: &Inputs) -> Result<Self, Abandon> {
        let help = "name one, as in FILE#NAME; the first of a file is FILE#";
        only(scenarios, "certificate", help)?;
        if path.is_file() {
            let spared = folder::spare_others(path, |beginning| beginning.starts_with(BEGINS));
            spared.map_err(|it| it.with_help("name another file, or remove that one"))?;
        }
        Ok(Self(Pieces::to(Output::open(Some(path), inputs)?)))
    }

    /// The writer of a certificate for a scenario in the form in which it is given.
    pub(crate) fn given(
        &mut self,
        ready: &Ready,
        deadline: &Deadline,
    ) -> impl FnMut(&Certificate<'_>) {
        |it| certificate::write(&ready.scenario, it, &mut |text| self.0.write(text, deadline))
    }

    /// Completes the file, unless a limit came first.
    pub(crate) fn finish(self, verdict: &Verdict) -> Result<Exit, Abandon> {
        self.0.finish(verdict.stopped(), "certificate")
    }
}
