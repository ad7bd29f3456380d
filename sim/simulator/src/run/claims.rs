//! The claims of a run: checked after each step for what it touched, and now and then and at the
//! end for the whole state.

use deathwatch_claims::{Claim, Monitor};
use deathwatch_model::{clause::Rule, rows::Row, state::State, world::World};

use super::Simulator;
use crate::{SimulatedViolation, ViolationCause};

/// The least number of steps between two checks of the whole state.
const LEAST_INTERVAL: u64 = 1024;
/// Steps between two checks for each document of the world. A check costs about as much as judging
/// every document once, so its share of a step does not grow with the world.
const STEPS_A_DOCUMENT: u64 = 64;

pub(super) struct RunJudge {
    pub(super) monitor: Monitor,
    pub(super) violations: Vec<SimulatedViolation>,
    /// The number of steps after which the whole state is checked next.
    pub(super) next_check: u64,
    /// The number of steps between two such checks.
    pub(super) interval: u64,
}

impl RunJudge {
    /// A judge of `claims`, and those that the first state violates.
    pub(super) fn new(
        world: &World,
        state: &State,
        claims: impl Iterator<Item = &'static Claim>,
    ) -> (Self, Vec<(&'static Claim, Row)>) {
        let mut violated = Vec::new();
        let note = &mut |claim, subject| violated.push((claim, subject));
        let monitor = Monitor::new(world, state, claims, note);
        let counts = [
            world.machines.len(),
            world.applications.len(),
            world.units.len(),
            world.relations.len(),
        ];
        let documents: usize = counts.into_iter().sum();
        let interval = LEAST_INTERVAL.max(STEPS_A_DOCUMENT * documents as u64);
        (Self { monitor, violations: Vec::new(), next_check: interval, interval }, violated)
    }
}

impl Simulator<'_> {
    /// Checks the claims that the touched rows may have changed.
    pub(super) fn check_touched(&mut self) {
        let now = self.scheduler.queue.now();
        for row in &self.effects.touched {
            if let Some(entity) = row.own_entity() {
                self.record.metrics.note_life(now, entity, entity.life(&self.state));
            }
        }
        let mut found = Vec::new();
        let touched = &self.effects.touched;
        self.judge.monitor.check_step(self.world, &self.state, touched, &mut |claim, subject| {
            found.push((claim, subject));
        });
        let rule = self.rule();
        for (claim, subject) in found {
            self.violated(claim, subject, ViolationCause::Step(rule));
        }
    }

    /// The rule of the last step: that of its transaction, if it is one.
    fn rule(&self) -> Option<Rule> {
        let rules = || self.effects.clauses.iter().map(|clause| clause.rule);
        rules().find(|rule| rule.is_operation()).or_else(|| rules().next())
    }

    /// Notes that `claim` is violated by `subject`, unless it is known to be violated.
    pub(super) fn violated(&mut self, claim: &'static Claim, subject: Row, why: ViolationCause) {
        if self.is_noted(claim) {
            return;
        }
        let step = self.record.metrics.steps();
        let violation = SimulatedViolation { claim, subject, step, why };
        if !self.record.observer.observe_violation(&violation) {
            self.record.is_over = true;
        }
        self.judge.violations.push(violation);
    }

    /// Checks every claim in the whole state, without any short cut. A violation that the monitor
    /// has missed is a defect of the monitor, and is reported all the same.
    pub(super) fn check_all(&mut self) {
        let missed = self.missed();
        debug_assert!(missed.is_empty(), "the monitor has missed {missed:?}");
        debug_assert!(
            self.judge.monitor.is_true_to(self.world, &self.state),
            "its mirror, recount or obligations are not those of the state"
        );
        for (claim, subject) in missed {
            self.violated(claim, subject, ViolationCause::Step(None));
        }
    }

    /// The claims about states that are violated now and not yet noted.
    fn missed(&self) -> Vec<(&'static Claim, Row)> {
        let mut violated = self.judge.monitor.check_all(self.world, &self.state);
        violated.retain(|(claim, _)| !self.is_noted(claim));
        violated
    }

    fn is_noted(&self, claim: &Claim) -> bool {
        self.judge.violations.iter().any(|known| known.claim.name == claim.name)
    }

    /// Checks what must follow, in a quiescent state: what is owed now is owed for ever.
    pub(super) fn check_quiescent(&mut self) {
        self.check_all();
        for (claim, subject) in self.judge.monitor.owed(self.world) {
            self.violated(claim, subject, ViolationCause::Waits);
        }
    }
}
