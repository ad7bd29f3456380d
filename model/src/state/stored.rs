//! Rows of all kinds: the table of each, and functions on a row of any kind.

use super::State;
use crate::{
    history::{self, History},
    rows::{self, Field, Record, Row, RowKind, RowTable, Touched, each_row},
    runtime::Runtime,
    store::Store,
};

/// A row that a state keeps in one of its tables.
pub(crate) trait Stored: Record {
    type In: RowTable<Self>;

    fn table(state: &State) -> &Self::In;

    fn table_mut(state: &mut State) -> &mut Self::In;

    #[inline]
    fn look<T>(state: &State, key: Self::Key, look: impl FnOnce(&Self) -> T) -> T {
        Self::table(state).look(key, look)
    }

    /// Changes a row, and the rows that are derived from it.
    #[inline]
    fn change(
        state: &mut State,
        key: Self::Key,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        Self::table_mut(state).change(key, touched, change);
    }
}

/// A function on rows of all types.
pub(crate) trait RowVisitor {
    type Out;

    /// Calls the function with the row of this key.
    fn visit<R: Stored>(self, key: R::Key) -> Self::Out;
}

macro_rules! stored {
    (@table store) => { Store };
    (@table runtime) => { Runtime };
    (@table history) => { History };
    (@record history $record:ident) => { history::$record };
    (@record $table:ident $record:ident) => { rows::$record };
    ($($kind:ident $(($($part:ident: $type:ident),+))? $record:ident in $table:ident
        $name:literal $about:literal $(per $unit:ident)? $(where |$world:ident| $has:expr)?;)+) => {
        $(impl Stored for stored!(@record $table $record) {
            type In = stored!(@table $table);

            #[inline]
            fn table(state: &State) -> &Self::In {
                &state.$table
            }

            #[inline]
            fn table_mut(state: &mut State) -> &mut Self::In {
                &mut state.$table
            }
        })+

        impl Row {
            /// Calls a function with the row. The fields of `visitor` stay in registers.
            #[inline(always)]
            pub(crate) fn visit<V: RowVisitor>(self, visitor: V) -> V::Out {
                match self {
                    $(Self::$kind $(($($part),+))? => {
                        visitor.visit::<stored!(@record $table $record)>(($($($part),+)?))
                    })+
                }
            }
        }

        impl RowKind {
            /// The fields of its rows.
            pub fn fields(self) -> &'static [Field] {
                match self { $(Self::$kind => <stored!(@record $table $record)>::FIELDS),+ }
            }
        }
    };
}

each_row! { stored }
