//! Make a machine Dead: its agent's last act, or the provisioner's where there never was one.
//!
//! Death and Destruction, "juju destroy-machine"; Entity lifecycle, "Machines":
//!
//! 1. set the machine to Dead;
//! 2. it may have no containers;
//! 3. it may have no units;
//! 4. in the variant `manager-machine = "last-that-runs-is-protected"`, a manager stays until
//!    another one has an instance (ours).

use crate::{
    ids::MachineId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    ops::destroy_machine::another_manager,
    store::Store,
    txn::{Change, Doc, Plan, Predicate, Txn, Why, life_is, none},
    variants::ManagerMachine,
    world::World,
};

pub(super) fn set_machine_dead(world: &World, store: &Store, id: MachineId) -> Plan {
    let Some(machine) = store.machine(id) else { return Plan::Refuse(Why::NotFound) };
    match machine.life {
        Alive => return Plan::Refuse(Why::NotDying),
        Dead => return Plan::NoOp,
        Dying => {}
    }
    if !machine.containers.is_empty() {
        return Plan::Refuse(Why::HasContainers);
    }
    if !machine.principals.is_empty() {
        return Plan::Refuse(Why::HasUnits);
    }
    let document = Doc::Machine(id);
    let mut txn = Txn::new(Operation::SetMachineDead(id));
    txn.on(1, document, life_is(Dying), Change::SetLife(Dead));
    txn.on(2, document, none([Predicate::HasContainers]), Change::Keep);
    txn.on(3, document, none([Predicate::HasPrincipals]), Change::Keep);
    let protects = world.variants.manager_machine == ManagerMachine::LastThatRunsIsProtected;
    if protects
        && world.machine(id).manages_model
        && !txn.when(4, store, world, document, another_manager(world))
    {
        return Plan::Refuse(Why::LastManager);
    }
    Plan::Submit(txn)
}
