//! Sinks: the output, the journal, traces, graphs and certificates that get the answers of `check`.

use std::{collections::BTreeMap, time::Duration};

use deathwatch_claims::check::measure_threads;
use deathwatch_documents::{Answer, limit::Limit};
use deathwatch_show::{cases, page::check::ScenarioPlacement};
use deathwatch_study::{answers, baseline::Baseline, journal::Journal, verdict::Verdict};

use super::{Args, among, asked::CheckTask, exit};
use crate::{
    appearance::Appearance,
    certificate_file::CertificateFile,
    exit::{Abandon, Exit},
    format::{Format, Timed},
    graph_file::{self, GraphFile},
    inputs::Inputs,
    load::Ready,
    output::Output,
    progress::clock,
    replay::violating_runs,
    search::Searches,
    traces::Traces,
};

/// All outputs. Each is open, and so known to be writable, before time is spent.
pub(super) struct Sinks<'a> {
    args: &'a Args,
    output: Output,
    look: Appearance,
    among: ScenarioPlacement,
    baseline: Option<Baseline>,
    journal: Option<Journal>,
    /// The answer of each scenario that the journal has.
    before: Vec<BTreeMap<u64, Answer>>,
    traces: Option<Traces<'a>>,
    graph: Option<GraphFile<'a>>,
    pub(super) certificate: Option<CertificateFile>,
    all: Vec<Timed>,
}

/// Reads the baseline and opens the output, which from now on no other output may replace.
pub(super) fn open_first(
    args: &Args,
    inputs: &mut Inputs,
) -> Result<(Option<Baseline>, Output), Abandon> {
    let baseline = inputs.baseline(&args.baseline, Baseline::of_answers)?;
    if let Some(journal) = &args.journal {
        inputs.spare(journal)?;
        inputs.add(journal);
    }
    let output = args.results.open(inputs)?;
    args.results.path().into_iter().for_each(|path| inputs.add(path));
    Ok((baseline, output))
}

impl<'a> Sinks<'a> {
    pub(super) fn open(
        args: &'a Args,
        task: &'a CheckTask,
        inputs: &'a Inputs,
        (baseline, output): (Option<Baseline>, Output),
    ) -> Result<Self, Abandon> {
        let scenarios = &task.scenarios;
        let folder = args.write_traces.as_deref();
        let traces = folder.map(|folder| Traces::open(folder, inputs)).transpose()?;
        let about = (&task.claims[..], args.subject.as_deref());
        let graph = args.write_graph.as_ref();
        let graph = graph.map(|it| GraphFile::open(it, scenarios, about, inputs)).transpose()?;
        let certificate = args.certificate.as_deref();
        let certificate =
            certificate.map(|it| CertificateFile::open(it, scenarios, inputs)).transpose()?;
        if args.timings {
            measure_threads(clock);
        }
        let (mut journal, mut before) = (None, Vec::new());
        if let Some(path) = &args.journal {
            let (opened, earlier) = Journal::open(path, &task.header)?;
            (journal, before) = (Some(opened), earlier);
        }
        before.resize_with(scenarios.len(), BTreeMap::new);
        let (look, among) = (args.results.look(args.how_much.detail()), among(scenarios.len()));
        Ok(Self {
            args,
            output,
            look,
            among,
            baseline,
            journal,
            before,
            traces,
            graph,
            certificate,
            all: Vec::new(),
        })
    }

    /// Whether the journal has the answer of the scenario with this number.
    pub(super) fn has(&self, at: usize) -> bool {
        !self.before[at].is_empty()
    }

    /// The answer that the journal has.
    pub(super) fn before(&mut self, at: usize) -> Option<Answer> {
        let (_, mut answer) = self.before[at].pop_first()?;
        self.compare(&mut answer);
        Some(answer)
    }

    /// Takes the verdict on a scenario, and the answer without runs that is made of it.
    pub(super) fn accept(
        &mut self,
        (at, ready): (usize, &Ready),
        verdict: &Verdict,
        (mut answer, took): (Answer, Duration),
        searches: &Searches<'_>,
    ) -> Result<(), Abandon> {
        let is_page = self.args.results.format == Format::Html;
        let is_recorded = self.args.has_runs_as_data();
        if is_recorded || self.journal.is_some() || is_page {
            let among = if is_recorded { ScenarioPlacement::AmongOthers } else { self.among };
            answer = answers::with_runs(answer, violating_runs(ready, verdict, among, None));
        }
        if let Some(traces) = &self.traces {
            traces.write(ready, verdict)?;
        }
        let is_lasting = answer.stopped.is_none_or(Limit::is_lasting);
        if let Some(journal) = self.journal.as_mut().filter(|_| is_lasting) {
            journal.add(at, &answer)?;
        }
        // A journal says nothing of another one.
        self.compare(&mut answer);
        let has_graph = is_page && self.among == ScenarioPlacement::Alone && self.journal.is_none();
        let graph = has_graph.then(|| graph_file::data(ready, verdict, searches)).flatten();
        self.write(Timed { answer, took: self.look.is_terminal.then_some(took), graph })
    }

    fn compare(&self, answer: &mut Answer) {
        self.baseline.iter().for_each(|it| it.compare(answer));
    }

    /// Writes an answer that nothing else is made of.
    pub(super) fn write(&mut self, timed: Timed) -> Result<(), Abandon> {
        self.output.write(&self.args.results.format.each(&timed, &self.look))?;
        self.all.push(timed);
        Ok(())
    }

    /// Completes all outputs. Returns the exit code for the answers.
    pub(super) fn finish(mut self, searches: &Searches<'_>) -> Result<Exit, Abandon> {
        let results = &self.args.results;
        let look = (&self.look, results.path());
        self.output.write(&results.format.all(&mut self.all, self.among, look))?;
        self.output.finish()?;
        results.format.sum_up("check", self.all.iter().map(|it| cases::of_answer(&it.answer)))?;
        let exit = exit(&self.all);
        match self.graph {
            Some(graph) => Ok(exit.max(graph.write(searches)?)),
            None => Ok(exit),
        }
    }
}
