//! Let the open ports of an application's units be reached, or not: `juju expose`, `juju unexpose`.
//!
//! Charms in action, "Hook tools". To expose:
//!
//! 1. The application must be Alive. (Ours: nothing more is asked of one that goes.)
//! 2. If it is exposed, there is nothing to do; otherwise its units' open ports can be reached from
//!    now on.
//!
//! To unexpose, whatever its life:
//!
//! 1. If it is not exposed, there is nothing to do; otherwise its units' open ports cannot be
//!    reached any more. (Ours: the document only says that an application is exposed.)

use crate::{
    ids::ApplicationId,
    life::Life::Alive,
    ops::{Decline, Draft, Planned},
    txn::{ApplicationChange, ApplicationPredicate::Exposed, Why, any, life_is, none},
};

pub(super) fn expose(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    txn.require(1, id, life_is(Alive), Why::NotAlive)?;
    txn.require(2, id, none([Exposed]), Decline::NoOp)?.change(ApplicationChange::Expose);
    Ok(())
}

pub(super) fn unexpose(txn: &mut Draft<'_>, id: ApplicationId) -> Planned {
    txn.require(1, id, any([Exposed]), Decline::NoOp)?.change(ApplicationChange::Unexpose);
    Ok(())
}
