//! The upgrade of the agents that neglect duties, which the operator makes.

use super::{
    declare::row,
    field::{Told, said},
    value::flag,
};

row! {
    /// Whether the agents that neglect duties have been upgraded.
    Upgrade of () [Copy, Default] {
        /// Whether they have been.
        done: bool = "upgraded", |of, ()| flag(!of.world.neglected.is_empty()),
            Told::at(10).both([said("not upgraded"), said("upgraded")]);
    }
}
