//! The fault injector: what goes wrong during the storm, when, and where.

use deathwatch_model::ids::EntityId;
use deathwatch_model::{
    action::{Act, Action, Fault, Hook, HookAct, ProvisionerAct, TxnAct},
    actor::{Agent, Client},
    agents,
    ids::{ApplicationId, Id, MachineId, RelationId, UnitId},
    operation::Operation,
    protocol,
    state::State,
    txn::{Doc, Txn},
    world::{FaultKind, World},
};

use crate::{
    dice::{Dice, Stream},
    settings::{Chance, FaultRates, Latency, TimedFault},
};

/// The number of victims that are drawn in search of one for which the fault is possible.
const DRAWS: usize = 16;

#[derive(Debug)]
pub(crate) struct FaultInjector {
    rates: FaultRates,
    /// The number of times in a thousand that each chance comes true, by its index.
    chances: [u32; Chance::COUNT],
    /// The document on which every transaction aborts, and until when.
    aborting: Option<(EntityId, u64)>,
    is_over: bool,
    dice: Dice,
}

impl FaultInjector {
    /// The faults that `seed` draws at these rates.
    pub(crate) fn new(rates: FaultRates, seed: u64) -> Self {
        let dice = Dice::new(seed, Stream::Faults);
        let mut chances = [0; Chance::COUNT];
        rates.chances.iter().for_each(|(chance, number)| chances[chance.index()] = *number);
        Self { rates, chances, aborting: None, is_over: false, dice }
    }

    /// The faults that are injected now and then, each with the time until its first event.
    pub(crate) fn begin(&mut self) -> Vec<(TimedFault, u64)> {
        let all: Vec<TimedFault> = self.rates.timed.iter().map(|(fault, _)| *fault).collect();
        all.into_iter().filter_map(|fault| Some((fault, self.interval(fault)?))).collect()
    }

    /// Nothing goes wrong from now on.
    pub(crate) fn end(&mut self) {
        self.is_over = true;
    }

    /// The time until `fault` comes again, in milliseconds; `None` if it does not.
    pub(crate) fn interval(&mut self, fault: TimedFault) -> Option<u64> {
        let mean = self.rates.every(fault)?;
        (!self.is_over).then(|| self.dice.within(&(1..=2 * mean)))
    }

    /// The faults of the protocol that `fault` stands for, to be done one after the other.
    pub(crate) fn inject(
        &mut self,
        fault: TimedFault,
        world: &World,
        state: &State,
        now: u64,
        latency: &Latency,
    ) -> Vec<Fault> {
        match fault {
            TimedFault::Of(kind) => self.one(kind, world, state).into_iter().collect(),
            TimedFault::RackFailure => self.rack(world),
            TimedFault::ProvisionerOutage => {
                let crash = state.active_manager(world).map(|id| Fault::Crash(Agent::Machine(id)));
                crash.filter(|act| agents::can_inject(world, state, *act)).into_iter().collect()
            }
            TimedFault::AbortStorm => {
                let until = now + self.dice.within(&latency.outage);
                self.aborting = any_document(world, &mut self.dice).map(|it| (it, until));
                Vec::new()
            }
        }
    }

    /// The first of a few draws among the faults of `kind` that is possible.
    fn one(&mut self, kind: FaultKind, world: &World, state: &State) -> Option<Fault> {
        let count = kind.count(world);
        if count == 0 {
            return None;
        }
        (0..DRAWS).find_map(|_| {
            let index = self.dice.index(count);
            kind.nth(world, index, |fault| agents::can_inject(world, state, fault))
        })
    }

    /// All machines of a rack that may fail.
    fn rack(&mut self, world: &World) -> Vec<Fault> {
        let machines = &world.faults.hardware_failure;
        if machines.is_empty() {
            return Vec::new();
        }
        let one = machines[self.dice.index(machines.len())];
        let size = self.rates.rack.max(1) as usize;
        let rack = one.index() / size;
        let is_in = |id: &&MachineId| id.index() / size == rack;
        machines.iter().filter(is_in).map(|id| Fault::FailHardware(*id)).collect()
    }

