//! Sightings in the runtime: the units of relations as other units' agents have seen them, rows of
//! the detail `relations`. Only those that differ from the default are kept.

use std::borrow::Cow;

use super::{Runtime, Sighting};
use crate::{
    ids::{Id, RelationId, UnitId},
    rows::{Read, RowKind, note},
    store::{Row, Touched},
};

impl Runtime {
    /// The agent's sighting of the relation's other units.
    pub fn sighting(&self, relation: RelationId, unit: UnitId) -> Cow<'_, Sighting> {
        note(Read::Row(Row::Sighting(relation, unit)));
        match self.sightings.get(&(relation, unit)) {
            Some(sighting) => Cow::Borrowed(sighting),
            None => Cow::Owned(Sighting::default()),
        }
    }

    /// Changes the agent's sighting of the relation's other units.
    pub(crate) fn change_sighting(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        change: impl FnOnce(&mut Sighting),
        touched: &mut Touched,
    ) {
        touched.push(Row::Sighting(relation, unit));
        let sighting = self.sightings.entry((relation, unit)).or_default();
        change(sighting);
        if *sighting == Sighting::default() {
            self.sightings.remove(&(relation, unit));
        }
    }

    pub(super) fn put_sighting(&mut self, key: (RelationId, UnitId), sighting: Cow<'_, Sighting>) {
        if *sighting == Sighting::default() {
            self.sightings.remove(&key);
        } else {
            self.sightings.insert(key, sighting.into_owned());
        }
    }

    /// The agents that have a sighting in the relation, in ascending order.
    pub(crate) fn sighting_agents(
        &self,
        relation: RelationId,
    ) -> impl Iterator<Item = UnitId> + '_ {
        note(Read::Relation(RowKind::Sighting, relation));
        let all = self.sightings.range((relation, UnitId::new(0))..);
        all.map(|(key, _)| *key).take_while(move |(id, _)| *id == relation).map(|(_, unit)| unit)
    }

    /// Drops the agent's sighting in the relation.
    pub(crate) fn forget_sighting(
        &mut self,
        relation: RelationId,
        unit: UnitId,
        touched: &mut Touched,
    ) {
        note(Read::Row(Row::Sighting(relation, unit)));
        if self.sightings.remove(&(relation, unit)).is_some() {
            touched.push(Row::Sighting(relation, unit));
        }
    }
}
