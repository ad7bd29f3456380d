//! Fairness classes: the actors, or duties of actors, that the assumptions oblige to move.
//!
//! By default a class is an agent, which is fair if it keeps acting, by any of its duties. If a
//! scenario asks for fairness per duty, a class is one duty towards one entity. If two classes
//! shared a number, they would owe less than they should, and a claim would get a wrong answer. So
//! numbers come in blocks that cannot overlap (`numbers`).

mod numbers;
#[cfg(test)]
mod tests;

use std::iter;

use deathwatch_checker::graph::{Fairness, Label};
use deathwatch_model::{
    action::{
        Act, Action, CleanerAct, Hook, HookAct, MachineAct, OperatorAct, ProvisionerAct,
        SupervisorAct, TxnAct, UnitAct,
    },
    actor::{Agent, Client},
    agents::{self, Task},
    ids::{Id, MachineId, UnitId, UserId},
    state::State,
    table::{RowEnum, RowText},
    world::{Obligation, Per, World},
};

use self::numbers::{Duty, DutyNumbers, NumberBlock};
use crate::check::TooLarge;

/// A fairness class: an actor; for an agent also a duty, if duties are classes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FairnessClass {
    UnitAgent(UnitId, Option<Duty<UnitAct>>),
    MachineAgent(MachineId, Option<Duty<MachineAct>>),
    Provisioner(Option<Duty<ProvisionerAct>>),
    Cleaner(Option<Duty<CleanerAct>>),
    User(UserId),
    Upgrade,
    Resolve(UnitId),
    ResolveStart(MachineId),
    Terminate(MachineId),
    Replace(MachineId),
    Restart(Agent),
}

/// The mover of a transition, as far as fairness is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FairnessMover {
    /// A fault, which happens finitely often.
    Fault,
    /// A user who gives a command: finitely often where commands are assumed to be finitely many.
    Command,
    /// An actor that is not obliged to move.
    Free,
    Class(FairnessClass),
}

/// The fairness classes of a world.
pub struct FairnessClasses<'a> {
    world: &'a World,
    /// The unit of fairness that they are numbered for.
    per: Per,
    /// The fairness of the class with each number.
    fairness: Vec<Fairness>,
    /// For each class the number of the one that has it where agents are fair as a whole.
    whole: Vec<u16>,
    unit_agents: Agents,
    machine_agents: Agents,
    provisioner: Agents,
    cleaner: Agents,
    users: NumberBlock,
    upgrade: NumberBlock,
    resolve: NumberBlock,
    resolve_start: NumberBlock,
    terminate: NumberBlock,
    replace: NumberBlock,
    restart_units: NumberBlock,
    restart_machines: NumberBlock,
}

impl<'a> FairnessClasses<'a> {
    /// The classes of `world`, for the unit of fairness that it assumes.
    ///
    /// # Errors
    /// If there are too many duties to number them.
    pub fn new(world: &'a World) -> Result<Self, TooLarge> {
        Self::of(world, world.assumptions.per)
    }

    /// The classes of `world`, for this unit of fairness.
    ///
    /// # Errors
    /// If there are too many duties to number them.
    pub(super) fn of(world: &'a World, per: Per) -> Result<Self, TooLarge> {
        let (units, machines) = (|| world.unit_ids(), || world.machine_ids());
        let mut next = ClassNumbering { world, per, fairness: Vec::new(), whole: Vec::new() };
        Ok(Self {
            world,
            per,
            unit_agents: next.agents(units().map(Task::UnitAgent), Hook::ROWS, UnitAct::ROWS)?,
            machine_agents: next.agents(
                machines().map(Task::MachineAgent),
                &[],
                MachineAct::ROWS,
            )?,
            provisioner: next.agents(iter::once(Task::Provisioner), &[], ProvisionerAct::ROWS)?,
            cleaner: next.agents(iter::once(Task::Cleaner), &[], CleanerAct::ROWS)?,
            users: next.block(world.user_ids().map(Task::User), 1)?,
            upgrade: next.block(iter::once(Task::Upgrade), 1)?,
            resolve: next.block(units().map(Task::Resolve), 1)?,
            resolve_start: next.block(machines().map(Task::ResolveStart), 1)?,
            terminate: next.block(machines().map(Task::Terminate), 1)?,
            replace: next.block(machines().map(Task::Replace), 1)?,
            restart_units: next.block(units().map(Agent::Unit).map(Task::Restart), 1)?,
            restart_machines: next.block(machines().map(Agent::Machine).map(Task::Restart), 1)?,
            fairness: next.fairness,
            whole: next.whole,
        })
    }

