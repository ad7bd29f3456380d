//! A folder for edges, which a search need not keep in memory.

use std::path::PathBuf;

use deathwatch_claims::check::SpillFolder;
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_study::verdict::Engine;

use crate::{diagnostics, folder, output::reason};

/// Arguments of a folder for transitions.
#[derive(clap::Args)]
pub(crate) struct SpillArgs {
    /// Write transitions to a file in this folder instead of keeping them in memory; the answer
    /// does not depend on it
    ///
    /// They are half of what a search takes whose claims are about what must follow, some 40 bytes
    /// for each state. To decide these claims takes longer then. Nothing is left of the file,
    /// however the search ends.
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
}

impl SpillArgs {
    /// The folder, if one is named: it is made unless it exists.
    pub(crate) fn open(&self, engine: Engine) -> Result<Option<SpillFolder>, Problem> {
        let Some(path) = &self.spill else { return Ok(None) };
        if engine == Engine::Stateright {
            return Err(Problem::new(
                "stateright keeps no transitions, so there are none to write",
            )
            .with_help("our own checker does (`--engine own`)"));
        }
        folder::make(path)?;
        let name = display(path);
        Ok(Some(SpillFolder::new(path, move |error| {
            let why = reason(error);
            diagnostics::say(format_args!(
                "failed to write transitions to {name}: {why}; what is not answered is undecided"
            ));
        })))
    }

    /// The flag as far as the memory that a search needs depends on it.
    pub(crate) fn flag(&self) -> Option<String> {
        self.spill.is_some().then(|| "--spill".to_owned())
    }
}
