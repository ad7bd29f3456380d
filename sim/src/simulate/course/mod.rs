//! The course of a run: list, choose, step, check, note.

mod judge;
mod trouble;
mod turns;

use std::hint::black_box;

use deathwatch_model::{
    action::{Act, Action, Agent},
    agents::{Enabled, Task},
    claims::Monitor,
    free_ids::{FreeIds as _, Index},
    ids::Id,
    protocol::{self, Effects},
    state::State,
    store::Row,
    txn::Txn,
    world::World,
};

use self::{judge::looks_every, turns::acts};
use super::{
    End, Run, Simulation, Violation,
    digest::Digest,
    oversleep,
    party::Party,
    sleepers::Sleepers,
    storm::Storm,
    swarm,
    tally::{MEMORY, Tally},
    user::User,
    wake::{Call, Caller},
};
use crate::{
    dice::{Concern, Dice},
    scenario::Simulate,
};

/// Somebody who follows a run step by step.
pub(super) trait Follower {
    /// `action` was chosen from so many, and led to `state`. Says whether to go on.
    fn follow(&mut self, offered: usize, action: &Action, state: &State) -> bool;

    /// `violation` was found. Says whether to go on.
    fn notice(&mut self, violation: &Violation) -> bool;
}

/// A run that goes on.
pub(super) struct Course<'a> {
    world: &'a World,
    drawn: Simulate,
    state: State,
    effects: Effects,
    offers: Enabled,
    places: Index,
    monitor: Monitor,
    sleepers: Sleepers,
    user: User<'a>,
    /// The user's command cannot go on for now.
    user_waits: bool,
    storm: Storm,
    is_calm: bool,
    calm_steps: u64,
    tally: Tally,
    digest: Digest,
    violations: Vec<Violation>,
    follower: &'a mut dyn Follower,
    /// The follower has seen enough.
    is_over: bool,
    /// After so many steps comes the next look at everything, and how many then lie between two.
    next_look: u64,
    looks_every: u64,
    seed: u64,
}

impl<'a> Course<'a> {
    /// The run of `seed`, before its first step.
    pub(super) fn new(
        simulation: &'a Simulation<'a>,
        seed: u64,
        follower: &'a mut dyn Follower,
    ) -> Self {
        let world = &simulation.scenario.world;
        let claims = simulation.claims.iter().map(|(claim, _)| *claim);
        let mut dice = Dice::new(seed, Concern::Settings);
        let drawn = swarm::draw(&simulation.scenario.simulate, &mut dice);
        let workload = Dice::new(seed, Concern::Workload);
        let schedule = Dice::new(seed, Concern::Schedule);
        let state = simulation.start.clone();
        let looks_every = looks_every(world);
        let mut begun = Vec::new();
        let mut course = Self {
            world,
            effects: Effects::default(),
            offers: Enabled::default(),
            places: Index::of(world, &state),
            monitor: Monitor::new(world, &state, claims, &mut |claim, subject| {
                begun.push((claim, subject));
            }),
            sleepers: Sleepers::new(world, drawn.latency.clone(), schedule),
            user: User::new(world, &simulation.allowed, &drawn, workload),
            user_waits: false,
            storm: Storm::new(drawn.faults.clone(), seed),
            is_calm: false,
            calm_steps: 0,
            tally: Tally::new(world, &state),
            digest: Digest::default(),
            violations: Vec::new(),
            follower,
            is_over: false,
            next_look: looks_every,
            looks_every,
            drawn,
            state,
            seed,
        };
        for (claim, subject) in begun {
            course.violated(claim, subject, String::new());
        }
        course
    }

