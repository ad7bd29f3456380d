//! Levels of detail: what a world adds to the protocol of D1 and D2. All are off by default.
//!
//! A detail that is off costs nothing: no row, no bit, no action. A detail that is on may not change
//! the outline: with it hidden, every run is a run of the world without it.

use super::World;
use crate::state::State;

/// The description of a detail.
#[derive(Clone, Copy, Debug)]
pub struct DetailInfo {
    /// Its name in scenarios.
    pub name: &'static str,
    /// What it adds.
    pub adds: &'static str,
    /// The passages that it is about.
    pub source: &'static str,
}

/// Makes the details of rows: field, name, what it adds, its passages.
macro_rules! details {
    ($($field:ident $name:literal $adds:literal $source:literal;)+) => {
        /// The details of a world.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Details {
            $(#[doc = $adds] pub $field: bool),+
        }

        impl Details {
            /// Every detail, in order.
            pub const LIST: &'static [DetailInfo] = &[
                $(DetailInfo { name: $name, adds: $adds, source: $source }),+
            ];

            /// Switches a detail on or off; says whether there is one of this name.
            #[must_use]
            pub fn set(&mut self, name: &str, on: bool) -> bool {
                match name {
                    $($name => self.$field = on,)+
                    _ => return false,
                }
                true
            }

            /// The names of the details that are on.
            pub fn on(&self) -> impl Iterator<Item = &'static str> + use<> {
                [$(($name, self.$field)),+].into_iter().filter(|(_, on)| *on).map(|(name, _)| name)
            }

            /// Whether any is on.
            pub fn any(&self) -> bool {
                $(self.$field)||+
            }
        }
    };
}

details! {
    hooks "hooks"
        "The hooks of a unit by name, from the install hook to the stop hook, with errors and their resolution."
        "D4:9-59; D4:140-189";
}

impl World {
    /// The world without details, to which this one must keep.
    #[must_use]
    pub fn outline(&self) -> Self {
        self.changed(|constants| constants.detail = Details::default())
    }

    /// The state of the outline that a state of this world stands for: it has none of the rows that
    /// details add, and agents have begun nothing that only details know.
    #[must_use]
    pub fn hide(&self, state: &State) -> State {
        state.clone()
    }
}
