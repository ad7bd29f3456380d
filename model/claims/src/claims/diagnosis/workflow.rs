//! Reasons why the older agent of a unit does not act, or misses events: the detail `workflow`
//! (D5:5-70).
//!
//! Reasons that block the agent are tried in the order of its work: without a connection it does
//! nothing for the store, then it starts up, then it sets its watches. A missed event blocks
//! nothing else.

use deathwatch_model::{
    action::Hook,
    agents::{
        charm::observers::{gone, is_anybody_new},
        startup::{watches, workflow},
    },
    ids::{EntityId, RelationId, UnitId},
    life::Life::{self, Alive, Dying},
    rows::{Container, Sighting},
    runtime::Startup,
};

use super::{Reason, edges::EdgeFinder};

impl EdgeFinder<'_> {
    /// Adds the reason why the older agent of a unit, which runs, does nothing else.
    pub(super) fn older_agent(&mut self, id: UnitId) {
        let (world, state) = (self.world, self.state);
        let Some(unit) = state.store.unit(id) else { return };
        let it = state.runtime.workflow(id);
        if it.cut_off {
            return self.because(Reason::CutOff);
        }
        if !it.present || it.startup == Startup::Begun {
            return self.because(Reason::StartingUp);
        }
        if it.is_to_be_sent(world.variants.replicated) {
            return self.because(Reason::NotReplicated);
        }
        match workflow::due(id, unit.life, world, state) {
            Some(_) if unit.life == Dying => return self.because(Reason::BroughtToRun),
            Some((_, hook)) => return self.hook_due(hook),
            None => {}
        }
        for &relation in world.relations_of(id) {
            if watches::is_broken(id, relation, world, state) {
                return self.hook_due(Hook::Broken(relation));
            }
            if watches::has_to_watch(id, relation, world, state) {
                return self.about_one(Reason::NotWatching, EntityId::Relation(relation));
            }
        }
    }

    /// Adds the events that the older agent of a unit has not passed to its charm, or never will.
    pub(super) fn unnoticed(&mut self, id: UnitId, life: Life) {
        if life != Alive {
            return;
        }
        for &relation in self.world.relations_of(id) {
            let sighting = self.state.runtime.sighting(relation, id);
            match hook_due(&sighting, relation) {
                Some(hook) => self.hook_due(hook),
                None => {
                    if let Some(reason) = self.missed(id, relation, &sighting) {
                        self.about_one(reason, EntityId::Relation(relation));
                    }
                }
            }
        }
    }

    /// The reason why the agent misses an event in a relation, if it does.
    fn missed(&self, id: UnitId, relation: RelationId, sighting: &Sighting) -> Option<Reason> {
        let (world, state) = (self.world, self.state);
        if state.store.relation(relation).is_none() {
            return (!sighting.told.is_empty()).then_some(Reason::SeenForgotten);
        }
        if sighting.container != Container::Watched {
            return None;
        }
        let mut left = gone(id, relation, &sighting.told, world, state);
        let is_unwatched = |other: &UnitId| {
            sighting.has_seen(*other)
                && state.store.in_scope(relation, *other)
                && !sighting.watched.contains(*other)
        };
        if let Some(other) = left.next() {
            let has_seen = sighting.has_seen(other);
            Some(if has_seen { Reason::EventMissed } else { Reason::SeenForgotten })
        } else if is_anybody_new(id, relation, &sighting.told, world, state) {
            Some(Reason::EventMissed)
        } else {
            let is_there = |other: &UnitId| state.store.in_scope(relation, *other);
            let unwatched = sighting.stale.iter().find(is_unwatched);
            let unwatched = unwatched.map(|_| Reason::SettingsUnwatched);
            let dropped = || sighting.stale.iter().find(is_there).map(|_| Reason::EventDropped);
            unwatched.or_else(dropped)
        }
    }
}

/// The hook of a relation that is due next.
fn hook_due(sighting: &Sighting, relation: RelationId) -> Option<Hook> {
    let joined = sighting.joining.iter().next().map(|other| Hook::Joined(other, relation));
    let departed = || sighting.leaving.iter().next().map(|other| Hook::Departed(other, relation));
    let is_seen = |other: &UnitId| sighting.has_seen(*other);
    let changed =
        || sighting.fired.iter().find(is_seen).map(|other| Hook::Changed(other, relation));
    joined.or_else(departed).or_else(changed)
}
