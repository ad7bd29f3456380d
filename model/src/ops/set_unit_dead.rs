//! Make a unit Dead: the last act of its agent, or that of a deployer that never deployed it.
//!
//! Death and Destruction, "juju destroy-unit"; Entity lifecycle, "Units":
//!
//! 1. Set the unit to Dead.
//! 2. No unit may be subordinate to it.
//! 3. It may be in no scope. D1 and the code do not ask this: variant `dead-while-in-scope`.

use crate::{
    ids::UnitId,
    life::Life::{Dead, Dying},
    ops::{Draft, Planned},
    txn::{
        Assert, Marker, UnitChange::SetLife, UnitPredicate::HasSubordinates, Why, life_is, none,
    },
    variants::DeadWhileInScope,
};

pub(super) fn set_unit_dead(txn: &mut Draft<'_>, id: UnitId) -> Planned {
    let otherwise = Why::NotDying.unless(txn.store.unit_life(id) == Some(Dead));
    txn.require(1, id, life_is(Dying), otherwise)?.change(SetLife(Dead));
    txn.require(2, id, none([HasSubordinates]), Why::HasSubordinates)?;
    if txn.world.variants.dead_while_in_scope == DeadWhileInScope::Forbidden {
        for &relation in txn.world.relations_of(id) {
            txn.require(3, Marker::Scope(relation, id), Assert::Missing, Why::InScope)?;
        }
    }
    Ok(())
}
