//! The main loop of a run: take the next event, list, choose, step, notify, check.

mod claims;
mod events;
mod faults;
mod prefetch;

use deathwatch_model::{
    action::{Act, Action, HookAct, ProvisionerAct, TxnAct},
    agents::{self, Enabled, Task, WatchedStep},
    free_ids::FreeIdIndex,
    ids::UserId,
    protocol::{self, Effects},
    state::State,
    txn::Txn,
    world::World,
};

use self::{claims::RunJudge, events::may_act};
use crate::{
    Observer, Setup, SimulatedRun, SimulationEnd, ViolationCause,
    dice::{Dice, Stream},
    digest::Digest,
    fault_injector::{FaultInjector, is_named},
    lost_wakeup,
    metrics::{Metrics, RECENT},
    process::Process,
    scheduler::Scheduler,
    settings::SimulationSettings,
    swarm,
    user::User,
};

/// In a small world it is asked after this number of events whether to stop. In one of many units a
/// single event can take as long as one does here for each few of them.
const MOST_EVENTS: usize = 4096;
const FEW: usize = 64;

/// The discrete-event simulator of one run.
pub(crate) struct Simulator<'a> {
    world: &'a World,
    drawn: SimulationSettings,
    state: State,
    effects: Effects,
    enabled: Enabled,
    free_ids: FreeIdIndex,
    scheduler: Scheduler,
    user: User<'a>,
    /// The users whose command in progress is blocked; the next step of anybody wakes them.
    waiting_users: Vec<UserId>,
    injector: FaultInjector,
    /// Whether rows may disagree, as the start is one in which they do.
    is_inconsistent: bool,
    is_calm: bool,
    calm_steps: u64,
    judge: RunJudge,
    record: RunRecord<'a>,
}

/// Recording of a run, and its observers.
struct RunRecord<'a> {
    seed: u64,
    metrics: Metrics,
    digest: Digest,
    observer: &'a mut dyn Observer,
    is_over: bool,
}

impl<'a> Simulator<'a> {
    /// The run of `seed`, before its first step.
    pub(crate) fn new(setup: &Setup<'a>, seed: u64, observer: &'a mut dyn Observer) -> Self {
        let world = setup.world;
        let mut dice = Dice::new(seed, Stream::Settings);
        let drawn = swarm::draw(setup.settings, world, &mut dice);
        let workload = Dice::new(seed, Stream::Workload);
        let schedule = Dice::new(seed, Stream::Schedule);
        let state = setup.start.clone();
        let claims = setup.claims.iter().copied();
        let (judge, violated_at_start) = RunJudge::new(world, &state, claims);
        let (metrics, digest) = (Metrics::new(world, &state), Digest::default());
        let mut simulator = Self {
            world,
            effects: Effects::default(),
            enabled: Enabled::default(),
            free_ids: FreeIdIndex::of(world, &state),
            scheduler: Scheduler::new(world, drawn.latency.clone(), schedule),
            user: User::new(world, setup.allowed, &drawn, workload),
            waiting_users: Vec::new(),
            injector: FaultInjector::new(drawn.faults.clone(), seed),
            is_inconsistent: setup.is_inconsistent,
            is_calm: false,
            calm_steps: 0,
            judge,
            record: RunRecord { seed, metrics, digest, observer, is_over: false },
            drawn,
            state,
        };
        let before = setup.violated.iter().copied();
        for (claim, subject) in before.chain(violated_at_start) {
            simulator.violated(claim, subject, ViolationCause::Step(None));
        }
        simulator
    }

    /// Runs to the end; `None` if `stop` said so.
    pub(crate) fn run(mut self, stop: &(dyn Fn() -> bool + Sync)) -> Option<SimulatedRun> {
        self.begin();
        let (mut events, interval) = (0_usize, MOST_EVENTS / (1 + self.world.units.len() / FEW));
        let interval = interval.max(1);
        while let Some(process) = self.scheduler.queue.next() {
            events += 1;
            if events.is_multiple_of(interval) && stop() {
                return None;
            }
            self.prefetch();
            self.dispatch(process);
            debug_assert_eq!(self.lost_wakeup(), None, "a process is parked that could move");
            if self.record.is_over {
                return Some(self.finish(SimulationEnd::Settled));
            }
            if self.calm_steps > self.drawn.calm_steps {
                let moving = self.record.metrics.what_moves(self.world);
                self.check_all();
                return Some(self.finish(SimulationEnd::Unsettled(moving)));
            }
            if self.record.metrics.steps() >= self.judge.next_check {
                self.judge.next_check = self.record.metrics.steps() + self.judge.interval;
                self.check_all();
            }
        }
        self.check_quiescent();
        Some(self.finish(SimulationEnd::Settled))
    }

    fn begin(&mut self) {
        let scheduler = &mut self.scheduler;
        agents::wake_all(self.world, &self.state, &mut |task| scheduler.notify(task));
        for (fault, delay) in self.injector.begin() {
            self.scheduler.queue.insert_after(delay, Process::Fault(fault));
        }
        for id in self.world.user_ids() {
            let pause = self.user.pause(&self.drawn);
            self.scheduler.queue.insert_after(pause, Process::User(id));
        }
        self.scheduler.queue.insert_after(self.drawn.storm, Process::Calm);
    }

