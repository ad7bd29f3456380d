//! Make a machine Dying: `juju destroy-machine`.
//!
//! Death and Destruction, "juju destroy-machine"; Entity lifecycle, "Machines":
//!
//! 1. if the machine is not Alive, there is nothing to do;
//! 2. if it is the last one with the manage-model job, refuse;
//! 3. if it has units assigned, refuse;
//! 4. if it has containers, refuse;
//! 5. set it to Dying.

use crate::{
    ids::MachineId,
    life::Life::{Alive, Dying},
    operation::Operation,
    store::Store,
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, any, life_is, none},
    variants::{MachineWithDyingUnits, ManagerMachine},
    world::World,
};

pub(super) fn destroy_machine(world: &World, store: &Store, id: MachineId) -> Plan {
    match store.machine_life(id) {
        None => return Plan::Refuse(Why::NotFound),
        Some(life) if life != Alive => return Plan::NoOp,
        Some(_) => {}
    }
    let document = Doc::Machine(id);
    let mut txn = Txn::new(Operation::DestroyMachine(id));
    txn.on(1, document, life_is(Alive), Change::Keep);
    if world.machine(id).manages_model {
        if world.variants.manager_machine == ManagerMachine::NeverDies {
            return Plan::Refuse(Why::Manager);
        }
        if !txn.when(2, store, world, document, another_manager(world)) {
            return Plan::Refuse(Why::LastManager);
        }
    }
    let free = match world.variants.machine_with_dying_units {
        MachineWithDyingUnits::Refused => none([Predicate::HasPrincipals]),
        MachineWithDyingUnits::Allowed => none([Predicate::HasAlivePrincipals]),
    };
    if !txn.when(3, store, world, document, free) {
        return Plan::Refuse(Why::HasUnits);
    }
    if !txn.when(4, store, world, document, none([Predicate::HasContainers])) {
        return Plan::Refuse(Why::HasContainers);
    }
    txn.change(5, document, Change::SetLife(Dying));
    Plan::Submit(txn)
}

/// What must be true of the last manager machine for it not to be the last.
pub(super) fn another_manager(world: &World) -> Assert {
    match world.variants.manager_machine {
        ManagerMachine::LastIsProtected | ManagerMachine::NeverDies => {
            any([Predicate::AnotherManager])
        }
        ManagerMachine::LastThatRunsIsProtected => any([Predicate::AnotherRunningManager]),
    }
}
