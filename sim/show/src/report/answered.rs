//! A scenario that was answered as it expects, as the reports need it.

use std::path::{Component, Path};

use deathwatch_claims::{Claim, check::CheckAnswer};
use deathwatch_documents::{AnySize, TraceText};
use deathwatch_model::{
    action::Act,
    clause::Clauses,
    world::{FaultKind, World},
};
use deathwatch_scenario::{
    replay::Replay,
    scenario::{Expected, Scenario, expected_of},
};
use deathwatch_study::{
    recording::{Keep, Played, record},
    verdict::{Judged, Verdict},
};

use super::{Figures, trouble::Trouble};
use crate::run::sketch;

/// A scenario that was answered as it expects, so that its expectations are its answers.
#[derive(Clone, Debug)]
pub struct AnsweredScenario {
    /// Its name below the folder of scenarios, as in "relation-scope-bug/1-as-written".
    pub name: String,
    pub scenario: Scenario,
    /// The clauses that its script carries out.
    pub carried_out: Clauses,
    /// The figures of its search, if it was searched.
    pub figures: Option<Figures>,
    /// The answers for every number of units, if it asks for them.
    pub any_size: Option<AnySize>,
    /// The runs that violate its claims, in the order of all claims.
    pub runs: Vec<Counterexample>,
}

/// A run that violates a claim.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub claim: &'static Claim,
    pub trace: TraceText,
    pub troubles: Vec<Trouble>,
    /// Its steps as a Mermaid diagram, if it is short enough for one.
    pub picture: Option<String>,
    /// The run as data, if there is a picture of it.
    pub recording: Option<deathwatch_documents::Run>,
}

/// The greatest number of steps that a picture shows.
const MOST_DRAWN: usize = 20;

impl Counterexample {
    /// The number of its steps, those of its cycle included.
    pub fn len(&self) -> usize {
        self.trace.length()
    }

    /// Whether it has no steps: the claim is violated at the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl AnsweredScenario {
    /// A scenario, whose script led to `replay`, and the verdict on it.
    pub fn searched(name: String, scenario: Scenario, replay: &Replay, verdict: Verdict) -> Self {
        let report = verdict.report.as_ref();
        let figures = report.map(|it| Figures { states: it.states, transitions: it.transitions });
        let run = |judged: Judged| {
            let is_violated = judged.finding.answer == CheckAnswer::Violated;
            let recording = short(&scenario, replay, &judged);
            let picture = recording.as_ref().map(sketch);
            let troubles = troubles(&scenario.world, &judged);
            let (claim, trace) = (judged.claim().filter(|_| is_violated)?, judged.rendered?);
            Some(Counterexample { claim, trace, troubles, picture, recording })
        };
        let runs = verdict.judged.into_iter().filter_map(run).collect();
        let (carried_out, any_size) = (carried_out(replay), verdict.any_size);
        Self { name, scenario, carried_out, figures, any_size, runs }
    }

    /// A scenario, whose script led to `replay`, that was not searched again. For every number of
    /// units it was asked all the same, if it asks for that.
    pub fn committed(
        name: String,
        scenario: Scenario,
        replay: &Replay,
        figures: Figures,
        any_size: Option<AnySize>,
    ) -> Self {
        let (carried_out, figures) = (carried_out(replay), Some(figures));
        Self { name, scenario, carried_out, figures, any_size, runs: Vec::new() }
    }

    /// The folder it is in, as in "relation-scope-bug".
    pub fn folder(&self) -> &str {
        folder_of(&self.name)
    }

    /// Its name in its folder, as in "1-as-written".
    pub fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// The answer to a claim, if it was asked.
    pub fn answer(&self, claim: &Claim) -> Option<Expected> {
        expected_of(&self.scenario.claims, claim)
    }

    /// The claims that are answered in this way.
    pub fn claims(&self, answer: Expected) -> Vec<&'static Claim> {
        let claims = self.scenario.claims.iter().filter(|(_, expected)| *expected == answer);
        claims.map(|(claim, _)| *claim).collect()
    }

    pub fn shortest(&self) -> Option<&Counterexample> {
        self.runs.iter().min_by_key(|run| run.len())
    }

    /// The shortest of its runs in which something is not removed.
    pub(super) fn shortest_removal(&self) -> Option<&Counterexample> {
        let is_removal =
            |run: &&Counterexample| Claim::removals().any(|claim| claim.name == run.claim.name);
        self.runs.iter().filter(is_removal).min_by_key(|run| run.len())
    }

    /// The comments above it in its file, as one line.
    pub fn notes(&self) -> Option<String> {
        let comments = self.scenario.comments();
        let words: Vec<&str> = comments.iter().flat_map(|line| line.split_whitespace()).collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

/// The clauses that a script carries out.
fn carried_out(replay: &Replay) -> Clauses {
    replay.clauses.iter().copied().collect()
}

/// The troubles of the run that shows an answer.
fn troubles(world: &World, judged: &Judged) -> Vec<Trouble> {
    let actions = judged.finding.trace.iter().flat_map(|it| it.steps.iter().chain(&it.cycle));
    let faults = actions.filter_map(|action| match action.act {
        Act::Faults(fault) => Some(FaultKind::of(fault)),
        _ => None,
    });
    Trouble::all(world, faults)
}

/// The run that shows an answer, with its script, if it is short enough for a picture.
fn short(
    scenario: &Scenario,
    replay: &Replay,
    judged: &Judged,
) -> Option<deathwatch_documents::Run> {
    let run = record(Played::found(scenario, replay, judged, None)?, Keep::First).ok()?;
    (run.steps.len() <= MOST_DRAWN).then_some(run)
}

/// The folder of the scenario with this name below the folder of all scenarios.
pub(crate) fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of a scenario below `root`, the folder of all scenarios.
pub fn name_below(root: &Path, scenario: &Scenario) -> String {
    let file = &scenario.address.file;
    let path = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    scenario.address.with_also(&parts.collect::<Vec<_>>().join("/"))
}
