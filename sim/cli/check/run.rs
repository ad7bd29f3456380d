//! A check under way: each scenario is searched, and its answer goes to all sinks.

use std::time::Instant;

use deathwatch_claims::check::{Checkpoint, GivenCertificate, Stop};
use deathwatch_scenario::Problem;
use deathwatch_study::{
    answers,
    verdict::{self, Engine, Verdict},
};

use super::{
    Args,
    asked::{CheckTask, again},
    sinks::Sinks,
};
use crate::{
    checkpoints::Checkpoints,
    cluster::ConnectedProcess,
    diagnostics,
    exit::{Abandon, Exit},
    format::Timed,
    load,
    progress::ProgressLine,
    search::Searches,
};

/// The task, the searches, and the sinks of the answers.
pub(super) struct CheckRun<'a> {
    pub(super) args: &'a Args,
    pub(super) task: &'a CheckTask,
    pub(super) searches: &'a Searches<'a>,
    pub(super) checkpoints: Option<&'a Checkpoints<'a>>,
    /// The processes that search with this one, unless they were told to end.
    pub(super) joined: Option<ConnectedProcess<'a>>,
    pub(super) sinks: Sinks<'a>,
    /// The exit code of scenarios that could not be asked, and of outputs that could not be
    /// written.
    pub(super) not_asked: Exit,
}

impl CheckRun<'_> {
    /// Answers the scenario with this number, unless the journal has its answer.
    pub(super) fn answer(&mut self, at: usize) -> Result<(), Abandon> {
        if let Some(answer) = self.sinks.before(at) {
            return self.sinks.write(Timed::before(answer));
        }
        let ready = &self.task.scenarios[at];
        let (checkpoints, exchange) =
            (self.checkpoints, self.joined.as_ref().map(ConnectedProcess::exchange));
        let opened = checkpoints.map(|it| it.open(ready, exchange));
        let checkpoint = match opened.transpose() {
            Ok(opened) => opened.flatten(),
            Err(problem) => return Err(self.refuse(problem)),
        };
        let begun = Instant::now();
        let line = ProgressLine::new(&ready.scenario.name)
            .numbered(at + 1, self.task.scenarios.len())
            .expecting(ready.scenario.states);
        let again = again(&ready.scenario.words(), self.args);
        let verdict = match self.judge(at, &line, checkpoint.as_ref()) {
            Ok(verdict) => verdict,
            Err(problem) => {
                drop(line);
                let problems = [problem];
                diagnostics::report(&problems);
                self.not_asked = Exit::NotAsked;
                let answer = load::not_asked(&ready.scenario.address, &problems, again);
                return self.sinks.write(Timed::before(answer));
            }
        };
        let is_own = !self.args.any_size && matches!(self.args.engine(), Engine::Own);
        let has_phases = self.args.timings && is_own && verdict.report.is_some();
        let phases = has_phases.then(|| line.phases(self.args.limits.threads()));
        drop(line);
        if let Some(file) = self.sinks.certificate.take() {
            self.not_asked = self.not_asked.max(file.finish(&verdict)?);
        }
        if let Some(problem) = checkpoints.and_then(|it| it.refused(ready, checkpoint.as_ref())) {
            return Err(self.refuse(problem));
        }
        if verdict.stopped() == Some(Stop::Threads) {
            return Err(no_thread().into());
        }
        let took = begun.elapsed();
        let mut answer = answers::of(&ready.scenario, &verdict, again);
        let idle = &ready.scenario.idle;
        load::warn(&ready.scenario, answer.warnings.iter().filter(|it| !idle.contains(it)));
        if self.args.timings {
            answer.seconds = Some(took.as_secs_f64());
            answer.phases = phases.unwrap_or_default();
            answer.bytes = verdict.report.as_ref().map(|report| report.bytes);
            let spilled = verdict.report.as_ref().map(|report| report.spilled);
            answer.spilled_bytes = spilled.filter(|bytes| *bytes > 0);
        }
        self.sinks.accept((at, ready), &verdict, (answer, took), self.searches)?;
        let answered = checkpoint.filter(|_| verdict.stopped().is_none());
        checkpoints.into_iter().zip(answered).for_each(|(all, it)| all.remove(ready, it));
        if let Some(joined) = &self.joined {
            joined.tell(verdict.stopped().is_none());
        }
        if let Some(why) = &verdict.too_large {
            diagnostics::report(&[verdict::unsearchable(&ready.scenario, why)]);
        }
        Ok(())
    }

    /// The verdict on a scenario.
    ///
    /// # Errors
    /// If every number of units is asked for, and cannot be.
    fn judge(
        &mut self,
        at: usize,
        line: &ProgressLine,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<Verdict, Problem> {
        let CheckTask { scenarios, claims, refines, .. } = self.task;
        let (ready, claims, refines) = (&scenarios[at], &claims[at], *refines);
        let searches = self.searches;
        if self.args.any_size {
            let mut given =
                self.sinks.certificate.as_mut().map(|it| it.given(ready, &searches.deadline));
            let given = given.as_mut().map(|it| it as GivenCertificate<'_>);
            return searches.judge_any_size(ready, claims, line, given);
        }
        Ok(match &self.joined {
            Some(joined) => joined.lead(searches, ready, claims, refines, line, checkpoint),
            None => searches.judge(ready, self.args.engine(), claims, refines, line, checkpoint),
        })
    }

    /// Why a command ends, after the processes that search with this one.
    fn refuse(&mut self, problem: Problem) -> Abandon {
        match self.joined.take() {
            Some(joined) => joined.refuse(problem),
            None => problem.into(),
        }
    }

    /// Completes all outputs. All is answered, so it does not matter whether another process is
    /// lost now.
    pub(super) fn finish(self) -> Result<Exit, Abandon> {
        if let Some(joined) = self.joined {
            joined.finish(self.args.timings);
        }
        Ok(self.sinks.finish(self.searches)?.max(self.not_asked))
    }
}

/// The problem that stateright's checker could start no thread.
fn no_thread() -> Problem {
    let problem = Problem::new("failed to start a thread of stateright's checker");
    let help = "no more processes are allowed: raise that limit (`ulimit -u`), or let our own \
                checker answer, which does without (`--engine own`)";
    problem.with_help(help)
}
