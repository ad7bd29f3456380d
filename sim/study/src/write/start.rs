//! A state as the table `[start]`: the fields that differ from those of `[world]` alone.

use deathwatch_claims::disagreements;
use deathwatch_model::{
    ids::EntityId,
    life::Life,
    rows::{RowKind, ShownValue, Unset, WorldBounds},
    state::State,
    world::World,
};
use deathwatch_scenario::{
    describe,
    scenario::{CLEANUPS, INCONSISTENT, NamedSubject, cleanups, written},
};
use toml::{Table, Value};

/// The table by which a world that is `described` so far begins in `state`. `None` if a transaction
/// is pending there, which no table can say.
pub fn start(world: &World, described: &State, state: &State) -> Option<Table> {
    let mut writer = StartWriter { world, state, reached: described.clone(), table: Table::new() };
    writer.lives();
    writer.cleanups();
    for subject in NamedSubject::all(world) {
        writer.fields(subject);
    }
    let StartWriter { reached, mut table, .. } = writer;
    let kinds = RowKind::ALL.into_iter().filter(|kind| !kind.is_history());
    let mut rows = kinds.flat_map(|kind| kind.rows(world));
    let is_whole = rows.all(|row| reached.is_same(row, state));
    let has_clients = state.runtime.clients().iter().any(|client| client.pending.is_some());
    if !is_whole || has_clients {
        return None;
    }
    if !table.is_empty() && !disagreements(world, state).is_empty() {
        table.insert(INCONSISTENT.to_owned(), true.into());
    }
    Some(table)
}

/// Writes a table, and keeps the state that it describes so far.
struct StartWriter<'a> {
    world: &'a World,
    state: &'a State,
    reached: State,
    table: Table,
}

impl StartWriter<'_> {
    /// Writes the lists of entities by their life.
    fn lives(&mut self) {
        for entity in EntityId::all(self.world) {
            let life = entity.life(self.state);
            if life == entity.life(&self.reached) {
                continue;
            }
            let list =
                self.table.entry(Life::word(life)).or_insert_with(|| Value::Array(Vec::new()));
            let name = describe::bare_name(self.world, entity);
            list.as_array_mut().expect("it is a list").push(name.into());
            let bounds = WorldBounds::of_starts(self.world);
            let set = self.reached.set_of_entity(
                &bounds,
                entity,
                Life::FIELD,
                life.map(ShownValue::Life),
            );
            set.expect("each entity can have each life");
        }
    }

    /// Writes the list of cleanup documents.
    fn cleanups(&mut self) {
        let all = cleanups(self.world, self.state);
        if all != cleanups(self.world, &self.reached) {
            let names: Vec<String> = all.iter().map(|doc| doc.name(self.world)).collect();
            self.table.insert(CLEANUPS.to_owned(), names.into());
        }
    }

    /// Writes the fields of a subject. Those that follow from others need not be written.
    fn fields(&mut self, subject: NamedSubject) {
        let Self { world, state, reached, table } = self;
        let bounds = WorldBounds::of_starts(world);
        subject.fields(state, &mut |field, shown| {
            let mut differs = shown.is_some();
            subject.fields(reached, &mut |other, was| {
                if other.name == field.name {
                    differs = was != shown;
                }
            });
            if differs
                && subject.set(reached, &bounds, field.name, shown) != Err(Unset::Follows)
                && field.texts.cleanup.is_none()
                && let Some(value) = shown.and_then(|shown| written(world, shown))
            {
                let key = field.name.to_owned();
                let entries = table.entry(key).or_insert_with(|| Value::Table(Table::new()));
                let entries = entries.as_table_mut().expect("it is a table");
                entries.insert(subject.key(world), value);
            }
        });
    }
}
