//! The claims about duties while all is well: what is Alive gets what it needs, and what nothing
//! keeps begins to die.
//!
//! An agent that neglects such a duty holds nothing up, so that the claims about removal say
//! nothing of it.

use deathwatch_model::{
    ids::{ApplicationId, Placement, RelationId, UnitId},
    life::Life::{Alive, Dying},
    ops,
    rows::{Hardware, Row, Unit},
    state::State,
    variants::SubordinateDiesWhen,
    world::{Scope, World},
};

use super::{
    Claim,
    Link::{
        ApplicationOfUnit, MachineOfAgent, RelationOfPair, RelationsOfSubordinate,
        SubordinatesOfPair, UnitOfAgent, UnitOfPair,
    },
    forms::leads,
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "an Alive unit enters the scopes of its Alive relations",
        source: "D2:281; D2:349",
        test: leads!(Scope [UnitOfPair, RelationOfPair], is_out_of_scope, is_not_out_of_scope),
    },
    Claim {
        name: "a principal in a container scope gets an Alive subordinate",
        source: "D2:53; D2:57; D2:349",
        test: leads!(
            Scope [UnitOfPair, RelationOfPair, SubordinatesOfPair],
            needs_subordinate,
            has_subordinate
        ),
    },
    Claim {
        name: "an Alive unit that is assigned is deployed",
        source: "D2:353; D2:373",
        test: leads!(UnitRuntime[UnitOfAgent], is_undeployed, is_not_undeployed),
    },
    Claim {
        name: "an Alive machine gets an instance that runs",
        source: "D1:18-19; D1:27-30; D2:385; D3:4-7",
        test: leads!(MachineRuntime[MachineOfAgent], lacks_instance, does_not_lack_instance),
    },
    Claim {
        name: "a unit of a Dying application becomes Dying",
        source: "D1:187; D2:195; D2:235; D2:337; D2:359",
        test: leads!(Unit[ApplicationOfUnit], outlives_application, is_not_alive),
    },
    Claim {
        name: "a subordinate that no relation keeps becomes Dying",
        source: "D1:143-145; D2:163; D2:241; D2:361",
        test: leads!(Unit[RelationsOfSubordinate], outlives_relations, is_kept_or_not_alive),
    },
    Claim {
        name: "an agent whose unit is not there is recalled",
        source: "D2:357; D2:377-379",
        test: leads!(UnitRuntime[UnitOfAgent], is_orphaned, is_not_orphaned),
    },
];

/// The unit with this identifier, if it is Alive.
fn alive(state: &State, id: UnitId) -> Option<&Unit> {
    state.store.unit(id).filter(|unit| unit.life == Alive)
}

/// Whether an Alive unit is out of the scope of an Alive relation that concerns it.
fn is_out_of_scope(world: &World, state: &State, subject: Row) -> bool {
    let Row::Scope(relation, id) = subject else { return false };
    state.store.relation_life(relation) == Some(Alive)
        && !state.store.in_scope(relation, id)
        && alive(state, id).is_some_and(|unit| {
            ops::is_member(world, id, unit.placement, relation) && has_room(world, id, relation)
        })
}

fn is_not_out_of_scope(world: &World, state: &State, subject: Row) -> bool {
    !is_out_of_scope(world, state, subject)
}

/// Whether a finite world has identifiers enough for the unit to enter, which may bring a
/// subordinate: as many for subordinates as for the principals that may need one. In a world with
/// fewer of them somebody may have to wait for ever, which says nothing of the protocol.
fn has_room(world: &World, id: UnitId, relation: RelationId) -> bool {
    let Some(subordinate) = brings(world, id, relation) else { return true };
    let constants = world.application(subordinate);
    let principals = world.application_ids().filter(|principal| {
        !world.application(*principal).subordinate
            && constants.relations.iter().any(|id| {
                let relation = world.relation(*id);
                relation.scope == Scope::Container && relation.ends.contains(principal)
            })
    });
    let needed: usize = principals.map(|id| world.application(id).units.len()).sum();
    needed <= constants.units.len()
}

