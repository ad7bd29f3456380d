//! Seeded random simulation: a seed becomes a workload, a storm of faults, and a calm.
//!
//! A run is decided by its scenario, its seed and the version of this program, and by nothing else.
//! It calls the protocol that the exhaustive explorer calls, and checks the same claims: those
//! about states and steps in every state and after every step, and those about what must follow at
//! the end of the calm.
//!
//! A state is *quiescent* if no process that is assumed to act has an enabled action. In the calm
//! only those processes act. A calm that reaches a quiescent state has *settled*: what is still
//! owed there is owed for ever.

mod digest;
mod event_queue;
mod fault_injector;
mod level;
mod lost_wakeup;
mod metrics;
mod process;
mod ready_set;
mod run;
mod scheduler;
pub mod stats;
mod swarm;
mod user;
mod verify;
mod work_queue;

use deathwatch_model::{
    action::Action, claims::Claim, clause::Rule, rows::Row, state::State, world::Details,
};

pub(crate) use self::level::draw as draw_details;
use self::{
    level::Level,
    run::{Observer, Simulator},
};
pub use self::{stats::Stats, verify::Divergence};
use crate::{
    Problem, Scenario, replay::Replay, scenario::Expected, verdict::ScriptFindings,
    wait_for::WaitFor,
};

/// A scenario, ready to be simulated.
pub struct Simulation<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The claims to check, in the order of all claims, each with the answer that is expected of
    /// a whole sweep.
    pub claims: Vec<(&'static Claim, Expected)>,
    /// The worlds that its seeds draw: one, unless they draw details.
    levels: Vec<Level<'a>>,
    /// The claims that its script violates on the way there, each with the subject that does: every
    /// run violates them.
    violated_by_script: Vec<(&'static Claim, Row)>,
}

/// The result of one seed.
#[derive(Clone, Debug)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// Its end.
    pub end: End,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<Violation>,
    /// Its statistics.
    pub stats: Stats,
    /// A hash of all that was enabled and chosen, and when: equal if two runs were the same.
    pub digest: u64,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// In a quiescent state: what must follow is decided.
    Settled,
    /// The calm reached its bound of steps before it settled; says what kept moving.
    Unsettled(String),
}

/// A violated claim.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The claim.
    pub claim: &'static Claim,
    /// The document that violates it.
    pub subject: Row,
    /// After how many steps it was found.
    pub step: u64,
    /// What waits for whom, and why, if the claim is about what must follow.
    pub wait_for: Option<WaitFor>,
    /// The rule of the step that violates it: the transaction's, if it is one; `None` at the end of the
    /// run, or if the step is a fault.
    pub rule: Option<Rule>,
}

impl Violation {
    /// What is said of it, in sentences without full stops: the roots of what is stuck first.
    pub fn sentences(&self) -> Vec<String> {
        self.wait_for.as_ref().map_or_else(Vec::new, WaitFor::sentences)
    }
}

impl<'a> Simulation<'a> {
    /// Prepares `scenario`, whose script led to `replay`.
    ///
    /// The claims are those of its `[simulate.claims]`, else those of its `[claims]`, else all,
    /// each expected to hold. A script without any claims and without `[simulate]` claims nothing.
    /// What can be reached is expected of some seed, as a violation is.
    ///
    /// # Errors
    /// If it cannot be simulated. The problem says why.
    pub fn new(scenario: &'a Scenario, replay: &Replay) -> Result<Self, Problem> {
        let asked = scenario.simulate.claims.as_ref().unwrap_or(&scenario.claims);
        let mut claims = asked.clone();
        for (claim, expected) in &mut claims {
            *expected = expected.of_seeds(claim);
        }
        let is_script = !scenario.steps.is_empty() && !scenario.simulate.is_given;
        if claims.is_empty() && !is_script {
            claims = Claim::all_with(scenario.world.detail)
                .map(|claim| (claim, Expected::Holds))
                .collect();
        }
        Self::asking(scenario, replay, claims)
    }

