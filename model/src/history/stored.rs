//! Storage of history: its rows are read, changed and restored here.

use super::{History, MachineHistory, RelationHistory, UnitHistory};
use crate::{
    ids::{Id, MachineId, RelationId, UnitId},
    rows::{Read, Row, RowKind, RowTable, Touched, note, put},
    world::World,
};

impl History {
    /// The history of the unit.
    ///
    /// # Panics
    /// If no field of its row is kept.
    pub fn unit(&self, id: UnitId) -> &UnitHistory {
        note(Read::Row(Row::UnitHistory(id)));
        &self.units[id.index()]
    }

    /// The history of the unit in the relation.
    pub fn relation(&self, relation: RelationId, unit: UnitId) -> RelationHistory {
        self.look((relation, unit), RelationHistory::clone)
    }

    /// The history of the machine.
    ///
    /// # Panics
    /// If no field of its row is kept.
    pub fn machine(&self, id: MachineId) -> &MachineHistory {
        note(Read::Row(Row::MachineHistory(id)));
        &self.machines[id.index()]
    }

    /// The units of a relation whose rows may change by an event about `unit`, in ascending order:
    /// itself, and those that can see it. The other units of its own role never learn of it.
    pub(super) fn units_concerned(
        &self,
        world: &World,
        relation: RelationId,
        unit: UnitId,
    ) -> Vec<UnitId> {
        note(Read::Relation(RowKind::RelationHistory, relation));
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

impl RowTable<UnitHistory> for History {
    #[inline]
    fn look<T>(&self, id: UnitId, look: impl FnOnce(&UnitHistory) -> T) -> T {
        look(self.unit(id))
    }

    fn change(&mut self, id: UnitId, touched: &mut Touched, change: impl FnOnce(&mut UnitHistory)) {
        touched.push(Row::UnitHistory(id));
        change(&mut self.units[id.index()]);
    }

    #[inline]
    fn restore(&mut self, id: UnitId, other: &Self) {
        put(&mut self.units, &other.units, id);
    }
}

impl RowTable<MachineHistory> for History {
    #[inline]
    fn look<T>(&self, id: MachineId, look: impl FnOnce(&MachineHistory) -> T) -> T {
        look(self.machine(id))
    }

    fn change(
        &mut self,
        id: MachineId,
        touched: &mut Touched,
        change: impl FnOnce(&mut MachineHistory),
    ) {
        touched.push(Row::MachineHistory(id));
        change(&mut self.machines[id.index()]);
    }

    #[inline]
    fn restore(&mut self, id: MachineId, other: &Self) {
        put(&mut self.machines, &other.machines, id);
    }
}

impl RowTable<RelationHistory> for History {
    fn look<T>(&self, key: (RelationId, UnitId), look: impl FnOnce(&RelationHistory) -> T) -> T {
        note(Read::Row(Row::RelationHistory(key.0, key.1)));
        match self.relations.get(&key) {
            Some(row) => look(row),
            None => look(&RelationHistory::default()),
        }
    }

    fn change(
        &mut self,
        key: (RelationId, UnitId),
        touched: &mut Touched,
        change: impl FnOnce(&mut RelationHistory),
    ) {
        touched.push(Row::RelationHistory(key.0, key.1));
        let mut row = self.relations.remove(&key).unwrap_or_default();
        change(&mut row);
        self.put_relation(key, row);
    }

    fn restore(&mut self, key: (RelationId, UnitId), other: &Self) {
        let row = other.relations.get(&key).cloned().unwrap_or_default();
        self.put_relation(key, row);
    }
}
