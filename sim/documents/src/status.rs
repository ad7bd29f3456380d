//! Whether answers are the expected ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether an answer, or a whole scenario's, is the expected one. The greater is the worse.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Every answer is the expected one.
    AsExpected,
    /// Some answer is another than the expected one, and all that are so are known: a baseline has
    /// them.
    Known,
    /// Some answer is open, and none is another than the expected one.
    #[default]
    Undecided,
    /// Some answer is another than the expected one.
    Unexpected,
}

impl Status {
    /// All, in the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::AsExpected, Self::Known, Self::Unexpected, Self::Undecided];

    /// Whether an answer is another than the expected one, known or not.
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Known | Self::Unexpected)
    }
}
