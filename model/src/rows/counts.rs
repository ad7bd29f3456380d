//! Counts of commands as a field: a number for each command of the world.

use super::{
    bits::{RowReader, RowWriter},
    field::Unset,
    field::{Field, FieldKind, ShownValue},
    packed_number::PackedNumber,
    set::Setter,
    slot::{Below, Slot},
    value::FieldType,
};
use crate::ids::Renaming;

/// Counts, one for each command of the world, which fixes their number. Their bounds are those of
/// the single counts.
impl FieldType for Vec<u8> {
    type Bound = Vec<Below>;

    const KIND: FieldKind = FieldKind::Commands;

    fn lay_out(bounds: Vec<Below>, slots: &mut Vec<Slot>) -> u64 {
        let length = u32::try_from(bounds.len()).expect("a list is not as long as that");
        slots.push(Slot { below: length, width: 0, base: 0 });
        let members = bounds.into_iter().map(|bound| {
            let slot = u8::slot(bound);
            slots.push(slot);
            u64::from(slot.width)
        });
        members.sum()
    }

    #[inline]
    fn put(&self, w: &mut RowWriter<'_>) {
        let length = w.slot().below as usize;
        assert!(self.len() == length, "a list of {length} members has {}", self.len());
        for member in self {
            FieldType::put(member, w);
        }
    }

    fn take(&mut self, r: &mut RowReader<'_>) {
        r.slot();
        for member in self {
            FieldType::take(member, r);
        }
    }

    fn take_renamed(&mut self, other: &Self, by: &Renaming) {
        for (index, count) in other.iter().enumerate() {
            // Another world may lack a command about entities that are not there.
            if let Some(place) = self.get_mut(by.command(index)) {
                *place = *count;
            }
        }
    }

    fn show(&self) -> ShownValue<'_> {
        ShownValue::Commands(self)
    }

    fn set(&mut self, field: &'static Field, setter: &mut Setter<'_>) {
        let length = setter.slot().below;
        let slots = setter.slots(length);
        setter.set(field, |shown| {
            let ShownValue::Commands(counts) = shown else { return Err(Unset::Kind) };
            if counts.len() != slots.len() {
                return Err(Unset::Follows); // the first user's are those of all
            }
            let too_great =
                counts.iter().zip(slots).find(|(it, slot)| u32::from(**it) >= slot.below);
            if let Some((_, slot)) = too_great {
                return Err(Unset::Bound(slot.below));
            }
            *self = counts.to_vec();
            Ok(())
        });
    }
}
