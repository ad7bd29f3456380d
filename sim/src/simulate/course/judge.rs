//! What a run is asked: the claims, after each step of what it touched, now and then and at the end
//! of everything.

use deathwatch_model::{
    claims::{self, Claim, EntityId},
    world::World,
};

use super::{Course, Violation};

/// So many steps at least lie between two looks at everything.
const LOOKS_EVERY: u64 = 1024;
/// A look costs about as much as so many documents have to be judged. With a multiple of steps
/// between two of them, its share of a step does not grow with the world.
const STEPS_A_DOCUMENT: u64 = 64;

impl Course<'_> {
    /// Asks the claims about what was touched.
    pub(super) fn task(&mut self) {
        let now = self.sleepers.schedule.now();
        for row in &self.effects.touched {
            if let Some(subject) = row.subject() {
                self.tally.life(now, subject, subject.life(&self.state));
            }
        }
        let mut found = Vec::new();
        let touched = &self.effects.touched;
        self.monitor.look(self.world, &self.state, touched, &mut |claim, subject| {
            found.push((claim, subject));
        });
        for (claim, subject) in found {
            self.violated(claim, subject, String::new());
        }
    }

    pub(super) fn violated(&mut self, claim: &'static Claim, subject: EntityId, diagnosis: String) {
        let violation = Violation { claim, subject, step: self.tally.steps(), diagnosis };
        if !self.follower.notice(&violation) {
            self.is_over = true;
        }
        self.violations.push(violation);
    }

    /// Asks every claim of the whole state, without any short cut. What the monitor has overlooked
    /// is a defect of it, and is told all the same.
    pub(super) fn look_at_everything(&mut self) {
        let unknown = self.unknown();
        debug_assert!(unknown.is_empty(), "the monitor has overlooked {unknown:?}");
        debug_assert!(self.monitor.is_true_to(self.world, &self.state), "its mirror is askew");
        for (claim, subject) in unknown {
            self.violated(claim, subject, String::new());
        }
    }

    /// The claims about states that are violated now and that nobody has told of.
    fn unknown(&self) -> Vec<(&'static Claim, EntityId)> {
        let mut violated = self.monitor.check_all(self.world, &self.state);
        violated.retain(|(claim, _)| !self.is_told(claim));
        violated
    }

    fn is_told(&self, claim: &Claim) -> bool {
        self.violations.iter().any(|known| known.claim.name == claim.name)
    }

    /// Nothing can move any more: what is owed now is owed for ever.
    pub(super) fn settle(&mut self) {
        self.look_at_everything();
        for (claim, subject) in self.monitor.owed() {
            if !self.is_told(claim) {
                let diagnosis = claims::diagnose(self.world, &self.state, subject);
                self.violated(claim, subject, diagnosis);
            }
        }
    }
}

/// How many steps lie between two looks at everything.
pub(super) fn looks_every(world: &World) -> u64 {
    let documents =
        world.machines.len() + world.applications.len() + world.units.len() + world.relations.len();
    LOOKS_EVERY.max(STEPS_A_DOCUMENT * documents as u64)
}
