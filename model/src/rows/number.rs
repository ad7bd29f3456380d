//! Values that are packed as one number: flags, counts, lives, names, and lists of them.

use super::{
    bits::{RowReader, RowWriter},
    field::{Field, FieldKind, ShownValue, Unset},
    packed_number::PackedNumber,
    set::Setter,
    slot::{Below, Slot},
    value::FieldType,
};
use crate::{
    ids::{
        ApplicationId, Constraints, EntityId, Id, MachineId, RelationId, Rename, Renaming, UnitId,
    },
    life::Life,
};

impl<T: PackedNumber> FieldType for T {
    type Bound = Below;

    const KIND: FieldKind = T::KIND;

    fn lay_out(bound: Below, slots: &mut Vec<Slot>) -> u64 {
        let slot = T::slot(bound);
        slots.push(slot);
        slot.width.into()
    }

    #[inline]
    fn put(&self, w: &mut RowWriter<'_>) {
        let slot = w.slot();
        w.number(self.number(slot), slot);
    }

    #[inline]
    fn take(&mut self, r: &mut RowReader<'_>) {
        let slot = r.slot();
        *self = T::of(r.take(slot.width), slot);
    }

    fn take_renamed(&mut self, other: &Self, by: &Renaming) {
        *self = PackedNumber::renamed(*other, by);
    }

    fn show(&self) -> ShownValue<'_> {
        PackedNumber::show(self)
    }

    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
        let slot = setter.slot();
        setter.set(field, |shown| {
            let value = T::read(shown, slot)?;
            if value.number(slot) >= u64::from(slot.below) {
                return Err(Unset::Bound(slot.below));
            }
            *self = value;
            Ok(())
        });
    }
}

impl PackedNumber for bool {
    const KIND: FieldKind = FieldKind::Flag;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        (*self).into()
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        number == 1
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Flag(*self)
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        if let ShownValue::Flag(flag) = shown { Ok(flag) } else { Err(Unset::Kind) }
    }
}

macro_rules! counts {
    ($($type:ident)*) => {$(
        impl PackedNumber for $type {
            const KIND: FieldKind = FieldKind::Count;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                (*self).into()
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                $type::try_from(number).expect("as it was put")
            }

            fn show(&self) -> ShownValue<'_> {
                ShownValue::Count((*self).into())
            }

            fn read(shown: ShownValue<'_>, slot: &Slot) -> Result<Self, Unset> {
                let ShownValue::Count(count) = shown else { return Err(Unset::Kind) };
                $type::try_from(count).map_err(|_| Unset::Bound(slot.below))
            }
        }
    )*};
}

counts! { u8 u32 }

impl PackedNumber for Life {
    const KIND: FieldKind = FieldKind::Life;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        *self as u64
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        match number {
            0 => Life::Alive,
            1 => Life::Dying,
            _ => Life::Dead,
        }
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Life(*self)
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        if let ShownValue::Life(life) = shown { Ok(life) } else { Err(Unset::Kind) }
    }
}

impl PackedNumber for Constraints {
    const KIND: FieldKind = FieldKind::Constraints;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        Constraints::number(*self) as u64
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        Self::new(usize::try_from(number).expect("as it was put"))
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Constraints(*self)
    }

    fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
        if let ShownValue::Constraints(set) = shown { Ok(set) } else { Err(Unset::Kind) }
    }
}

macro_rules! names {
    ($($id:ident $kind:ident)*) => {$(
        impl PackedNumber for $id {
            const KIND: FieldKind = FieldKind::$kind;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                self.index() as u64
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                $id::new(usize::try_from(number).expect("as it was put"))
            }

            fn renamed(self, by: &Renaming) -> Self {
                Rename::renamed(&self, by)
            }

            fn show(&self) -> ShownValue<'_> {
                ShownValue::Name(Some(EntityId::$kind(*self)))
            }

            fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
                match shown {
                    ShownValue::Name(Some(EntityId::$kind(id))) => Ok(id),
                    _ => Err(Unset::Kind),
                }
            }
        }

        impl PackedNumber for Option<$id> {
            const KIND: FieldKind = FieldKind::$kind;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                self.map_or(0, |id| 1 + id.index() as u64)
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                usize::try_from(number).expect("as it was put").checked_sub(1).map($id::new)
            }

            fn renamed(self, by: &Renaming) -> Self {
                Rename::renamed(&self, by)
            }

            fn show(&self) -> ShownValue<'_> {
                ShownValue::Name(self.map(EntityId::$kind))
            }

            fn read(shown: ShownValue<'_>, _: &Slot) -> Result<Self, Unset> {
                match shown {
                    ShownValue::Name(None) => Ok(None),
                    ShownValue::Name(Some(EntityId::$kind(id))) => Ok(Some(id)),
                    _ => Err(Unset::Kind),
                }
            }
        }
    )*};
}

names! { MachineId Machine ApplicationId Application UnitId Unit RelationId Relation }

/// Makes an enumeration of named states, packed as their numbers. The first is the default.
macro_rules! states {
    ($(#[$doc:meta])+ $type:ident { $($(#[$about:meta])+ $state:ident $name:literal;)+ }) => {
        $(#[$doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$about])+ $state),+
        }

        impl $type {
            const ALL: &'static [Self] = &[$(Self::$state),+];
            const NAMES: &'static [&'static str] = &[$($name),+];
        }

        impl Default for $type {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        $crate::rows::number::state_number! { $type }
    };
}

/// Packs an enumeration of named states as their numbers. It must have the lists `ALL` and `NAMES`.
macro_rules! state_number {
    ($type:ident) => {
        impl $crate::rows::packed_number::PackedNumber for $type {
            const KIND: $crate::rows::FieldKind = $crate::rows::FieldKind::State(Self::NAMES);

            #[inline]
            fn number(&self, _: &$crate::rows::slot::Slot) -> u64 {
                *self as u64
            }

            #[inline]
            fn of(number: u64, _: &$crate::rows::slot::Slot) -> Self {
                Self::ALL[usize::try_from(number).expect("as it was put")]
            }

            fn show(&self) -> $crate::rows::ShownValue<'_> {
                $crate::rows::ShownValue::State(*self as usize, Self::NAMES[*self as usize])
            }

            fn read(
                shown: $crate::rows::ShownValue<'_>,
                _: &$crate::rows::slot::Slot,
            ) -> Result<Self, $crate::rows::Unset> {
                match shown {
                    $crate::rows::ShownValue::State(number, _) => Self::ALL.get(number).copied(),
                    _ => None,
                }
                .ok_or($crate::rows::Unset::Kind)
            }
        }
    };
}

pub(crate) use {state_number, states};
