//! Seeded random simulation of scenarios.
//!
//! The engine is a crate of its own, `deathwatch-simulator`, which knows no scenarios. Here is what
//! it runs: the world of a scenario, from the end of its script, with the claims that are asked;
//! and what is said of what it finds. A run is decided by its scenario, its seed and the version of
//! this program, and by nothing else.

mod level;

use deathwatch_claims::{Claim, Diagnosis, check::Stop};
use deathwatch_model::{
    action::Action,
    clause::Rule,
    rows::Row,
    state::State,
    world::{Details, FaultKind, FaultRow, Strikes, World},
};

use crate::wait_for;
pub use deathwatch_simulator::{Divergence, SimulationEnd};
use deathwatch_simulator::{Observer, Setup, ViolationCause, stats::Stats};

use self::level::Level;
pub use self::level::draw as draw_details;
use crate::verdict::ScriptFindings;
use deathwatch_documents::wait_for::WaitFor;
use deathwatch_scenario::{Problem, Scenario, replay::Replay, scenario::Expected};

/// A scenario, ready to be simulated.
pub struct Simulation<'a> {
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
pub struct SeedRun {
    pub seed: u64,
    pub end: SimulationEnd,
    /// The claims that it violates, each once, in the order in which they were found.
    pub violations: Vec<SeedViolation>,
    pub stats: Stats,
    /// A hash of all that was enabled and chosen, and when: equal if two runs were the same.
    pub digest: u64,
}

impl SeedRun {
    /// The run of the engine in `world`, with its diagnosis.
    fn of(world: &World, run: deathwatch_simulator::SimulatedRun) -> Self {
        let violation = |found| SeedViolation::of(world, &run.state, found);
        Self {
            seed: run.seed,
            end: run.end,
            violations: run.violations.into_iter().map(violation).collect(),
            stats: run.stats,
            digest: run.digest,
        }
    }
}

/// A violated claim.
#[derive(Clone, Debug)]
pub struct SeedViolation {
    pub claim: &'static Claim,
    pub subject: Row,
    /// The number of steps after which it was found.
    pub step: u64,
    /// The diagnosis of a claim about what must follow.
    pub wait_for: Option<WaitFor>,
    /// The rule of the step that violates it: the transaction's, if it is one; `None` at the end of
    /// the run, or if the step is a fault.
    pub rule: Option<Rule>,
}

impl SeedViolation {
    /// The violation that the engine found in a run whose last state is `last`.
    fn of(world: &World, last: &State, found: deathwatch_simulator::SimulatedViolation) -> Self {
        let deathwatch_simulator::SimulatedViolation { claim, subject, step, why } = found;
        let (wait_for, rule) = match why {
            ViolationCause::Waits => {
                (wait_for::of(world, &Diagnosis::at_end(world, last, subject)), None)
            }
            ViolationCause::Step(rule) => (None, rule),
        };
        Self { claim, subject, step, wait_for, rule }
    }

    /// Its diagnosis in sentences without full stops, the roots first.
    pub fn sentences(&self) -> Vec<String> {
        self.wait_for.as_ref().map_or_else(Vec::new, WaitFor::sentences)
    }
}

