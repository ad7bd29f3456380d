//! Make a unit Dead: the last act of its agent, or that of a deployer that never deployed it.
//!
//! Death and Destruction, "juju destroy-unit"; Entity lifecycle, "Units":
//!
//! 1. set the unit to Dead;
//! 2. no unit may be subordinate to it;
//! 3. it may be in no scope (D2; D1 and the code do not ask this: variant
//!    `dead-while-in-scope`).

use crate::{
    ids::UnitId,
    life::Life::{Alive, Dead, Dying},
    operation::Operation,
    store::Store,
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, life_is, none},
    variants::DeadWhileInScope,
    world::World,
};

pub(super) fn set_unit_dead(world: &World, store: &Store, id: UnitId) -> Plan {
    match store.unit_life(id) {
        None => return Plan::Refuse(Why::NotFound),
        Some(Alive) => return Plan::Refuse(Why::NotDying),
        Some(Dead) => return Plan::NoOp,
        Some(Dying) => {}
    }
    let document = Doc::Unit(id);
    let mut txn = Txn::new(Operation::SetUnitDead(id));
    txn.on(1, document, life_is(Dying), Change::SetLife(Dead));
    if !txn.when(2, store, world, document, none([Predicate::HasSubordinates])) {
        return Plan::Refuse(Why::HasSubordinates);
    }
    if world.variants.dead_while_in_scope == DeadWhileInScope::Forbidden {
        for &relation in world.relations_of(id) {
            if !txn.when(3, store, world, Doc::Scope(relation, id), Assert::Missing) {
                return Plan::Refuse(Why::InScope);
            }
        }
    }
    Plan::Submit(txn)
}
