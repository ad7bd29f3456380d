//! Graph files: the reachable graph of a scenario's world, or the automata that decide a claim,
//! written whole or not at all; and the graph of a small world as data for a page.

use std::{
    io,
    path::{Path, PathBuf},
};

use deathwatch_claims::{Claim, check::Stop};
use deathwatch_scenario::Problem;
use deathwatch_study::{
    graph::{self, AutomatonSubject, GraphContent, GraphData, GraphFormat, MOST_STATES},
    verdict::{self, Verdict},
};

use crate::{
    diagnostics,
    exit::{Abandon, Exit},
    inputs::Inputs,
    load::Ready,
    output::{Output, PIECE},
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
    output: Output,
}

impl<'a> GraphFile<'a> {
    /// Opens the file. So it is known to be writable before time is spent.
    pub(crate) fn open(
        file: &GraphPath,
        scenarios: &'a [Ready],
        (claims, subject): (&[Vec<&'static Claim>], Option<&str>),
        inputs: &Inputs,
    ) -> Result<Self, Abandon> {
        let [ready] = scenarios else {
            let count = scenarios.len();
            let message = format!("failed to write one graph: these are {count} scenarios");
            return Err(Problem::new(message).into());
        };
        if ready.replay.is_cut {
            let message = "failed to write the graph: the script cannot go on";
            let help = "`deathwatch replay` says why";
            return Err(Problem::new(message).with_help(help).into());
        }
        let written = file.written(ready, &claims.concat(), subject)?;
        let output = Output::open(Some(Path::new(&file.path)), inputs)?;
        Ok(Self { ready, written, output })
    }

    /// Explores the world, and writes its graph.
    pub(crate) fn write(mut self, searches: &Searches<'_>) -> Result<Exit, Abandon> {
        let scenario = &self.ready.scenario;
        let line = ProgressLine::new(&scenario.name).expecting(scenario.states);
        let question = Searches::question(self.ready);
        let graph = match searches.graph(&question, &line) {
            Ok(Ok(graph)) => graph,
            Ok(Err(stop)) => return Ok(given_up(stop)),
            Err(why) => return Err(verdict::unsearchable(scenario, &why).into()),
        };
        drop(line);
        let (mut piece, mut failed) = (String::new(), None::<io::Error>);
        let output = &mut self.output;
        let mut stopped = None;
        graph::write(scenario, &graph, &self.written, &mut |text| {
            piece.push_str(text);
            if piece.len() >= PIECE {
                failed = output.write(&piece).err();
                piece.clear();
                stopped = searches.deadline.stop();
            }
            failed.is_none() && stopped.is_none()
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        if let Some(stop) = stopped {
            return Ok(given_up(stop));
        }
        output.write(&piece)?;
        self.output.finish()?;
        Ok(Exit::AsExpected)
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

fn given_up(stop: Stop) -> Exit {
    diagnostics::say(format_args!("no graph is written: {}", verdict::stopped(stop)));
    Exit::Undecided
}
