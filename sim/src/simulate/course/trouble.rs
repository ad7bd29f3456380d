//! What goes wrong: by itself now and then, and right after somebody's step.

use deathwatch_model::{
    action::{Act, Action, Actor},
    agents,
};

use super::Course;
use crate::simulate::party::{Party, Strike};

impl Course<'_> {
    pub(super) fn strike(&mut self, strike: Strike) {
        if self.is_calm {
            return;
        }
        let now = self.sleepers.schedule.now();
        let latency = self.sleepers.latency();
        let acts = self.storm.strike(strike, self.world, &self.state, now, latency);
        for act in acts {
            // One that failed with its host, say, cannot fail again.
            if agents::can_strike(self.world, &self.state, act) {
                self.fault(act);
            }
        }
        if strike == Strike::ProvisionerOutage {
            self.sleepers.outage();
        }
        if let Some(delay) = self.storm.interval(strike) {
            self.sleepers.schedule.after(delay, Party::Strike(strike));
        }
    }

    pub(super) fn fault(&mut self, act: Act) {
        self.perform(1, Action { actor: Actor::Faults, act, duty: None }, None);
        if let Act::Crash(agent) = act {
            self.sleepers.absent(agent);
        }
    }

    /// What may go wrong right after a step of `party`.
    pub(super) fn tempt(&mut self, party: Party) {
        let crashing = match party {
            Party::Agent(agent) if self.storm.crashes_after(agent, self.world, &self.state) => {
                agent
            }
            Party::Restart(agent) if self.storm.crashes_again(agent, self.world, &self.state) => {
                agent
            }
            _ => return,
        };
        self.fault(Act::Crash(crashing));
    }
}