    /// Goes on to the end; `None` if `stop` said so.
    pub(super) fn run(mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<Run> {
        self.begin();
        let mut turns: u64 = 0;
        while let Some(party) = self.sleepers.schedule.next() {
            turns += 1;
            if turns.is_multiple_of(4096) && stop() {
                return None;
            }
            self.read_ahead();
            self.turn(party);
            debug_assert_eq!(self.oversleeper(), None, "somebody sleeps who could move");
            if self.is_over {
                return Some(self.finish(End::Settled));
            }
            if self.calm_steps > self.drawn.calm_steps {
                let moving = self.tally.what_moves(self.world);
                self.look_at_everything();
                return Some(self.finish(End::Unsettled(moving)));
            }
            if self.tally.steps() >= self.next_look {
                self.next_look = self.tally.steps() + self.looks_every;
                self.look_at_everything();
            }
        }
        self.settle();
        Some(self.finish(End::Settled))
    }

    fn begin(&mut self) {
        self.sleepers.rouse_everybody(self.world, &self.state);
        for (strike, delay) in self.storm.begin() {
            self.sleepers.schedule.after(delay, Party::Strike(strike));
        }
        let pause = self.user.pause(&self.drawn);
        self.sleepers.schedule.after(pause, Party::User);
        self.sleepers.schedule.after(self.drawn.storm, Party::Calm);
    }

    /// Reads what the next but one will look at. In a large world that is not in the caches, and
    /// to wait for all of it at once takes no longer than to wait for the first.
    fn read_ahead(&self) {
        let (state, mirror) = (&self.state, self.monitor.mirror());
        match self.sleepers.schedule.soon() {
            Some(Party::Agent(Agent::Unit(id))) => {
                black_box((
                    state.runtime.unit(id).down,
                    state.store.unit_docs(id).force,
                    mirror.runtime.unit(id).down,
                    mirror.store.unit_docs(id).force,
                    self.world.unit(id).application,
                ));
            }
            Some(Party::Agent(Agent::Machine(id))) => {
                black_box((
                    state.runtime.machine(id).down,
                    state.store.machine_docs(id).force,
                    mirror.runtime.machine(id).down,
                    mirror.store.machine_docs(id).force,
                ));
            }
            _ => {}
        }
    }

    fn turn(&mut self, party: Party) {
        match party {
            Party::Calm => {
                self.is_calm = true;
                self.storm.end();
            }
            Party::Strike(strike) => self.strike(strike),
            Party::User => self.user_turn(),
            Party::ManagerTask(task) => self.task_turn(task),
            Party::Agent(_)
            | Party::Restart(_)
            | Party::Resolve(_)
            | Party::Terminate(_)
            | Party::Upgrade => self.watch_turn(party),
        }
    }

    /// Somebody who sleeps and could move: a defect of the wake-ups.
    fn oversleeper(&mut self) -> Option<(Task, Act)> {
        let (is_calm, world) = (self.is_calm, self.world);
        let acts = |party| acts(party, is_calm, world);
        oversleep::oversleeper(world, &self.state, &mut self.sleepers, acts)
    }

    /// Chooses one of what is offered and does it, unless something goes wrong. Says how long it
    /// takes.
    fn choose(&mut self) -> u64 {
        let offered = self.offers.actions.len();
        let chosen = self.sleepers.dice.index(offered);
        let action = self.offers.actions[chosen];
        let now = self.sleepers.schedule.now();
        if let Some(fault) = self.storm.instead_of(action, self.world, &self.state, now) {
            self.perform(offered, fault, None);
        } else {
            let planned = self.offers.plans[chosen].take();
            self.perform(offered, action, planned);
        }
        let latency = self.sleepers.latency();
        let range = match action.act {
            Act::Begin(_) => &latency.transaction,
            Act::RunHooks(_) => &latency.hook,
            Act::StartInstance(_) | Act::Decommission(_) => &latency.instance,
            _ => &latency.step,
        };
        let range = range.clone();
        self.sleepers.dice.within(&range)
    }

    /// Does `action`, and looks at what it did.
    fn perform(&mut self, offered: usize, action: Action, planned: Option<Txn>) {
        let (world, now) = (self.world, self.sleepers.schedule.now());
        let (state, places, effects) = (&mut self.state, &self.places, &mut self.effects);
        let outcome = protocol::step_as_planned(world, state, action, planned, places, effects);
        self.places.update(world, &self.state, &self.effects.touched);
        self.digest.note(now, offered, &action);
        self.tally.step(&action, outcome, &self.effects);
        self.calm_steps += u64::from(self.is_calm);
        // Nobody asks what keeps moving before the calm has gone on for long.
        if self.calm_steps + MEMORY as u64 > self.drawn.calm_steps {
            self.tally.remember(&action);
        }
        self.wake();
        self.task();
        if !self.follower.follow(offered, &action, &self.state) {
            self.is_over = true;
        }
    }

    /// Rouses whoever is concerned by what was touched.
    fn wake(&mut self) {
        let (world, sleepers) = (self.world, &mut self.sleepers);
        let (before, after) = (self.monitor.mirror(), &self.state);
        let call = |call: Call| sleepers.hear(world, after, call);
        let mut caller = Caller { world, before, after, call };
        for row in &self.effects.touched {
            caller.look_at(*row);
        }
        for row in &self.effects.touched {
            let (Row::Unit(unit) | Row::UnitRuntime(unit) | Row::Scope(_, unit)) = *row else {
                continue;
            };
            let application = self.world.unit(unit).application;
            if self.sleepers.is_queued(application.index())
                && self.places.unit(self.world, &self.state, application).is_some()
            {
                self.sleepers.admit(application.index());
            }
        }
        if std::mem::take(&mut self.user_waits) {
            self.sleepers.schedule.after(1, Party::User);
        }
    }

    fn finish(self, end: End) -> Run {
        let time = self.sleepers.schedule.now();
        Run {
            seed: self.seed,
            end,
            violations: self.violations,
            stats: self.tally.stats(time),
            digest: self.digest.value(),
        }
    }
}