    /// For each class the number of the one that has it where agents are fair as a whole.
    pub(super) fn whole(&self) -> &[u16] {
        &self.whole
    }

    pub(super) fn fairness(&self) -> &[Fairness] {
        &self.fairness
    }

    /// The number of the class that `action` is a move of in `state`, and the obligation of that
    /// class; `None` if no class is obliged to take it.
    pub fn owes(&self, state: &State, action: &Action) -> Option<(usize, Obligation)> {
        let FairnessMover::Class(class) = self.mover(state, action.act) else { return None };
        let number = self.number(class);
        match self.fairness[number] {
            Fairness::None => None,
            Fairness::Weak => Some((number, Obligation::Weak)),
            Fairness::Strong => Some((number, Obligation::Strong)),
        }
    }

    /// The mover when `action` is taken in `state`.
    pub(super) fn label(&self, state: &State, action: &Action) -> Label {
        // Finitely many commands are like faults: neither obliges anybody.
        let is_finite = self.world.assumptions.finitely_many_commands;
        self.label_beside(state, action, if is_finite { Label::FAULT } else { Label::FREE })
    }

    /// As [`Self::label`], where commands have this label.
    pub(super) fn label_beside(&self, state: &State, action: &Action, commands: Label) -> Label {
        match self.mover(state, action.act) {
            FairnessMover::Fault => Label::FAULT,
            FairnessMover::Command => commands,
            FairnessMover::Free => Label::FREE,
            FairnessMover::Class(class) => {
                let number = u16::try_from(self.number(class));
                Label::class(number.expect("counted when the world was accepted"))
            }
        }
    }

    fn mover(&self, state: &State, act: Act) -> FairnessMover {
        FairnessMover::Class(match act {
            Act::Faults(_) => return FairnessMover::Fault,
            // A script that acts as a former provisioner owes nothing.
            Act::Txn(Client::Script(_), _) => return FairnessMover::Free,
            Act::Provisioner(act) if act.is_late() => return FairnessMover::Free,
            Act::Txn(Client::User(id), act) => {
                if !agents::goes_on_with(self.world, state, id, act) {
                    return FairnessMover::Command;
                }
                FairnessClass::User(id)
            }
            Act::Txn(client @ Client::Unit(me), act) => {
                FairnessClass::UnitAgent(me, self.transaction(state, client, act))
            }
            Act::Txn(client @ Client::Machine(me), act) => {
                FairnessClass::MachineAgent(me, self.transaction(state, client, act))
            }
            Act::Txn(client @ Client::Provisioner, act) => {
                FairnessClass::Provisioner(self.transaction(state, client, act))
            }
            Act::Txn(client @ Client::Cleaner, act) => {
                FairnessClass::Cleaner(self.transaction(state, client, act))
            }
            Act::Hook(me, act) => FairnessClass::UnitAgent(me, self.hook(state, me, act)),
            Act::UnitAgent(me, act) => FairnessClass::UnitAgent(me, self.own(act)),
            Act::MachineAgent(me, act) => FairnessClass::MachineAgent(me, self.own(act)),
            Act::Provisioner(act) => FairnessClass::Provisioner(self.own(act)),
            Act::Cleaner(act) => FairnessClass::Cleaner(self.own(act)),
            Act::Operator(OperatorAct::Upgrade) => FairnessClass::Upgrade,
            Act::Operator(OperatorAct::Resolve(unit) | OperatorAct::Retry(unit)) => {
                FairnessClass::Resolve(unit)
            }
            Act::Operator(
                OperatorAct::ResolveStart(machine) | OperatorAct::ResolveStartWith(machine, _),
            ) => FairnessClass::ResolveStart(machine),
            Act::Operator(OperatorAct::Terminate(machine)) => FairnessClass::Terminate(machine),
            Act::Operator(OperatorAct::Replace(machine)) => FairnessClass::Replace(machine),
            Act::Supervisor(SupervisorAct::Restart(agent)) => FairnessClass::Restart(agent),
        })
    }

    /// The duty of a transaction, if duties are classes of their own.
    fn transaction<A>(&self, state: &State, client: Client, act: TxnAct) -> Option<Duty<A>> {
        let pending = || {
            let txn = state.runtime.pending_txn(client).expect("it is being finished");
            txn.operation
        };
        self.tells(|| Duty::Txn(act.plans().unwrap_or_else(pending)))
    }

