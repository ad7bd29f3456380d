//! Deployers: the duties of the agent that deploys a unit, which is a machine agent for a
//! principal, and the agent of the principal for a subordinate. "The relationship is the same"
//! (Entity lifecycle, "Units").

use crate::{
    action::{Act, MachineAct, UnitAct},
    actor::{Agent, Client},
    agents::{Lister, Task, Wake, context::StepContext, watched::WatchedStep},
    clause::Rule,
    history::Event,
    ids::{Placement, UnitId},
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    rows::Row,
    store::Unit,
    variants::{DeadWhileInScope, LastUnitRemoval, UndeployedUnitNotAlive},
};

/// An agent that deploys units, and the clauses by which it does.
#[derive(Clone, Copy)]
pub(super) struct Deployer {
    pub(super) agent: Agent,
    /// The rule that has these duties.
    pub(super) rule: Rule,
    pub(super) deploy: u8,
    /// Set an undeployed unit that is not Alive Dead, and remove it.
    pub(super) remove: u8,
    /// Recall a deployed Dead unit, and remove it.
    pub(super) recall: u8,
}

impl Deployer {
    fn deploys(self, unit: UnitId) -> Act {
        match self.agent {
            Agent::Unit(me) => Act::UnitAgent(me, UnitAct::Deploy(unit)),
            Agent::Machine(me) => Act::MachineAgent(me, MachineAct::Deploy(unit)),
        }
    }

    fn recalls(self, unit: UnitId) -> Act {
        match self.agent {
            Agent::Unit(me) => Act::UnitAgent(me, UnitAct::Recall(unit)),
            Agent::Machine(me) => Act::MachineAgent(me, MachineAct::Recall(unit)),
        }
    }

    /// Whether it has deployed the unit, as far as its own disk says.
    fn has_deployed(self, unit: UnitId, list: &Lister<'_>) -> bool {
        match self.agent {
            Agent::Unit(me) => list.state.runtime.unit(me).deployed.contains(unit),
            Agent::Machine(me) => list.state.runtime.machine(me).deployed.contains(unit),
        }
    }

    /// Lists the duties of the deployer for `id`, which is placed with it.
    pub(super) fn duties(self, id: UnitId, list: &mut Lister<'_>) {
        let Self { agent, rule, deploy, remove, recall } = self;
        let Some(unit) = list.state.store.unit(id) else { return };
        let deployed = self.has_deployed(id, list);
        match (deployed, unit.life) {
            // `unit-agent.3`, `machine-agent.1`.
            (false, Alive) => list.duty(rule, deploy, self.deploys(id)),
            (false, Dying) if must_be_deployed(id, unit, list) => {
                list.duty(rule, deploy, self.deploys(id));
            }
            // `unit-agent.4`, `machine-agent.2`.
            (false, Dying) => {
                list.transact(agent.client(), rule, remove, Operation::SetUnitDead(id));
            }
            // The second half of "recalling them, and removing them". The unit cannot be told from
            // one that was never deployed, so its removal belongs to the other duty as well.
            (false, Dead) => {
                let number = list.first_performed(agent.client(), rule, [recall, remove]);
                let remover = Remover { client: agent.client(), rule, number };
                remove_dead(id, remover, list);
            }
            // `unit-agent.5`, `machine-agent.3`.
            (true, Dead) => list.duty(rule, recall, self.recalls(id)),
            (true, Alive | Dying) => {}
        }
    }

    /// Lists the recall of `orphan`, which the deployer has deployed and which is not placed with
    /// it, by the clause `number`.
    pub(super) fn recall_orphan(self, orphan: UnitId, number: u8, list: &mut Lister<'_>) {
        list.duty(self.rule, number, self.recalls(orphan));
    }
}

/// The client that removes a Dead unit, and the clause by which it does.
#[derive(Clone, Copy)]
pub(super) struct Remover {
    /// The client whose transaction it is.
    pub(super) client: Client,
    /// The rule whose duty it is.
    pub(super) rule: Rule,
    pub(super) number: u8,
}

/// Remove a Dead unit that is not deployed, in some variants after leaving its scopes.
pub(super) fn remove_dead(id: UnitId, remover: Remover, list: &mut Lister<'_>) {
    let Remover { client, rule, number } = remover;
    if list.world.variants.dead_while_in_scope == DeadWhileInScope::AllowedAndLeftOnRemoval {
        for &relation in list.world.relations_of(id) {
            if list.state.store.in_scope(relation, id) {
                return list.transact(client, rule, number, Operation::LeaveScope(id, relation));
            }
        }
    }
    list.transact(client, rule, number, Operation::RemoveUnit(id));
}

/// Whether a unit that is not Alive is deployed all the same. This is our fix: only its agent can
/// leave its scopes and remove its subordinates.
fn must_be_deployed(id: UnitId, unit: &Unit, list: &Lister<'_>) -> bool {
    let held = !unit.subordinates.is_empty()
        || list
            .world
            .relations_of(id)
            .iter()
            .any(|relation| list.state.store.in_scope(*relation, id));
    held && list.world.variants.undeployed_unit_not_alive
        == UndeployedUnitNotAlive::DeployedWhileHeld
}

/// Deploys a unit where it is placed: its agent begins anew.
pub(super) fn deploy(at: Placement, unit: UnitId, step: &mut StepContext<'_>) {
    step.state.runtime.deploy(step.world, unit, at, &mut step.effects.touched);
    step.happens(Event::AgentDeployed(unit));
}

pub(super) fn recall(unit: UnitId, step: &mut StepContext<'_>) {
    step.state.runtime.recall(step.world, unit, &mut step.effects.touched);
}

/// The agent of `me` deploys a subordinate.
pub(super) fn deploy_subordinate(me: UnitId, unit: UnitId, step: &mut StepContext<'_>) {
    deploy(Placement::Principal(me), unit, step);
}

/// The agent of a principal recalls a subordinate.
pub(super) fn recall_subordinate(_: UnitId, unit: UnitId, step: &mut StepContext<'_>) {
    recall(unit, step);
}

/// Names the deployers of an application's units where the removal of a unit aborts, and so is no
/// duty, while the application has a relation: a change of the application may end this.
pub(crate) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    let world = change.world;
    if let Row::Application(id) = row
        && world.variants.last_unit_removal == LastUnitRemoval::UnitsOnly
    {
        for unit in world.application(id).units() {
            units(change, unit).chain(machines(change, unit)).for_each(&mut *wake);
        }
    }
}

/// The agents of the principals that deploy the unit, before or after the step.
pub(super) fn units(change: &WatchedStep<'_>, id: UnitId) -> impl Iterator<Item = Task> + use<> {
    change.placements(id).into_iter().filter_map(|placement| match placement {
        Placement::Principal(principal) => Some(Task::UnitAgent(principal)),
        Placement::Machine(_) | Placement::Nowhere => None,
    })
}

/// The agents of the machines that deploy the unit, before or after the step.
pub(super) fn machines(change: &WatchedStep<'_>, id: UnitId) -> impl Iterator<Item = Task> + use<> {
    change.placements(id).into_iter().filter_map(|placement| match placement {
        Placement::Machine(machine) => Some(Task::MachineAgent(machine)),
        Placement::Principal(_) | Placement::Nowhere => None,
    })
}
