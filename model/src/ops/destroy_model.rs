//! Make a machine and its containers Dying: the part of `juju destroy-model` and
//! `juju destroy-controller` that no other command has.
//!
//! Entity lifecycle, "Machines":
//!
//! 1. The machine becomes Dying as in destroy-machine, but containers are no obstacle.
//! 2. So do its containers, which are those that were read. (Ours: these commands destroy every
//!    machine, and a host waits for its containers.)
//!
//! The rest of these commands is `destroy-application`.

use super::{Planned, destroy_machine::spare};
use crate::{
    clause::Rule,
    ids::MachineId,
    life::Life::{Alive, Dying},
    ops::Draft,
    txn::{
        MachineChange::SetLife,
        MachinePredicate::{ContainersAre, HasContainers},
        Why, any, life_is, none,
    },
    variants::ModelWithContainers,
};

pub(super) fn destroy_model(txn: &mut Draft<'_>, id: MachineId) -> Planned {
    if txn.world.variants.model_with_containers == ModelWithContainers::Refused {
        txn.require(1, id, none([HasContainers]), Why::HasContainers)?;
    }
    destroy(txn, 1, id)?;
    let containers = txn.store.machine(id).map(|machine| machine.containers.clone());
    let containers = containers.unwrap_or_default();
    let count = u32::try_from(containers.len()).expect("a world has fewer machines than that");
    txn.assert(2, id, any([ContainersAre(count)]));
    for container in containers.iter() {
        match txn.store.machine_life(container) {
            Some(Alive) => destroy(txn, 2, container)?,
            Some(life) => txn.assert(2, container, life_is(life)),
            None => {}
        }
    }
    Ok(())
}

/// Clause `number` for one machine. It is refused for what `destroy-machine` is refused.
fn destroy(txn: &mut Draft<'_>, number: u8, id: MachineId) -> Planned {
    txn.on_behalf(number, Rule::DestroyMachine, |txn| spare(txn, id)).unwrap_or(Ok(()))?;
    txn.change(number, id, SetLife(Dying));
    Ok(())
}
