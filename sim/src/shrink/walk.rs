//! A candidate, carried out: does what is left of a run still violate the claim?
//!
//! A step of a candidate is done if it is possible where the candidate has got to, and left out if
//! not. So a command that is left out takes its consequences with it: nobody can set dead what was
//! never destroyed. What was done is a run that can be replayed step by step, and the candidate is
//! as good as that. The alternative, to give up at the first step that is not possible, would make
//! most candidates worthless: a reduction would have to guess a command and all that follows from
//! it in one go.

use deathwatch_model::{
    action::{Act, Action, Actor, Outcome},
    agents::{self, Enabled, Task},
    claims::{Claim, ClaimKind, EntityId, Monitor},
    free_ids::Index,
    protocol::{self, Effects},
    state::State,
    txn::Txn,
    world::World,
};

use super::calm;

/// What a candidate has to show.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The claim that is to be violated.
    pub(super) claim: &'static Claim,
    /// Whether a manager machine must still run in the end. A world that nobody manages is stuck
    /// for a reason of its own, and a run that ended otherwise must not turn into that.
    pub(super) is_managed: bool,
}

/// A run in the making. Its steps cost what they touch.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    world: &'a World,
    /// Where it has got to.
    pub(super) state: State,
    monitor: Monitor,
    places: Index,
    effects: Effects,
    offered: Enabled,
    /// The document that a claim about what must follow is about, if that is known.
    subject: Option<EntityId>,
    /// The document for which a claim about states or steps was violated.
    violated: Option<EntityId>,
}

/// A run that violates the claim.
pub(super) struct Violating {
    /// The steps of the candidate that were possible, up to the violation.
    pub(super) steps: Vec<Action>,
    /// The document that it fails for.
    pub(super) subject: EntityId,
    /// How the world went on by itself, where the claim is about that.
    pub(super) calm: Vec<Action>,
    /// Where it ended.
    pub(super) end: State,
}

impl<'a> Walk<'a> {
    /// Sets out from `start`. A claim about what must follow is watched for `subject` only, if
    /// there is one.
    pub(super) fn begin(
        world: &'a World,
        start: &State,
        wanted: Wanted,
        subject: Option<EntityId>,
    ) -> Self {
        let mut violated = None;
        let mut tell = |_: &'static Claim, found| violated = Some(found);
        let claims = std::iter::once(wanted.claim);
        let monitor = Monitor::new(world, start, claims, &mut tell);
        Self {
            world,
            state: start.clone(),
            monitor,
            places: Index::of(world, start),
            effects: Effects::default(),
            offered: Enabled::default(),
            subject,
            violated,
        }
    }

    /// Does what is possible of `actions`, until the claim is violated, and adds it to `done`.
    pub(super) fn go(&mut self, actions: &[Action], done: &mut Vec<Action>) {
        for action in actions {
            if self.violated.is_some() {
                return;
            }
            if let Some((action, planned)) = self.possible(*action) {
                let outcome = self.step(action, planned);
                if !is_in_vain(action, outcome) {
                    done.push(action);
                }
            }
        }
    }

    /// Does `action`, and looks at what it did.
    fn step(&mut self, action: Action, planned: Option<Txn>) -> Outcome {
        let Self { world, state, places, effects, monitor, violated, .. } = self;
        let outcome = protocol::step_as_planned(world, state, action, planned, places, effects);
        places.update(world, state, &effects.touched);
        monitor.look(world, state, &effects.touched, &mut |_, found| *violated = Some(found));
        outcome
    }

    /// The action that `wanted` stands for here, and what it plans.
    fn possible(&mut self, wanted: Action) -> Option<(Action, Option<Txn>)> {
        let Actor::Client(_) = wanted.actor else {
            let Self { world, state, places, offered, .. } = self;
            return agents::find_enabled(world, state, wanted, places, offered);
        };
        let finishes = matches!(wanted.act, Act::Commit | Act::Abort);
        match (finishes, protocol::pending(&self.state, wanted.actor)) {
            (true, Some(txn)) => {
                let is_obstructed = txn.obstacle(&self.state.store, self.world).is_some();
                let act = if is_obstructed { Act::Abort } else { Act::Commit };
                Some((Action { act, ..wanted }, None))
            }
            (false, None) => Some((wanted, None)),
            (true, None) | (false, Some(_)) => None,
        }
    }

    /// Does what is possible of `rest`, and lets the world go on by itself if the claim is about
    /// that. `None` if the claim is not violated.
    pub(super) fn violates(mut self, wanted: Wanted, rest: &[Action]) -> Option<Violating> {
        let mut steps = Vec::new();
        self.go(rest, &mut steps);
        // No search goes on after a script that leaves a client in the middle of its transaction.
        if self.state.runtime.others().clients.iter().any(Option::is_some) {
            return None;
        }
        if wanted.claim.kind() != ClaimKind::Leads {
            let subject = self.violated?;
            return Some(Violating { steps, subject, calm: Vec::new(), end: self.state });
        }
        let calm = self.settle()?;
        let subject = self.owed()?;
        if wanted.is_managed && self.state.active_manager(self.world).is_none() {
            return None;
        }
        Some(Violating { steps, subject, calm, end: self.state })
    }

    /// The first document of which something is owed, or the one that the claim is about.
    fn owed(&self) -> Option<EntityId> {
        let mut owed = self.monitor.owed().into_iter().map(|(_, subject)| subject);
        owed.find(|owed| self.subject.is_none_or(|subject| subject == *owed))
    }

    /// Lets those who owe something go on until nobody can; `None` if that takes too long.
    fn settle(&mut self) -> Option<Vec<Action>> {
        let mut done = Vec::new();
        let (tasks, patience) = (calm::tasks(self.world), calm::patience(self.world));
        loop {
            let before = done.len();
            for task in &tasks {
                for _ in 0..calm::TURN {
                    let Some((action, planned)) = self.owed_at(*task) else { break };
                    self.step(action, planned);
                    done.push(action);
                }
            }
            if done.len() == before {
                return Some(done);
            }
            if done.len() > patience {
                return None;
            }
        }
    }

    /// The first of what is to be done about one thing, and what it plans. What was begun about it
    /// is finished first.
    fn owed_at(&mut self, task: Task) -> Option<(Action, Option<Txn>)> {
        let Self { world, state, places, offered, .. } = self;
        offered.clear();
        if task.actor == Actor::User {
            agents::user_goes_on(world, state, places, offered);
        } else {
            if task.of.is_some() {
                agents::finish_for(world, state, task.actor, offered);
            }
            agents::enabled_for_task(world, state, task, places, offered);
        }
        let action = *offered.actions.first()?;
        Some((action, offered.plans[0].take()))
    }
}

/// Whether a client got nowhere, which no run needs.
fn is_in_vain(action: Action, outcome: Outcome) -> bool {
    matches!(action.actor, Actor::Client(_))
        && matches!(action.act, Act::Run(_) | Act::Begin(_))
        && !matches!(outcome, Outcome::Committed | Outcome::Planned)
}
