//! Graph files: the reachable graph of a scenario's world, or the automata that decide a claim,
//! written whole or not at all; and the graph of a small world as data for a page.

use std::path::{Path, PathBuf};

use deathwatch_claims::Claim;
use deathwatch_scenario::Problem;
use deathwatch_study::{
    graph::{self, AutomatonSubject, GraphContent, GraphData, GraphFormat, MOST_STATES},
    verdict::{self, Verdict},
};

use crate::{
    exit::{Abandon, Exit},
    inputs::Inputs,
    load::Ready,
    output::{Output, Pieces, only},
    progress::ProgressLine,
    search::Searches,
};

/// The name of a graph file, which says its form.
#[derive(Clone, Debug)]
pub(crate) struct GraphPath {
    path: PathBuf,
    form: GraphFormat,
}

/// Reads the name of a graph file.
pub(crate) fn path(text: &str) -> Result<GraphPath, String> {
    let path = PathBuf::from(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.and_then(GraphFormat::of_extension) {
        Some(form) => Ok(GraphPath { path, form }),
        None => Err("its name has to end in .dot, .aut or .hoa, which say its form".to_owned()),
    }
}

impl GraphPath {
    /// The text of the graph: all of it, or the automata that decide the named claim, for this
    /// subject.
    fn written(
        &self,
        ready: &Ready,
        claims: &[&'static Claim],
        subject: Option<&str>,
    ) -> Result<GraphContent, Problem> {
        match (self.form, claims, subject) {
            (GraphFormat::Automata, [claim], _) => Ok(GraphContent::Automata(
                AutomatonSubject::new(&ready.scenario.world, claim, subject)?,
            )),
            (GraphFormat::Automata, _, _) => {
                let message = "failed to write a graph in the form of .hoa: it is about one claim";
                Err(Problem::new(message)
                    .with_help("say which, --claim \"a Dying unit is removed\""))
            }
            (GraphFormat::Dot | GraphFormat::Aldebaran, _, Some(_)) => {
                let message = "failed to write a graph about a subject: only .hoa is about one";
                Err(Problem::new(message))
            }
            (GraphFormat::Dot, _, None) => Ok(GraphContent::Dot),
            (GraphFormat::Aldebaran, _, None) => Ok(GraphContent::Aldebaran),
        }
    }
}

/// A graph file that is to be written.
pub(crate) struct GraphFile<'a> {
    ready: &'a Ready,
    written: GraphContent,
    pieces: Pieces,
}

impl<'a> GraphFile<'a> {
    /// Opens the file. So it is known to be writable before time is spent.
    pub(crate) fn open(
        file: &GraphPath,
        scenarios: &'a [Ready],
        (claims, subject): (&[Vec<&'static Claim>], Option<&str>),
        inputs: &Inputs,
    ) -> Result<Self, Abandon> {
        let ready = only(scenarios, "graph", "")?;
        let written = file.written(ready, &claims.concat(), subject)?;
        let pieces = Pieces::to(Output::open(Some(Path::new(&file.path)), inputs)?);
        Ok(Self { ready, written, pieces })
    }

    /// Explores the world, and writes its graph.
    pub(crate) fn write(mut self, searches: &Searches<'_>) -> Result<Exit, Abandon> {
        let scenario = &self.ready.scenario;
        let line = ProgressLine::new(&scenario.name).expecting(scenario.states);
        let question = Searches::question(self.ready);
        let graph = match searches.graph(&question, &line) {
            Ok(Ok(graph)) => graph,
            Ok(Err(stop)) => return self.pieces.finish(Some(stop), "graph"),
            Err(why) => return Err(verdict::unsearchable(scenario, &why).into()),
        };
        drop(line);
        graph::write(scenario, &graph, &self.written, &mut |text| {
            self.pieces.write(text, &searches.deadline)
        });
        self.pieces.finish(None, "graph")
    }
}

/// The graph of a world as data, if it is small and was searched.
pub(crate) fn data(ready: &Ready, verdict: &Verdict, searches: &Searches<'_>) -> Option<GraphData> {
    let report = verdict.report.as_ref().filter(|it| it.stopped.is_none())?;
    if report.states > MOST_STATES {
        return None;
    }
    let question = Searches::question(ready);
    let line = ProgressLine::new(&ready.scenario.name);
    let graph = searches.graph(&question, &line).ok()?.ok()?;
    Some(GraphData::new((&ready.scenario, &ready.replay.state), &graph, &verdict.violating()))
}
