//! Sets of constraints, by number. Their values are in `world/constraints.rs`.

/// A set of constraints, by its number in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraints(u8);

impl Constraints {
    /// No key is set.
    pub const NONE: Self = Self(0);

    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The set with this number.
    ///
    /// # Panics
    /// If no world has this number.
    pub fn new(number: usize) -> Self {
        Self(u8::try_from(number).expect("a world has fewer than 256 sets of constraints"))
    }
}
