//! The setting of a field by its name: the other way round of describing it.
//!
//! A walk through the fields of a row comes by the field that is set, and by the slots of all. A
//! value that does not fit its slot is refused here, so that no state is made that cannot be
//! packed.

use std::slice;

use super::{
    Row, RowKind, RowVisitor, Stored, WorldBounds,
    field::{Field, ShownValue},
    number::PackedNumber,
    value::Slot,
};
use crate::{
    ids::{EntityId, Placement, UnitId},
    state::State,
    store::Touched,
};

/// Why a field does not get a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// There is no field of this name.
    NoField,
    /// The field has values of another kind.
    Kind,
    /// The document that it is of does not exist.
    NoDocument,
    /// Its value follows from fields of other rows.
    Follows,
    /// A transaction cannot be set: it is planned on what it reads.
    Txn,
    /// Its values have numbers below this one in this world; with one value it never changes.
    Bound(u32),
    /// This cannot be in the set in this world.
    Member(EntityId),
    /// A principal is on a machine, and a subordinate with a principal.
    NoHost,
}

/// A field that gets a value, and the slots of its row.
pub(crate) struct Setter<'a> {
    name: &'a str,
    /// The value; `None` if the document is to be missing whose first field it is.
    value: Option<ShownValue<'a>>,
    slots: slice::Iter<'a, Slot>,
    outcome: Result<(), Unset>,
}

/// What is set of a document by its first field, which it has as long as it exists.
pub(super) enum FirstField<T> {
    /// Nothing, or not by this field.
    Kept,
    /// It is to be missing.
    Missing,
    /// It is to exist, with this value.
    Value(T),
}

impl<'a> Setter<'a> {
    /// The slot of the next field.
    pub(super) fn slot(&mut self) -> &'a Slot {
        self.slots.next().expect("each field has a slot")
    }

    /// The next slots.
    pub(super) fn slots(&mut self, count: u32) -> &'a [Slot] {
        let (these, rest) = self.slots.as_slice().split_at(count as usize);
        self.slots = rest.iter();
        these
    }

    /// Sets a field, if it is this one, by a function of the value.
    pub(super) fn set(
        &mut self,
        field: &Field,
        set: impl FnOnce(ShownValue<'a>) -> Result<(), Unset>,
    ) {
        if field.name == self.name {
            self.outcome = self.value.ok_or(Unset::Kind).and_then(set);
        }
    }

    /// Changes what holds a field, if it is this one and was set.
    pub(super) fn set_too(&mut self, field: &Field, change: impl FnOnce()) {
        if field.name == self.name && self.outcome.is_ok() {
            change();
        }
    }

    /// What is set of a document whose first field this is, and whose existence has this slot.
    pub(super) fn first<T: PackedNumber>(&mut self, field: &Field, head: &Slot) -> FirstField<T> {
        if field.name != self.name {
            return FirstField::Kept;
        }
        let first = match self.value {
            None | Some(ShownValue::Name(None)) => Ok(FirstField::Missing),
            Some(shown) => T::read(shown, head).and_then(|value| {
                let fits = 1 + value.number(head) < u64::from(head.below);
                if fits { Ok(FirstField::Value(value)) } else { Err(Unset::Bound(head.below)) }
            }),
        };
        self.outcome = first.as_ref().map(|_| ()).map_err(|unset| *unset);
        first.unwrap_or(FirstField::Kept)
    }

    /// Leaves out the fields of a document that does not exist.
    pub(super) fn skip(&mut self, slots: u32, fields: &[Field]) {
        self.slots(slots);
        if fields.iter().any(|field| field.name == self.name) {
            self.outcome = Err(Unset::NoDocument);
        }
    }
}

impl State {
    /// Sets the field of this name in a row. `None` deletes the document whose first field it is.
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
                let mut slots = Vec::new();
                R::lay_out(bounds, key, &mut slots);
                let outcome = Err(Unset::NoField);
                let mut setter = Setter { name, value, slots: slots.iter(), outcome };
                R::change(state, key, &mut Touched::new(), |row| row.set(&mut setter));
                setter.outcome
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
    /// single units are set as a set of units, which are all that have the field.
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
            let row_type = kind.row_type();
            let is_there = kind.count(bounds.world) > 0;
            is_there && row_type.per_unit && row_type.fields.iter().any(|field| field.name == name)
        };
        let (EntityId::Relation(relation), Some(kind)) =
            (entity, RowKind::ALL.into_iter().find(has_it))
        else {
            return Err(Unset::NoField);
        };
        let Some(ShownValue::Units(units)) = value else { return Err(Unset::Kind) };
        let world = bounds.world;
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

/// Whether a unit can be there: placements lead from a subordinate to its principal to a machine,
/// and never in a circle.
fn is_host(bounds: &WorldBounds<'_>, unit: UnitId, host: Placement) -> bool {
    let is_subordinate = |id| bounds.world.is_subordinate(id);
    match host {
        Placement::Nowhere => true,
        Placement::Machine(_) => !is_subordinate(unit),
        Placement::Principal(principal) => is_subordinate(unit) && !is_subordinate(principal),
    }
}
