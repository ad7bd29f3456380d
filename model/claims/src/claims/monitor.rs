//! The monitor: checks claims during a run. A step costs as much as it touches, whatever the size
//! of the world.
//!
//! It keeps a mirror of the state, which between a step and its check is the state before the step.
//! A claim that held so far can be violated only by a subject that the step concerns. The reverse
//! dependencies of the claims lead to these subjects from a touched row, and only they are judged.
//! A violated claim is reported once, and is not checked any longer.

use deathwatch_language::{Recount, Trail, View};
use deathwatch_model::{rows::Row, state::State, world::World};

use super::{Claim, own::MonitoredClaims};

/// A monitor of claims during a run.
#[derive(Clone)]
pub struct Monitor {
    claims: Vec<&'static Claim>,
    /// The state at the last check.
    mirror: State,
    recount: Recount,
    /// The claims that are not violated so far.
    texts: MonitoredClaims,
    /// Scratch memory: the slots of violated claims, each with the subject that violates it.
    found: Vec<(usize, Row)>,
}

impl Monitor {
    /// Begins to check `claims` in `state`, and reports those violated there.
    ///
    /// # Panics
    /// If only the kind of a claim is known, from a journal.
    pub fn new(
        world: &World,
        state: &State,
        claims: impl Iterator<Item = &'static Claim>,
        report: &mut dyn FnMut(&'static Claim, Row),
    ) -> Self {
        let (claims, mut found) = (claims.collect::<Vec<_>>(), Vec::new());
        for claim in &claims {
            claim.demand_history(world);
            assert!(!claim.texts().is_empty(), "what only a journal names is not judged");
        }
        let recount = Recount::of(world, state);
        let texts = MonitoredClaims::begin(&claims, world, state, &recount, &mut found);
        let mut monitor = Self { claims, mirror: state.clone(), recount, texts, found };
        monitor.report(report);
        monitor
    }

    /// Checks a step, given the state after it and the rows that it touched. Reports the claims
    /// violated for the first time, in the order of the claims, each with the subject that a check
    /// of everything would name.
    pub fn check_step(
        &mut self,
        world: &World,
        state: &State,
        touched: &[Row],
        report: &mut dyn FnMut(&'static Claim, Row),
    ) {
        let states = [&self.mirror, state];
        let trail = Trail { world, states, recount: Some(&self.recount) };
        self.texts.check_step(&trail, touched, &mut self.found);
        for row in touched {
            self.recount.catch_up(world, &mut self.mirror, state, *row);
        }
        let view = View { world, states: [state; 2], recount: Some(&self.recount) };
        self.texts.check_state(view, &mut self.found);
        self.report(report);
    }

    /// Reports the first violation of each claim, and stops checking these claims.
    fn report(&mut self, report: &mut dyn FnMut(&'static Claim, Row)) {
        if self.found.is_empty() {
            return;
        }
        // Slots are in the order of the claims.
        self.found.sort_unstable();
        let texts = &mut self.texts;
        self.found.dedup_by_key(|(slot, _)| texts.claim(*slot));
        for (slot, subject) in self.found.drain(..) {
            let claim = texts.claim(slot);
            report(self.claims[claim], subject);
            texts.remove(claim);
        }
    }

    /// The state at the last check: between a step and its check, the state before the step.
    pub fn mirror(&self) -> &State {
        &self.mirror
    }

    /// The subjects with open obligations, in the order of the claims and then of the subjects.
    pub fn owed(&self, world: &World) -> Vec<(&'static Claim, Row)> {
        let mut owed: Vec<(usize, Row)> = self.texts.owed(world).collect();
        owed.sort_unstable();
        owed.into_iter().map(|(claim, subject)| (self.claims[claim], subject)).collect()
    }

    /// Judges all claims in `state` anew. Returns the claims about states that are violated,
    /// including those reported before, each with the first subject that violates it.
    pub fn check_all(&self, world: &World, state: &State) -> Vec<(&'static Claim, Row)> {
        let recount = Recount::of(world, state);
        let view = View { world, states: [state; 2], recount: Some(&recount) };
        let judge = |claim: &'static Claim| claim.first_in(view).map(|subject| (claim, subject));
        self.claims.iter().copied().filter_map(judge).collect()
    }

    /// Whether mirror, recount and open obligations agree with `state`, which was checked last.
    pub fn is_true_to(&self, world: &World, state: &State) -> bool {
        self.mirror == *state
            && self.recount == Recount::of(world, state)
            && self.texts.is_true_to(&self.claims, world, state)
    }
}
