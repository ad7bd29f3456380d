//! Fairness classes: who is obliged to move, given what is assumed.
//!
//! By default a class is an agent: one that keeps moving may keep choosing among its duties as it
//! likes. Where a scenario asks for fairness per duty, a class is one duty towards one document.

use deathwatch_checker::graph::{Fairness, Label};

use crate::{
    action::{Act, Action, Actor, Agent},
    agents,
    check::TooLarge,
    ids::{Id, RelationId, UnitId},
    operation::Operation,
    protocol,
    state::State,
    world::{Per, World},
};

/// How many kinds of acts there are at most: operations first, then local acts.
const KINDS: usize = 32;

/// The fairness classes of a world.
pub(super) struct FairnessClasses<'a> {
    world: &'a World,
    /// How many documents, or pairs of a unit and a relation, an act may be about.
    targets: usize,
}

impl<'a> FairnessClasses<'a> {
    /// The classes of `world`.
    ///
    /// # Errors
    /// If there are too many duties to number them.
    pub(super) fn new(world: &'a World) -> Result<Self, TooLarge> {
        let (units, relations) = (world.units.len(), world.relations.len());
        let most =
            [world.machines.len(), world.applications.len(), units, units * relations, relations];
        let classes = Self { world, targets: most.into_iter().max().unwrap_or(1).max(1) };
        if classes.count() >= usize::from(u16::MAX) - 1 {
            Err(TooLarge::Duties)
        } else {
            Ok(classes)
        }
    }

    /// What each class owes.
    pub(super) fn fairness(&self) -> Vec<Fairness> {
        let assumed = &self.world.assumptions;
        let weak = |holds: bool| if holds { Fairness::Weak } else { Fairness::None };
        let agent = match (assumed.agents_act, assumed.strong) {
            (true, true) => Fairness::Strong,
            (acts, _) => weak(acts),
        };
        let mut fairness = vec![agent; self.agents() * self.per_agent()];
        let (units, machines) = (self.world.units.len(), self.world.machines.len());
        fairness.push(weak(assumed.commands_finish));
        fairness.push(weak(assumed.agents_are_upgraded));
        fairness.extend(vec![weak(assumed.hook_errors_are_resolved); units]);
        fairness.extend(vec![weak(assumed.failed_hardware_is_terminated); machines]);
        fairness.extend(vec![weak(assumed.crashed_agents_restart); units + machines]);
        fairness
    }

    /// Who moves when `action` is taken in `state`.
    pub(super) fn label(&self, state: &State, action: &Action) -> Label {
        let (units, machines) = (self.world.units.len(), self.world.machines.len());
        let others = self.agents() * self.per_agent();
        let class = match (action.actor, action.act) {
            (Actor::Faults, _) => return Label::FAULT,
            (Actor::Client(_), _) => return Label::FREE,
            (Actor::User, _) => {
                if !agents::goes_on_with(self.world, state, action.act) {
                    return Label::FREE;
                }
                others
            }
            (_, Act::Upgrade) => others + 1,
            (_, Act::Resolve(unit)) => others + 2 + unit.index(),
            (_, Act::Terminate(machine)) => others + 2 + units + machine.index(),
            (_, Act::Restart(Agent::Unit(unit))) => others + 2 + units + machines + unit.index(),
            (_, Act::Restart(Agent::Machine(machine))) => {
                others + 2 + 2 * units + machines + machine.index()
            }
            (actor, act) => self.agent(actor) * self.per_agent() + self.duty(state, actor, act),
        };
        Label::class(u16::try_from(class).expect("counted when the world was accepted"))
    }

    fn count(&self) -> usize {
        let (units, machines) = (self.world.units.len(), self.world.machines.len());
        self.agents() * self.per_agent() + 2 + 2 * (units + machines)
    }

    fn agents(&self) -> usize {
        self.world.units.len() + self.world.machines.len() + 2
    }

    fn per_agent(&self) -> usize {
        match self.world.assumptions.per {
            Per::Agent => 1,
            Per::Duty => KINDS * self.targets,
        }
    }

    fn agent(&self, actor: Actor) -> usize {
        let (units, machines) = (self.world.units.len(), self.world.machines.len());
        match actor {
            Actor::UnitAgent(unit) => unit.index(),
            Actor::MachineAgent(machine) => units + machine.index(),
            Actor::Provisioner => units + machines,
            Actor::Cleaner => units + machines + 1,
            Actor::User
            | Actor::Client(_)
            | Actor::Faults
            | Actor::Operator
            | Actor::Supervisor => unreachable!("dealt with by the caller"),
        }
    }

    /// Which of its duties an agent does: the transaction, or the local act, and towards what.
    fn duty(&self, state: &State, actor: Actor, act: Act) -> usize {
        if self.world.assumptions.per == Per::Agent {
            return 0;
        }
        let (kind, target) = match act {
            Act::Run(operation) | Act::Begin(operation) => self.operation(operation),
            Act::Commit | Act::Abort => {
                let txn = protocol::pending(state, actor).expect("it is being finished");
                self.operation(txn.operation)
            }
            Act::DeployUnit(id) => (20, id.index()),
            Act::Recall(id) => (21, id.index()),
            Act::WriteDirectory(id) => (22, id.index()),
            Act::DropDirectory(id) => (23, id.index()),
            Act::RunHooks(id) => (24, id.index()),
            Act::StartInstance(id) => (25, id.index()),
            Act::Decommission(id) => (26, id.index()),
            Act::DeleteSettings(id) => (27, id.index()),
            Act::FinishUnitsCleanup(id) => (28, id.index()),
            Act::Crash(_)
            | Act::FailHardware(_)
            | Act::FailHardwareUnnoticed(_)
            | Act::FailHooks(..)
            | Act::AbortTxn(_)
            | Act::LoseConnection
            | Act::Restart(_)
            | Act::Resolve(_)
            | Act::Terminate(_)
            | Act::Upgrade => unreachable!("no agent does this"),
        };
        kind * self.targets + target
    }

    fn operation(&self, operation: Operation) -> (usize, usize) {
        let pair = |unit: UnitId, relation: RelationId| {
            unit.index() * self.world.relations.len() + relation.index()
        };
        match operation {
            Operation::Deploy(id) => (0, id.index()),
            Operation::AddPeer(id) => (1, id.index()),
            Operation::AddUnit(id) => (2, id.index()),
            Operation::AddMachine(id) => (3, id.index()),
            Operation::AssignUnit(id, _) => (4, id.index()),
            Operation::Integrate(id) => (5, id.index()),
            Operation::EnterScope(unit, relation) => (6, pair(unit, relation)),
            Operation::LeaveScope(unit, relation) => (7, pair(unit, relation)),
            Operation::DestroyMachine(id) => (8, id.index()),
            Operation::DestroyUnit(id) => (9, id.index()),
            Operation::DestroyRelation(id) => (10, id.index()),
            Operation::DestroyApplication(id) => (11, id.index()),
            Operation::SetUnitDead(id) => (12, id.index()),
            Operation::SetMachineDead(id) => (13, id.index()),
            Operation::RemoveMachine(id) => (14, id.index()),
            Operation::RemoveUnit(id) => (15, id.index()),
            Operation::ForceDestroyUnit(id) => (16, id.index()),
            Operation::ForceDestroyMachine(id) => (17, id.index()),
            Operation::AddUnitOn(id, _) => (18, id.index()),
        }
    }
}
