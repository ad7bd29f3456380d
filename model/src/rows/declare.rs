//! The declaration of rows: each field once, with its name, its bound and its texts. Every walk
//! through the fields is made from it.

use super::{
    bits::{RowReader, RowWriter},
    bounds::WorldBounds,
    field::{Field, FieldSet, ShownValue},
    set::Setter,
    slot::Slot,
    value::FieldType,
};
use crate::ids::{Rename, Renaming};

/// Receives one field after the other, and no value for those of a missing document.
pub type See<'a> = dyn FnMut(&'static Field, Option<ShownValue<'_>>) + 'a;

/// A row: its fields, declared once.
pub(crate) trait Record: PartialEq + Sized {
    /// Its key among rows of its type.
    type Key: Copy + Rename;

    /// Its fields, in the order in which they are packed.
    const FIELDS: &'static [Field];

    /// Makes the slots of the row with this key; returns its width in bits.
    fn lay_out(bounds: &WorldBounds<'_>, key: Self::Key, slots: &mut Vec<Slot>) -> u64;

    /// The fields of the row with this key that can have more than one value.
    fn room(bounds: &WorldBounds<'_>, key: Self::Key) -> FieldSet;

    fn put(&self, w: &mut RowWriter<'_>);

    fn take(&mut self, r: &mut RowReader<'_>);

    /// Takes the values of another row, renamed. Values derived from other rows stay.
    fn take_renamed(&mut self, other: &Self, by: &Renaming);

    fn visit(&self, see: &mut See<'_>);

    /// The field with this number among the parts of all fields (`Field::parts`); `None` if its
    /// document is missing.
    fn look_at(&self, number: usize) -> Option<ShownValue<'_>>;

    /// The fields in `among` that differ between two rows.
    fn differing(&self, other: &Self, among: FieldSet) -> FieldSet;

    /// Sets the field that the setter names.
    fn set(&mut self, setter: &mut Setter<'_>);

    /// Whether every field but the pending work equals that of `other`.
    fn is_same_beside_pending(&self, other: &Self) -> bool;
}

/// The bound that was declared for a field.
pub(crate) fn bound<'w, K, T>(
    of: &WorldBounds<'w>,
    key: K,
    declared: impl FnOnce(&WorldBounds<'w>, K) -> T,
) -> T {
    declared(of, key)
}

/// The number of parts of a field (`Field::parts`).
pub(crate) const fn parts<T: FieldType>() -> usize {
    if T::PARTS.is_empty() { 1 } else { T::PARTS.len() }
}

/// Declares a row: a struct, and each walk through its fields.
macro_rules! row {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty [$($derive:ident),*] {$(
            $(#[doc = $meaning:literal])*
            $field:ident: $type:ty = $label:literal, $bound:expr, $texts:expr;
        )*}
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $($derive),*)]
        pub struct $name {$(
            $(#[doc = $meaning])*
            pub $field: $type,
        )*}

        impl $crate::rows::declare::Record for $name {
            type Key = $key;

            #[allow(clippy::large_stack_arrays, reason = "a constant is on no stack")]
            const FIELDS: &'static [$crate::rows::Field] = &[$($crate::rows::Field {
                name: $label,
                meaning: concat!($($meaning),*),
                kind: <$type as $crate::rows::value::FieldType>::KIND,
                texts: $texts,
                parts: <$type as $crate::rows::value::FieldType>::PARTS,
            }),*];

            fn lay_out(
                bounds: &$crate::rows::bounds::WorldBounds<'_>,
                key: $key,
                slots: &mut Vec<$crate::rows::slot::Slot>,
            ) -> u64 {
                let mut width = 0;
                $(
                    let bound = $crate::rows::declare::bound(bounds, key, $bound);
                    width += <$type as $crate::rows::value::FieldType>::lay_out(bound, slots);
                )*
                width
            }

            fn room(
                bounds: &$crate::rows::bounds::WorldBounds<'_>,
                key: $key,
            ) -> $crate::rows::FieldSet {
                let (mut room, mut place) = (0, 0);
                $(
                    let bound = $crate::rows::declare::bound(bounds, key, $bound);
                    room |= <$type as $crate::rows::value::FieldType>::room(bound) << place;
                    place += $crate::rows::declare::parts::<$type>();
                )*
                assert!(place <= 64, "a row has too many fields");
                $crate::rows::FieldSet(room)
            }

            #[inline]
            fn put(&self, w: &mut $crate::rows::bits::RowWriter<'_>) {
                $($crate::rows::value::FieldType::put(&self.$field, w);)*
            }

            #[inline]
            fn take(&mut self, r: &mut $crate::rows::bits::RowReader<'_>) {
                $($crate::rows::value::FieldType::take(&mut self.$field, r);)*
            }

            fn take_renamed(&mut self, other: &Self, by: &$crate::ids::Renaming) {
                $($crate::rows::value::FieldType::take_renamed(
                    &mut self.$field, &other.$field, by
                );)*
            }

            fn visit(&self, see: &mut $crate::rows::See<'_>) {
                let mut fields = Self::FIELDS.iter();
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::FieldType::visit(Some(&self.$field), field, see);
                )*
            }

            #[inline]
            fn look_at(&self, mut number: usize) -> Option<$crate::rows::ShownValue<'_>> {
                $(
                    let parts = $crate::rows::declare::parts::<$type>();
                    if number < parts {
                        return $crate::rows::value::FieldType::look_at(&self.$field, number);
                    }
                    number -= parts;
                )*
                unreachable!("a row has no field with the number {number} after its last");
            }

            fn differing(
                &self,
                other: &Self,
                among: $crate::rows::FieldSet,
            ) -> $crate::rows::FieldSet {
                let (mut differing, mut place) = (0, 0);
                $(
                    let parts = $crate::rows::declare::parts::<$type>();
                    if among.0 >> place & (u64::MAX >> (64 - parts)) != 0 {
                        let field = $crate::rows::value::FieldType::differing;
                        differing |= field(&self.$field, &other.$field) << place;
                    }
                    place += parts;
                )*
                // A bit that did not fit would be a change that no claim notices; the compiler
                // checks the sum.
                assert!(place <= 64, "a row has too many fields");
                $crate::rows::FieldSet(differing & among.0)
            }

            fn set(&mut self, setter: &mut $crate::rows::set::Setter<'_>) {
                let mut fields = Self::FIELDS.iter();
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::FieldType::set(&mut self.$field, field, setter);
                )*
            }

            fn is_same_beside_pending(&self, other: &Self) -> bool {
                $((<$type as $crate::rows::value::FieldType>::KIND.is_pending()
                    || self.$field == other.$field))&&*
            }
        }
    };
}

pub(crate) use row;
