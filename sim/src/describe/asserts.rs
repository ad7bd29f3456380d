//! Asserts as text: what a transaction expects of a document, and what it finds instead.

use deathwatch_model::{
    claims::EntityId,
    state::State,
    store::Placement,
    txn::{Assert, Doc, Op, Predicate},
    world::World,
};

/// What `op` asserts and does not hold: "remove-unit.4 expects application wordpress to have at
/// least 2 units, but it is Dying, 1 unit, 0 relations".
pub(crate) fn contradiction(world: &World, state: &State, op: &Op) -> String {
    let (doc, expected) = (world.show_doc(op.doc), expected(world, op.assert));
    let found = match (subject(op.doc), op.assert) {
        (_, Assert::Missing) => "but it does".to_owned(),
        (None, _) => "but it does not".to_owned(),
        (Some(subject), _) => {
            let facts = super::facts(world, state, subject);
            let documented = facts.iter().filter(|fact| !fact.is_in_mind);
            format!("but it is {}", super::worth_saying(documented))
        }
    };
    format!("{} expects {doc} {expected}, {found}", op.clause)
}

/// The entity that a document is of, if it is the main document of one.
fn subject(doc: Doc) -> Option<EntityId> {
    match doc {
        Doc::Machine(id) => Some(EntityId::Machine(id)),
        Doc::Application(id) => Some(EntityId::Application(id)),
        Doc::Unit(id) => Some(EntityId::Unit(id)),
        Doc::Relation(id) => Some(EntityId::Relation(id)),
        Doc::ApplicationSettings(_)
        | Doc::RelationSettings(_)
        | Doc::Scope(..)
        | Doc::SettingsCleanup(_)
        | Doc::UnitsCleanup(_)
        | Doc::ForceUnit(_)
        | Doc::ForceMachine(_) => None,
    }
}

/// What is expected of a document, beginning with "to".
fn expected(world: &World, assert: Assert) -> String {
    let all = |tests: [Option<Predicate>; 3]| {
        tests.into_iter().flatten().map(|test| test_text(world, test)).collect::<Vec<_>>()
    };
    match assert {
        Assert::Nothing => "to be anything".to_owned(),
        Assert::Exists => "to exist".to_owned(),
        Assert::Missing => "not to exist".to_owned(),
        Assert::Any(tests) => format!("to {}", all(tests).join(" or to ")),
        Assert::None(tests) => format!("not to {}", all(tests).join(" and not to ")),
    }
}

/// What passes a test, completing "to …" and "not to …".
fn test_text(world: &World, test: Predicate) -> String {
    match test {
        Predicate::Life(life) => format!("be {life}"),
        Predicate::Units(least) => format!("have {}", at_least(least, "unit")),
        Predicate::Relations(least) => format!("be in {}", at_least(least, "relation")),
        Predicate::RelationsAre(count) => {
            format!("be in exactly {}", super::count(count, "relation"))
        }
        Predicate::InScope(least) => format!("have {} in scope", at_least(least, "unit")),
        Predicate::HasInstance => "have an instance".to_owned(),
        Predicate::HasPrincipals => "have units".to_owned(),
        Predicate::HasAlivePrincipals => "have Alive units".to_owned(),
        Predicate::HasContainers => "have containers".to_owned(),
        Predicate::HasSubordinates => "have subordinates".to_owned(),
        Predicate::HasSubordinateOf(id) => {
            format!("have a subordinate of {}", world.application(id).name)
        }
        Predicate::IsAt(Placement::Nowhere) => "be without a machine".to_owned(),
        Predicate::IsAt(Placement::Machine(id)) => {
            format!("be on machine {}", world.machine(id).name)
        }
        Predicate::IsAt(Placement::Principal(id)) => {
            format!("be a subordinate of {}", world.unit(id).name)
        }
        Predicate::AnotherManager => "have another Alive manager beside it".to_owned(),
        Predicate::AnotherRunningManager => {
            "have another Alive manager running beside it".to_owned()
        }
    }
}

fn at_least(least: u32, what: &str) -> String {
    match least {
        1 => format!("a {what}"),
        least => format!("at least {least} {what}s"),
    }
}
