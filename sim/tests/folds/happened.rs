//! The events of a run, read from the labels of its steps and from facts that any observer sees:
//! the documents of the store, the rows that a step has written, the charms, and the disks.
//!
//! Labels lack four facts: the hook that fails in the step in which it begins; the units that a
//! joined hook for several is about; whether a hook changes settings that exist already; and which
//! of two charms is written. The first is on the disk, as the last is, the second in the agent's
//! row, and the third among the rows that the step wrote.

use deathwatch_model::{
    action::{
        Act, Action, Fault, Hook, HookAct, MachineAct, OperatorAct, Outcome, ProvisionerAct,
        TxnAct, UnitAct,
    },
    actor::{Actor, Agent, Client},
    agents::is_in_error,
    ids::{ApplicationId, MachineId, RelationId, UnitId},
    life::Life,
    operation::Operation,
    rows::{Directory, Row, Touched, Transition, UpgradeDue},
    state::State,
    variants::FoundAtStartup,
    world::{HookTrait, World},
};

/// The way in which the operator has a hook error resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResolveMode {
    Skip,
    Retry,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    Begins(UnitId, Hook),
    /// The joined hook of the first unit that has just begun is for the second one, which is not in
    /// the scope any more: the agent has seen an earlier state.
    BeginsLate(UnitId, UnitId, RelationId),
    /// The joined hook of the first unit that has just begun is for the second one, too.
    BeginsFor(UnitId, UnitId, RelationId),
    Succeeds(UnitId, Hook),
    /// Its hook has run, or counts as run.
    Ends(UnitId),
    Fails(UnitId),
    /// Its hook has failed, and is tried again.
    IsTriedAgain(UnitId),
    /// Its hook is cut short by a crash.
    IsCutShort(UnitId),
    /// The process of the unit's agent ends, and its disk is kept.
    Crashes(UnitId),
    /// The first unit reads the settings of the second one.
    Reads(UnitId, UnitId, RelationId),
    Writes(UnitId, RelationId),
    /// The settings of the unit change in the store.
    Changes(UnitId, RelationId),
    /// The operator asks for the hook error of the unit to be resolved.
    Asks(UnitId, ResolveMode),
    IsResolved(UnitId),
    /// Its hook is to run again.
    IsRetried(UnitId),
    IsDeployed(UnitId),
    /// The agent of the unit is cut off.
    IsCutOff(UnitId),
    /// The agent of the unit is connected again.
    IsConnected(UnitId),
    IsCreated(UnitId),
    Dies(UnitId),
    /// The unit's own agent sets it Dead.
    EndsItself(UnitId),
    Enters(UnitId, RelationId),
    /// The unit leaves the scope, by its own agent or by another client.
    Leaves(UnitId, RelationId),
    /// The unit's own agent left the scope, and was not forced.
    LeavesByItself(UnitId, RelationId),
    /// The configuration of the application changes.
    IsConfigured(ApplicationId),
    IsUpgraded(ApplicationId),
    IsForced(ApplicationId),
    /// The unit's agent begins to write the first charm on its disk.
    Installs(UnitId),
    /// The agent writes the newest charm over another one.
    WritesOver(UnitId),
    /// The agent writes a charm that is not the newest over another one, by force.
    WritesOlder(UnitId),
    /// An agent asks the provider for an instance.
    AsksForInstance(MachineId),
    /// The machine's document comes to say that the start has failed.
    IsInError(MachineId),
    /// The machine's document does not say so any more.
    IsOutOfError(MachineId),
    IsRemoved(MachineId),
}

use Happened::*;

/// A step: its label, and the states before and after it.
pub(super) struct TracedStep<'a> {
    pub(super) world: &'a World,
    pub(super) before: &'a State,
    pub(super) action: Action,
    pub(super) outcome: Outcome,
    pub(super) touched: &'a Touched,
    pub(super) after: &'a State,
}

