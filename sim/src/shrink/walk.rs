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
    agents,
    claims::{Claim, Kind, Subject},
    protocol::{self, Effects},
    state::State,
    world::World,
};

use super::{calm, watch::Watch};

/// A run of more steps is asked at its end only for a claim that is dear to ask. A reduced run is
/// shorter, and is asked after each step.
const LONG: usize = 5_000;

/// What a candidate has to show.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The claim that is to be violated.
    pub(super) claim: &'static Claim,
    /// Whether a manager machine must still run in the end. A world that nobody manages is stuck
    /// for a reason of its own, and a run that ended otherwise must not turn into that.
    pub(super) is_managed: bool,
}

/// A run in the making.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    world: &'a World,
    /// Where it has got to.
    pub(super) state: State,
    watch: Watch,
    /// The document for which a claim about states or steps was violated.
    violated: Option<Subject>,
}

/// A run that violates the claim.
pub(super) struct Violating {
    /// The steps of the candidate that were possible, up to the violation.
    pub(super) steps: Vec<Action>,
    /// The document that it fails for.
    pub(super) subject: Subject,
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
        subject: Option<Subject>,
    ) -> Self {
        let watch = Watch::new(wanted.claim, subject, world, start);
        let violated = watch.state(world, start);
        Self { world, state: start.clone(), watch, violated }
    }

    /// Does what is possible of `actions`, until the claim is violated, and adds it to `done`.
    pub(super) fn go(&mut self, actions: &[Action], done: &mut Vec<Action>) {
        let (mut effects, mut offers) = (Effects::default(), Vec::new());
        let is_sampled = self.watch.is_dear() && actions.len() > LONG;
        for action in actions {
            if self.violated.is_some() {
                return;
            }
            if let Some(action) = self.possible(*action, &mut offers) {
                let outcome = protocol::step(self.world, &mut self.state, action, &mut effects);
                if is_in_vain(action, outcome) {
                    continue;
                }
                done.push(action);
                self.violated = self.watch.step(self.world, &self.state, &effects);
                if self.violated.is_none() && !is_sampled {
                    self.violated = self.watch.state(self.world, &self.state);
                }
            }
        }
        if is_sampled {
            self.violated = self.watch.state(self.world, &self.state);
        }
    }

    /// The action that `wanted` stands for here. Whether a transaction commits or aborts is not
    /// for a script to say, so either stands for the other.
    fn possible(&self, wanted: Action, offers: &mut Vec<Action>) -> Option<Action> {
        let finishes = |act: Act| matches!(act, Act::Commit | Act::Abort);
        if let Actor::Client(_) = wanted.actor {
            let flight = protocol::flight(&self.state, wanted.actor);
            return match (finishes(wanted.act), flight) {
                (true, Some(txn)) => {
                    let is_obstructed = txn.obstacle(&self.state.store, self.world).is_some();
                    let act = if is_obstructed { Act::Abort } else { Act::Commit };
                    Some(Action { act, ..wanted })
                }
                (false, None) => Some(wanted),
                (true, None) | (false, Some(_)) => None,
            };
        }
        offers.clear();
        agents::enabled_for(self.world, &self.state, wanted.actor, offers);
        let fits =
            |offer: &Action| offer.act == wanted.act || finishes(offer.act) && finishes(wanted.act);
        offers.iter().copied().find(fits)
    }

    /// Does what is possible of `rest`, and lets the world go on by itself if the claim is about
    /// that. `None` if the claim is not violated.
    pub(super) fn violates(mut self, wanted: Wanted, rest: &[Action]) -> Option<Violating> {
        let mut steps = Vec::new();
        self.go(rest, &mut steps);
        // No search goes on after a script that leaves a client in the middle of its transaction.
        if self.state.hosts.others().clients.iter().any(Option::is_some) {
            return None;
        }
        if wanted.claim.kind() != Kind::Leads {
            let subject = self.violated?;
            return Some(Violating { steps, subject, calm: Vec::new(), end: self.state });
        }
        let calm = self.settle()?;
        let subject = self.watch.owed()?;
        if wanted.is_managed && self.state.leader(self.world).is_none() {
            return None;
        }
        Some(Violating { steps, subject, calm, end: self.state })
    }

    /// Lets those who owe something go on until nobody can; `None` if that takes too long.
    fn settle(&mut self) -> Option<Vec<Action>> {
        let (mut effects, mut offers, mut done) = (Effects::default(), Vec::new(), Vec::new());
        let (actors, patience) = (calm::actors(self.world), calm::patience(self.world));
        loop {
            let before = done.len();
            for actor in &actors {
                for _ in 0..calm::TURN {
                    offers.clear();
                    agents::enabled_for(self.world, &self.state, *actor, &mut offers);
                    let is_owed = |action: &&Action| calm::is_owed(self.world, &self.state, action);
                    let Some(action) = offers.iter().find(is_owed).copied() else { break };
                    protocol::step(self.world, &mut self.state, action, &mut effects);
                    self.watch.step(self.world, &self.state, &effects);
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
}

/// Whether a client got nowhere, which no run needs.
fn is_in_vain(action: Action, outcome: Outcome) -> bool {
    matches!(action.actor, Actor::Client(_))
        && matches!(action.act, Act::Run(_) | Act::Begin(_))
        && !matches!(outcome, Outcome::Committed | Outcome::Planned)
}
