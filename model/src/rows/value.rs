//! Values of fields: what tells them apart, and how they are packed.
//!
//! A field's bound says which values it can take in a world, and becomes slots once. Packing and
//! unpacking walk through fields and slots side by side.

use std::sync::Arc;

use super::{
    bits::{Reader, Writer, bits_for},
    field::{Field, Shown},
};
use crate::{
    ids::{ApplicationId, EntityId, Id, MachineId, RelationId, UnitId},
    interner::Interner,
    life::Life,
    txn::Txn,
};

/// A transaction that was planned and is not committed yet.
pub type PendingTxn = Option<Arc<Txn>>;

/// Where a field is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Every number in it is below this one.
    pub(super) below: u32,
    /// How many bits it takes.
    pub(super) width: u32,
    /// What a number is counted from, where that depends on the world.
    pub(super) base: u32,
}

/// The base of a slot that holds the number of a transaction.
const TXN: u32 = u32::MAX - 1;

impl Slot {
    /// A slot for numbers below a bound.
    pub(super) fn below(values: u64) -> Self {
        let below = u32::try_from(values).expect("a field has fewer than 2^32 values");
        Self { below, width: bits_for(values), base: 0 }
    }

    /// How many bits it takes; the slots of a row lie one behind the other.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Whether it holds the number of a transaction.
    pub(crate) fn is_txn(&self) -> bool {
        self.base == TXN
    }
}

/// The value of a field.
pub(crate) trait Value: Sized {
    /// Which values it can take in a world.
    type Bound;

    /// The fields that it is made of, if it is a document.
    const PARTS: &'static [Field] = &[];

    /// Makes the slots of a field with this bound; says how many bits it takes.
    fn lay_out(bound: Self::Bound, slots: &mut Vec<Slot>) -> u64;

    /// Packs it.
    fn put(&self, w: &mut Writer<'_>);

    /// Becomes what was packed.
    fn take(&mut self, r: &mut Reader<'_>);

    /// What there is to say of it.
    fn show(&self) -> Shown<'_>;

    /// Tells what there is to say of a field; `None` if the document is missing that it is of.
    fn visit(
        value: Option<&Self>,
        field: &'static Field,
        see: &mut dyn FnMut(&'static Field, Option<Shown<'_>>),
    ) {
        see(field, value.map(Self::show));
    }
}

/// A value that is packed as one number.
pub(crate) trait Number: Sized {
    /// Its number.
    fn number(&self, slot: &Slot) -> u64;

    /// The value that has this number.
    fn of(number: u64, slot: &Slot) -> Self;

    /// The slot of a field with this bound.
    fn slot(bound: Below) -> Slot {
        Slot { base: bound.base, ..Slot::below(bound.values) }
    }

    /// What there is to say of it.
    fn show(&self) -> Shown<'_>;
}

/// The bound of a number: how many values it can take.
#[derive(Clone, Copy)]
pub(crate) struct Below {
    pub(super) values: u64,
    pub(super) base: u32,
}

/// A field that can take so many values; of one it takes no bits.
pub(super) fn below(values: usize) -> Below {
    Below { values: values as u64, base: 0 }
}

/// A flag that can be set, or never is.
pub(super) fn flag(is_possible: bool) -> Below {
    below(1 + usize::from(is_possible))
}

impl<T: Number> Value for T {
    type Bound = Below;

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
}

impl Number for bool {
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
}

macro_rules! counts {
    ($($type:ident)*) => {$(
        impl Number for $type {
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
        }
    )*};
}

counts! { u8 u32 }

impl Number for Life {
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
}

macro_rules! names {
    ($($id:ident $kind:ident)*) => {$(
        impl Number for $id {
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
        }

        impl Number for Option<$id> {
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
        }
    )*};
}

names! { MachineId Machine ApplicationId Application UnitId Unit RelationId Relation }

/// How many bits the number of a transaction takes, where there can be one.
pub(crate) const TXN_BITS: u32 = 14;

/// The numbering of transactions that fits the fields that hold them.
pub(crate) fn txn_interner() -> Interner<Txn> {
    Interner::with_bits(TXN_BITS)
}

/// The bound of a transaction: whether there can be one.
#[derive(Clone, Copy)]
pub(crate) struct Txns(pub(super) bool);

impl Txns {
    pub(super) fn slot(self) -> Slot {
        let slot = Slot::below(if self.0 { 1 << TXN_BITS } else { 1 });
        Slot { base: if self.0 { TXN } else { 0 }, ..slot }
    }
}

impl Value for PendingTxn {
    type Bound = Txns;

    fn lay_out(bound: Txns, slots: &mut Vec<Slot>) -> u64 {
        let slot = bound.slot();
        slots.push(slot);
        slot.width.into()
    }

    #[inline]
    fn put(&self, w: &mut Writer<'_>) {
        let slot = w.slot();
        w.txn(self.as_deref(), slot);
    }

    fn take(&mut self, r: &mut Reader<'_>) {
        let slot = r.slot();
        *self = r.txn(slot);
    }

    fn show(&self) -> Shown<'_> {
        Shown::Txn(self.as_deref())
    }
}

/// The bound of a list of numbers: those of its members, which are always as many.
impl<T: Number> Value for Vec<T> {
    type Bound = Vec<Below>;

    fn lay_out(bounds: Vec<Below>, slots: &mut Vec<Slot>) -> u64 {
        let length = u32::try_from(bounds.len()).expect("a list is not as long as that");
        slots.push(Slot { below: length, width: 0, base: 0 });
        let members = bounds.into_iter().map(|bound| {
            let slot = T::slot(bound);
            slots.push(slot);
            u64::from(slot.width)
        });
        members.sum()
    }

    #[inline]
    fn put(&self, w: &mut Writer<'_>) {
        let length = w.slot().below as usize;
        assert!(self.len() == length, "a list of {length} members has {}", self.len());
        self.iter().for_each(|member| member.put(w));
    }

    fn take(&mut self, r: &mut Reader<'_>) {
        r.slot();
        self.iter_mut().for_each(|member| member.take(r));
    }

    fn show(&self) -> Shown<'_> {
        Shown::List
    }
}
