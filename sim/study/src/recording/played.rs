//! Runs that were played or found, before they are written down. Each begins at the start of its
//! scenario: the script comes first, then the rest.

use std::collections::BTreeSet;

use deathwatch_claims::{
    Claim, ClaimKind, Diagnosis,
    check::{CheckAnswer, CheckReport, Trace},
};
use deathwatch_documents::{
    Begins, TraceText,
    run::{Counts, Origin},
    wait_for::WaitFor,
};
use deathwatch_model::{action::Action, actor::Actor, rows::Row};
use deathwatch_scenario::{
    describe,
    replay::{Interpreter, Replay, pending_at_end},
    scenario::{Expected, Scenario, expected_of},
};

use super::{decided::DecidedClaim, slice::Slice};
use crate::{
    shrink::ShrinkResult,
    simulate::{self, SeedRun, SeedViolation, Simulation},
    verdict::{Judged, ScriptFindings},
    wait_for,
};

/// A run, to be written down.
pub struct Played<'a> {
    pub(super) scenario: &'a Scenario,
    /// All steps: those of the script, those that follow, and those of a cycle.
    pub(super) actions: Vec<Action>,
    /// The number of the first steps that are the script.
    pub(super) script: usize,
    /// The number of the last steps that are repeated for ever.
    pub(super) cycle: usize,
    /// The line of the file that asks for each step of the script.
    pub(super) lines: &'a [usize],
    /// The virtual time of each step after the script, in milliseconds.
    pub(super) times: &'a [u64],
    /// The claims whose obligations are noted.
    pub(super) claims: Vec<&'static Claim>,
    pub(super) origin: Origin,
    /// The command that makes it again.
    pub(super) made_by: String,
    pub(super) counts: Option<Counts>,
    pub(super) found: Vec<DecidedClaim>,
    /// The expectations of the script that are not met.
    pub(super) failures: Vec<String>,
    /// Further notes on its end.
    pub(super) notes: Vec<String>,
    /// The actors for which reasons are asked why actions are impossible; all, if `None`.
    pub(super) asked: Option<BTreeSet<Actor>>,
    /// The part of it that is written down; all if it is `None`.
    pub(super) slice: Option<Slice>,
}

impl<'a> Played<'a> {
    /// The part of a long run that is about what holds its end; `None`, if the run is short or goes
    /// round, or decides nothing about an entity.
    pub fn slice(&self) -> Option<Slice> {
        let is_round = self.cycle > 0;
        if is_round { None } else { Slice::of(self.scenario, &self.actions, &self.found) }
    }

    /// This run with its `slice` alone. The step since which each root is there is looked up.
    #[must_use]
    pub fn sliced(mut self, slice: Slice) -> Self {
        let Self { scenario, actions, .. } = &self;
        let world = &scenario.world;
        let mut interpreter = Interpreter::new(world, scenario.start.clone());
        let (mut states, mut numbers) = (vec![scenario.start.clone()], vec![0]);
        for (index, action) in actions.iter().enumerate() {
            interpreter.step(*action, None);
            if slice.shows(index) {
                states.push(interpreter.state.clone());
                numbers.push(index as u64 + 1);
            }
        }
        for found in &mut self.found {
            let Some(subject) = found.subject.filter(|_| found.wait_for.is_some()) else {
                continue;
            };
            let mut diagnosis = Diagnosis::at_end(world, &interpreter.state, subject);
            diagnosis.began_in(world, &states, &|entity| slice.roots.contains(&entity));
            found.wait_for = wait_for::of(world, &diagnosis).map(|it| it.numbered(&numbers));
        }
        self.slice = Some(slice);
        self
    }

    /// The script of `scenario`, which led to `replay`, with its loop.
    pub fn script(scenario: &'a Scenario, replay: &'a Replay) -> Self {
        let mut played = Self::up_to_end(scenario, replay);
        played.actions.extend(&replay.cycle);
        played.cycle = replay.cycle.len();
        played.script = played.actions.len();
        played
    }

    /// The script of `scenario`, which led to `replay`, with the claims that it decides.
    pub fn judged(scenario: &'a Scenario, replay: &'a Replay) -> Self {
        let mut played = Self::script(scenario, replay);
        let script = ScriptFindings::of(scenario, replay, played.claims.iter().copied());
        played.found = script.decided().map(|it| by_script(scenario, replay, it)).collect();
        played
    }

