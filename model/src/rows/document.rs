//! The declaration of documents, which may be missing. Their fields are declared as those of rows
//! are, and a document is one field of a row.

use super::{
    bits::RowReader,
    packed_number::PackedNumber,
    slot::{Below, Slot},
    value::FieldType,
};

/// The bound of a document that may be missing, which is packed with its first field.
pub(crate) struct DocumentBound {
    first: Below,
    rest: Vec<Slot>,
    width: u64,
    /// The fields that can have more than one value, beside the first.
    room: u64,
}

impl DocumentBound {
    /// The bound of a document whose first field has this bound, and the others these slots.
    pub(super) fn new(first: Below, rest: Vec<Slot>, width: u64, room: u64) -> Self {
        Self { first, rest, width, room }
    }

    /// The fields that can have more than one value, or be missing.
    pub(super) fn room(&self) -> u64 {
        u64::from(self.first.values > 0) | self.room
    }

    /// The bound of a document that is always missing.
    pub(super) fn missing(self) -> Self {
        let rest = self.rest.into_iter().map(|slot| Slot { width: 0, ..slot }).collect();
        Self { first: Below { values: 0, ..self.first }, rest, width: 0, room: 0 }
    }

    /// Makes a slot for its existence and first field, a slot with the number of slots and bits of
    /// the other fields, and the slots of these. Returns its width in bits.
    pub(super) fn lay_out<First: PackedNumber>(self, slots: &mut Vec<Slot>) -> u64 {
        let head = First::slot(Below { values: 1 + self.first.values, ..self.first });
        let narrow = |value: u64| u32::try_from(value).expect("a row is not as wide as that");
        let rest =
            Slot { below: narrow(self.rest.len() as u64), width: 0, base: narrow(self.width) };
        slots.extend([head, rest]);
        slots.extend(self.rest);
        u64::from(head.width) + self.width
    }
}

