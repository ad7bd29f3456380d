//! Documents as text: what there is to say of a machine, an application, a unit or a relation,
//! and what is different after a step.
//!
//! Each document is a list of facts in a fixed order. A description leaves out those that go
//! without saying; a difference names those that changed, and nothing else.

mod asserts;
mod diagnosis;
mod differences;
mod others;

use deathwatch_model::{
    claims::{EntityId, EntityKind},
    ids::{ApplicationId, IdSet, MachineId, RelationId, UnitId},
    life::Life,
    runtime::{Hardware, PendingTxn},
    state::State,
    store::Placement,
    world::World,
};

pub(crate) use self::{
    asserts::contradiction,
    differences::{changed_documents_at, differences_at},
};
pub use self::{diagnosis::diagnosis, differences::differences};

/// What there is to say of one document, "unit wordpress/0: Dying, on machine 1, deployed".
pub fn document(world: &World, state: &State, subject: EntityId) -> String {
    format!("{}: {}", name(world, subject), condition(world, state, subject))
}

/// The same without its name.
pub fn condition(world: &World, state: &State, subject: EntityId) -> String {
    worth_saying(facts(world, state, subject).iter())
}

fn worth_saying<'a>(facts: impl Iterator<Item = &'a Fact>) -> String {
    let shown = facts.filter(|fact| fact.is_worth_saying);
    shown.map(|fact| fact.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// What a document is called, "unit wordpress/0".
pub fn name(world: &World, subject: EntityId) -> String {
    let kind = match subject {
        EntityId::Machine(_) => "machine",
        EntityId::Application(_) => "application",
        EntityId::Unit(_) => "unit",
        EntityId::Relation(_) => "relation",
    };
    format!("{kind} {}", bare_name(world, subject))
}

/// What an entity is called, "wordpress/0".
pub fn bare_name(world: &World, subject: EntityId) -> &str {
    match subject {
        EntityId::Machine(id) => &world.machine(id).name,
        EntityId::Application(id) => &world.application(id).name,
        EntityId::Unit(id) => &world.unit(id).name,
        EntityId::Relation(id) => &world.relation(id).name,
    }
}

/// Every place of the world, in the order of the kinds.
pub fn subjects(world: &World) -> impl Iterator<Item = EntityId> {
    EntityKind::ALL.into_iter().flat_map(|kind| kind.subjects(world))
}

/// Something that can be said of a document; how many there are depends on its kind only.
struct Fact {
    text: String,
    is_worth_saying: bool,
    is_in_mind: bool,
}

impl Fact {
    /// Something that is always said.
    fn told(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_worth_saying: true, is_in_mind: false }
    }

    /// Something that is only said if it is not as usual.
    fn unusual(text: Option<String>, usual: &str) -> Self {
        match text {
            Some(text) => Self::told(text),
            None => Self { is_worth_saying: false, ..Self::told(usual) },
        }
    }

    fn life(life: Option<Life>) -> Self {
        Self::told(life.map_or_else(|| "gone".to_owned(), |life| life.to_string()))
    }

    fn flag(holds: bool, text: &str, usual: &str) -> Self {
        Self::unusual(holds.then(|| text.to_owned()), usual)
    }
}

fn facts(world: &World, state: &State, subject: EntityId) -> Vec<Fact> {
    match subject {
        EntityId::Machine(id) => machine(world, state, id),
        EntityId::Application(id) => application(state, id),
        EntityId::Unit(id) => unit(world, state, id),
        EntityId::Relation(id) => relation(world, state, id),
    }
}

fn machine(world: &World, state: &State, id: MachineId) -> Vec<Fact> {
    let (docs, host) = (state.store.machine_docs(id), state.runtime.machine(id));
    let (hardware, is_told) = match host.hardware {
        Hardware::Absent => ("no instance", docs.machine.is_some()),
        Hardware::Running => ("running", true),
        Hardware::Silent => ("its hardware failed unnoticed", true),
    };
    let units = docs.machine.as_ref().map(|machine| units(world, &machine.principals));
    let containers = docs
        .machine
        .as_ref()
        .map(|machine| list(machine.containers.iter().map(|id| world.machine(id).name.as_str())));
    vec![
        Fact::life(docs.machine.as_ref().map(|machine| machine.life)),
        Fact { is_worth_saying: is_told, ..Fact::told(hardware) },
        Fact::flag(host.down, "its agent is down", "its agent is up"),
        listed("units", units.flatten(), "no units"),
        listed("containers", containers.flatten(), "no containers"),
        Fact::flag(docs.force, "to be forced", "not to be forced"),
        pending(world, &host.pending),
    ]
}

fn application(state: &State, id: ApplicationId) -> Vec<Fact> {
    let docs = state.store.application_docs(id);
    let Some(application) = docs.application else {
        return vec![
            Fact::life(None),
            Fact::unusual(None, "no units"),
            Fact::unusual(None, "no relations"),
            Fact::flag(docs.settings, "its settings are left", "no settings"),
            Fact::flag(docs.units_cleanup, "its units are to be destroyed", "no cleanup"),
        ];
    };
    vec![
        Fact::life(Some(application.life)),
        Fact::told(count(application.units, "unit")),
        Fact::told(count(application.relations, "relation")),
        Fact::flag(!docs.settings, "no settings", "its settings are there"),
        Fact::flag(docs.units_cleanup, "its units are to be destroyed", "no cleanup"),
    ]
}

fn unit(world: &World, state: &State, id: UnitId) -> Vec<Fact> {
    let (docs, host) = (state.store.unit_docs(id), state.runtime.unit(id));
    let place = docs.unit.as_ref().map(|unit| match unit.placement {
        Placement::Nowhere => "not assigned".to_owned(),
        Placement::Machine(id) => format!("on machine {}", world.machine(id).name),
        Placement::Principal(id) => format!("subordinate of {}", world.unit(id).name),
    });
    let subordinates = docs.unit.as_ref().and_then(|unit| units(world, &unit.subordinates));
    let deployed = match host.deployed_by {
        Placement::Nowhere => ("not deployed", docs.unit.is_some()),
        Placement::Machine(_) | Placement::Principal(_) => ("deployed", true),
    };
    let failed =
        host.hook_error.map(|id| format!("its hook failed in {}", world.relation(id).name));
    vec![
        Fact::life(docs.unit.as_ref().map(|unit| unit.life)),
        Fact::unusual(place, "nowhere"),
        listed("subordinates", subordinates, "no subordinates"),
        Fact { is_worth_saying: deployed.1, ..Fact::told(deployed.0) },
        Fact::flag(host.down, "its agent is down", "its agent is up"),
        Fact::unusual(failed, "no hook failed"),
        Fact::flag(docs.force, "to be forced", "not to be forced"),
        pending(world, &host.pending),
    ]
}

fn relation(world: &World, state: &State, id: RelationId) -> Vec<Fact> {
    let (docs, memberships) = (state.store.relation_docs(id), state.runtime.memberships(id));
    let members = units(world, state.store.scope(id));
    let scope = match (docs.relation, members) {
        (None, None) => Fact::unusual(None, "nobody in scope"),
        (None, Some(units)) => Fact::told(format!("scope documents of {units}")),
        (Some(relation), None) => Fact::told(format!("{} in scope", relation.in_scope)),
        (Some(relation), Some(units)) => {
            Fact::told(format!("{} in scope ({units})", relation.in_scope))
        }
    };
    vec![
        Fact::life(docs.relation.map(|relation| relation.life)),
        scope,
        Fact::flag(docs.settings, "unit settings", "no unit settings"),
        Fact::flag(docs.leftovers, "settings left over", "no settings left over"),
        Fact::flag(docs.cleanup, "settings to be deleted", "no cleanup"),
        listed("directories of", units(world, &memberships.directories), "no directories"),
        listed(
            "directories to be written by",
            units(world, &memberships.unwritten),
            "none to be written",
        ),
        listed("hooks run by", units(world, &memberships.departed), "no hooks run"),
    ]
}

/// The units of a set: so many that nobody reads all their names are named in part.
fn units(world: &World, ids: &IdSet<UnitId>) -> Option<String> {
    const MANY: usize = 20;
    let more = ids.len().saturating_sub(MANY);
    let names = list(ids.iter().take(MANY).map(|id| world.unit(id).name.as_str()))?;
    Some(if more > 0 { format!("{names} and {more} more") } else { names })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<&str> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn listed(what: &str, names: Option<String>, usual: &str) -> Fact {
    Fact::unusual(names.map(|names| format!("{what} {names}")), usual)
}

fn count(number: u32, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn pending(world: &World, pending: &PendingTxn) -> Fact {
    let text = pending
        .as_ref()
        .map(|txn| format!("its agent is about to commit {}", world.show_operation(txn.operation)));
    Fact { is_in_mind: true, ..Fact::unusual(text, "no transaction pending") }
}
