//! What is different after a step: of each document what changed, and nothing else.

use std::collections::BTreeSet;

use deathwatch_model::{claims::EntityId, state::State, store::Row, world::World};

use super::{Fact, facts, name, others, subjects, worth_saying};

/// What is different in `after`, a line for each document, in the order of the kinds: "unit
/// wordpress/0: Alive -> Dying".
pub fn differences(world: &World, before: &State, after: &State) -> Vec<String> {
    let mut lines = changes(world, before, after, subjects(world), |_| true);
    lines.extend(of_others(world, before, after));
    lines
}

/// The same for whoever knows that nothing but these entries can be different.
pub(crate) fn differences_at(
    world: &World,
    before: &State,
    after: &State,
    touched: &[Row],
) -> Vec<String> {
    let mut lines = changes(world, before, after, concerned(touched).into_iter(), |_| true);
    let is_other = |row: &Row| match row {
        Row::User(_) | Row::Task(_) | Row::Client(_) | Row::Upgrade => true,
        Row::Machine(_)
        | Row::Application(_)
        | Row::Unit(_)
        | Row::Relation(_)
        | Row::Scope(..)
        | Row::MachineRuntime(_)
        | Row::UnitRuntime(_)
        | Row::Memberships(_)
        | Row::Membership(..) => false,
    };
    if touched.iter().any(is_other) {
        lines.extend(of_others(world, before, after));
    }
    lines
}

/// The same without what agents, users and clients have in mind.
pub(crate) fn changed_documents_at(
    world: &World,
    before: &State,
    after: &State,
    touched: &[Row],
) -> Vec<String> {
    changes(world, before, after, concerned(touched).into_iter(), |fact| !fact.is_in_mind)
}

/// The places that these entries belong to, in the order of the kinds.
fn concerned(touched: &[Row]) -> BTreeSet<EntityId> {
    let subject = |row: &Row| match *row {
        Row::Machine(id) | Row::MachineRuntime(id) => Some(EntityId::Machine(id)),
        Row::Application(id) => Some(EntityId::Application(id)),
        Row::Unit(id) | Row::UnitRuntime(id) => Some(EntityId::Unit(id)),
        Row::Relation(id) | Row::Scope(id, _) | Row::Memberships(id) | Row::Membership(id, _) => {
            Some(EntityId::Relation(id))
        }
        Row::User(_) | Row::Task(_) | Row::Client(_) | Row::Upgrade => None,
    };
    touched.iter().filter_map(subject).collect()
}

/// What is different of whoever is no entity.
fn of_others(world: &World, before: &State, after: &State) -> Vec<String> {
    let (old, new) = (others::facts(world, before), others::facts(world, after));
    let changed = old.iter().zip(&new).filter(|(old, new)| old != new);
    changed.map(|((who, old), (_, new))| format!("{who}: {old} -> {new}")).collect()
}

fn changes(
    world: &World,
    before: &State,
    after: &State,
    subjects: impl Iterator<Item = EntityId>,
    is_asked: fn(&Fact) -> bool,
) -> Vec<String> {
    let changed = subjects.filter(|subject| is_changed(before, after, *subject));
    let lines = changed.filter_map(|subject| {
        let known = |state| {
            let facts = facts(world, state, subject).into_iter();
            facts.filter(is_asked).collect::<Vec<_>>()
        };
        let has_moved = subject.life(before).is_some() != subject.life(after).is_some();
        let line = difference(&known(before), &known(after), has_moved)?;
        Some(format!("{}: {line}", name(world, subject)))
    });
    lines.collect()
}

/// What changed: of a document that came or went everything, of another one only that.
fn difference(old: &[Fact], new: &[Fact], came_or_went: bool) -> Option<String> {
    if came_or_went {
        return Some(format!("{} -> {}", worth_saying(old.iter()), worth_saying(new.iter())));
    }
    let changed = old.iter().zip(new).filter(|(old, new)| old.text != new.text);
    let changed: Vec<String> =
        changed.map(|(old, new)| format!("{} -> {}", old.text, new.text)).collect();
    (!changed.is_empty()).then(|| changed.join("; "))
}

/// Whether anything at the place of `subject` is not what it was; cheaper than to describe it.
fn is_changed(before: &State, after: &State, subject: EntityId) -> bool {
    let stores = (&before.store, &after.store);
    let runtime = (&before.runtime, &after.runtime);
    match subject {
        EntityId::Machine(id) => {
            stores.0.machine_docs(id) != stores.1.machine_docs(id)
                || runtime.0.machine(id) != runtime.1.machine(id)
        }
        EntityId::Application(id) => stores.0.application_docs(id) != stores.1.application_docs(id),
        EntityId::Unit(id) => {
            stores.0.unit_docs(id) != stores.1.unit_docs(id)
                || runtime.0.unit(id) != runtime.1.unit(id)
        }
        EntityId::Relation(id) => {
            stores.0.relation_docs(id) != stores.1.relation_docs(id)
                || stores.0.scope(id) != stores.1.scope(id)
                || runtime.0.memberships(id) != runtime.1.memberships(id)
        }
    }
}
