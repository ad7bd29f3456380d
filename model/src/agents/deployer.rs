//! What whoever deploys a unit does for it: a machine agent for a principal, the agent of the
//! principal for a subordinate. "The relationship is the same" (Entity lifecycle, "Units").

use super::Lister;
use crate::{
    action::Act,
    clause::Rule,
    ids::UnitId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    store::Unit,
    variants::{DeadWhileInScope, UndeployedUnitNotAlive},
};

/// The sentences by which the deployer acts.
#[derive(Clone, Copy)]
pub(super) struct Clauses {
    /// The agent whose duties they are.
    pub(super) rule: Rule,
    /// Deploy an undeployed Alive unit.
    pub(super) deploy: u8,
    /// Remove an undeployed unit that is not Alive.
    pub(super) remove: u8,
    /// Recall a deployed Dead unit, and remove it.
    pub(super) recall: u8,
}

/// Lists what the deployer can do for `id`, which belongs to it.
pub(super) fn look_after(id: UnitId, clauses: Clauses, offers: &mut Lister<'_>) {
    let Clauses { rule, deploy, remove, recall } = clauses;
    let Some(unit) = offers.state.store.unit(id) else { return };
    let deployed = offers.state.runtime.is_deployed(id);
    match (deployed, unit.life) {
        (false, Alive) => offers.duty(rule, deploy, Act::DeployUnit(id)),
        (false, Dying) if must_be_deployed(id, unit, offers) => {
            offers.duty(rule, deploy, Act::DeployUnit(id));
        }
        (false, Dying) => offers.transact(rule, remove, Operation::SetUnitDead(id)),
        // "Recalling them, and removing them": the second half of it.
        (false, Dead) => remove_dead(id, rule, recall, offers),
        (true, Dead) => offers.duty(rule, recall, Act::Recall(id)),
        (true, Alive | Dying) => {}
    }
}

/// Remove a Dead unit that is not deployed, after leaving its scopes where that is the reading.
pub(super) fn remove_dead(id: UnitId, rule: Rule, number: u8, offers: &mut Lister<'_>) {
    if offers.world.variants.dead_while_in_scope == DeadWhileInScope::AllowedAndLeftOnRemoval {
        for &relation in offers.world.relations_of(id) {
            if offers.state.store.in_scope(relation, id) {
                return offers.transact(rule, number, Operation::LeaveScope(id, relation));
            }
        }
    }
    offers.transact(rule, number, Operation::RemoveUnit(id));
}

/// Our mend: a unit that something holds is deployed although it is Dying, as only its agent can
/// set it free.
fn must_be_deployed(id: UnitId, unit: &Unit, offers: &Lister<'_>) -> bool {
    let held = !unit.subordinates.is_empty()
        || offers
            .world
            .relations_of(id)
            .iter()
            .any(|relation| offers.state.store.in_scope(*relation, id));
    held && offers.world.variants.undeployed_unit_not_alive
        == UndeployedUnitNotAlive::DeployedWhileHeld
}
