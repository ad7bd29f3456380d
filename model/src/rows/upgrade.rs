//! The upgrade of the agents that neglect duties, which the operator makes.

use super::{
    declare::row,
    field::{FieldText, shown},
    slot::flag,
};

row! {
    /// Whether the agents that neglect duties have been upgraded.
    Upgrade of () [Copy, Default] {
        /// Whether they have been.
        done: bool = "upgraded", |of, ()| flag(!of.world.neglected.is_empty()),
            FieldText::at(10).both([shown("not upgraded"), shown("upgraded")]);
    }
}
