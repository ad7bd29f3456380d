//! Change the configuration of an application: `juju set`.
//!
//! Charms in action, "Unit hooks":
//!
//! 1. The application must be Alive. (Ours: nobody would see what is changed of one that goes.)
//! 2. Change its configuration, of which each of its units that are deployed is told.

use crate::{
    ids::ApplicationId,
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{ApplicationChange, Why, life_is},
};

pub(super) fn set_config(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    txn.change(2, id, ApplicationChange::SetConfig);
    Ok(())
}
