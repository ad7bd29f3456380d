//! A unit's documents.

use super::{
    bounds::WorldBounds,
    declare::row,
    document::document,
    field::Unset,
    field::{FieldKind, FieldText, ShownValue, hidden, shown},
    packed_number::PackedNumber,
    slot::{Slot, below},
};
use crate::{
    ids::{Constraints, Id, IdSet, MachineId, Placement, Rename, Renaming, UnitId},
    life::Life,
};

row! {
    /// The documents of one unit.
    UnitDocs of UnitId [Default] {
        /// The unit, while it exists.
        unit: Option<Unit> = "unit", Unit::bound, FieldText::NEVER;
        /// The cleanup document that asks to force it.
        force: bool = "force", |of, _| of.forced(),
            FieldText::at(70).both([hidden("not to be forced"), shown("to be forced")])
                .cleanup("force unit");
    }
}

document! {
    /// A unit document.
    Unit of UnitId [] {
        /// Its life.
        life: Life = "life", |_, _| below(3), super::LIFE;
        /// Its placement, which determines its deployer.
        placement: Placement = "placement", |of, _| of.placement(),
            FieldText::at(20)
                .present([shown("not assigned"), shown("on machine {}"), shown("subordinate of {}")])
                .absent([hidden("nowhere")]);
        /// Its subordinates.
        subordinates: IdSet<UnitId> = "subordinates", WorldBounds::subordinates,
            FieldText::at(30).both([hidden("no subordinates"), shown("subordinates {}")]);
        /// The constraints that it has captured.
        constraints: Constraints = "constraints", |of, _| of.constraints(),
            FieldText::at(35).both([hidden("no constraints"), shown("constraints {}")]);
    }
}

impl Unit {
    /// A unit as it is created.
    pub fn created(placement: Placement) -> Self {
        Self {
            life: Life::Alive,
            placement,
            subordinates: IdSet::default(),
            constraints: Constraints::NONE,
        }
    }
}

impl PackedNumber for Placement {
    const KIND: FieldKind = FieldKind::Placement;

    /// Machines are numbered before units; the slot has the number of machines.
    #[inline]
    fn number(&self, slot: &Slot) -> u64 {
        match self {
            Self::Nowhere => 0,
            Self::Machine(id) => 1 + id.index() as u64,
            Self::Principal(id) => 1 + u64::from(slot.base) + id.index() as u64,
        }
    }

    #[inline]
    fn of(number: u64, slot: &Slot) -> Self {
        let index = usize::try_from(number).expect("as it was put");
        match (index.checked_sub(1), index.checked_sub(1 + slot.base as usize)) {
            (None, _) => Self::Nowhere,
            (Some(machine), None) => Self::Machine(MachineId::new(machine)),
            (Some(_), Some(unit)) => Self::Principal(UnitId::new(unit)),
        }
    }

    fn renamed(self, by: &Renaming) -> Self {
        Rename::renamed(&self, by)
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Placement(*self)
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        if let ShownValue::Placement(placement) = shown { Ok(placement) } else { Err(Unset::Kind) }
    }
}
