//! Since which step of a run a root is there: the step that made the cause.

use std::collections::BTreeMap;

use deathwatch_model::{
    action::Action,
    ids::EntityId,
    protocol::{self, Effects},
    state::State,
    world::World,
};

use super::{Diagnosis, EntityNode, RootKind};

/// The states of a run, the first one included.
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

/// The number of steps after which each root of the last state was there, and has been ever since.
pub(super) fn of(
    diagnosis: &Diagnosis,
    world: &World,
    states: &[State],
) -> BTreeMap<RootKind, usize> {
    let since = |kind: RootKind, entity: EntityId| {
        let last = diagnosis.node(entity);
        let is_so = |state: &State| is_there(kind, &EntityNode::of(world, state, entity), last);
        let without = states.iter().rposition(|state| !is_so(state));
        without.map_or(0, |without| without + 1)
    };
    let roots = diagnosis.roots().into_iter();
    let first = roots.map(|root| {
        let since = root.entities.iter().map(|entity| since(root.kind, *entity)).min();
        (root.kind, since.unwrap_or_default())
    });
    first.collect()
}

/// Whether a root of an entity that is as `last` says in the end was there when it was as `node`
/// says.
fn is_there(kind: RootKind, node: &EntityNode, last: &EntityNode) -> bool {
    if let RootKind::Cause(reason) = kind {
        return node.causes().any(|it| it == reason);
    }
    node == last
}