    /// Its decisions, a claim in each line, and after them the root that holds the end.
    pub fn decisions(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for found in &self.found {
            let answer = if found.answer == CheckAnswer::Holds { "reached" } else { "violated" };
            let is_known =
                found.answer == CheckAnswer::Violated && found.expected == Expected::Violated;
            let expected = if is_known { " as expected" } else { "" };
            let whom = found.subject.map(|it| describe::subject(&self.scenario.world, it));
            let whom = whom.unwrap_or_else(|| "the whole state".to_owned());
            let (name, state) = (&found.name, found.state);
            lines.push(format!("{answer}{expected}: \"{name}\" at step {state}, for {whom}"));
            let sentences = found.wait_for.as_ref().map_or_else(Vec::new, WaitFor::sentences);
            lines.extend(sentences.iter().map(|line| format!("  {line}")));
        }
        lines
    }

    /// The script of `scenario` without its loop.
    fn up_to_end(scenario: &'a Scenario, replay: &'a Replay) -> Self {
        Self {
            script: replay.actions.len(),
            actions: replay.actions.clone(),
            lines: &replay.lines,
            claims: claims_of(scenario),
            failures: replay.failures.iter().map(ToString::to_string).collect(),
            notes: pending_at_end(scenario, replay),
            ..Self::standing(scenario)
        }
    }

    /// A run that stands at the start; it decides no claim.
    pub(super) fn standing(scenario: &'a Scenario) -> Self {
        Self {
            scenario,
            actions: Vec::new(),
            script: 0,
            cycle: 0,
            lines: &[],
            times: &[],
            claims: Vec::new(),
            origin: Origin::Script,
            made_by: String::new(),
            counts: None,
            found: Vec::new(),
            failures: Vec::new(),
            notes: Vec::new(),
            asked: None,
            slice: None,
        }
    }

    /// This run, where only `actors` are asked why actions are impossible: in a large world asking
    /// all takes too long.
    #[must_use]
    pub fn asking(self, actors: BTreeSet<Actor>) -> Self {
        Self { asked: Some(actors), ..self }
    }

    /// A run chosen step by step. The first `script` actions are those of the scenario, and the
    /// last `cycle` are repeated for ever.
    pub fn explored(
        scenario: &'a Scenario,
        replay: &'a Replay,
        (actions, script): (Vec<Action>, usize),
        cycle: usize,
    ) -> Self {
        let played = Self::up_to_end(scenario, replay);
        let (failures, notes) = (Vec::new(), Vec::new());
        Self { actions, script, cycle, failures, notes, ..played }
    }

    /// The run that shows an answer of a search, if a run does.
    pub fn found(
        scenario: &'a Scenario,
        replay: &'a Replay,
        judged: &Judged,
        report: Option<&CheckReport>,
    ) -> Option<Self> {
        let (trace, rendered) = judged.finding.trace.as_ref().zip(judged.rendered.as_ref())?;
        let mut played = Self::up_to_end(scenario, replay);
        match rendered.begins {
            // The run is the first steps of the script.
            Begins::BeforeScript => {
                played.actions.clone_from(&trace.steps);
                played.script = trace.steps.len();
            }
            Begins::AfterScript => played.actions.extend(&trace.steps),
        }
        let before = played.actions.len() - trace.steps.len();
        played.found.push(found(judged, trace, rendered, before));
        played.actions.extend(&trace.cycle);
        played.cycle = trace.cycle.len();
        if let Some(claim) = judged.claim() {
            played.ask(claim);
        }
        played.origin = Origin::Search;
        played.counts = report.map(|report| Counts {
            states: report.states,
            transitions: report.transitions,
            depth: report.depth,
        });
        let more = "and nothing more happens".to_owned();
        played.notes = rendered.quiescent.then_some(more).into_iter().collect();
        Some(played)
    }

    /// A run after shrinking, whose script led to `replay`.
    pub fn shrunk(shrunk: &'a ShrinkResult, replay: &'a Replay) -> Self {
        let mut played = Self::up_to_end(&shrunk.scenario, replay);
        played.actions.clone_from(&shrunk.steps);
        played.actions.extend(&shrunk.afterwards);
        played.notes = match shrunk.claim.kind() {
            // Faults and users may go on, but they owe nothing.
            ClaimKind::Leads => vec!["and nothing more happens by itself".to_owned()],
            ClaimKind::Always | ClaimKind::Step | ClaimKind::Reachable => Vec::new(),
        };
        let (claim, expected) = (shrunk.claim, Expected::Violated.of_seeds(shrunk.claim));
        let (state, wait_for) = (played.actions.len(), shrunk.wait_for.clone());
        played.found.push(DecidedClaim::new((claim, expected), shrunk.subject, state, wait_for));
        played.ask(claim);
        played
    }

