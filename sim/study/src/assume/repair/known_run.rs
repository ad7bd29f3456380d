//! Known runs: those that violate claims in one world are played in the next one, before that is
//! searched.
//!
//! A step that is not possible there is left out, and then those who are assumed to act go on until
//! nobody can. So the run that comes of it is one of the other world, and what it violates is
//! violated there.

use deathwatch_claims::Claim;
use deathwatch_documents::Begins;
use deathwatch_model::{action::Action, agents};
use deathwatch_scenario::{
    replay::{self, Interpreter, Replay},
    scenario::Scenario,
};
use deathwatch_simulator::quiescence;

use crate::verdict::{Judged, ScriptFindings};

/// The greatest number of steps that actors go on by themselves.
const MOST_BY_THEMSELVES: usize = 400;

/// A run after the script that violates a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownRun {
    steps: Vec<Action>,
    /// The steps that are repeated for ever after them.
    cycle: Vec<Action>,
}

impl KnownRun {
    /// The run that shows this answer, if it begins after the script.
    pub(super) fn of(judged: &Judged) -> Option<Self> {
        judged.rendered.as_ref().filter(|it| it.begins == Begins::AfterScript)?;
        let trace = judged.finding.trace.as_ref()?;
        Some(Self { steps: trace.steps.clone(), cycle: trace.cycle.clone() })
    }

    /// Whether this run violates one of `claims` in the world of `scenario`, whose script led to
    /// `replay`.
    pub(super) fn violates(
        &self,
        (scenario, replay): (&Scenario, &Replay),
        claims: &[&'static Claim],
    ) -> bool {
        let played = self.played(scenario, replay);
        let findings = ScriptFindings::of(scenario, &played, claims.iter().copied());
        findings.shown().next().is_some()
    }

    /// The run as a script of that scenario.
    fn played(&self, scenario: &Scenario, replay: &Replay) -> Replay {
        let world = &scenario.world;
        let mut interpreter = Interpreter::new(world, replay.state.clone());
        let mut done = Vec::new();
        let mut act = |interpreter: &mut Interpreter<'_>, action: Action| {
            let Some((action, planned)) = interpreter.find(action) else { return false };
            done.push(replay::perform_enabled(interpreter, action, planned).action);
            true
        };
        for step in &self.steps {
            act(&mut interpreter, *step);
        }
        let entry = interpreter.state.clone();
        let goes_round = self.cycle.iter().all(|step| act(&mut interpreter, *step));
        let is_loop = !self.cycle.is_empty() && goes_round && interpreter.state == entry;
        let cycle = if is_loop {
            done.split_off(done.len() - self.cycle.len())
        } else {
            go_on(&mut interpreter, &mut done);
            Vec::new()
        };
        let actions = [replay.actions.as_slice(), &done].concat();
        // Nobody reads the lines of a run that no file has.
        let lines = vec![0; actions.len()];
        Replay { state: interpreter.state, actions, cycle, lines, ..replay.clone() }
    }
}

/// Lets the actors that are assumed to act do so in turns, until none of them can move or it takes
/// too long.
fn go_on(interpreter: &mut Interpreter<'_>, done: &mut Vec<Action>) {
    let tasks = agents::assumed_tasks(interpreter.world);
    // What is still not over then violates no claim about what must follow: the run is as it is.
    let _ = quiescence::take_turns(&tasks, MOST_BY_THEMSELVES, |task| {
        let Some((action, planned)) = interpreter.first_enabled(task) else { return false };
        done.push(replay::perform_enabled(interpreter, action, planned).action);
        true
    });
}
