//! Ask for a unit or a machine to be forced: `--force`.
//!
//! Entity lifecycle, "Implementation", which promises in the end that force sets an entity Dead and
//! keeps all references in order. That takes many transactions, so force leaves word for the
//! cleaner, which takes the references apart one by one.
//!
//! Unit:
//! 1. it becomes Dying if it is Alive; force acts on a Dying one too;
//! 2. leave word for the cleaner;
//! 3. the user cannot force a subordinate, as the user cannot destroy one.
//!
//! Machine:
//! 1. the last one with the manage-model job is refused;
//! 2. leave word for the cleaner.

use crate::{
    clause::{Clause, Rule},
    ids::{MachineId, UnitId},
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    ops::{Requester, destroy_machine::another_manager, destroy_unit::is_beyond_the_user},
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, life_is, none},
    variants::{ForcedMachine, ManagerMachine},
    world::World,
};

pub(super) fn force_destroy_unit(
    world: &World,
    store: &Store,
    id: UnitId,
    requester: Requester,
) -> Plan {
    if is_beyond_the_user(world, id, requester, Clause { rule: Rule::ForceDestroyUnit, number: 3 })
    {
        return Plan::Refuse(Why::Subordinate);
    }
    let docs = store.unit_docs(id);
    let Some(unit) = &docs.unit else { return Plan::Refuse(Why::NotFound) };
    if unit.life == Dead || docs.force {
        return Plan::NoOp;
    }
    let mut txn = Txn::new(Operation::ForceDestroyUnit(id));
    if unit.life == Alive {
        txn.on(1, Doc::Unit(id), life_is(Alive), Change::SetLife(Dying));
    } else {
        txn.on(1, Doc::Unit(id), life_is(Dying), Change::Keep);
    }
    txn.on(2, Doc::ForceUnit(id), Assert::Missing, Change::Create(Placement::Nowhere));
    Plan::Submit(txn)
}

pub(super) fn force_destroy_machine(world: &World, store: &Store, id: MachineId) -> Plan {
    let docs = store.machine_docs(id);
    let Some(machine) = &docs.machine else { return Plan::Refuse(Why::NotFound) };
    if machine.life == Dead || docs.force {
        return Plan::NoOp;
    }
    let document = Doc::Machine(id);
    let mut txn = Txn::new(Operation::ForceDestroyMachine(id));
    if world.machine(id).manages_model {
        if world.variants.manager_machine == ManagerMachine::NeverDies {
            return Plan::Refuse(Why::Manager);
        }
        if !txn.when(1, store, world, document, another_manager(world)) {
            return Plan::Refuse(Why::LastManager);
        }
    }
    if world.variants.forced_machine == ForcedMachine::DyingAtOnce && machine.life == Alive {
        txn.on(2, document, life_is(Alive), Change::SetLife(Dying));
    } else {
        txn.on(2, document, none([Predicate::Life(Dead)]), Change::Keep);
    }
    txn.on(2, Doc::ForceMachine(id), Assert::Missing, Change::Create(Placement::Nowhere));
    Plan::Submit(txn)
}