    /// Handles an event of `process`.
    fn dispatch(&mut self, process: Process) {
        match process {
            Process::Calm => {
                self.is_calm = true;
                self.injector.end();
            }
            Process::Fault(fault) => self.run_fault(fault),
            Process::User(id) => self.run_user(id),
            Process::ManagerTask(task) => self.run_manager_task(task),
            Process::Agent(_)
            | Process::Restart(_)
            | Process::Resolve(_)
            | Process::ResolveStart(_)
            | Process::Terminate(_)
            | Process::Replace(_)
            | Process::Upgrade => self.run_task(process),
        }
    }

    /// A task that could move and whose process is parked: a defect of the notifications.
    fn lost_wakeup(&mut self) -> Option<(Task, Act)> {
        let (is_calm, world) = (self.is_calm, self.world);
        let may_act = |process| may_act(process, is_calm, world);
        lost_wakeup::find(world, &self.state, &mut self.scheduler, may_act)
    }

    /// Chooses one of the enabled actions and does it, unless a fault takes its place. Returns how
    /// long it takes, in milliseconds.
    fn choose(&mut self) -> u64 {
        let count = self.enabled.actions.len();
        let chosen = self.scheduler.dice.index(count);
        let action = self.enabled.actions[chosen];
        let now = self.scheduler.queue.now();
        if let Some(fault) = self.injector.instead_of(action, self.world, &self.state, now) {
            self.perform(count, fault, None);
        } else {
            let planned = self.enabled.plans[chosen].take();
            self.perform(count, action, planned);
        }
        let latency = self.scheduler.latency();
        let range = match action.act {
            Act::Txn(_, TxnAct::Begin(_)) => &latency.transaction,
            Act::Hook(_, HookAct::Run(hook) | HookAct::Begin(hook)) => {
                if is_named(hook, self.world) { &latency.named_hook } else { &latency.hook }
            }
            // To read or to name is no more than to write a document.
            Act::Provisioner(ProvisionerAct::ReadMachine(_) | ProvisionerAct::NameStart(_)) => {
                &latency.step
            }
            Act::Provisioner(_) => &latency.instance,
            Act::Txn(_, TxnAct::Run(_) | TxnAct::Commit | TxnAct::Abort)
            | Act::Hook(_, HookAct::Decide(_) | HookAct::Exit | HookAct::End)
            | Act::UnitAgent(..)
            | Act::MachineAgent(..)
            | Act::Cleaner(_)
            | Act::Faults(_)
            | Act::Operator(_)
            | Act::Supervisor(_) => &latency.step,
        };
        let range = range.clone();
        self.scheduler.dice.within(&range)
    }

    /// Does `action`, which was chosen out of `enabled` actions; then notifies and checks.
    fn perform(&mut self, enabled: usize, action: Action, planned: Option<Txn>) {
        let (world, now) = (self.world, self.scheduler.queue.now());
        let (state, free_ids, effects) = (&mut self.state, &self.free_ids, &mut self.effects);
        let outcome = protocol::step_as_planned(world, state, action, planned, free_ids, effects);
        self.free_ids.update(world, &self.state, &self.effects.touched);
        self.record.digest.note(now, enabled, &action);
        self.record.metrics.step(&action, outcome, &self.effects);
        self.calm_steps += u64::from(self.is_calm);
        // Only a calm that has gone on for long is asked what keeps moving.
        if self.calm_steps + RECENT as u64 > self.drawn.calm_steps {
            self.record.metrics.keep_recent(&action);
        }
        self.notify();
        self.check_touched();
        if !self.record.observer.observe_step(enabled, &action, &self.state, now) {
            self.record.is_over = true;
        }
    }

    /// Notifies the processes whose tasks watch the touched rows, or wait for what became free.
    fn notify(&mut self) {
        let (world, scheduler) = (self.world, &mut self.scheduler);
        let change = WatchedStep { world, before: self.judge.monitor.mirror(), after: &self.state };
        for row in &self.effects.touched {
            change.watchers(*row, &mut |task| scheduler.notify(task));
        }
        if self.is_inconsistent {
            // A document that nothing refers to as it should has no watchers.
            agents::wake_all(world, &self.state, &mut |task| scheduler.notify(task));
        }
        for application in self.free_ids.take_freed() {
            scheduler.wake_waiting(application);
        }
        for id in std::mem::take(&mut self.waiting_users) {
            self.scheduler.queue.insert_after(1, Process::User(id));
        }
    }

    fn finish(self, end: SimulationEnd) -> SimulatedRun {
        let time = self.scheduler.queue.now();
        SimulatedRun {
            seed: self.record.seed,
            end,
            violations: self.judge.violations,
            stats: self.record.metrics.stats(time),
            digest: self.record.digest.value(),
            state: self.state,
        }
    }
}
