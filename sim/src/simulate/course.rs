//! The course of a run: list, choose, step, check, note.

mod judge;

use deathwatch_model::{
    action::{Act, Action, Actor, Agent},
    agents::{self, Offered, Watch},
    claims::Monitor,
    ids::Id,
    protocol::{self, Effects},
    spares::{Places, Spares as _},
    state::State,
    store::Slot,
    txn::Txn,
    world::{Scope, World},
};

use self::judge::looks_every;
use super::{
    End, Run, Simulation, Violation,
    digest::Digest,
    oversleep,
    party::{Party, Strike, Task},
    sleepers::Sleepers,
    storm::Storm,
    swarm,
    tally::Tally,
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
    offers: Offered,
    places: Places,
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
        Self {
            world,
            effects: Effects::default(),
            offers: Offered::default(),
            places: Places::of(world, &state),
            monitor: Monitor::new(world, &state, claims, &mut |_, _| {}),
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
        }
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
        for (claim, subject) in self.unknown() {
            self.violated(claim, subject, String::new());
        }
        self.sleepers.rouse_everybody(self.world, &self.state);
        for (strike, delay) in self.storm.begin() {
            self.sleepers.schedule.after(delay, Party::Strike(strike));
        }
        let pause = self.user.pause(&self.drawn);
        self.sleepers.schedule.after(pause, Party::User);
        self.sleepers.schedule.after(self.drawn.storm, Party::Calm);
    }

    fn turn(&mut self, party: Party) {
        match party {
            Party::Calm => {
                self.is_calm = true;
                self.storm.end();
            }
            Party::Strike(strike) => self.strike(strike),
            Party::User => self.user_turn(),
            Party::Task(task) => self.task_turn(task),
            Party::Agent(_)
            | Party::Restart(_)
            | Party::Resolve(_)
            | Party::Terminate(_)
            | Party::Upgrade => self.watch_turn(party),
        }
    }

    /// Somebody looks at one thing, and does something about it if there is anything to do.
    fn watch_turn(&mut self, party: Party) {
        if !self.sleepers.takes(party) {
            return;
        }
        let Some((actor, of)) = party.watch() else { return };
        if !acts(party, self.is_calm, self.world) {
            return self.sleepers.rest(party);
        }
        self.offers.clear();
        let watch = Watch { actor, of };
        agents::enabled_for_watch(self.world, &self.state, watch, &self.places, &mut self.offers);
        if self.offers.actions.is_empty() {
            return self.doze(party);
        }
        let delay = self.choose();
        self.sleepers.again(party, delay);
        self.tempt(party);
    }

    /// Somebody who sleeps and could move: a defect of the wake-ups.
    fn oversleeper(&mut self) -> Option<(Watch, Act)> {
        let (is_calm, world) = (self.is_calm, self.world);
        let acts = |party| acts(party, is_calm, world);
        oversleep::oversleeper(world, &self.state, &mut self.sleepers, acts)
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

    /// What may go wrong right after a step of `party`.
    fn tempt(&mut self, party: Party) {
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

    fn task_turn(&mut self, task: Task) {
        let party = Party::Task(task);
        if !self.sleepers.takes(party) {
            return;
        }
        let is_there = self.state.leader(self.world).is_some();
        if !is_there || !acts(party, self.is_calm, self.world) {
            return self.sleepers.rest(party); // what is on the desk waits for the next manager
        }
        self.offers.clear();
        agents::finish_for(self.world, &self.state, task.actor(), &mut self.offers);
        while self.offers.actions.is_empty() {
            let Some(of) = self.sleepers.take(task) else { return self.sleepers.rest(party) };
            let watch = Watch { actor: task.actor(), of: Some(of) };
            let (state, offers) = (&self.state, &mut self.offers);
            agents::enabled_for_watch(self.world, state, watch, &self.places, offers);
            if !self.offers.actions.is_empty() {
                self.sleepers.desk(task).put(of);
            }
        }
        let delay = self.choose();
        self.sleepers.again(party, delay);
    }

    fn user_turn(&mut self) {
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

    fn strike(&mut self, strike: Strike) {
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

    fn fault(&mut self, act: Act) {
        self.perform(1, Action { actor: Actor::Faults, act, duty: None }, None);
        if let Act::Crash(agent) = act {
            self.sleepers.absent(agent);
        }
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
        self.wake();
        self.watch();
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
        for slot in &self.effects.touched {
            caller.look_at(*slot);
        }
        for slot in &self.effects.touched {
            let (Slot::Unit(unit) | Slot::UnitHost(unit) | Slot::Scope(_, unit)) = *slot else {
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

/// Whether `party` acts now: in the calm, those of whom it is assumed.
fn acts(party: Party, is_calm: bool, world: &World) -> bool {
    let assume = &world.assumptions;
    !is_calm
        || match party {
            Party::Agent(_) | Party::Task(_) => assume.agents_act,
            Party::Restart(_) => assume.crashed_agents_restart,
            Party::Resolve(_) => assume.hook_errors_are_resolved,
            Party::Terminate(_) => assume.failed_hardware_is_terminated,
            Party::Upgrade => assume.agents_are_upgraded,
            Party::User => assume.commands_finish,
            Party::Strike(_) | Party::Calm => false,
        }
}