/// The application of which the unit has a subordinate if it is in scope of the relation.
fn brings(world: &World, id: UnitId, relation: RelationId) -> Option<ApplicationId> {
    let (application, constants) = world.application_of(id);
    let relation = world.relation(relation);
    let is_principal = relation.scope == Scope::Container && !constants.subordinate;
    is_principal.then(|| relation.counterpart(application)).flatten()
}

/// Whether an Alive principal is in the scope of an Alive container relation.
fn needs_subordinate(world: &World, state: &State, subject: Row) -> bool {
    let Row::Scope(relation, id) = subject else { return false };
    state.store.relation_life(relation) == Some(Alive)
        && brings(world, id, relation).is_some()
        && state.store.in_scope(relation, id)
        && alive(state, id).is_some()
}

/// Whether it has an Alive subordinate for the relation, or needs none any more.
fn has_subordinate(world: &World, state: &State, subject: Row) -> bool {
    let Row::Scope(relation, id) = subject else { return true };
    let (unit, application) = (alive(state, id), brings(world, id, relation));
    let is_suitable =
        |it: UnitId| Some(world.unit(it).application) == application && alive(state, it).is_some();
    unit.is_some_and(|unit| unit.subordinates.iter().any(is_suitable))
        || !needs_subordinate(world, state, subject)
}

/// Whether an Alive unit is assigned to a machine or a principal that has not deployed it.
fn is_undeployed(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitRuntime(id) = subject else { return false };
    alive(state, id).is_some_and(|unit| {
        unit.placement != Placement::Nowhere && state.runtime.unit(id).deployed_by != unit.placement
    })
}

fn is_not_undeployed(world: &World, state: &State, subject: Row) -> bool {
    !is_undeployed(world, state, subject)
}

/// Whether a machine is Alive and no hardware runs for it.
fn lacks_instance(_: &World, state: &State, subject: Row) -> bool {
    let Row::MachineRuntime(id) = subject else { return false };
    state.store.machine_life(id) == Some(Alive)
        && state.runtime.machine(id).hardware != Hardware::Running
}

fn does_not_lack_instance(world: &World, state: &State, subject: Row) -> bool {
    !lacks_instance(world, state, subject)
}

fn outlives_application(world: &World, state: &State, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    let application = world.unit(id).application;
    alive(state, id).is_some() && state.store.application_life(application) == Some(Dying)
}

fn is_not_alive(_: &World, state: &State, subject: Row) -> bool {
    subject.life(state) != Some(Alive)
}

fn outlives_relations(world: &World, state: &State, subject: Row) -> bool {
    let Row::Unit(id) = subject else { return false };
    alive(state, id).is_some() && world.is_subordinate(id) && !is_kept(world, state, id)
}

fn is_kept_or_not_alive(world: &World, state: &State, subject: Row) -> bool {
    !outlives_relations(world, state, subject)
}

/// Whether an Alive relation keeps a subordinate beside its principal.
pub(super) fn is_kept(world: &World, state: &State, id: UnitId) -> bool {
    let placement = state.store.unit(id).map(|unit| unit.placement);
    let Some(Placement::Principal(principal)) = placement else { return false };
    let by_any = match world.variants.subordinate_dies_when {
        SubordinateDiesWhen::LastRelationOfAnyScope => true,
        SubordinateDiesWhen::LastRelationWithPrincipal
        | SubordinateDiesWhen::AnyContainerRelation
        | SubordinateDiesWhen::LastContainerRelation => false,
    };
    world.relations_of(id).iter().any(|relation| {
        let constants = world.relation(*relation);
        constants.ends.contains(&world.unit(principal).application)
            && (by_any || constants.scope == Scope::Container)
            && state.store.relation_life(*relation) == Some(Alive)
    })
}

/// Whether an agent is deployed where its unit is not: that is gone or belongs elsewhere.
fn is_orphaned(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitRuntime(id) = subject else { return false };
    let placement = state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement);
    let deployed_by = state.runtime.unit(id).deployed_by;
    deployed_by != Placement::Nowhere && deployed_by != placement
}

fn is_not_orphaned(world: &World, state: &State, subject: Row) -> bool {
    !is_orphaned(world, state, subject)
}