/// Declares a document: a struct that may be missing, and each walk through its fields. Its first
/// field is packed together with its existence.
macro_rules! document {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty [$($derive:ident),*] {
            $(#[doc = $first_meaning:literal])*
            $first:ident: $first_type:ty = $first_label:literal, $first_bound:expr, $first_texts:expr;
            $(
                $(#[doc = $meaning:literal])*
                $field:ident: $type:ty = $label:literal, $bound:expr, $texts:expr;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, $($derive),*)]
        pub struct $name {
            $(#[doc = $first_meaning])*
            pub $first: $first_type,
            $(
                $(#[doc = $meaning])*
                pub $field: $type,
            )*
        }

        impl $name {
            const FIELDS: &'static [$crate::rows::Field] = &[
                $crate::rows::Field {
                    name: $first_label,
                    meaning: concat!($($first_meaning),*),
                    kind: <$first_type as $crate::rows::value::FieldType>::KIND,
                    texts: $first_texts,
                    parts: &[],
                },
                $($crate::rows::Field {
                    name: $label,
                    meaning: concat!($($meaning),*),
                    kind: <$type as $crate::rows::value::FieldType>::KIND,
                    texts: $texts,
                    parts: <$type as $crate::rows::value::FieldType>::PARTS,
                }),*
            ];

            /// The bound of the document with this key.
            fn bound(
                bounds: &$crate::rows::bounds::WorldBounds<'_>,
                key: $key,
            ) -> $crate::rows::document::DocumentBound {
                let (mut rest, mut width) = (Vec::new(), 0);
                let (mut room, mut place) = (0, 0);
                let first = $crate::rows::declare::bound(bounds, key, $first_bound);
                $(
                    let bound = $crate::rows::declare::bound(bounds, key, $bound);
                    let bits = <$type as $crate::rows::value::FieldType>::lay_out(bound, &mut rest);
                    width += bits;
                    place += 1;
                    room |= u64::from(bits > 0) << place;
                )*
                assert!(place < 64, "a document has too many fields");
                $crate::rows::document::DocumentBound::new(first, rest, width, room)
            }
        }

        impl $crate::rows::value::FieldType for Option<$name> {
            type Bound = $crate::rows::document::DocumentBound;

            const KIND: $crate::rows::FieldKind = $crate::rows::FieldKind::Document;

            const PARTS: &'static [$crate::rows::Field] = $name::FIELDS;

            fn lay_out(bound: Self::Bound, slots: &mut Vec<$crate::rows::slot::Slot>) -> u64 {
                bound.lay_out::<$first_type>(slots)
            }

            fn room(bound: Self::Bound) -> u64 {
                bound.room()
            }

            #[inline]
            fn put(&self, w: &mut $crate::rows::bits::RowWriter<'_>) {
                let (head, rest) = (w.slot(), w.slot());
                match self {
                    None => {
                        w.number(0, head);
                        w.skip(rest.below, rest.base);
                    }
                    Some(it) => {
                        let number = $crate::rows::packed_number::PackedNumber::number(&it.$first, head);
                        w.number(1 + number, head);
                        $($crate::rows::value::FieldType::put(&it.$field, w);)*
                    }
                }
            }

            fn take(&mut self, r: &mut $crate::rows::bits::RowReader<'_>) {
                let (head, rest) = (r.slot(), r.slot());
                *self = match r.take(head.width).checked_sub(1) {
                    None => {
                        r.skip(rest.below, rest.base);
                        None
                    }
                    Some(number) => Some($name {
                        $first: $crate::rows::packed_number::PackedNumber::of(number, head),
                        $($field: $crate::rows::document::taken(r),)*
                    }),
                };
            }

            fn take_renamed(&mut self, other: &Self, by: &$crate::ids::Renaming) {
                *self = other.clone();
                if let (Some(it), Some(other)) = (self, other) {
                    $crate::rows::value::FieldType::take_renamed(&mut it.$first, &other.$first, by);
                    $($crate::rows::value::FieldType::take_renamed(
                        &mut it.$field, &other.$field, by
                    );)*
                }
            }

            fn show(&self) -> $crate::rows::ShownValue<'_> {
                $crate::rows::ShownValue::Flag(self.is_some())
            }

            #[inline]
            fn look_at(&self, mut number: usize) -> Option<$crate::rows::ShownValue<'_>> {
                let document = self.as_ref()?;
                if number == 0 {
                    return Some($crate::rows::value::FieldType::show(&document.$first));
                }
                $(
                    number -= 1;
                    if number == 0 {
                        return Some($crate::rows::value::FieldType::show(&document.$field));
                    }
                )*
                unreachable!("a document has no field with the number {number} after its last");
            }

            fn visit(
                value: Option<&Self>,
                _: &'static $crate::rows::Field,
                see: &mut $crate::rows::See<'_>,
            ) {
                let document = value.and_then(Option::as_ref);
                let mut fields = $name::FIELDS.iter();
                let first = fields.next().expect("as many as there are");
                $crate::rows::value::FieldType::visit(document.map(|it| &it.$first), first, see);
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::FieldType::visit(document.map(|it| &it.$field), field, see);
                )*
            }

            fn differing(&self, other: &Self) -> u64 {
                match (self, other) {
                    (Some(one), Some(other)) => {
                        let (mut differing, mut place) = (u64::from(one.$first != other.$first), 1);
                        $(
                            differing |= u64::from(one.$field != other.$field) << place;
                            place += 1;
                        )*
                        debug_assert_eq!(place, Self::PARTS.len());
                        differing
                    }
                    (None, None) => 0,
                    (Some(_), None) | (None, Some(_)) => (1 << Self::PARTS.len()) - 1,
                }
            }

            fn set(
                &mut self,
                _: &'static $crate::rows::Field,
                setter: &mut $crate::rows::set::Setter<'_>,
            ) {
                let (head, rest) = (setter.slot(), setter.slot());
                let mut fields = $name::FIELDS.iter();
                let first = fields.next().expect("as many as there are");
                match (setter.first(first, head), self.as_mut()) {
                    ($crate::rows::set::FirstField::Kept, _) => {}
                    ($crate::rows::set::FirstField::Missing, _) => *self = None,
                    ($crate::rows::set::FirstField::Value(value), Some(it)) => it.$first = value,
                    ($crate::rows::set::FirstField::Value(value), None) => {
                        *self = Some($name { $first: value, $($field: Default::default(),)* });
                    }
                }
                let Some(it) = self else { return setter.skip(rest.below, fields.as_slice()) };
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::FieldType::set(&mut it.$field, field, setter);
                )*
            }
        }
    };
}

/// A field of a document that was packed.
pub(super) fn taken<T: FieldType + Default>(r: &mut RowReader<'_>) -> T {
    let mut value = T::default();
    value.take(r);
    value
}

pub(crate) use document;
