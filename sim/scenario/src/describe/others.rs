//! Rows that belong to no entity: those of users, the provisioner, the cleaner, the clients of
//! scripts, and the upgrade.

use deathwatch_model::{
    actor::Actor,
    ids::{ClientId, Id},
    rows::{ManagerTask, Row, RowKind},
    state::State,
    world::World,
};

use super::{Fact, bare_name, facts_of, worth_saying};

/// The rows of two states that belong to no entity, in the order of their descriptions.
pub(super) fn rows(world: &World, before: &State, after: &State) -> Vec<Row> {
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
pub fn documents(world: &World, state: &State) -> Vec<String> {
    let rows = rows(world, state, state).into_iter();
    let described = rows.map(|row| (row, worth_saying(facts(world, state, row).iter())));
    let described = described.filter(|(_, said)| !said.is_empty());
    described.map(|(row, said)| format!("{}: {said}", name(world, row))).collect()
}

/// The facts of such a row.
pub(super) fn facts(world: &World, state: &State, row: Row) -> Vec<Fact> {
    facts_of(world, true, |see| state.fields(row, see))
}

/// The name of the row's owner.
pub fn name(world: &World, row: Row) -> String {
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
