//! Change the charm of an application: `juju upgrade-charm`, and with `--force`.
//!
//! Charms in action, "Unit hooks". At a quiet moment:
//!
//! 1. The application must be Alive. (Ours: units that go do not change any more.)
//! 2. Change its charm, to which each of its units that are deployed is to be upgraded.
//!
//! By force:
//!
//! 1. The application must be Alive. (Ours: units that go do not change any more.)
//! 2. Change its charm, to which each of its units that are deployed is to be upgraded, in an
//!    error, too.

use crate::{
    ids::ApplicationId,
    life::Life::Alive,
    ops::{Draft, Planned},
    txn::{ApplicationChange, Why, life_is},
};

pub(super) fn upgrade_charm(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    change_charm(txn, id, ApplicationChange::Upgrade)
}

pub(super) fn force_upgrade_charm(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    change_charm(txn, id, ApplicationChange::ForceUpgrade)
}

fn change_charm(txn: &mut Draft<'_>, id: ApplicationId, change: ApplicationChange) -> Planned {
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    txn.change(2, id, change);
    Ok(())
}
