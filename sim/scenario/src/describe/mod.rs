//! Documents as text: the description of a machine, an application, a unit or a relation, and the
//! differences that a step makes.
//!
//! Each field of a row is a fact, and its declaration has its texts. A description leaves out the
//! facts that go without saying; a difference has only the facts that changed.

mod differences;

use deathwatch_claims::Claim;
use deathwatch_model::{
    actor::Actor,
    ids::{ClientId, Constraints, EntityId, Id, IdSet, Placement, UnitId},
    rows::{ManagerTask, Row, RowKind, See, ShownValue, ValueText},
    state::State,
    txn::{Doc, Op},
    world::World,
};

pub use self::differences::{changed_documents_at, departure, differences, differences_at};
use crate::listed::few;

/// The description of one document, as in "unit wordpress/0: Dying, on machine 1, deployed".
pub fn document(world: &World, state: &State, subject: EntityId) -> String {
    format!("{}: {}", name(world, subject), condition(world, state, subject))
}

/// The description of one document without its name.
pub fn condition(world: &World, state: &State, subject: EntityId) -> String {
    worth_saying(facts(world, state, subject).iter())
}

fn worth_saying<'a>(facts: impl Iterator<Item = &'a EntityFact>) -> String {
    let shown = facts.filter(|fact| fact.is_shown);
    shown.map(|fact| fact.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// The kind of an entity, as a word.
pub(crate) fn kind(entity: EntityId) -> &'static str {
    match entity {
        EntityId::Machine(_) => "machine",
        EntityId::Application(_) => "application",
        EntityId::Unit(_) => "unit",
        EntityId::Relation(_) => "relation",
    }
}

/// The name of a document, as in "unit wordpress/0".
pub fn name(world: &World, subject: EntityId) -> String {
    format!("{} {}", kind(subject), bare_name(world, subject))
}

/// The name of a claim's subject, as in "unit wordpress/0", "unit wordpress/0 in wordpress:cluster"
/// or "the agent of wordpress/0".
pub fn subject(world: &World, row: Row) -> String {
    match row {
        Row::Machine(id) => name(world, EntityId::Machine(id)),
        Row::Application(id) => name(world, EntityId::Application(id)),
        Row::Unit(id) => name(world, EntityId::Unit(id)),
        Row::Relation(id) => name(world, EntityId::Relation(id)),
        Row::Scope(id, unit) => {
            format!("unit {} in {}", world.unit(unit).name, world.relation(id).name)
        }
        Row::MachineRuntime(id) => {
            format!("the hardware and agent of machine {}", world.machine(id).name)
        }
        Row::UnitRuntime(id) => format!("the agent of {}", world.unit(id).name),
        Row::Settings(id, unit) => {
            format!("the settings of {} in {}", world.unit(unit).name, world.relation(id).name)
        }
        Row::Membership(id, unit) => {
            format!("the agent of {} in {}", world.unit(unit).name, world.relation(id).name)
        }
        _ => match row.entity() {
            // As in "the hooks of wordpress/0".
            Some(entity) => {
                let what = row.kind().name().split_once('-').map_or("row", |(_, what)| what);
                format!("the {what} of {}", bare_name(world, entity))
            }
            None => row_name(world, row),
        },
    }
}

/// The name of the subject that a claim is decided by, which may be the whole state.
pub fn subject_of(world: &World, claim: &Claim, row: Row) -> String {
    claim.subject(row).map_or_else(|| "the whole state".to_owned(), |row| subject(world, row))
}

/// The name of an entity, as in "wordpress/0".
pub fn bare_name(world: &World, subject: EntityId) -> &str {
    match subject {
        EntityId::Machine(id) => &world.machine(id).name,
        EntityId::Application(id) => &world.application(id).name,
        EntityId::Unit(id) => &world.unit(id).name,
        EntityId::Relation(id) => &world.relation(id).name,
    }
}

/// The assert of `op`, which does not hold, as text: "remove-unit.4 expects application wordpress
/// to have at least 2 units, but it is Dying, 1 unit, 0 relations".
pub fn contradiction(world: &World, state: &State, op: &Op) -> String {
    let (doc, expected) = (world.show_doc(op.doc()), op.expected(world));
    let found = match op.doc() {
        _ if op.expects_nothing() => "but it does".to_owned(),
        Doc::Marker(_) | Doc::Model => "but it does not".to_owned(),
        Doc::Entity(subject) => {
            let facts = facts(world, state, subject);
            let documented = facts.iter().filter(|fact| !fact.is_private);
            format!("but it is {}", worth_saying(documented))
        }
    };
    format!("{} expects {doc} {expected}, {found}", op.clause)
}

/// A fact about an entity, or about a row that belongs to none. A field that says nothing makes
/// none, so two descriptions of an entity need not have as many.
struct EntityFact {
    /// The position and the name of the field that it is about, or of the first of several.
    about: (u8, &'static str),
    text: String,
    is_shown: bool,
    is_private: bool,
}

fn facts(world: &World, state: &State, subject: EntityId) -> Vec<EntityFact> {
    let exists = subject.life(state).is_some();
    facts_of(world, exists, |see| state.entity_fields(subject, see))
}

/// The facts of the fields that `walk` goes through, in the order of the description.
fn facts_of(world: &World, exists: bool, walk: impl FnOnce(&mut See<'_>)) -> Vec<EntityFact> {
    let mut told: Vec<EntityFact> = Vec::new();
    walk(&mut |field, shown| {
        let Some(at) = field.texts.at else { return };
        let ValueText { text, is_unusual: is_shown } = field.texts.text(shown, exists);
        let text = shown.map_or_else(|| text.to_owned(), |shown| filled(world, text, shown));
        let (about, is_private) = ((at, field.name), field.texts.is_private);
        told.push(EntityFact { about, text, is_shown, is_private });
    });
    told.sort_by_key(|fact| fact.about.0);
    let mut facts: Vec<EntityFact> = Vec::new();
    for fact in told {
        let goes_on = fact.text.is_empty() || fact.text.starts_with(' ');
        match facts.last_mut() {
            Some(last) if goes_on => last.text += &fact.text,
            Some(_) | None => facts.push(fact),
        }
    }
    facts
}

fn filled(world: &World, text: &str, shown: ShownValue<'_>) -> String {
    match text.split_once("{}") {
        Some((before, after)) => format!("{before}{}{after}", self::shown(world, shown)),
        None => text.to_owned(),
    }
}

/// The text of a shown value. It is never empty, and a flag has none of its own.
pub fn shown(world: &World, shown: ShownValue<'_>) -> String {
    match shown {
        ShownValue::Count(count) => count.to_string(),
        ShownValue::Aborts(aborts, _) => aborts.to_string(),
        ShownValue::Life(life) => life.to_string(),
        ShownValue::State(_, name) => name.to_owned(),
        ShownValue::Placement(Placement::Machine(id)) => world.machine(id).name.clone(),
        ShownValue::Placement(Placement::Principal(id)) => world.unit(id).name.clone(),
        ShownValue::Constraints(set) if set != Constraints::NONE => {
            world.constraints.name(set).to_owned()
        }
        ShownValue::Name(Some(entity)) => bare_name(world, entity).to_owned(),
        ShownValue::Units(ids) => units(world, ids),
        ShownValue::Machines(ids) => list(ids.iter().map(|id| world.machine(id).name.as_str())),
        ShownValue::Txn(Some(txn)) => world.show_operation(txn.operation),
        ShownValue::Hook(hook) => world.show_hook(hook),
        ShownValue::Commands(counts) => {
            let given = world.commands.iter().zip(counts).filter(|(_, count)| **count > 0);
            let given = given
                .map(|(it, count)| format!("\"{}\" = {count}", world.show_command(it.command)));
            given.collect::<Vec<_>>().join(", ")
        }
        ShownValue::Flag(_)
        | ShownValue::Constraints(_)
        | ShownValue::Placement(Placement::Nowhere)
        | ShownValue::Name(None)
        | ShownValue::Txn(None) => String::new(),
    }
}

/// The names of the units of a set; if there are many, the first few and their number.
fn units(world: &World, ids: &IdSet<UnitId>) -> String {
    const MANY: usize = 20;
    few(ids.iter().map(|id| world.unit(id).name.as_str()), MANY)
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The rows of two states that belong to no entity, in the order of their descriptions.
fn other_rows(world: &World, before: &State, after: &State) -> Vec<Row> {
    let clients = before.runtime.clients().len().max(after.runtime.clients().len());
    let clients = (0..clients).map(|index| Row::Client(ClientId::new(index)));
    let users = world.user_ids().map(Row::User);
    let sightings = RowKind::Model.rows(world).chain(RowKind::Sighting.rows(world));
    let others = users.chain(ManagerTask::ALL.map(Row::Task)).chain(clients).chain([Row::Upgrade]);
    let history = RowKind::ALL.into_iter().filter(|kind| kind.is_history());
    let history = history.flat_map(|kind| kind.rows(world));
    others.chain(sightings).chain(history).collect()
}

/// The descriptions of the rows that belong to no entity and have something to say.
pub fn others(world: &World, state: &State) -> Vec<String> {
    let rows = other_rows(world, state, state).into_iter();
    let described = rows.map(|row| (row, worth_saying(row_facts(world, state, row).iter())));
    let described = described.filter(|(_, said)| !said.is_empty());
    described.map(|(row, said)| format!("{}: {said}", row_name(world, row))).collect()
}

/// The facts of such a row.
fn row_facts(world: &World, state: &State, row: Row) -> Vec<EntityFact> {
    facts_of(world, true, |see| state.fields(row, see))
}

/// The name of the owner of a row that belongs to no entity.
pub fn row_name(world: &World, row: Row) -> String {
    match row {
        Row::User(id) => world.show_actor(Actor::User(id)),
        Row::Task(ManagerTask::Provisioner) => world.show_actor(Actor::Provisioner),
        Row::Task(ManagerTask::Cleaner) => world.show_actor(Actor::Cleaner),
        Row::Client(id) => world.show_actor(Actor::Client(u8::try_from(id.index()).unwrap_or(0))),
        Row::Upgrade => "neglectful agents".to_owned(),
        Row::Model => "model".to_owned(),
        Row::UnitHistory(id) => format!("history of {}", world.unit(id).name),
        Row::RelationHistory(id, unit) => {
            format!("history of {} in {}", world.unit(unit).name, world.relation(id).name)
        }
        Row::MachineHistory(id) => format!("history of machine {}", world.machine(id).name),
        _ => match (row.relation(), row.actor()) {
            (Some(id), Some(unit)) => {
                format!("{} in {}", bare_name(world, unit), world.relation(id).name)
            }
            _ => row.kind().about().to_owned(),
        },
    }
}