impl<'a> Simulation<'a> {
    /// Prepares `scenario`, whose script led to `replay`.
    ///
    /// The claims are those of its `[simulate.claims]`, else those of its `[claims]`, and if there
    /// are none, all, each expected to hold. A script without any claims and without `[simulate]`
    /// claims nothing.
    /// What can be reached is expected of some seed, as a violation is.
    ///
    /// # Errors
    /// If it cannot be simulated. The problem says why.
    pub fn new(scenario: &'a Scenario, replay: &Replay) -> Result<Self, Problem> {
        Self::asking(scenario, replay, scenario.claims_of_seeds())
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
        if let Some(problem) = deathwatch_scenario::replay::unfinished(scenario, replay) {
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

    /// Whether some seed may have faults of this kind: they are switched on and have a rate, and a
    /// level has the detail that they need.
    pub fn can_have(&self, kind: FaultKind) -> bool {
        let FaultRow { strikes, needs, rate, .. } = kind.row();
        let has = |world: &World| needs.is_none_or(|it| world.detail.on().any(|on| on == it));
        !matches!(strikes, Strikes::Nothing)
            && rate.is_some()
            && self.scenario.world.faults.switch(kind).is_on()
            && self.levels.iter().any(|level| has(&level.scenario.world))
    }

    /// The selections of details that its seeds draw, in the order of `draw_details`; none, if they
    /// draw nothing.
    pub fn draws(&self) -> impl Iterator<Item = Details> {
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

    /// The settings that the runs of the worlds of `level` share.
    fn setup<'s>(&'s self, level: &'s Level<'a>) -> Setup<'s> {
        Setup {
            world: &level.scenario.world,
            start: &level.start,
            is_inconsistent: level.scenario.is_inconsistent,
            allowed: &level.allowed,
            settings: &level.scenario.simulate.settings,
            claims: &level.claims,
            violated: &self.violated_by_script,
        }
    }

    /// Runs `seed`, while `observer` looks on; `None` if `stop` said so.
    fn observe(
        &self,
        seed: u64,
        observer: &mut dyn Observer,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<SeedRun> {
        let setup = self.setup(self.level(seed));
        setup.run(seed, observer, stop).map(|run| SeedRun::of(setup.world, run))
    }

    /// Runs `seed`; `None` if `stop`, which is called every few thousand events, said so.
    pub fn run(&self, seed: u64, stop: &(dyn Fn() -> bool + Sync)) -> Option<SeedRun> {
        self.observe(seed, &mut Nothing, stop)
    }

    /// The run of `seed`, or the first difference from a second run of it, in the enabled actions
    /// or in the choice; `None` if `stop` ended it.
    pub fn verify(
        &self,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Result<SeedRun, Divergence>> {
        let setup = self.setup(self.level(seed));
        Some(setup.verify(seed, stop)?.map(|run| SeedRun::of(setup.world, run)))
    }

    /// Runs `seed` and keeps its actions, from the end of the script to the first violation of
    /// `until`, or to the end.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn trace(&self, seed: u64, until: Option<&'static Claim>) -> (SeedRun, Vec<Action>) {
        let (run, actions, _) = self.timed_trace(seed, until);
        (run, actions)
    }

    /// The trace of [`Self::trace`], with the virtual time of each action in milliseconds.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn timed_trace(
        &self,
        seed: u64,
        until: Option<&'static Claim>,
    ) -> (SeedRun, Vec<Action>, Vec<u64>) {
        self.trace_within(seed, until, &KeptBounds::NONE).expect("nothing stops it")
    }

    /// The trace of [`Self::timed_trace`], unless one of the bounds is reached before.
    ///
    /// # Errors
    /// The reason why the run did not get to its end.
    pub fn trace_within(
        &self,
        seed: u64,
        until: Option<&'static Claim>,
        bounds: &KeptBounds<'_>,
    ) -> Result<(SeedRun, Vec<Action>, Vec<u64>), Stop> {
        let until = until.map(|claim| claim.name);
        let mut tracer =
            Tracer { actions: Vec::new(), times: Vec::new(), until, bounds, stopped: None };
        let run = self.observe(seed, &mut tracer, &|| (bounds.stop)().is_some());
        match (run, tracer.stopped) {
            (Some(run), None) => Ok((run, tracer.actions, tracer.times)),
            (_, Some(stop)) => Err(stop),
            (None, None) => Err((bounds.stop)().unwrap_or(Stop::Interrupted)),
        }
    }

    /// Runs `seed` and calls `see` with each of its states, the first one included.
    ///
    /// # Panics
    /// Never: nobody stops it.
    pub fn visit(&self, seed: u64, see: &mut dyn FnMut(&State)) -> SeedRun {
        see(&self.level(seed).start);
        self.observe(seed, &mut Visitor { see }, &|| false).expect("nobody stops it")
    }
}

struct Nothing;

impl Observer for Nothing {}

/// Calls a function with each state.
struct Visitor<'a> {
    see: &'a mut dyn FnMut(&State),
}

impl Observer for Visitor<'_> {
    fn observe_step(&mut self, _: usize, _: &Action, state: &State, _: u64) -> bool {
        (self.see)(state);
        true
    }
}

/// Bounds of a run whose trace is kept.
pub struct KeptBounds<'a> {
    /// The greatest number of its states.
    pub states: Option<u64>,
    /// The greatest amount of memory for its steps, in bytes.
    pub bytes: Option<u64>,
    /// The reason to stop, if there is one; asked every few thousand events.
    pub stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

impl KeptBounds<'_> {
    /// No bounds.
    pub const NONE: Self = Self { states: None, bytes: None, stop: &|| None };
    /// The size of a step that is kept.
    const STEP: u64 = (size_of::<Action>() + size_of::<u64>()) as u64;

    /// The bound that a run of `steps` steps has reached, if there is memory for `room` steps.
    fn reached(&self, steps: usize, room: usize) -> Option<Stop> {
        if self.states.is_some_and(|most| steps as u64 >= most) {
            return Some(Stop::States);
        }
        // The room is doubled when it is full; both are there while one is copied to the other.
        let needed = if steps == room { 3 * room as u64 } else { room as u64 };
        let is_over = self.bytes.is_some_and(|most| needed.saturating_mul(Self::STEP) > most);
        is_over.then_some(Stop::Memory)
    }
}

/// Keeps the actions, up to a violation.
struct Tracer<'a> {
    actions: Vec<Action>,
    times: Vec<u64>,
    until: Option<&'static str>,
    bounds: &'a KeptBounds<'a>,
    stopped: Option<Stop>,
}

impl Observer for Tracer<'_> {
    fn observe_step(&mut self, _: usize, action: &Action, _: &State, now: u64) -> bool {
        self.stopped = self.bounds.reached(self.actions.len(), self.actions.capacity());
        if self.stopped.is_some() {
            return false;
        }
        self.actions.push(*action);
        self.times.push(now);
        true
    }

    fn observe_violation(&mut self, violation: &deathwatch_simulator::SimulatedViolation) -> bool {
        self.until != Some(violation.claim.name)
    }
}
