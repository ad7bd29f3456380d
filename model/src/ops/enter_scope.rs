//! Enter the scope of a relation: a unit signals that it takes part.
//!
//! Entity lifecycle, "juju integrate", "Units" and "Relations"; Charms in action, "Relations in
//! depth":
//!
//! 1. the unit must be Alive;
//! 2. the relation must be Alive, and counts one unit in scope more. (An Alive relation implies
//!    Alive applications, so their lives are not asserted.)
//! 3. write the unit's settings before anybody can look for them;
//! 4. create the scope document; if it is there already, nothing is to be done;
//! 5. in a container scope, a principal that finds no subordinate of the other application
//!    creates one;
//! 6. one whose subordinate is not Alive does not enter until that is gone (ours: the documents do
//!    not say whether such a subordinate is a suitable one).

use crate::{
    ids::{RelationId, UnitId},
    life::Life::Alive,
    operation::Operation,
    store::{Placement, Store},
    txn::{Assert, Change, Doc, Plan, Predicate, Txn, Why, life_is, none},
    world::{Scope, World},
};

pub(super) fn enter_scope(
    world: &World,
    store: &Store,
    id: UnitId,
    relation: RelationId,
    free: Option<UnitId>,
) -> Plan {
    if store.in_scope(relation, id) {
        return Plan::NoOp;
    }
    let (Some(unit), Some(_)) = (store.unit(id), store.relation(relation)) else {
        return Plan::Refuse(Why::NotFound);
    };
    if !is_member(world, id, unit.placement, relation) {
        return Plan::Refuse(Why::NotConcerned);
    }
    if unit.life != Alive || store.relation_life(relation) != Some(Alive) {
        return Plan::Refuse(Why::NotAlive);
    }
    let mut txn = Txn::new(Operation::EnterScope(id, relation));
    txn.on(1, Doc::Unit(id), life_is(Alive), Change::Keep);
    txn.on(2, Doc::Relation(relation), life_is(Alive), Change::Enter);
    // Settings left from an earlier visit are replaced, so nothing is asserted of them.
    let settings = Doc::RelationSettings(relation);
    txn.on(3, settings, Assert::Nothing, Change::Create(Placement::Nowhere));
    txn.on(4, Doc::Scope(relation, id), Assert::Missing, Change::Create(Placement::Nowhere));
    if world.relation(relation).scope == Scope::Container && !world.is_subordinate(id) {
        match bring_subordinate(world, store, id, relation, free, &mut txn) {
            Err(why) => return Plan::Refuse(why),
            Ok(()) => return Plan::Submit(txn),
        }
    }
    Plan::Submit(txn)
}

/// A relation concerns the units of its applications; but a subordinate takes part in container
/// relations with its principal's application only.
pub(crate) fn is_member(world: &World, id: UnitId, host: Placement, relation: RelationId) -> bool {
    let (application, constants) = (world.unit(id).application, world.relation(relation));
    let principal = match host {
        Placement::Principal(principal) => Some(world.unit(principal).application),
        Placement::Machine(_) | Placement::Nowhere => None,
    };
    constants.ends.contains(&application)
        && (constants.scope != Scope::Container
            || principal.is_none()
            || constants.counterpart(application) == principal)
}

/// Sentences 5 and 6.
fn bring_subordinate(
    world: &World,
    store: &Store,
    id: UnitId,
    relation: RelationId,
    free: Option<UnitId>,
    txn: &mut Txn,
) -> Result<(), Why> {
    let application = world.application_of(id).0;
    let constants = world.relation(relation);
    let other = constants.counterpart(application).expect("a container relation has two ends");
    let unit = store.unit(id).expect("the caller has looked");
    let present = unit.subordinates.iter().find(|sub| world.unit(*sub).application == other);
    if let Some(subordinate) = present {
        if store.unit_life(subordinate) != Some(Alive) {
            return Err(Why::SubordinateNotAlive);
        }
        txn.on(6, Doc::Unit(subordinate), life_is(Alive), Change::Keep);
        return Ok(());
    }
    let free = free.ok_or(Why::Full)?;
    let principal = Doc::Unit(id);
    txn.on(5, principal, none([Predicate::HasSubordinateOf(other)]), Change::AddSubordinate(free));
    txn.on(5, Doc::Unit(free), Assert::Missing, Change::Create(Placement::Principal(id)));
    txn.change(5, Doc::Application(other), Change::AddUnit);
    Ok(())
}
