//! Rows of a unit and a relation that are kept by columns.
//!
//! A relation can have a hundred thousand units, and most of these rows are empty. So a relation
//! keeps, for each field, the set of units that have it. A row is assembled when it is read.

/// Declares a row of a unit and a relation whose fields are flags, and the table of a relation's
/// rows, which has a set of units for each field.
macro_rules! columns {
    (
        $(#[doc = $about:literal])*
        $name:ident,
        $(#[doc = $about_all:literal])*
        $all:ident {$(
            $(#[doc = $meaning:literal])*
            $field:ident: bool = $label:literal, $bound:expr, $texts:expr;
        )*}
    ) => {
        $crate::rows::declare::row! {
            $(#[doc = $about])*
            $name of (RelationId, UnitId) [Copy, Default] {$(
                $(#[doc = $meaning])*
                $field: bool = $label, $bound, $texts;
            )*}
        }

        $(#[doc = $about_all])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $all {$(
            $(#[doc = $meaning])*
            pub $field: IdSet<UnitId>,
        )*}

        impl $all {
            /// The row of one unit.
            #[inline]
            pub(crate) fn of(&self, unit: UnitId) -> $name {
                $name { $($field: self.$field.contains(unit),)* }
            }

            /// Sets the row of one unit.
            #[inline]
            pub(crate) fn put(&mut self, unit: UnitId, row: $name) {
                $($crate::rows::put_member(&mut self.$field, unit, row.$field);)*
            }

            /// Describes each field by the units that have it.
            pub(crate) fn visit(&self, see: &mut $crate::rows::See<'_>) {
                let fields = <$name as $crate::rows::declare::Record>::FIELDS;
                let mut fields = fields.iter();
                $(
                    let field = fields.next().expect("as many as there are");
                    $crate::rows::value::FieldType::visit(Some(&self.$field), field, see);
                )*
            }
        }
    };
}

pub(crate) use columns;
