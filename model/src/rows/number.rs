//! Values that are packed as one number: flags, counts, lives, names, and lists of them.

use super::{
    bits::{Reader, Writer},
    field::{Field, FieldKind, Shown},
    set::{Setter, Unset},
    value::{Below, Slot, Value},
};
use crate::{
    ids::{ApplicationId, EntityId, Id, MachineId, RelationId, UnitId},
    life::Life,
    world::Constraints,
};

/// A value that is packed as one number.
pub(crate) trait Number: PartialEq + Sized {
    /// Its kind.
    const KIND: FieldKind;

    /// Its number.
    fn number(&self, slot: &Slot) -> u64;

    /// The value that has this number.
    fn of(number: u64, slot: &Slot) -> Self;

    /// The slot of a field with this bound.
    fn slot(bound: Below) -> Slot {
        Slot { base: bound.base, ..Slot::below(bound.values) }
    }

    /// Its value as a description shows it.
    fn show(&self) -> Shown<'_>;

    /// The value that a description shows so.
    ///
    /// # Errors
    /// If it shows no value of this type so.
    fn read(shown: Shown<'_>, slot: &Slot) -> Result<Self, Unset>;
}

impl<T: Number> Value for T {
    type Bound = Below;

    const KIND: FieldKind = T::KIND;

    fn lay_out(bound: Below, slots: &mut Vec<Slot>) -> u64 {
        let slot = T::slot(bound);
        slots.push(slot);
        slot.width.into()
    }

    #[inline]
    fn put(&self, w: &mut Writer<'_>) {
        let slot = w.slot();
        w.number(self.number(slot), slot);
    }

    #[inline]
    fn take(&mut self, r: &mut Reader<'_>) {
        let slot = r.slot();
        *self = T::of(r.take(slot.width), slot);
    }

    fn show(&self) -> Shown<'_> {
        Number::show(self)
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

impl Number for bool {
    const KIND: FieldKind = FieldKind::Flag;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        (*self).into()
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        number == 1
    }

    fn show(&self) -> Shown<'_> {
        Shown::Flag(*self)
    }

    fn read(shown: Shown<'_>, _: &Slot) -> Result<Self, Unset> {
        if let Shown::Flag(flag) = shown { Ok(flag) } else { Err(Unset::Kind) }
    }
}

macro_rules! counts {
    ($($type:ident)*) => {$(
        impl Number for $type {
            const KIND: FieldKind = FieldKind::Count;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                (*self).into()
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                $type::try_from(number).expect("as it was put")
            }

            fn show(&self) -> Shown<'_> {
                Shown::Count((*self).into())
            }

            fn read(shown: Shown<'_>, slot: &Slot) -> Result<Self, Unset> {
                let Shown::Count(count) = shown else { return Err(Unset::Kind) };
                $type::try_from(count).map_err(|_| Unset::Bound(slot.below))
            }
        }
    )*};
}

counts! { u8 u32 }

impl Number for Life {
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

    fn show(&self) -> Shown<'_> {
        Shown::Life(*self)
    }

    fn read(shown: Shown<'_>, _: &Slot) -> Result<Self, Unset> {
        if let Shown::Life(life) = shown { Ok(life) } else { Err(Unset::Kind) }
    }
}

impl Number for Constraints {
    const KIND: FieldKind = FieldKind::Constraints;

    #[inline]
    fn number(&self, _: &Slot) -> u64 {
        Constraints::number(*self) as u64
    }

    #[inline]
    fn of(number: u64, _: &Slot) -> Self {
        Self::new(usize::try_from(number).expect("as it was put"))
    }

    fn show(&self) -> Shown<'_> {
        Shown::Constraints(*self)
    }

    fn read(shown: Shown<'_>, _: &Slot) -> Result<Self, Unset> {
        if let Shown::Constraints(set) = shown { Ok(set) } else { Err(Unset::Kind) }
    }
}

macro_rules! names {
    ($($id:ident $kind:ident)*) => {$(
        impl Number for $id {
            const KIND: FieldKind = FieldKind::$kind;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                self.index() as u64
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                $id::new(usize::try_from(number).expect("as it was put"))
            }

            fn show(&self) -> Shown<'_> {
                Shown::Name(Some(EntityId::$kind(*self)))
            }

            fn read(shown: Shown<'_>, _: &Slot) -> Result<Self, Unset> {
                match shown {
                    Shown::Name(Some(EntityId::$kind(id))) => Ok(id),
                    _ => Err(Unset::Kind),
                }
            }
        }

        impl Number for Option<$id> {
            const KIND: FieldKind = FieldKind::$kind;

            #[inline]
            fn number(&self, _: &Slot) -> u64 {
                self.map_or(0, |id| 1 + id.index() as u64)
            }

            #[inline]
            fn of(number: u64, _: &Slot) -> Self {
                usize::try_from(number).expect("as it was put").checked_sub(1).map($id::new)
            }

            fn show(&self) -> Shown<'_> {
                Shown::Name(self.map(EntityId::$kind))
            }

            fn read(shown: Shown<'_>, _: &Slot) -> Result<Self, Unset> {
                match shown {
                    Shown::Name(None) => Ok(None),
                    Shown::Name(Some(EntityId::$kind(id))) => Ok(Some(id)),
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

        impl $crate::rows::number::Number for $type {
            const KIND: $crate::rows::FieldKind = $crate::rows::FieldKind::State(Self::NAMES);

            #[inline]
            fn number(&self, _: &$crate::rows::value::Slot) -> u64 {
                *self as u64
            }

            #[inline]
            fn of(number: u64, _: &$crate::rows::value::Slot) -> Self {
                Self::ALL[usize::try_from(number).expect("as it was put")]
            }

            fn show(&self) -> $crate::rows::Shown<'_> {
                $crate::rows::Shown::State(*self as usize, Self::NAMES[*self as usize])
            }

            fn read(
                shown: $crate::rows::Shown<'_>,
                _: &$crate::rows::value::Slot,
            ) -> Result<Self, $crate::rows::Unset> {
                match shown {
                    $crate::rows::Shown::State(number, _) => Self::ALL.get(number).copied(),
                    _ => None,
                }
                .ok_or($crate::rows::Unset::Kind)
            }
        }
    };
}

pub(crate) use states;
