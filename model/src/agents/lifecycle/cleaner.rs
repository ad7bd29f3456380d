//! The cleaner: executes cleanup documents.
//!
//! The documents leave the settings of a removed relation to a part of the system which they say
//! does not exist (D1:131-137); it deletes them in the variant `settings-cleanup = "cleaner"`. It
//! carries out force (D2:399), and destroys the units of Dying applications in the variant
//! `units-of-dying-application = "agents-and-cleanup"`. Like the provisioner it runs in the agent
//! of a manager machine.

use std::collections::BTreeSet;

use super::deployer::{Remover, remove_dead};
use crate::{
    action::{Act, CleanerAct, Outcome},
    actor::Client,
    agents::{
        Lister, Task,
        context::StepContext,
        watched::{Wake, WatchedStep},
    },
    clause::Rule::Cleaner,
    ids::{ApplicationId, EntityId, MachineId, Placement, UnitId},
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    rows::Row,
    state::State,
    table::{Argument, Arguments},
    variants::{ForcedMachine, ForcedUnit, SettingsCleanup},
    world::World,
};

/// The entities that may have cleanup documents, in the cleaner's order.
pub(crate) fn all(world: &World) -> impl Iterator<Item = EntityId> + use<> {
    let relations = world.relation_ids().map(EntityId::Relation);
    relations
        .chain(world.application_ids().map(EntityId::Application))
        .chain(world.unit_ids().map(EntityId::Unit))
        .chain(world.machine_ids().map(EntityId::Machine))
}

/// Lists the cleaner's next actions on the cleanup documents of `about`, if the cleaner runs.
pub(crate) fn duties(about: EntityId, list: &mut Lister<'_>) {
    let store = &list.state.store;
    match about {
        EntityId::Relation(relation) => {
            if list.world.variants.settings_cleanup == SettingsCleanup::Cleaner
                && store.relation_docs(relation).cleanup
            {
                list.duty(Cleaner, 1, Act::Cleaner(CleanerAct::DeleteSettings(relation)));
            }
        }
        EntityId::Application(application) => {
            let units = list.world.application(application).units();
            units.for_each(|unit| destroy_unit_of(application, unit, list));
            finish_units_cleanup(application, list);
        }
        EntityId::Unit(unit) => {
            if store.unit_docs(unit).force {
                force_unit(unit, 3, list);
            }
        }
        EntityId::Machine(machine) => {
            if store.machine_docs(machine).force {
                force_machine(machine, list);
            }
        }
    }
}

/// The tasks in which the cleaner may do an act with these arguments, in its order: those for the
/// cleanup documents of the arguments, and of the entities that contain them.
pub(crate) fn tasks_for(arguments: Arguments, world: &World, state: &State) -> Vec<Task> {
    let (mut relations, mut applications) = (Vec::new(), Vec::new());
    let (mut units, mut machines) = (BTreeSet::new(), BTreeSet::new());
    for argument in arguments.into_iter().flatten() {
        match argument {
            Argument::Relation(id) => relations.push(EntityId::Relation(id)),
            Argument::Application(id) => applications.push(EntityId::Application(id)),
            Argument::Unit(id) => {
                applications.push(EntityId::Application(world.unit(id).application));
                units.insert(id);
                let placement = |id: UnitId| state.store.unit(id).map(|unit| unit.placement);
                let mut at = placement(id);
                if let Some(Placement::Principal(principal)) = at {
                    units.insert(principal);
                    at = placement(principal);
                }
                if let Some(Placement::Machine(machine)) = at {
                    machines.insert(machine);
                }
            }
            Argument::Machine(id) => {
                machines.insert(id);
                machines.extend(world.machine(id).parent);
            }
            Argument::Constraints(_)
            | Argument::Agent(_)
            | Argument::User(_)
            | Argument::Client(_) => {}
        }
    }
    let units = units.into_iter().map(EntityId::Unit);
    let machines = machines.into_iter().map(EntityId::Machine);
    let all = relations.into_iter().chain(applications).chain(units).chain(machines);
    all.map(Task::Clean).collect()
}

/// Lists the destruction of a unit of an application, if a cleanup document demands it. A later
/// application of the same name is another one, and is left alone.
pub(crate) fn destroy_unit_of(id: ApplicationId, unit: UnitId, list: &mut Lister<'_>) {
    let store = &list.state.store;
    let is_told = store.application_docs(id).units_cleanup;
    if is_told && store.application_life(id) == Some(Dying) && store.unit_life(unit) == Some(Alive)
    {
        list.transact_anew(Client::Cleaner, Cleaner, 2, Operation::DestroyUnit(unit));
    }
}

/// Lists the end of the cleanup of an application's units, if none is left to be destroyed.
pub(crate) fn finish_units_cleanup(id: ApplicationId, list: &mut Lister<'_>) {
    let store = &list.state.store;
    if store.application_docs(id).units_cleanup
        && (store.application_life(id) != Some(Dying) || !store.any_alive(list.world, id))
    {
        list.duty(Cleaner, 2, Act::Cleaner(CleanerAct::FinishUnitsCleanup(id)));
    }
}

