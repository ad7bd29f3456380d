//! How rows of the runtime are looked at, changed and taken back.

use super::{
    Client, MachineRuntime, Membership, Sighting, TaskRuntime, UnitCharm, UnitHooks, UnitRuntime,
    UnitWorkflow, Upgrade, User,
};
use crate::{
    ids::{ClientId, Id, UnitId},
    rows::{Stored, put},
    state::State,
    store::Touched,
};

macro_rules! stored {
    ($($record:ident: $row:ident, $row_mut:ident, $table:ident;)*) => {$(
        impl Stored for $record {
            #[inline]
            fn look<T>(state: &State, id: Self::Key, look: impl FnOnce(&Self) -> T) -> T {
                look(state.runtime.$row(id))
            }

            fn change(
                state: &mut State,
                id: Self::Key,
                touched: &mut Touched,
                change: impl FnOnce(&mut Self),
            ) {
                change(state.runtime.$row_mut(id, touched));
            }

            #[inline]
            fn restore(state: &mut State, id: Self::Key, other: &State) {
                put(&mut state.runtime.$table, &other.runtime.$table, id);
            }
        }
    )*};
}

stored! {
    MachineRuntime: machine, machine_mut, machines;
    User: user, user_mut, users;
    UnitHooks: hooks, hooks_mut, hooks;
    UnitCharm: charm, charm_mut, charms;
    UnitWorkflow: workflow, workflow_mut, workflows;
    TaskRuntime: task, task_mut, tasks;
}

impl Stored for UnitRuntime {
    #[inline]
    fn look<T>(state: &State, id: UnitId, look: impl FnOnce(&Self) -> T) -> T {
        look(state.runtime.unit(id))
    }

    /// Changes the row. `redeploy` changes `deployed_by`, as it changes the disks of deployers,
    /// too.
    fn change(
        state: &mut State,
        id: UnitId,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        let unit = state.runtime.unit_mut(id, touched);
        let before = unit.deployed_by;
        change(unit);
        let after = std::mem::replace(&mut unit.deployed_by, before);
        if before != after {
            state.runtime.redeploy(id, after, touched);
        }
    }

    #[inline]
    fn restore(state: &mut State, id: UnitId, other: &State) {
        put(&mut state.runtime.units, &other.runtime.units, id);
    }
}

impl Stored for Membership {
    #[inline]
    fn look<T>(state: &State, (id, unit): Self::Key, look: impl FnOnce(&Self) -> T) -> T {
        look(&state.runtime.membership(id, unit))
    }

    fn change(
        state: &mut State,
        (id, unit): Self::Key,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        let mut membership = state.runtime.membership(id, unit);
        change(&mut membership);
        state.runtime.set_membership(id, unit, membership, touched);
    }

    #[inline]
    fn restore(state: &mut State, (id, unit): Self::Key, other: &State) {
        let membership = other.runtime.membership(id, unit);
        state.runtime.memberships[id.index()].put(unit, membership);
    }
}

impl Stored for Sighting {
    #[inline]
    fn look<T>(state: &State, (id, unit): Self::Key, look: impl FnOnce(&Self) -> T) -> T {
        look(&state.runtime.sighting(id, unit))
    }

    fn change(
        state: &mut State,
        (id, unit): Self::Key,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        state.runtime.change_sighting(id, unit, change, touched);
    }

    #[inline]
    fn restore(state: &mut State, (id, unit): Self::Key, other: &State) {
        state.runtime.put_sighting((id, unit), other.runtime.sighting(id, unit));
    }
}

impl Stored for Client {
    fn look<T>(state: &State, id: ClientId, look: impl FnOnce(&Self) -> T) -> T {
        look(state.runtime.client(id).unwrap_or(&Self::default()))
    }

    fn change(
        state: &mut State,
        id: ClientId,
        touched: &mut Touched,
        change: impl FnOnce(&mut Self),
    ) {
        change(state.runtime.client_mut(id, touched));
    }

    fn restore(state: &mut State, _: ClientId, other: &State) {
        state.runtime.clients.clone_from(&other.runtime.clients);
    }
}

impl Stored for Upgrade {
    fn look<T>(state: &State, (): (), look: impl FnOnce(&Self) -> T) -> T {
        look(state.runtime.upgrade())
    }

    fn change(state: &mut State, (): (), touched: &mut Touched, change: impl FnOnce(&mut Self)) {
        change(state.runtime.upgrade_mut(touched));
    }

    fn restore(state: &mut State, (): (), other: &State) {
        state.runtime.upgrade = other.runtime.upgrade;
    }
}
