//! The cleaner: executes cleanup documents.
//!
//! The documents only say that "some other part of the system (BUG: which doesn't exist)" is
//! responsible. It deletes settings in the variant `settings-cleanup = "cleaner"`; what it does
//! for force and for the units of Dying applications is asked of it only where that is the
//! reading. Like the provisioner it runs in the agent of a manager machine.

use super::{EntityId, Lister, deployer::remove_dead};
use crate::{
    action::Act,
    clause::Rule::Cleaner,
    ids::{ApplicationId, MachineId, UnitId},
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    variants::{ForcedUnit, SettingsCleanup},
    world::World,
};

/// What it has cleanup documents of, in its order.
pub(super) fn subjects(world: &World) -> impl Iterator<Item = EntityId> + use<> {
    let relations = world.relation_ids().map(EntityId::Relation);
    relations
        .chain(world.application_ids().map(EntityId::Application))
        .chain(world.unit_ids().map(EntityId::Unit))
        .chain(world.machine_ids().map(EntityId::Machine))
}

/// Lists what the cleaner, which runs, can do next about the cleanup documents of `of`.
pub(super) fn look_after(of: EntityId, offers: &mut Lister<'_>) {
    let store = &offers.state.store;
    match of {
        EntityId::Relation(relation) => {
            if offers.world.variants.settings_cleanup == SettingsCleanup::Cleaner
                && store.relation_docs(relation).cleanup
            {
                offers.duty(Cleaner, 1, Act::DeleteSettings(relation));
            }
        }
        EntityId::Application(application) => {
            if store.application_docs(application).units_cleanup {
                destroy_units(application, offers);
            }
        }
        EntityId::Unit(unit) => {
            if store.unit_docs(unit).force {
                force_unit(unit, 3, offers);
            }
        }
        EntityId::Machine(machine) => {
            if store.machine_docs(machine).force {
                force_machine(machine, offers);
            }
        }
    }
}

fn destroy_units(id: ApplicationId, offers: &mut Lister<'_>) {
    let store = &offers.state.store;
    let is_alive = |unit: &UnitId| store.unit_life(*unit) == Some(Alive);
    let mut alive = offers.world.application(id).units().filter(is_alive).peekable();
    // A later application of the same name is another one, and is left alone.
    if alive.peek().is_none() || store.application_life(id) != Some(Dying) {
        offers.duty(Cleaner, 2, Act::FinishUnitsCleanup(id));
    } else {
        alive.for_each(|unit| offers.transact_anew(Cleaner, 2, Operation::DestroyUnit(unit)));
    }
}

/// Subordinates first, then the scopes, then the unit itself.
fn force_unit(id: UnitId, number: u8, offers: &mut Lister<'_>) {
    let store = &offers.state.store;
    let Some(unit) = store.unit(id) else { return };
    match unit.life {
        Alive => offers.transact(Cleaner, number, Operation::DestroyUnit(id)),
        Dying => {
            for subordinate in unit.subordinates.iter() {
                match store.unit_life(subordinate) {
                    Some(Dead) => remove_dead(subordinate, Cleaner, number, offers),
                    Some(Alive | Dying) => force_unit(subordinate, number, offers),
                    None => {}
                }
            }
            let mut scopes = offers.world.relations_of(id).iter();
            if let Some(&relation) = scopes.find(|relation| store.in_scope(**relation, id)) {
                offers.transact(Cleaner, number, Operation::LeaveScope(id, relation));
            } else if unit.subordinates.is_empty() {
                offers.transact(Cleaner, number, Operation::SetUnitDead(id));
            }
        }
        Dead if offers.world.variants.forced_unit == ForcedUnit::Removed => {
            remove_dead(id, Cleaner, number, offers);
        }
        Dead => {}
    }
}

/// Containers and units first, then the machine itself.
fn force_machine(id: MachineId, offers: &mut Lister<'_>) {
    let store = &offers.state.store;
    let Some(machine) = store.machine(id) else { return };
    for container in machine.containers.iter() {
        offers.transact(Cleaner, 4, Operation::ForceDestroyMachine(container));
    }
    for unit in machine.principals.iter() {
        match store.unit_life(unit) {
            Some(Dead) => remove_dead(unit, Cleaner, 4, offers),
            Some(Alive | Dying) => force_unit(unit, 4, offers),
            None => {}
        }
    }
    if machine.containers.is_empty() && machine.principals.is_empty() {
        match machine.life {
            Alive => offers.transact(Cleaner, 4, Operation::DestroyMachine(id)),
            Dying => offers.transact(Cleaner, 4, Operation::SetMachineDead(id)),
            Dead => {}
        }
    }
}