/// Forces a unit out: subordinates first, then the scopes, then the unit itself.
fn force_unit(id: UnitId, number: u8, list: &mut Lister<'_>) {
    let store = &list.state.store;
    let Some(unit) = store.unit(id) else { return };
    match unit.life {
        Alive => list.transact(Client::Cleaner, Cleaner, number, Operation::DestroyUnit(id)),
        Dying => {
            for subordinate in unit.subordinates.iter() {
                match store.unit_life(subordinate) {
                    Some(Dead) => remove_dead(subordinate, by(number), list),
                    Some(Alive | Dying) => force_unit(subordinate, number, list),
                    None => {}
                }
            }
            let mut scopes = list.world.relations_of(id).iter();
            if let Some(&relation) = scopes.find(|relation| store.in_scope(**relation, id)) {
                list.transact(
                    Client::Cleaner,
                    Cleaner,
                    number,
                    Operation::LeaveScope(id, relation),
                );
            } else if unit.subordinates.is_empty() {
                list.transact(Client::Cleaner, Cleaner, number, Operation::SetUnitDead(id));
            }
        }
        Dead if list.world.variants.forced_unit == ForcedUnit::Removed => {
            remove_dead(id, by(number), list);
        }
        Dead => {}
    }
}

/// Forces a machine out: containers and units first, then the machine itself.
fn force_machine(id: MachineId, list: &mut Lister<'_>) {
    let store = &list.state.store;
    let Some(machine) = store.machine(id) else { return };
    for container in machine.containers.iter() {
        list.transact(Client::Cleaner, Cleaner, 4, Operation::ForceDestroyMachine(container));
    }
    for unit in machine.principals.iter() {
        match store.unit_life(unit) {
            Some(Dead) => remove_dead(unit, by(4), list),
            Some(Alive | Dying) => force_unit(unit, 4, list),
            None => {}
        }
    }
    if machine.containers.is_empty() && machine.principals.is_empty() {
        match machine.life {
            Alive => list.transact(Client::Cleaner, Cleaner, 4, Operation::DestroyMachine(id)),
            Dying => list.transact(Client::Cleaner, Cleaner, 4, Operation::SetMachineDead(id)),
            Dead if list.world.variants.forced_machine == ForcedMachine::Removed => {
                list.transact(Client::Cleaner, Cleaner, 4, Operation::RemoveMachine(id));
            }
            Dead => {}
        }
    }
}

/// Removes a Dead unit by the clause `number`.
fn by(number: u8) -> Remover {
    Remover { client: Client::Cleaner, rule: Cleaner, number }
}

pub(crate) fn apply(act: CleanerAct, step: &mut StepContext<'_>) -> Outcome {
    let (store, touched) = (&mut step.state.store, &mut step.effects.touched);
    match act {
        CleanerAct::DeleteSettings(relation) => {
            let docs = store.relation_docs_mut(relation, touched);
            (docs.leftovers, docs.cleanup) = (false, false);
        }
        CleanerAct::FinishUnitsCleanup(application) => {
            store.application_docs_mut(application, touched).units_cleanup = false;
        }
    }
    Outcome::Done
}

/// Names the tasks of the cleaner that watch `row`: those with a cleanup document.
pub(crate) fn watchers(change: &WatchedStep<'_>, row: Row, wake: Wake<'_>) {
    let world = change.world;
    match row {
        Row::Machine(id) => {
            [Some(id), world.machine(id).parent]
                .into_iter()
                .flatten()
                .for_each(|id| cleanup(EntityId::Machine(id), change, wake));
        }
        Row::Application(id) => cleanup(EntityId::Application(id), change, wake),
        Row::Unit(id) => {
            force(id, change, wake);
            cleanup(EntityId::Application(world.unit(id).application), change, wake);
        }
        Row::Relation(id) => cleanup(EntityId::Relation(id), change, wake),
        Row::Scope(_, id) => force(id, change, wake),
        _ => {}
    }
    if change.is_of_manager(row) {
        wake(Task::Cleaner);
        world.managers().for_each(|id| cleanup(EntityId::Machine(id), change, wake));
    }
}

/// Names the task of an entity that has a cleanup document.
fn cleanup(about: EntityId, change: &WatchedStep<'_>, wake: Wake<'_>) {
    if has_work(about, change.after) {
        wake(Task::Clean(about));
    }
}

/// Names the tasks of the unit, its principal and their machine that have a cleanup document.
fn force(id: UnitId, change: &WatchedStep<'_>, wake: Wake<'_>) {
    cleanup(EntityId::Unit(id), change, wake);
    for placement in change.placements(id) {
        match placement {
            Placement::Nowhere => {}
            Placement::Machine(machine) => cleanup(EntityId::Machine(machine), change, wake),
            Placement::Principal(principal) => force(principal, change, wake),
        }
    }
}

/// Whether there is a cleanup document of `about`.
pub(crate) fn has_work(about: EntityId, state: &State) -> bool {
    let store = &state.store;
    match about {
        EntityId::Machine(id) => store.machine_docs(id).force,
        EntityId::Application(id) => store.application_docs(id).units_cleanup,
        EntityId::Unit(id) => store.unit_docs(id).force,
        EntityId::Relation(id) => store.relation_docs(id).cleanup,
    }
}
