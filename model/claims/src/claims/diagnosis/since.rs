//! The age of roots: the step of a run since which a root is there, which made its cause.

use std::collections::BTreeMap;

use deathwatch_model::{
    action::Action,
    agents,
    ids::EntityId,
    protocol::{self, Effects},
    state::State,
    world::World,
};

use super::{Diagnosis, EntityNode, Reason, RootKind};

/// The states of a run, including the first one.
pub(super) fn states(world: &World, start: &State, steps: &[Action]) -> Vec<State> {
    let mut effects = Effects::default();
    let mut states = vec![start.clone()];
    for step in steps {
        let mut next = states[states.len() - 1].clone();
        protocol::step(world, &mut next, *step, &mut effects);
        states.push(next);
    }
    states
}

/// For each root of the last state whose entities are all `known`, the number of steps after which
/// it was there for good.
pub(super) fn of(
    diagnosis: &Diagnosis,
    world: &World,
    states: &[State],
    known: &dyn Fn(EntityId) -> bool,
) -> BTreeMap<RootKind, usize> {
    let since = |kind: RootKind, entity: EntityId| {
        let last = diagnosis.node(entity);
        let is_so = |state: &State| is_there(kind, (world, state), entity, last);
        let without = states.iter().rposition(|state| !is_so(state));
        without.map_or(0, |without| without + 1)
    };
    let roots = diagnosis.roots().into_iter();
    let roots = roots.filter(|root| root.entities.iter().all(|entity| known(*entity)));
    let first = roots.map(|root| {
        let since = root.entities.iter().map(|entity| since(root.kind, *entity)).min();
        (root.kind, since.unwrap_or_default())
    });
    first.collect()
}

/// Whether a root of `entity` was there in `state`; `last` is the entity's node in the end.
///
/// A unit does not know its scope from the step on that took its directory, although its agent is
/// back only later and could not have looked before.
fn is_there(
    kind: RootKind,
    (world, state): (&World, &State),
    entity: EntityId,
    last: &EntityNode,
) -> bool {
    if let (RootKind::Cause(Reason::ScopeUnknown), EntityId::Unit(unit)) = (kind, entity) {
        let unknown = last.edges.iter().filter(|edge| edge.reason == Reason::ScopeUnknown);
        return unknown.filter_map(|edge| edge.to).any(|to| match to {
            EntityId::Relation(relation) => {
                state.store.in_scope(relation, unit) && !agents::knows(world, state, unit, relation)
            }
            EntityId::Machine(_) | EntityId::Application(_) | EntityId::Unit(_) => false,
        });
    }
    let node = EntityNode::of(world, state, entity);
    if let RootKind::Cause(reason) = kind {
        return node.causes().any(|it| it == reason);
    }
    node == *last
}
