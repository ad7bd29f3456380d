//! One claim, watched while a run goes on: what it finds at fault, and what it leaves owed.
//!
//! A claim about states is asked of the whole world, which is dear where a run is long; the caller
//! says when. A claim about steps sees the state before, which is kept beside the run and brought
//! up to date by what each step touched.

use deathwatch_model::{
    claims::{Census, Claim, Kind, Subject, Test, View},
    protocol::Effects,
    state::State,
    world::World,
};

/// A claim and what it has seen so far.
#[derive(Clone)]
pub(super) struct Watch {
    claim: &'static Claim,
    /// The documents it is watched for, if it is about what must follow.
    subjects: Vec<Subject>,
    /// Those of them of which something is owed.
    owed: Vec<Subject>,
    /// The state before the next step, if the claim is about steps.
    before: Option<State>,
}

impl Watch {
    /// Watches `claim` from `start` on: for `subject` only, if it is about what must follow of one.
    pub(super) fn new(
        claim: &'static Claim,
        subject: Option<Subject>,
        world: &World,
        start: &State,
    ) -> Self {
        let subjects = match (claim.test, subject) {
            (Test::Leads(_), Some(subject)) => vec![subject],
            (Test::Leads(leads), None) => leads.of.subjects(world).collect(),
            (Test::Always(_) | Test::Step(_), _) => Vec::new(),
        };
        let before = (claim.kind() == Kind::Step).then(|| start.clone());
        let mut watch = Self { claim, subjects, owed: Vec::new(), before };
        watch.look_at_debts(world, start);
        watch
    }

    /// Whether every state has to be asked as a whole.
    pub(super) fn is_dear(&self) -> bool {
        self.claim.kind() == Kind::Always
    }

    /// The document that is at fault in `state`, if the claim is about states.
    pub(super) fn state(&self, world: &World, state: &State) -> Option<Subject> {
        at_fault(self.claim, world, state)
    }

    /// Takes note of a step. Gives the document that is at fault in it, if the claim is about
    /// steps.
    pub(super) fn step(
        &mut self,
        world: &World,
        after: &State,
        effects: &Effects,
    ) -> Option<Subject> {
        self.look_at_debts(world, after);
        let (Test::Step(step), Some(before)) = (self.claim.test, &mut self.before) else {
            return None;
        };
        let mut touched = effects.touched.iter();
        let found = touched.find_map(|slot| (step.at_fault)(world, before, after, *slot));
        effects.touched.iter().for_each(|slot| before.restore(*slot, after));
        found
    }

    /// Finds out what is owed by now.
    fn look_at_debts(&mut self, world: &World, state: &State) {
        let Test::Leads(leads) = self.claim.test else { return };
        for subject in &self.subjects {
            let was_owed = self.owed.contains(subject);
            let is_owed = (was_owed || (leads.from)(world, state, *subject))
                && !(leads.to)(world, state, *subject);
            match (was_owed, is_owed) {
                (false, true) => self.owed.push(*subject),
                (true, false) => self.owed.retain(|owed| owed != subject),
                (true, true) | (false, false) => {}
            }
        }
    }

    /// The first document of which something is owed.
    pub(super) fn owed(&self) -> Option<Subject> {
        self.owed.iter().min().copied()
    }
}

/// The document that is at fault in `state`, if the claim is about states.
fn at_fault(claim: &Claim, world: &World, state: &State) -> Option<Subject> {
    match claim.test {
        Test::Always(always) => {
            let census = &Census::of(world, state);
            (always.first)(&View { world, state, census })
        }
        Test::Step(_) | Test::Leads(_) => None,
    }
}

/// Whether a world can begin in `state` as well as another can in `other`: no claim about states
/// is violated there that is not violated in the other.
pub(super) fn is_as_sound(world: &World, state: &State, other: (&World, &State)) -> bool {
    let is_at_fault = |claim, (world, state)| at_fault(claim, world, state).is_some();
    Claim::all().all(|claim| !is_at_fault(claim, (world, state)) || is_at_fault(claim, other))
}
