//! Turns: what somebody does whose turn has come.

use deathwatch_model::{
    action::{Act, Agent},
    agents::{self, Task},
    free_ids::FreeIds as _,
    ids::Id,
    world::{Scope, World},
};

use super::Course;
use crate::simulate::party::{ManagerTask, Party};

impl Course<'_> {
    /// Somebody looks at one thing, and does something about it if there is anything to do.
    pub(super) fn watch_turn(&mut self, party: Party) {
        if !self.sleepers.takes(party) {
            return;
        }
        let Some(task) = party.task() else { return };
        if !acts(party, self.is_calm, self.world) {
            return self.sleepers.rest(party);
        }
        if !self.list(task) {
            return self.doze(party);
        }
        let delay = self.choose();
        // To look again at once is cheap, as everything is at hand; later it would not be.
        if self.list(task) {
            self.sleepers.again(party, delay);
        } else {
            self.doze(party);
        }
        self.tempt(party);
    }

    /// Lists what can be done about one thing; says whether there is anything.
    fn list(&mut self, task: Task) -> bool {
        self.offers.clear();
        agents::enabled_for_task(self.world, &self.state, task, &self.places, &mut self.offers);
        !self.offers.actions.is_empty()
    }

    /// Nothing is to be done. A principal may be waiting for a place for its subordinate, which
    /// is a bound of the model and rouses nobody else.
    fn doze(&mut self, party: Party) {
        self.sleepers.rest(party);
        let Party::Agent(Agent::Unit(unit)) = party else { return };
        let application = self.world.unit(unit).application;
        for &relation in self.world.relations_of(unit) {
            let constants = self.world.relation(relation);
            let Some(other) = constants.counterpart(application) else { continue };
            let is_full = || self.places.unit(self.world, &self.state, other).is_none();
            if constants.scope == Scope::Container
                && self.world.application(other).subordinate
                && is_full()
            {
                self.sleepers.queue(other.index(), unit);
            }
        }
    }

    pub(super) fn task_turn(&mut self, task: ManagerTask) {
        let party = Party::ManagerTask(task);
        if !self.sleepers.takes(party) {
            return;
        }
        let is_there = self.state.active_manager(self.world).is_some();
        if !is_there || !acts(party, self.is_calm, self.world) {
            return self.sleepers.rest(party); // what is on the desk waits for the next manager
        }
        self.offers.clear();
        agents::finish_for(self.world, &self.state, task.actor(), &mut self.offers);
        while self.offers.actions.is_empty() {
            let Some(of) = self.sleepers.take(task) else { return self.sleepers.rest(party) };
            let about = Task { actor: task.actor(), of: Some(of) };
            let (state, offers) = (&self.state, &mut self.offers);
            agents::enabled_for_task(self.world, state, about, &self.places, offers);
            if !self.offers.actions.is_empty() {
                self.sleepers.desk(task).put(of);
            }
        }
        let delay = self.choose();
        self.sleepers.again(party, delay);
    }

    pub(super) fn user_turn(&mut self) {
        if !acts(Party::User, self.is_calm, self.world) {
            return;
        }
        self.offers.clear();
        let (state, offers) = (&self.state, &mut self.offers);
        let is_busy = agents::user_goes_on(self.world, state, &self.places, offers);
        if !self.offers.actions.is_empty() {
            let delay = if self.storm.loses_connection(self.world, &self.state) {
                self.fault(Act::LoseConnection);
                self.user.pause(&self.drawn)
            } else {
                self.choose()
            };
            return self.sleepers.schedule.after(delay, Party::User);
        }
        if self.is_calm {
            self.user_waits = is_busy;
            return;
        }
        let delay = if is_busy { None } else { self.command() };
        let delay = delay.unwrap_or_else(|| self.user.pause(&self.drawn));
        self.sleepers.schedule.after(delay, Party::User);
    }

    /// The user gives a command, if one comes to mind that is possible. Says how long that takes.
    fn command(&mut self) -> Option<u64> {
        let (place, tries) = self.user.command(&self.state)?;
        let (state, offers) = (&self.state, &mut self.offers);
        agents::user_gives(self.world, state, place, &self.places, offers);
        if self.offers.actions.is_empty() {
            self.user.put_off(place, tries);
            return None;
        }
        self.tally.command();
        Some(self.choose())
    }
}

/// Whether `party` acts now: in the calm, those of whom it is assumed.
pub(super) fn acts(party: Party, is_calm: bool, world: &World) -> bool {
    !is_calm || party.task().is_some_and(|task| task.is_owed(world))
}
