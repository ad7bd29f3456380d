//! Searching: one scenario after the other, within the limits that all of them share.

use std::path::PathBuf;

use deathwatch_claims::{
    Claim,
    check::{
        CheckQuestion, Checkpoint, Exchange, GivenCertificate, LabelledGraph, SearchProgress,
        SearchSettings, SpillFolder, Stop, Symmetry, TooLarge,
    },
};
use deathwatch_scenario::{Problem, scenario::display};
use deathwatch_study::verdict::{self, Engine, Refines, Verdict, VerdictOptions};

use crate::{
    diagnostics, folder,
    interrupt::Deadline,
    limits::{Limits, SymmetryArgs},
    load::Ready,
    progress::ProgressLine,
    write::reason,
};

/// The limits of a command's searches.
pub(crate) struct Searches<'a> {
    limits: &'a Limits,
    symmetry: Symmetry,
    pub(crate) deadline: Deadline,
    max_bytes: Option<u64>,
    spill: Option<SpillFolder>,
}

impl<'a> Searches<'a> {
    /// Begins now: from here on, the time is counted.
    pub(crate) fn begin(limits: &'a Limits) -> Self {
        let deadline = Deadline::begin(limits.time);
        let symmetry = Symmetry::Auto;
        Self { limits, symmetry, deadline, max_bytes: limits.max_bytes(), spill: None }
    }

    /// The same, but with symmetry as this says.
    pub(crate) fn with_symmetry(self, symmetry: SymmetryArgs) -> Self {
        Self { symmetry: symmetry.symmetry.into(), ..self }
    }

    /// The same, but with transitions in this folder.
    pub(crate) fn with_spill(self, spill: Option<SpillFolder>) -> Self {
        Self { spill, ..self }
    }

    /// The number of bytes that a search may use.
    pub(crate) fn max_bytes(&self) -> Option<u64> {
        self.max_bytes
    }

    /// Answers a scenario, or `only` these claims of it, and whether it keeps to its outline, and
    /// shows the progress in `line`. If its world is too large, the verdict says so, with the
    /// findings of the script. The search leaves its checkpoints there, or goes on from one.
    pub(crate) fn judge(
        &self,
        ready: &Ready,
        engine: Engine,
        only: &[&'static Claim],
        refines: Refines,
        line: &ProgressLine,
        checkpoint: Option<&Checkpoint>,
    ) -> Verdict {
        let (stop, progress) = (|| self.deadline.stop(), |progress| line.show(progress));
        let settings = SearchSettings { checkpoint, ..self.settings(&stop, &progress) };
        let options = VerdictOptions { engine, only, refines, settings };
        let (scenario, replay) = (&ready.scenario, &ready.replay);
        verdict::judge(scenario, replay, &options)
            .unwrap_or_else(|why| verdict::unsearched(scenario, replay, &options, why))
    }

    /// Answers a scenario as [`Self::judge`] does, together with other processes. Process 0 gets
    /// the verdict.
    pub(crate) fn judge_by_cluster(
        &self,
        ready: &Ready,
        only: &[&'static Claim],
        refines: Refines,
        line: Option<&ProgressLine>,
        checkpoint: Option<&Checkpoint>,
        exchange: &dyn Exchange,
    ) -> Option<Verdict> {
        let stop = || self.deadline.stop();
        let progress = |progress| line.into_iter().for_each(|line| line.show(progress));
        let settings = SearchSettings { checkpoint, ..self.settings(&stop, &progress) };
        let options = VerdictOptions { engine: Engine::Own, only, refines, settings };
        let (scenario, replay) = (&ready.scenario, &ready.replay);
        verdict::judge_by_cluster(scenario, replay, &options, exchange)
            .unwrap_or_else(|why| Some(verdict::unsearched(scenario, replay, &options, why)))
    }

    /// Answers a scenario, or only these claims if there are some, for every number of units, and
    /// hands over the evidence.
    ///
    /// # Errors
    /// If that cannot be asked of its world.
    pub(crate) fn judge_any_size(
        &self,
        ready: &Ready,
        only: &[&'static Claim],
        line: &ProgressLine,
        given: Option<GivenCertificate<'_>>,
    ) -> Result<Verdict, Problem> {
        let (stop, progress) = (|| self.deadline.stop(), |progress| line.show(progress));
        let settings = self.settings(&stop, &progress);
        verdict::judge_any_size(&ready.scenario, &ready.replay, only, &settings, given)
    }

    /// A question with no claims, about the states after the script.
    pub(crate) fn question(ready: &Ready) -> CheckQuestion<'_> {
        CheckQuestion {
            world: &ready.scenario.world,
            start: &ready.replay.state,
            claims: Vec::new(),
            witnesses: Vec::new(),
            refines: None,
        }
    }

    /// The graph of a world, unless a limit comes first; shows the progress in `line`.
    pub(crate) fn graph<'q>(
        &self,
        question: &'q CheckQuestion<'q>,
        line: &ProgressLine,
    ) -> Result<Result<LabelledGraph<'q>, Stop>, TooLarge> {
        let (stop, progress) = (|| self.deadline.stop(), |progress| line.show(progress));
        LabelledGraph::of(question, &self.settings(&stop, &progress))
    }

    /// The settings of a search, which stops and shows its progress so.
    pub(crate) fn settings<'s>(
        &'s self,
        stop: &'s (dyn Fn() -> Option<Stop> + Sync),
        progress: &'s (dyn Fn(SearchProgress) + Sync),
    ) -> SearchSettings<'s> {
        SearchSettings {
            caching: self.limits.caching(),
            symmetry: self.symmetry,
            max_states: self.limits.max_states,
            max_bytes: self.max_bytes,
            stop,
            progress,
            spill: self.spill.as_ref(),
            ..SearchSettings::without_limits(self.limits.threads())
        }
    }
}

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