impl TracedStep<'_> {
    /// Adds the events of this step to the earlier ones.
    pub(super) fn tell(&self, happened: &mut Vec<Happened>) {
        match self.action.act {
            Act::Hook(unit, act) => self.hook(unit, act, happened),
            Act::UnitAgent(unit, act) => self.unit_agent(unit, act, happened),
            Act::MachineAgent(_, MachineAct::Deploy(unit)) => happened.push(IsDeployed(unit)),
            Act::Faults(fault) => self.fault(fault, happened),
            Act::Operator(OperatorAct::Resolve(unit)) => {
                self.asks(unit, ResolveMode::Skip, happened);
            }
            Act::Operator(OperatorAct::Retry(unit)) => {
                self.asks(unit, ResolveMode::Retry, happened);
            }
            Act::Provisioner(
                ProvisionerAct::StartInstance(machine) | ProvisionerAct::StartLate(machine),
            ) => happened.push(AsksForInstance(machine)),
            Act::Txn(client, act) => self.txn(client, act, happened),
            Act::MachineAgent(..)
            | Act::Provisioner(_)
            | Act::Operator(_)
            | Act::Cleaner(_)
            | Act::Supervisor(_) => {}
        }
        self.documents(happened);
    }

    fn hook(&self, unit: UnitId, act: HookAct, happened: &mut Vec<Happened>) {
        let is_old = self.world.detail.workflow;
        let has_exited = happened.iter().rev().find_map(|it| match it {
            Begins(it, _) if *it == unit => Some(false),
            Succeeds(it, _) if *it == unit => Some(true),
            _ => None,
        });
        if let HookAct::Run(hook) | HookAct::Begin(hook) = act {
            self.begins(unit, hook, happened);
        }
        let hook = at_hand(unit, happened);
        let never_succeeds = |hook| !is_old && self.world.charm_of(unit).never_succeeds(hook);
        match act {
            HookAct::Decide(_) | HookAct::Begin(_) => {}
            HookAct::Run(hook) if never_succeeds(hook) => self.counts_as_failed(unit, happened),
            HookAct::End if hook.is_some_and(never_succeeds) => {
                self.counts_as_failed(unit, happened);
            }
            HookAct::Exit if !is_old => {}
            HookAct::Run(_) | HookAct::Exit | HookAct::End => {
                let Some(hook) = hook else { return };
                if !is_old {
                    // The settings that a hook writes are in the store before it counts as run.
                    self.changes(happened);
                }
                if act != HookAct::End || !is_old || has_exited == Some(false) {
                    happened.push(Succeeds(unit, hook));
                }
                if is_old {
                    if happened.last() == Some(&Succeeds(unit, hook))
                        && self.writes_other(unit, hook)
                    {
                        happened.extend(hook.relation().map(|relation| Writes(unit, relation)));
                    }
                    self.changes(happened);
                } else {
                    happened.push(Ends(unit));
                }
            }
        }
    }

    /// Whether a hook changes settings that exist already.
    fn writes_other(&self, unit: UnitId, hook: Hook) -> bool {
        let (charm, store) = (self.world.charm_of(unit), &self.before.store);
        hook.relation().is_some_and(|relation| {
            let settings = store.settings(relation, unit);
            let is_other = charm.is(hook, HookTrait::WritesNew) || !settings.written;
            let is_there = settings.exists && store.relation(relation).is_some();
            charm.is(hook, HookTrait::Writes) && is_other && is_there
        })
    }

    fn begins(&self, unit: UnitId, hook: Hook, happened: &mut Vec<Happened>) {
        happened.push(Begins(unit, hook));
        let Hook::Joined(other, relation) = hook else { return };
        let was_decided_on = self.before.runtime.has_hooks()
            && self.before.runtime.hooks(unit).decided == Some(hook);
        if was_decided_on && !self.before.store.in_scope(relation, other) {
            happened.push(BeginsLate(unit, other, relation));
        }
        let is_for_many = self.world.variants.found_at_startup == FoundAtStartup::OneHook;
        if self.world.detail.workflow && is_for_many {
            let seen = self.before.runtime.sighting(relation, unit);
            if seen.has_seen(other) {
                let others = seen.joining.iter().filter(|it| seen.has_seen(*it) && *it != other);
                happened.extend(others.map(|it| BeginsFor(unit, it, relation)));
            }
        }
    }

    fn unit_agent(&self, unit: UnitId, act: UnitAct, happened: &mut Vec<Happened>) {
        if self.outcome == Outcome::NoOp || self.outcome == Outcome::NotEnabled {
            return; // It reads or writes what it has read or written before.
        }
        match act {
            UnitAct::Deploy(subordinate) => happened.push(IsDeployed(subordinate)),
            UnitAct::ReadSettings(other, relation) => happened.push(Reads(unit, other, relation)),
            UnitAct::WriteSettings(relation) => happened.push(Writes(unit, relation)),
            UnitAct::FindFailed => happened.push(Fails(unit)),
            UnitAct::ObeyRequest => {
                let asked = happened.iter().rev().find_map(|it| match it {
                    Asks(it, by) if *it == unit => Some(*by),
                    _ => None,
                });
                self.resolves(unit, asked.expect("a request is obeyed"), happened);
            }
            UnitAct::WriteCharm | UnitAct::BeginCharm => {
                match self.before.runtime.charm(unit).directory {
                    Directory::Absent => happened.push(Installs(unit)),
                    Directory::Whole if self.is_older(unit) => happened.push(WritesOlder(unit)),
                    Directory::Whole => happened.push(WritesOver(unit)),
                    Directory::Writing | Directory::CutShort => {}
                }
            }
            UnitAct::Reconnect => happened.push(IsConnected(unit)),
            _ => {}
        }
        self.changes(happened);
    }

    /// Whether the charm that the unit's agent begins to write is not the newest: while a hook has
    /// failed, a forced charm comes before a later one.
    fn is_older(&self, unit: UnitId) -> bool {
        let is_in_error = self.before.runtime.unit(unit).is_suspended();
        is_in_error && self.before.runtime.charm(unit).upgrade == UpgradeDue::ForcedFirst
    }

    fn fault(&self, fault: Fault, happened: &mut Vec<Happened>) {
        match fault {
            Fault::FailHooks(unit, relation) => {
                let last = if self.world.detail.relations {
                    Hook::Broken(relation)
                } else {
                    Hook::Departure(relation)
                };
                self.fails(unit, Some(last), happened);
            }
            Fault::FailStopHook(unit) | Fault::FailUnitHook(unit) => {
                let detail = self.world.detail;
                let hook = if detail.workflow {
                    let state = self.before.runtime.workflow(unit).state;
                    Transition::ALL.into_iter().find(|it| it.from == state).map(|it| it.hook)
                } else if detail.hooks {
                    self.after.runtime.hooks(unit).marked()
                } else {
                    None
                };
                self.fails(unit, hook, happened);
            }
            Fault::Crash(Agent::Unit(unit)) => self.crashes(unit, happened),
            Fault::Reboot(machine) => {
                for unit in self.units_on(machine) {
                    if self.before.unit_agent_runs(self.world, unit) {
                        self.crashes(unit, happened);
                    }
                }
            }
            Fault::Disconnect(unit) => happened.push(IsCutOff(unit)),
            _ => {}
        }
    }

    /// The units whose agents run on a machine or in its containers, with those that another unit's
    /// agent has deployed.
    fn units_on(&self, machine: MachineId) -> Vec<UnitId> {
        let runtime = &self.before.runtime;
        let mut units: Vec<UnitId> = runtime.machine(machine).deployed.iter().collect();
        let mut next = 0;
        while let Some(unit) = units.get(next) {
            units.extend(runtime.unit(*unit).deployed.iter());
            next += 1;
        }
        units.extend(self.world.containers_of(machine).flat_map(|it| self.units_on(it)));
        units
    }

    fn crashes(&self, unit: UnitId, happened: &mut Vec<Happened>) {
        if self.before.runtime.pending_hook(Client::Unit(unit)).is_some() {
            happened.push(IsCutShort(unit));
        }
        happened.push(Crashes(unit));
    }

    /// Adds that the unit's last hook counts as failed, without a fault.
    fn counts_as_failed(&self, unit: UnitId, happened: &mut Vec<Happened>) {
        self.changes(happened);
        happened.push(Fails(unit));
    }

    /// Adds that a hook of the unit fails: the running one, or `hook` as it begins.
    fn fails(&self, unit: UnitId, hook: Option<Hook>, happened: &mut Vec<Happened>) {
        let runs = self.before.runtime.pending_hook(Client::Unit(unit)).is_some();
        let goes_on = self.after.runtime.pending_hook(Client::Unit(unit)).is_some();
        self.changes(happened);
        if !runs {
            happened.extend(hook.map(|hook| Begins(unit, hook)));
        } else if goes_on {
            happened.push(IsTriedAgain(unit));
        }
        if !self.world.detail.workflow {
            happened.push(Fails(unit));
        }
    }

    fn asks(&self, unit: UnitId, by: ResolveMode, happened: &mut Vec<Happened>) {
        happened.push(Asks(unit, by));
        if !self.world.requests_resolution() {
            self.resolves(unit, by, happened);
        }
    }

    fn resolves(&self, unit: UnitId, by: ResolveMode, happened: &mut Vec<Happened>) {
        happened.push(IsResolved(unit));
        if self.world.detail.workflow {
            let failed = Transition::failed(self.before.runtime.workflow(unit).state);
            if let (ResolveMode::Skip, Some(failed)) = (by, failed) {
                happened.push(Succeeds(unit, failed.hook));
            }
        } else if self.world.detail.hooks && self.before.runtime.hooks(unit).marked().is_some() {
            happened.push(match by {
                ResolveMode::Skip => Ends(unit),
                ResolveMode::Retry => IsRetried(unit),
            });
        }
    }

    fn txn(&self, client: Client, act: TxnAct, happened: &mut Vec<Happened>) {
        let operation = match act {
            TxnAct::Run(operation) => Some(operation),
            TxnAct::Commit => self.before.runtime.pending_txn(client).map(|txn| txn.operation),
            TxnAct::Begin(_) | TxnAct::Abort => None,
        };
        if self.outcome != Outcome::Committed {
            return;
        }
        match operation {
            Some(Operation::SetConfig(id)) => happened.push(IsConfigured(id)),
            Some(Operation::UpgradeCharm(id)) => happened.push(IsUpgraded(id)),
            Some(Operation::ForceUpgradeCharm(id)) => happened.push(IsForced(id)),
            _ => {}
        }
    }

    /// Adds an event for each settings document that this step wrote.
    fn changes(&self, happened: &mut Vec<Happened>) {
        for row in self.touched {
            if let Row::Settings(relation, unit) = *row
                && self.after.store.settings(relation, unit).written
                && !happened.ends_with(&[Changes(unit, relation)])
            {
                happened.push(Changes(unit, relation));
            }
        }
    }

    fn documents(&self, happened: &mut Vec<Happened>) {
        let Self { world, before, after, action, .. } = self;
        let by_itself = |unit| {
            action.actor() == Actor::UnitAgent(unit)
                && before.runtime.is_deployed(unit)
                && !before.store.is_forced(unit)
        };
        for unit in world.unit_ids() {
            match (before.store.unit_life(unit), after.store.unit_life(unit)) {
                (None, Some(_)) => happened.push(IsCreated(unit)),
                (Some(one), Some(other)) if one != other => {
                    if other == Life::Dead && by_itself(unit) {
                        happened.push(EndsItself(unit));
                    }
                    happened.push(Dies(unit));
                }
                _ => {}
            }
            for &relation in world.relations_of(unit) {
                let is_in = |state: &State| state.store.in_scope(relation, unit);
                match (is_in(before), is_in(after)) {
                    (false, true) => happened.push(Enters(unit, relation)),
                    (true, false) => {
                        if by_itself(unit) {
                            happened.push(LeavesByItself(unit, relation));
                        }
                        happened.push(Leaves(unit, relation));
                    }
                    _ => {}
                }
            }
        }
        for machine in world.machine_ids() {
            let is = |state: &State| {
                (state.store.machine(machine).is_some(), is_in_error(machine, state))
            };
            match (is(before), is(after)) {
                ((true, _), (false, _)) => happened.push(IsRemoved(machine)),
                ((_, false), (_, true)) => happened.push(IsInError(machine)),
                ((_, true), (true, false)) => happened.push(IsOutOfError(machine)),
                _ => {}
            }
        }
    }
}

/// The last hook of the unit that has begun.
fn at_hand(unit: UnitId, happened: &[Happened]) -> Option<Hook> {
    happened.iter().rev().find_map(|it| match it {
        Begins(it, hook) if *it == unit => Some(*hook),
        _ => None,
    })
}
