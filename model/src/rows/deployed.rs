//! The units that an agent has deployed, as a set that takes no bits.

use std::{
    hash::{Hash, Hasher},
    ops::Deref,
};

use super::{
    bits::{RowReader, RowWriter},
    field::Unset,
    field::{Field, FieldKind, ShownValue},
    reads::{Read, note},
    set::Setter,
    slot::Slot,
    value::FieldType,
};
use crate::ids::{IdSet, Renaming, UnitId};

/// The units that an agent has deployed, on its disk. The set is derived from the deployers that
/// units' agents name, and kept up to date; so to read or compare it is to read these.
#[derive(Clone, Debug, Default, Eq, PartialOrd, Ord)]
pub struct Deployed(IdSet<UnitId>);

impl Deployed {
    /// Adds a unit whose deployer is the agent from now on.
    pub(crate) fn insert(&mut self, id: UnitId) {
        self.0.insert(id);
    }

    /// Removes a unit whose deployer is no longer the agent.
    pub(crate) fn remove(&mut self, id: UnitId) {
        self.0.remove(id);
    }
}

impl Deref for Deployed {
    type Target = IdSet<UnitId>;

    #[inline]
    fn deref(&self) -> &IdSet<UnitId> {
        note(Read::Deployers);
        &self.0
    }
}

impl PartialEq for Deployed {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        note(Read::Deployers);
        self.0 == other.0
    }
}

impl Hash for Deployed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        note(Read::Deployers);
        self.0.hash(state);
    }
}

impl FieldType for Deployed {
    type Bound = ();

    const KIND: FieldKind = FieldKind::Units;

    fn lay_out((): (), _: &mut Vec<Slot>) -> u64 {
        0
    }

    #[inline]
    fn put(&self, _: &mut RowWriter<'_>) {}

    #[inline]
    fn take(&mut self, _: &mut RowReader<'_>) {}

    fn take_renamed(&mut self, _: &Self, _: &Renaming) {}

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Units(self)
    }

    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
        setter.set(field, |_| Err(Unset::Follows));
    }
}
