//! How rows of history are looked at, changed and taken back.

use super::{History, MachineHistory, RelationHistory, UnitHistory};
use crate::{
    ids::{Id, MachineId, RelationId, UnitId},
    rows::{Row, Stored, Touched, put},
    state::State,
    world::World,
};

impl History {
    /// What has happened to the unit.
    ///
    /// # Panics
    /// If no field of its row is kept.
    pub fn unit(&self, id: UnitId) -> &UnitHistory {
        &self.units[id.index()]
    }

    /// What has happened to the machine.
    ///
    /// # Panics
    /// If no field of its row is kept.
    pub fn machine(&self, id: MachineId) -> &MachineHistory {
        &self.machines[id.index()]
    }

    /// The units of a relation whose rows may change as `unit` does something there, in ascending
    /// order: itself, and those that can see it. The other units of its own role never learn of it.
    pub(super) fn units_concerned(
        &self,
        world: &World,
        relation: RelationId,
        unit: UnitId,
    ) -> Vec<UnitId> {
        let all = self.relations.range((relation, UnitId::new(0))..);
        let here = all.take_while(|((id, _), _)| *id == relation);
        let concerned = here.filter(|(key, row)| {
            let (relation, it) = **key;
            it == unit || world.can_see(it, relation, unit) && row.concerns(world, unit)
        });
        concerned.map(|((_, it), _)| *it).collect()
    }

    fn put_relation(&mut self, key: (RelationId, UnitId), row: RelationHistory) {
        if row == RelationHistory::default() {
            self.relations.remove(&key);
        } else {
            self.relations.insert(key, row);
        }
    }
}

impl Stored for UnitHistory {
    #[inline]
    fn look<T>(state: &State, id: UnitId, look: impl FnOnce(&Self) -> T) -> T {
        look(state.history.unit(id))
    }

    fn change(
        state: &mut State,
        id: UnitId,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        touched.push(Row::UnitHistory(id));
        change(&mut state.history.units[id.index()]);
    }

    #[inline]
    fn restore(state: &mut State, id: UnitId, other: &State) {
        put(&mut state.history.units, &other.history.units, id);
    }
}

impl Stored for MachineHistory {
    #[inline]
    fn look<T>(state: &State, id: MachineId, look: impl FnOnce(&Self) -> T) -> T {
        look(state.history.machine(id))
    }

    fn change(
        state: &mut State,
        id: MachineId,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        touched.push(Row::MachineHistory(id));
        change(&mut state.history.machines[id.index()]);
    }

    #[inline]
    fn restore(state: &mut State, id: MachineId, other: &State) {
        put(&mut state.history.machines, &other.history.machines, id);
    }
}

impl Stored for RelationHistory {
    fn look<T>(state: &State, key: Self::Key, look: impl FnOnce(&Self) -> T) -> T {
        match state.history.relations.get(&key) {
            Some(row) => look(row),
            None => look(&Self::default()),
        }
    }

    fn change(
        state: &mut State,
        key: Self::Key,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        touched.push(Row::RelationHistory(key.0, key.1));
        let mut row = state.history.relations.remove(&key).unwrap_or_default();
        change(&mut row);
        state.history.put_relation(key, row);
    }

    fn restore(state: &mut State, key: Self::Key, other: &State) {
        let row = other.history.relations.get(&key).cloned().unwrap_or_default();
        state.history.put_relation(key, row);
    }
}