    /// The run of a seed: these actions, at these times.
    pub fn seed(
        simulation: &Simulation<'_>,
        (scenario, replay): (&'a Scenario, &'a Replay),
        run: &SeedRun,
        (actions, times): (&[Action], &'a [u64]),
    ) -> Self {
        let mut played = Self::up_to_end(scenario, replay);
        played.found =
            run.violations.iter().map(|it| violated(simulation, it, played.script)).collect();
        played.actions.extend(actions);
        played.times = times;
        played.claims = simulation.claims.iter().map(|(claim, _)| *claim).collect();
        played.origin = Origin::Seed { seed: run.seed };
        played.notes = match &run.end {
            simulate::SimulationEnd::Unsettled(moving) => {
                vec![format!("it did not settle: {moving}")]
            }
            simulate::SimulationEnd::Settled => Vec::new(),
        };
        played
    }

    /// The run with the command that makes it again.
    #[must_use]
    pub fn made_by(self, made_by: String) -> Self {
        Self { made_by, ..self }
    }

    /// All its steps, and the number of the last ones that are repeated for ever.
    pub fn actions(&self) -> (&[Action], usize) {
        (&self.actions, self.cycle)
    }

    /// The claims whose obligations are noted.
    pub fn claims(&self) -> Vec<&'static Claim> {
        self.claims.clone()
    }

    /// Adds a claim, unless it is in the list.
    fn ask(&mut self, claim: &'static Claim) {
        if self.claims.iter().all(|known| known.name != claim.name) {
            self.claims.insert(0, claim);
        }
    }
}

/// The claims that a scenario asks; if it asks none, all that are about its world.
fn claims_of(scenario: &Scenario) -> Vec<&'static Claim> {
    if scenario.claims.is_empty() {
        let about = deathwatch_claims::all_with(scenario.world.detail);
        return about.filter(|it| scenario.world.history.has_all(it.keeps())).collect();
    }
    scenario.claims.iter().map(|(claim, _)| *claim).collect()
}

/// The decision of a run with `before` steps ahead of its own.
fn found(judged: &Judged, trace: &Trace, rendered: &TraceText, before: usize) -> DecidedClaim {
    let wait_for = rendered.wait_for.clone().map(|it| it.after(before));
    DecidedClaim {
        name: judged.name(),
        kind: judged.kind().name(),
        claim: judged.claim(),
        answer: judged.finding.answer,
        expected: judged.expected,
        subject: trace.subject,
        state: before + trace.steps.len(),
        diagnosis: wait_for.as_ref().map(WaitFor::paragraph).or(rendered.diagnosis.clone()),
        wait_for,
        no_return: rendered.no_return.clone().map(|it| it.after(before)),
    }
}

/// The decision of a script: a claim, its subject, and the number of steps.
fn by_script(
    scenario: &Scenario,
    replay: &Replay,
    (claim, row, state): (&'static Claim, Row, usize),
) -> DecidedClaim {
    let expected = expected_of(&scenario.claims, claim).unwrap_or(Expected::Holds);
    let stuck =
        claim.subject(row).filter(|it| claim.kind() == ClaimKind::Leads && it.actor().is_some());
    let stuck = stuck.map(|it| Diagnosis::at_end(&scenario.world, &replay.state, it));
    let wait_for = stuck.and_then(|it| wait_for::of(&scenario.world, &it));
    DecidedClaim::new((claim, expected), row, state, wait_for)
}

fn violated(simulation: &Simulation<'_>, violation: &SeedViolation, script: usize) -> DecidedClaim {
    let claim = violation.claim;
    let expected = expected_of(&simulation.claims, claim).unwrap_or(Expected::Holds);
    let expected = expected.of_seeds(claim);
    let state = script + usize::try_from(violation.step).expect("steps are counted");
    DecidedClaim::new((claim, expected), violation.subject, state, violation.wait_for.clone())
}