    /// The duty of a hook, if duties are classes of their own.
    fn hook<A>(&self, state: &State, me: UnitId, act: HookAct) -> Option<Duty<A>> {
        let pending = || state.runtime.pending_hook(Client::Unit(me)).expect("it is being ended");
        self.tells(|| match act {
            HookAct::Decide(hook) | HookAct::Run(hook) | HookAct::Begin(hook) => Duty::Hook(hook),
            HookAct::Exit | HookAct::End => Duty::Hook(pending()),
        })
    }

    /// The duty of an agent's own act, if duties are classes of their own.
    fn own<A>(&self, act: A) -> Option<Duty<A>> {
        self.tells(|| Duty::Own(act))
    }

    fn tells<A>(&self, duty: impl FnOnce() -> Duty<A>) -> Option<Duty<A>> {
        match self.per {
            Per::Agent => None,
            Per::Duty => Some(duty()),
        }
    }

    fn number(&self, class: FairnessClass) -> usize {
        match class {
            FairnessClass::UnitAgent(me, duty) => self.unit_agents.number(me.index(), duty),
            FairnessClass::MachineAgent(me, duty) => self.machine_agents.number(me.index(), duty),
            FairnessClass::Provisioner(duty) => self.provisioner.number(0, duty),
            FairnessClass::Cleaner(duty) => self.cleaner.number(0, duty),
            FairnessClass::User(id) => self.users.number(id.index()),
            FairnessClass::Upgrade => self.upgrade.number(0),
            FairnessClass::Resolve(unit) => self.resolve.number(unit.index()),
            FairnessClass::ResolveStart(machine) => self.resolve_start.number(machine.index()),
            FairnessClass::Terminate(machine) => self.terminate.number(machine.index()),
            FairnessClass::Replace(machine) => self.replace.number(machine.index()),
            FairnessClass::Restart(Agent::Unit(unit)) => self.restart_units.number(unit.index()),
            FairnessClass::Restart(Agent::Machine(id)) => self.restart_machines.number(id.index()),
        }
    }
}

/// Agents of one kind: a class for each, or for each duty of each.
struct Agents {
    block: NumberBlock,
    duties: Option<DutyNumbers>,
}

impl Agents {
    fn number<A: RowEnum>(&self, agent: usize, duty: Option<Duty<A>>) -> usize {
        assert_eq!(self.duties.is_some(), duty.is_some(), "duties are told apart or not");
        match (&self.duties, duty) {
            (Some(duties), Some(duty)) => {
                self.block.number(agent * duties.count() + duties.number(duty))
            }
            (None, _) | (_, None) => self.block.number(agent),
        }
    }
}

/// Hands out blocks of numbers, and records the fairness of each number.
struct ClassNumbering<'a> {
    world: &'a World,
    per: Per,
    fairness: Vec<Fairness>,
    /// The number of each class where agents are fair as a whole: tasks are counted, not duties.
    whole: Vec<u16>,
}

impl ClassNumbering<'_> {
    /// A block with `each` numbers for each of the tasks.
    fn block(
        &mut self,
        tasks: impl Iterator<Item = Task>,
        each: usize,
    ) -> Result<NumberBlock, TooLarge> {
        let tasks: Vec<Task> = tasks.collect();
        let mut end = self.fairness.len();
        let block = NumberBlock::behind(&mut end, tasks.len().saturating_mul(each));
        if end > usize::from(Label::MOST_CLASSES) {
            return Err(TooLarge::Duties);
        }
        for task in tasks {
            let fairness = match task.obligation(self.world) {
                Obligation::Nothing => Fairness::None,
                Obligation::Weak => Fairness::Weak,
                Obligation::Strong => Fairness::Strong,
            };
            self.fairness.extend(iter::repeat_n(fairness, each));
            let task = self.whole.last().map_or(0, |last| last + 1);
            self.whole.extend(iter::repeat_n(task, each));
        }
        Ok(block)
    }

    /// A block with a number for each agent, or for each duty of each agent.
    fn agents(
        &mut self,
        tasks: impl Iterator<Item = Task>,
        hooks: &[RowText],
        own: &[RowText],
    ) -> Result<Agents, TooLarge> {
        let duties = match self.per {
            Per::Agent => None,
            Per::Duty => Some(DutyNumbers::new(self.world, hooks, own)),
        };
        let block = self.block(tasks, duties.as_ref().map_or(1, DutyNumbers::count))?;
        Ok(Agents { block, duties })
    }
}