    /// Prepares `scenario`, and asks these claims, whatever it asks itself.
    ///
    /// # Errors
    /// If it cannot be simulated. The problem says why.
    pub fn asking(
        scenario: &'a Scenario,
        replay: &Replay,
        claims: Vec<(&'static Claim, Expected)>,
    ) -> Result<Self, Problem> {
        if let Some(problem) = crate::replay::unfinished(scenario, replay) {
            return Err(problem);
        }
        let asked = claims.iter().map(|(claim, _)| *claim);
        // Without a script a run sees all that there is, and a large world need not be read twice.
        let violated_by_script = if replay.actions.is_empty() {
            Vec::new()
        } else {
            ScriptFindings::of(scenario, replay, asked).violations().collect()
        };
        let levels = level::all(scenario, replay, &claims);
        Ok(Self { scenario, claims, levels, violated_by_script })
    }

    /// The scenario in whose world `seed` runs: one with fewer details, if seeds draw them.
    pub fn drawn(&self, seed: u64) -> &Scenario {
        &self.level(seed).scenario
    }

    /// The selections of details that its seeds draw, in the order of `draw_details`; none, if they draw
    /// nothing.
    pub(crate) fn draws(&self) -> impl Iterator<Item = Details> {
        let levels = self.levels.iter().filter(|_| self.scenario.simulate.draws_details);
        levels.map(|level| level.scenario.world.detail)
    }

    fn level(&self, seed: u64) -> &Level<'a> {
        &self.levels[level::draw(seed, self.levels.len())]
    }

    /// The seeds that are known to have failed: they are to be run first.
    pub fn known_seeds(&self) -> &[u64] {
        &self.scenario.simulate.seeds
    }

    /// Runs `seed`; `None` if `stop`, which is called every few thousand events, said so.
    pub fn run(&self, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<Run> {
        Simulator::new(self, seed, &mut Nothing).run(stop)
    }

    /// Runs `seed` and keeps its actions, from the end of the script to the first violation of
    /// `until`, or to the end.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn trace(&self, seed: u64, until: Option<&'static Claim>) -> (Run, Vec<Action>) {
        let (run, actions, _) = self.timed_trace(seed, until);
        (run, actions)
    }

    /// As [`Self::trace`], with the time of each action, in virtual milliseconds.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn timed_trace(
        &self,
        seed: u64,
        until: Option<&'static Claim>,
    ) -> (Run, Vec<Action>, Vec<u64>) {
        let until = until.map(|claim| claim.name);
        let mut tracer = Tracer { actions: Vec::new(), times: Vec::new(), until };
        let run = Simulator::new(self, seed, &mut tracer).run(&|| false);
        (run.expect("nobody stops it"), tracer.actions, tracer.times)
    }

    /// Runs `seed` and calls `see` with each of its states, the first one included.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn visit(&self, seed: u64, see: &mut dyn FnMut(&State)) -> Run {
        see(&self.level(seed).start);
        Simulator::new(self, seed, &mut Visitor { see }).run(&|| false).expect("nobody stops it")
    }
}

/// Observes nothing.
struct Nothing;

impl Observer for Nothing {
    fn observe_step(&mut self, _: usize, _: &Action, _: &State, _: u64) -> bool {
        true
    }

    fn observe_violation(&mut self, _: &Violation) -> bool {
        true
    }
}

/// Calls a function with each state.
struct Visitor<'a> {
    see: &'a mut dyn FnMut(&State),
}

impl Observer for Visitor<'_> {
    fn observe_step(&mut self, _: usize, _: &Action, state: &State, _: u64) -> bool {
        (self.see)(state);
        true
    }

    fn observe_violation(&mut self, _: &Violation) -> bool {
        true
    }
}

/// Keeps the actions, up to a violation.
struct Tracer {
    actions: Vec<Action>,
    times: Vec<u64>,
    until: Option<&'static str>,
}

impl Observer for Tracer {
    fn observe_step(&mut self, _: usize, action: &Action, _: &State, now: u64) -> bool {
        self.actions.push(*action);
        self.times.push(now);
        true
    }

    fn observe_violation(&mut self, violation: &Violation) -> bool {
        self.until != Some(violation.claim.name)
    }
}
