//! Asserts as text: what a transaction expects of a document, and what it finds instead.

use deathwatch_model::{
    state::State,
    txn::{Doc, Op},
    world::World,
};

/// The assert of `op`, which does not hold, as text: "remove-unit.4 expects application wordpress
/// to have at least 2 units, but it is Dying, 1 unit, 0 relations".
pub fn contradiction(world: &World, state: &State, op: &Op) -> String {
    let (doc, expected) = (world.show_doc(op.doc()), op.expected(world));
    let found = match op.doc() {
        _ if op.expects_nothing() => "but it does".to_owned(),
        Doc::Marker(_) | Doc::Model => "but it does not".to_owned(),
        Doc::Entity(subject) => {
            let facts = super::facts(world, state, subject);
            let documented = facts.iter().filter(|fact| !fact.is_in_mind);
            format!("but it is {}", super::worth_saying(documented))
        }
    };
    format!("{} expects {doc} {expected}, {found}", op.clause)
}