    /// The fault that takes the place of `action`, if one does.
    pub(crate) fn instead_of(
        &mut self,
        action: Action,
        world: &World,
        state: &State,
        now: u64,
    ) -> Option<Action> {
        if self.is_over {
            return None;
        }
        let fault = match action.act {
            Act::Txn(client, TxnAct::Commit) => {
                if let Some(fault) = self.strikes_start(client, world, state) {
                    return Some(Action { act: Act::Faults(fault), duty: None });
                }
                let aborts = self.is_aborting(client, state, now)
                    || self.happens(Chance::Of(FaultKind::Abort));
                aborts.then_some(Fault::AbortTxn(client))
            }
            // Of what a provisioner has begun, it is here that another one can take over.
            Act::Provisioner(ProvisionerAct::StartInstance(_) | ProvisionerAct::NameStart(_)) => {
                self.strikes_start(Client::Provisioner, world, state)
            }
            Act::Hook(unit, HookAct::Run(hook)) => self.fails(unit, hook, world),
            Act::Hook(unit, HookAct::Exit | HookAct::End) => {
                let hook = state.runtime.pending_hook(Client::Unit(unit))?;
                self.fails(unit, hook, world)
            }
            _ => None,
        }?;
        let is_possible = agents::can_inject(world, state, fault);
        is_possible.then_some(Action { act: Act::Faults(fault), duty: None })
    }

    /// The fault that strikes the start of an instance which `client` is about to record, if one
    /// does.
    fn strikes_start(&mut self, client: Client, world: &World, state: &State) -> Option<Fault> {
        let pending = protocol::pending(state, client)?;
        let (Operation::RecordInstance(id) | Operation::FailStart(id)) = pending.operation else {
            return None;
        };
        let faults = [
            (FaultKind::StartFailure, Fault::FailStart(id)),
            (FaultKind::StartTimeout, Fault::TimeOutStart(id)),
            (FaultKind::FailOver, Fault::FailOver(id)),
        ];
        let strikes =
            |(kind, fault): (FaultKind, Fault)| self.happens(Chance::Of(kind)).then_some(fault);
        let fault = faults.into_iter().find_map(strikes)?;
        agents::can_inject(world, state, fault).then_some(fault)
    }

    /// Whether `chance` comes true now.
    fn happens(&mut self, chance: Chance) -> bool {
        self.dice.per_mille(self.chances[chance.index()])
    }

    /// The failure of `hook`, if it fails. Units' own hooks fail by the clock where they have no
    /// names.
    fn fails(&mut self, unit: UnitId, hook: Hook, world: &World) -> Option<Fault> {
        let fault = match hook {
            Hook::Joined(_, relation)
            | Hook::Changed(_, relation)
            | Hook::Departed(_, relation)
            | Hook::Departure(relation)
            | Hook::Broken(relation) => Fault::FailHooks(unit, relation),
            Hook::Stop => Fault::FailStopHook(unit),
            Hook::Install | Hook::ConfigChanged | Hook::Start | Hook::UpgradeCharm => {
                Fault::FailUnitHook(unit)
            }
        };
        let chance = match fault {
            Fault::FailHooks(..) => Chance::Of(FaultKind::HookFailure),
            _ if is_named(hook, world) => Chance::NamedHookFailure,
            _ => return None,
        };
        self.happens(chance).then_some(fault)
    }

    fn is_aborting(&mut self, client: Client, state: &State, now: u64) -> bool {
        let Some((document, until)) = self.aborting else { return false };
        if until <= now {
            self.aborting = None;
            return false;
        }
        let names = |txn: &Txn| txn.ops.iter().any(|op| op.doc() == Doc::Entity(document));
        protocol::pending(state, client).is_some_and(names)
    }

    /// Whether `fault` happens now, by this chance.
    pub(crate) fn strikes(
        &mut self,
        chance: Chance,
        fault: Fault,
        world: &World,
        state: &State,
    ) -> bool {
        !self.is_over && self.happens(chance) && agents::can_inject(world, state, fault)
    }
}

/// Whether `hook` has a name in `world`: hooks of departures stand for several.
pub(crate) fn is_named(hook: Hook, world: &World) -> bool {
    world.detail.hooks && (hook.is_detail() || hook == Hook::Stop)
}

/// Any document on which transactions may be. Kinds are as likely as each other.
fn any_document(world: &World, dice: &mut Dice) -> Option<EntityId> {
    let sizes =
        [world.machines.len(), world.applications.len(), world.units.len(), world.relations.len()];
    let weights = sizes.map(|size| u32::from(size > 0));
    let kind = dice.weighted(&weights)?;
    let index = dice.index(sizes[kind]);
    Some(match kind {
        0 => EntityId::Machine(MachineId::new(index)),
        1 => EntityId::Application(ApplicationId::new(index)),
        2 => EntityId::Unit(UnitId::new(index)),
        _ => EntityId::Relation(RelationId::new(index)),
    })
}
