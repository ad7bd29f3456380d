//! The hook of a unit's charm that a step began, or ran as a whole.

use deathwatch_model::{
    action::Hook,
    actor::Client,
    ids::UnitId,
    rows::{Owed, Row},
    runtime::Charm,
    state::State,
    world::World,
};

/// The hook that a step began, for the unit of `row`.
pub(super) fn begun(world: &World, [before, after]: [&State; 2], row: Row) -> Option<Hook> {
    let Row::UnitHooks(id) = row else { return None };
    let (old, new) = (before.runtime.unit(id), after.runtime.unit(id));
    if old.deployed_by != new.deployed_by {
        return None;
    }
    if let Some(hook) = after.runtime.pending_hook(Client::Unit(id)) {
        let begins = before.runtime.pending_hook(Client::Unit(id)).is_none();
        return begins.then_some(hook);
    }
    let (old, new) = (before.runtime.hooks(id), after.runtime.hooks(id));
    if old.retry {
        return old.marked().filter(|_| !new.retry); // as a whole
    }
    if old.marked().is_some() || before.runtime.pending_hook(Client::Unit(id)).is_some() {
        return None; // it ended, or was found or resolved
    }
    let stops = before.runtime.unit(id).charm != Charm::Stopped
        && after.runtime.unit(id).charm == Charm::Stopped;
    let hook = match new.marked() {
        Some(failed) => failed,
        None if stops => Hook::Stop,
        None if has_run(before, after, id).is_some() => has_run(before, after, id)?,
        None if old.phase != new.phase => old.phase.due()?,
        None if old.config_due && !new.config_due => Hook::ConfigChanged,
        None => broken(id, world, before, after)?,
    };
    Some(hook)
}

/// The broken hook that ran as a whole.
fn broken(id: UnitId, world: &World, before: &State, after: &State) -> Option<Hook> {
    let has_run = |state: &State, relation| state.runtime.membership(relation, id).departed;
    let mut relations = world.relations_of(id).iter().copied();
    let relation = relations.find(|it| !has_run(before, *it) && has_run(after, *it))?;
    world.detail.relations.then_some(Hook::Broken(relation))
}

/// The hook that ran as a whole, in a step that changed only facts of the detail `charm`.
fn has_run(before: &State, after: &State, id: UnitId) -> Option<Hook> {
    if !before.runtime.has_charms() {
        return None;
    }
    let (old, new) = (before.runtime.charm(id), after.runtime.charm(id));
    let configures = old.config_stale && !new.config_stale;
    let owed = if old.owed == new.owed { Owed::None } else { old.owed };
    owed.hook().or_else(|| configures.then_some(Hook::ConfigChanged))
}
