//! The declaration of rows and documents: each field once, with its name, its bound and its texts.
//! Every walk through the fields is made from it.

use super::{
    bits::{Reader, Writer},
    bounds::Bounds,
    field::{Field, Shown},
    number::Number,
    value::{Below, Slot},
};

/// Receives one field after the other; none of those of a missing document.
pub type See<'a> = dyn FnMut(&'static Field, Option<Shown<'_>>) + 'a;

/// A row: its fields, declared once.
pub(crate) trait Record: PartialEq + Sized {
    /// Its key among rows of its type.
    type Key: Copy;

    /// Its fields, in the order in which they are packed.
    const FIELDS: &'static [Field];

    /// Makes the slots of the row with this key; returns its width in bits.
    fn lay_out(bounds: &Bounds<'_>, key: Self::Key, slots: &mut Vec<Slot>) -> u64;

    /// Packs it.
    fn put(&self, w: &mut Writer<'_>);

    /// Takes the packed values.
    fn take(&mut self, r: &mut Reader<'_>);

    /// Describes each field.
    fn visit(&self, see: &mut See<'_>);

    /// Whether every field but what is pending equals that of `other`.
    fn is_same_beside_pending(&self, other: &Self) -> bool;
}

/// The bound of a document that may be missing, which is packed with its first field.
pub(crate) struct Document {
    first: Below,
    rest: Vec<Slot>,
    width: u64,
}

impl Document {
    /// The bound of a document whose first field has this bound, and the others these slots.
    pub(super) fn new(first: Below, rest: Vec<Slot>, width: u64) -> Self {
        Self { first, rest, width }
    }

    /// The bound of a document that is always missing.
    pub(super) fn missing(self) -> Self {
        let rest = self.rest.into_iter().map(|slot| Slot { width: 0, ..slot }).collect();
        Self { first: Below { values: 0, ..self.first }, rest, width: 0 }
    }

    /// Makes a slot for its existence and its first field, a slot with the number of slots and bits
    /// of the other fields, and the slots of these.
    pub(super) fn lay_out<First: Number>(self, slots: &mut Vec<Slot>) -> u64 {
        let head = First::slot(Below { values: 1 + self.first.values, ..self.first });
        let narrow = |value: u64| u32::try_from(value).expect("a row is not as wide as that");
        let rest =
            Slot { below: narrow(self.rest.len() as u64), width: 0, base: narrow(self.width) };
        slots.extend([head, rest]);
        slots.extend(self.rest);
        u64::from(head.width) + self.width
    }
}

/// The bound that was declared for a field.
pub(super) fn bound<'w, K, T>(
    of: &Bounds<'w>,
    key: K,
    declared: impl FnOnce(&Bounds<'w>, K) -> T,
) -> T {
    declared(of, key)
}

/// Declares a row: a struct, and each walk through its fields.
macro_rules! row {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty [$($derive:ident),*] {$(
            $(#[doc = $meaning:literal])*
            $field:ident: $type:ty = $label:literal, $bound:expr, $told:expr;
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

            const FIELDS: &'static [$crate::rows::Field] = &[$($crate::rows::Field {
                name: $label,
                meaning: concat!($($meaning),*),
                kind: <$type as $crate::rows::value::Value>::KIND,
                told: $told,
                parts: <$type as $crate::rows::value::Value>::PARTS,
            }),*];

            fn lay_out(
                bounds: &$crate::rows::bounds::Bounds<'_>,
                key: $key,
                slots: &mut Vec<$crate::rows::value::Slot>,
            ) -> u64 {
                let mut width = 0;
                $(
                    let bound = $crate::rows::declare::bound(bounds, key, $bound);
                    width += <$type as $crate::rows::value::Value>::lay_out(bound, slots);
                )*
                width
            }

            #[inline]
            fn put(&self, w: &mut $crate::rows::bits::Writer<'_>) {
                $($crate::rows::value::Value::put(&self.$field, w);)*
            }

            #[inline]
            fn take(&mut self, r: &mut $crate::rows::bits::Reader<'_>) {
                $($crate::rows::value::Value::take(&mut self.$field, r);)*
            }

            fn visit(&self, see: &mut $crate::rows::See<'_>) {
                let mut fields = Self::FIELDS.iter();
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::Value::visit(Some(&self.$field), field, see);
                )*
            }

            fn is_same_beside_pending(&self, other: &Self) -> bool {
                $((<$type as $crate::rows::value::Value>::KIND.is_pending()
                    || self.$field == other.$field))&&*
            }
        }
    };
}

/// Declares a document: a struct that may be missing, and each walk through its fields. Its first
/// field is packed together with its existence.
macro_rules! document {
    (
        $(#[doc = $about:literal])*
        $name:ident of $key:ty [$($derive:ident),*] {
            $(#[doc = $first_meaning:literal])*
            $first:ident: $first_type:ty = $first_label:literal, $first_bound:expr, $first_told:expr;
            $(
                $(#[doc = $meaning:literal])*
                $field:ident: $type:ty = $label:literal, $bound:expr, $told:expr;
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
                    kind: <$first_type as $crate::rows::value::Value>::KIND,
                    told: $first_told,
                    parts: &[],
                },
                $($crate::rows::Field {
                    name: $label,
                    meaning: concat!($($meaning),*),
                    kind: <$type as $crate::rows::value::Value>::KIND,
                    told: $told,
                    parts: <$type as $crate::rows::value::Value>::PARTS,
                }),*
            ];

            /// The bound of the document with this key.
            fn bound(
                bounds: &$crate::rows::bounds::Bounds<'_>,
                key: $key,
            ) -> $crate::rows::declare::Document {
                let (mut rest, mut width) = (Vec::new(), 0);
                let first = $crate::rows::declare::bound(bounds, key, $first_bound);
                $(
                    let bound = $crate::rows::declare::bound(bounds, key, $bound);
                    width += <$type as $crate::rows::value::Value>::lay_out(bound, &mut rest);
                )*
                $crate::rows::declare::Document::new(first, rest, width)
            }
        }

        impl $crate::rows::value::Value for Option<$name> {
            type Bound = $crate::rows::declare::Document;

            const KIND: $crate::rows::FieldKind = $crate::rows::FieldKind::Document;

            const PARTS: &'static [$crate::rows::Field] = $name::FIELDS;

            fn lay_out(bound: Self::Bound, slots: &mut Vec<$crate::rows::value::Slot>) -> u64 {
                bound.lay_out::<$first_type>(slots)
            }

            #[inline]
            fn put(&self, w: &mut $crate::rows::bits::Writer<'_>) {
                let (head, rest) = (w.slot(), w.slot());
                match self {
                    None => {
                        w.number(0, head);
                        w.skip(rest.below, rest.base);
                    }
                    Some(it) => {
                        let number = $crate::rows::number::Number::number(&it.$first, head);
                        w.number(1 + number, head);
                        $($crate::rows::value::Value::put(&it.$field, w);)*
                    }
                }
            }

            fn take(&mut self, r: &mut $crate::rows::bits::Reader<'_>) {
                let (head, rest) = (r.slot(), r.slot());
                *self = match r.take(head.width).checked_sub(1) {
                    None => {
                        r.skip(rest.below, rest.base);
                        None
                    }
                    Some(number) => Some($name {
                        $first: $crate::rows::number::Number::of(number, head),
                        $($field: $crate::rows::declare::taken(r),)*
                    }),
                };
            }

            fn show(&self) -> $crate::rows::Shown<'_> {
                $crate::rows::Shown::Flag(self.is_some())
            }

            fn visit(
                value: Option<&Self>,
                _: &'static $crate::rows::Field,
                see: &mut $crate::rows::See<'_>,
            ) {
                let document = value.and_then(Option::as_ref);
                let mut fields = $name::FIELDS.iter();
                let first = fields.next().expect("as many as there are");
                $crate::rows::value::Value::visit(document.map(|it| &it.$first), first, see);
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::Value::visit(document.map(|it| &it.$field), field, see);
                )*
            }
        }
    };
}

/// A field of a document that was packed.
pub(super) fn taken<T: super::value::Value + Default>(r: &mut Reader<'_>) -> T {
    let mut value = T::default();
    value.take(r);
    value
}

pub(crate) use {document, row};
