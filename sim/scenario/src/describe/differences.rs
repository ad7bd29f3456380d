//! The differences of two states: of each document the facts that changed, and nothing else.

use std::collections::BTreeSet;

use deathwatch_claims::check::Departure;
use deathwatch_model::{ids::EntityId, state::State, store::Row, world::World};

use super::{EntityFact, facts, name, other_rows, row_facts, row_name, worth_saying};

/// The differences of `after` from `before`, a line for each document, in the order of the kinds,
/// as in "unit wordpress/0: Alive -> Dying".
pub fn differences(world: &World, before: &State, after: &State) -> Vec<String> {
    let mut lines = changes(world, before, after, EntityId::all(world), |_| true);
    lines.extend(of_others(world, before, after));
    lines
}

/// The differences in these rows, for a caller who knows that no others have changed.
pub fn differences_at(
    world: &World,
    before: &State,
    after: &State,
    touched: &[Row],
) -> Vec<String> {
    let mut lines = changes(world, before, after, entities(touched).into_iter(), |_| true);
    if touched.iter().any(|row| row.entity().is_none()) {
        lines.extend(of_others(world, before, after));
    }
    lines
}

/// The differences in these rows, without those in the memory of agents, users and clients.
pub fn changed_documents_at(
    world: &World,
    before: &State,
    after: &State,
    touched: &[Row],
) -> Vec<String> {
    changes(world, before, after, entities(touched).into_iter(), |fact| !fact.is_private)
}

/// The entities that these rows belong to, in the order of the kinds.
fn entities(touched: &[Row]) -> BTreeSet<EntityId> {
    touched.iter().filter_map(|row| row.entity()).collect()
}

/// The differences of the rows that belong to no entity.
fn of_others(world: &World, before: &State, after: &State) -> Vec<String> {
    let rows = other_rows(world, before, after).into_iter();
    let changed = rows.filter(|row| !before.is_same(*row, after)).flat_map(|row| {
        let who = row_name(world, row);
        let (old, new) = (row_facts(world, before, row), row_facts(world, after, row));
        let lines = changed_facts(&old, &new).into_iter();
        lines.map(|line| format!("{who}: {line}")).collect::<Vec<_>>()
    });
    changed.collect()
}

fn changes(
    world: &World,
    before: &State,
    after: &State,
    subjects: impl Iterator<Item = EntityId>,
    is_asked: fn(&EntityFact) -> bool,
) -> Vec<String> {
    let changed = subjects.filter(|subject| !before.is_entity_same(*subject, after));
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

/// The facts that changed; all facts, for a document that was created or removed.
fn difference(old: &[EntityFact], new: &[EntityFact], came_or_went: bool) -> Option<String> {
    if came_or_went {
        return Some(format!("{} -> {}", worth_saying(old.iter()), worth_saying(new.iter())));
    }
    let changed = changed_facts(old, new);
    (!changed.is_empty()).then(|| changed.join("; "))
}

/// The facts that changed, each as it was and as it is. Both are about the same; where one of them
/// says nothing, there is none to be said.
fn changed_facts(old: &[EntityFact], new: &[EntityFact]) -> Vec<String> {
    let find = |facts: &[EntityFact], about| {
        facts.iter().find(|fact| fact.about == about).map(|fact| fact.text.clone())
    };
    let is_gone = |fact: &&EntityFact| find(new, fact.about).is_none();
    let mut all: Vec<_> =
        new.iter().chain(old.iter().filter(is_gone)).map(|fact| fact.about).collect();
    all.sort_by_key(|(at, _)| *at);
    let changed = all.into_iter().filter_map(|about| match (find(old, about), find(new, about)) {
        (Some(old), Some(new)) => (old != new).then(|| format!("{old} -> {new}")),
        (Some(old), None) => Some(format!("{old} -> no more")),
        (None, new) => new,
    });
    changed.collect()
}

/// The departure as a paragraph, its clauses divided by semicolons.
pub fn departure(world: &World, departure: &Departure) -> String {
    let outline = &world.outline();
    let Departure { before, after, nearest } = departure;
    let changes = differences(outline, before, after).join("; ");
    match nearest {
        Some((action, state)) => {
            let nearest = outline.show(action);
            let left = differences(outline, state, after).join("; ");
            format!(
                "without details no step does this: {changes}; the nearest one is \"{nearest}\", after \
                 which this is still to be done: {left}"
            )
        }
        None => format!("without details this is not so, and nothing makes it so: {changes}"),
    }
}
