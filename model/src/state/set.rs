//! The setting of a field by its name, in a row or in the rows of an entity.

use super::{
    State,
    stored::{RowVisitor, Stored},
};
use crate::{
    ids::{EntityId, Placement, UnitId},
    rows::{Row, RowKind, ShownValue, Touched, Unset, WorldBounds, set_field},
};

impl State {
    /// Sets the field of this name in a row. `None` deletes the document with this first field.
    ///
    /// # Errors
    /// If the field does not have this value in any state of a world with these bounds.
    pub fn set(
        &mut self,
        bounds: &WorldBounds<'_>,
        row: Row,
        name: &str,
        value: Option<ShownValue<'_>>,
    ) -> Result<(), Unset> {
        struct Set<'a, 'b>(&'a mut State, &'a WorldBounds<'b>, &'a str, Option<ShownValue<'a>>);

        impl RowVisitor for Set<'_, '_> {
            type Out = Result<(), Unset>;

            fn visit<R: Stored>(self, key: R::Key) -> Self::Out {
                let Self(state, bounds, name, value) = self;
                set_field::<R>(bounds, key, name, value, |set| {
                    R::change(state, key, &mut Touched::new(), set);
                })
            }
        }

        if let (Some(EntityId::Unit(unit)), Some(ShownValue::Placement(host))) =
            (row.entity(), value)
            && !is_host(bounds, unit, host)
        {
            return Err(Unset::NoHost);
        }
        row.visit(Set(self, bounds, name, value))
    }

    /// Sets the field of this name in the rows that belong to an entity. A relation's rows for
    /// single units are set together, by the set of units that have the field.
    ///
    /// # Errors
    /// If the field does not have this value in any state of a world with these bounds.
    pub fn set_of_entity(
        &mut self,
        bounds: &WorldBounds<'_>,
        entity: EntityId,
        name: &str,
        value: Option<ShownValue<'_>>,
    ) -> Result<(), Unset> {
        for row in self.rows_of(entity) {
            match self.set(bounds, row, name, value) {
                Err(Unset::NoField) => {}
                outcome => return outcome,
            }
        }
        let has_it = |kind: &RowKind| {
            let is_there = kind.count(bounds.world()) > 0;
            is_there && kind.is_per_unit() && kind.fields().iter().any(|it| it.name == name)
        };
        let (EntityId::Relation(relation), Some(kind)) =
            (entity, RowKind::ALL.into_iter().find(has_it))
        else {
            return Err(Unset::NoField);
        };
        let Some(ShownValue::Units(units)) = value else { return Err(Unset::Kind) };
        let world = bounds.world();
        if let Some(other) = units.iter().find(|id| world.pair_index(relation, *id).is_none()) {
            return Err(Unset::Member(EntityId::Unit(other)));
        }
        let pairs = world.unit_ids().filter_map(|id| Some((id, world.pair_index(relation, id)?)));
        for (unit, pair) in pairs {
            let value = Some(ShownValue::Flag(units.contains(unit)));
            match self.set(bounds, kind.row(world, pair), name, value) {
                Err(Unset::Bound(_)) => return Err(Unset::Member(EntityId::Unit(unit))),
                outcome => outcome?,
            }
        }
        Ok(())
    }
}

/// Whether a unit can be at `host`: placements lead from a subordinate to its principal to a
/// machine, and never in a circle.
fn is_host(bounds: &WorldBounds<'_>, unit: UnitId, host: Placement) -> bool {
    let is_subordinate = |id| bounds.world().is_subordinate(id);
    match host {
        Placement::Nowhere => true,
        Placement::Machine(_) => !is_subordinate(unit),
        Placement::Principal(principal) => is_subordinate(unit) && !is_subordinate(principal),
    }
}
