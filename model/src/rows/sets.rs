//! Sets of identities as fields: a bit for each that may be a member.
#![expect(clippy::inline_always, reason = "a writer that stays in registers packs twice as fast")]

use std::ops::Range;

use super::{
    bits::{RowReader, RowWriter},
    field::Unset,
    field::{Field, FieldKind, ShownValue},
    set::Setter,
    slot::Slot,
    value::FieldType,
};
use crate::ids::{EntityId, Id, IdSet, MachineId, Rename as _, Renaming, UnitId};

/// The bound of a set: the ranges of its possible members.
pub(crate) struct Members(pub(super) Vec<Range<usize>>);

impl Members {
    /// Ranges of identities, in ascending order.
    pub(crate) fn ranges(ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut all: Vec<Range<usize>> = ranges.filter(|range| !range.is_empty()).collect();
        all.sort_unstable_by_key(|range| range.start);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for range in all {
            match joined.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => joined.push(range),
            }
        }
        Self(joined)
    }

    pub(super) fn of<T: Id>(ids: impl Iterator<Item = T>) -> Self {
        Self::ranges(ids.map(|id| id.index()..id.index() + 1))
    }
}

/// Makes a slot with the number of slots that follow, and one for each word of bits.
fn lay_out(Members(ranges): Members, slots: &mut Vec<Slot>) -> u64 {
    let (first, mut width) = (slots.len(), 0);
    slots.push(Slot { below: 0, width: 0, base: 0 });
    for range in ranges {
        for start in range.clone().step_by(64) {
            let count = (range.end - start).min(64);
            width += count as u64;
            let narrow = |value: usize| u32::try_from(value).expect("ids are 32 bits wide");
            slots.push(Slot { below: 0, width: narrow(count), base: narrow(start) });
            slots[first].below += 1;
        }
    }
    width
}

#[inline(always)]
fn put<T: Id>(set: &IdSet<T>, w: &mut RowWriter<'_>) {
    let head = w.slot();
    let mut packed = 0;
    for _ in 0..head.below {
        let slot = w.slot();
        let bits = set.bits(slot.base, slot.width);
        packed += bits.count_ones() as usize;
        w.put(bits, slot.width);
    }
    assert!(packed == set.len(), "a set has a member that cannot be in it");
}

#[inline(always)]
fn take<T: Id>(set: &mut IdSet<T>, r: &mut RowReader<'_>) {
    let head = r.slot();
    *set = IdSet::default();
    for _ in 0..head.below {
        let slot = r.slot();
        set.insert_bits(slot.base, r.take(slot.width));
    }
}

/// Sets a field to `new`, if each member has a bit in the slots behind the first.
fn set<T: Id>(
    set: &mut IdSet<T>,
    new: &IdSet<T>,
    slots: &[Slot],
    entity: fn(T) -> EntityId,
) -> Result<(), Unset> {
    let has_bit = |id: &T| {
        let bits = slots.iter().map(|slot| (slot.base as usize, slot.width as usize));
        bits.into_iter().any(|(base, width)| (base..base + width).contains(&id.index()))
    };
    if let Some(other) = new.iter().find(|id| !has_bit(id)) {
        return Err(Unset::Member(entity(other)));
    }
    set.clone_from(new);
    Ok(())
}

macro_rules! sets {
    ($($id:ident $shown:ident $entity:ident)*) => {$(
        impl FieldType for IdSet<$id> {
            type Bound = Members;

            const KIND: FieldKind = FieldKind::$shown;

            fn lay_out(bound: Members, slots: &mut Vec<Slot>) -> u64 {
                lay_out(bound, slots)
            }

            #[inline]
            fn put(&self, w: &mut RowWriter<'_>) {
                put(self, w);
            }

            #[inline]
            fn take(&mut self, r: &mut RowReader<'_>) {
                take(self, r);
            }

            fn take_renamed(&mut self, other: &Self, by: &Renaming) {
                *self = other.renamed(by);
            }

            fn show(&self) -> ShownValue<'_> {
                ShownValue::$shown(self)
            }

            fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
                let head = setter.slot();
                let slots = setter.slots(head.below);
                setter.set(field, |shown| match shown {
                    ShownValue::$shown(new) => set(self, new, slots, EntityId::$entity),
                    _ => Err(Unset::Kind),
                });
            }
        }
    )*};
}

sets! { UnitId Units Unit MachineId Machines Machine }
