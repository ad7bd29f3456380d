//! The charm of a unit: its directory and upgrades, and changes of the configuration. Its port is
//! in `ports`.
//!
//! Charms in action, "Charm deployment" and "Unit hooks" (D4:61-92, D4:120, D4:165-177). The charm
//! directory is juju's, except while a hook runs, when it is the hook's, and while there is an
//! error, when it is the user's. Versions are folded: a deployed unit has the newest charm, and an
//! upgrade command notes for each other unit that its charm is an old one.

use super::{config, ports};
use crate::{
    action::{Act, Hook, HookKind, UnitAct},
    actor::{Actor, Client},
    agents::{Lister, context::StepContext, neglect::performs},
    clause::{Clause, Rule::Charm as CharmRule},
    history::Event,
    ids::{ApplicationId, UnitId},
    life::Life::{Alive, Dead, Dying},
    runtime::{Charm, Directory, Owed, Phase, UpgradeDue},
    state::State,
    store::Unit,
    txn::{AnyOn, ApplicationChange, On, Txn, UnitChange},
    variants::{DyingUnitUpgrade, EarlyUpgrade, ForcedUpgrade, HooksBeforeForce, UpgradeAgain},
    world::World,
};

fn clause(number: u8) -> Clause {
    Clause { rule: CharmRule, number }
}

/// Lists the writing of the directory, if no hook may run before it. Returns whether it has to be.
pub(super) fn is_written_first(me: UnitId, list: &mut Lister<'_>) -> bool {
    let (world, state) = (list.world, list.state);
    if is_writing(me, world, state) {
        list.act(Act::UnitAgent(me, UnitAct::EndCharm));
        return true;
    }
    if let Some(number) = directory_due(me, world, state) {
        list_write(me, number, list);
        return true;
    }
    false
}

/// Lists the hook that follows an upgrade, before all others. Returns whether there is one.
pub(super) fn follows_upgrade(me: UnitId, unit: &Unit, list: &mut Lister<'_>) -> bool {
    let Some((wants, hook)) = owed(me, unit, list.world, list.state) else { return false };
    list.hook(me, CharmRule, wants.number, hook);
    true
}

/// Whether the agent is writing the directory.
pub(crate) fn is_writing(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.charm && state.runtime.charm(me).directory == Directory::Writing
}

/// Whether no hook can run because the directory is absent, cut short or being written.
pub(super) fn has_to_write(me: UnitId, unit: &Unit, world: &World, state: &State) -> bool {
    unit.life != Dead && (is_writing(me, world, state) || directory_due(me, world, state).is_some())
}

/// The number of the clause that has the directory written, if it is absent or cut short.
fn directory_due(me: UnitId, world: &World, state: &State) -> Option<u8> {
    if !world.detail.charm {
        return None;
    }
    let number = match state.runtime.charm(me).directory {
        Directory::Absent => 1,
        Directory::CutShort => 2,
        Directory::Writing | Directory::Whole => return None,
    };
    (!world.is_off(clause(number))).then_some(number)
}

/// The next hook that an upgrade obliges the agent to run, with the clause that demands it.
pub(super) fn owed(
    me: UnitId,
    unit: &Unit,
    world: &World,
    state: &State,
) -> Option<(Clause, Hook)> {
    if !world.detail.charm || unit.life == Dead {
        return None;
    }
    let hook = state.runtime.charm(me).owed.hook()?;
    let wants = clause(if hook == Hook::UpgradeCharm { 6 } else { 8 });
    (!world.is_off(wants)).then_some((wants, hook))
}

/// The hook that is due for an upgrade or a change of the configuration.
pub fn charm_hook_due(me: UnitId, world: &World, state: &State) -> Option<Hook> {
    let charm = world.detail.charm.then(|| state.runtime.charm(me))?;
    charm.owed.hook().or_else(|| charm.config_stale.then_some(Hook::ConfigChanged))
}

/// Whether the charm directory of the unit is not that of the newest charm.
pub fn is_charm_due(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.charm
        && (state.runtime.charm(me).directory != Directory::Whole
            || state.runtime.charm(me).upgrade != UpgradeDue::None)
}

/// Lists the duties that have no fixed place among the others: an upgrade, and config-changed.
pub(crate) fn look_at(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.charm {
        return;
    }
    if config_is_due(me, world, state) {
        list.hook(me, CharmRule, 9, Hook::ConfigChanged);
    }
    if is_started(me, state) {
        upgrade(me, unit, list);
    }
}

/// Lists an upgrade that comes between the first hooks of a unit.
pub(super) fn upgrade_early(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    let is_early = match list.world.variants.early_upgrade {
        EarlyUpgrade::AfterStart => false,
        EarlyUpgrade::BetweenHooks => list.world.detail.charm,
    };
    if is_early && list.state.runtime.hooks(me).phase >= Phase::Installed {
        upgrade(me, unit, list);
    }
}

/// Lists the upgrade of a unit that is in no error, if one is due.
fn upgrade(me: UnitId, unit: &Unit, list: &mut Lister<'_>) {
    let is_due = list.state.runtime.charm(me).upgrade != UpgradeDue::None;
    if is_due && is_upgraded(unit, list.world) {
        list_write(me, 3, list);
    }
}

/// Whether a unit that is in no error gets a charm that is due.
fn is_upgraded(unit: &Unit, world: &World) -> bool {
    match (unit.life, world.variants.dying_unit_upgrade) {
        (Alive, _) | (Dying, DyingUnitUpgrade::AsAnyOther) => true,
        (Dying, DyingUnitUpgrade::LeftOut) | (Dead, _) => false,
    }
}

/// Whether the unit has run its first hooks, and has not stopped.
fn is_started(me: UnitId, state: &State) -> bool {
    state.runtime.hooks(me).phase == Phase::Started
        && state.runtime.unit(me).charm != Charm::Stopped
}

/// Whether config-changed is due because the configuration has changed.
pub(super) fn config_is_due(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.charm
        && state.runtime.charm(me).config_stale
        && is_started(me, state)
        && performs(world, state, Actor::UnitAgent(me), clause(9))
}

/// Lists the writes of the directory that the agent of `me` does although a hook has failed.
pub(crate) fn upgrade_in_error(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.charm
        || !state.unit_agent_runs(world, me)
        || state.runtime.pending(Client::Unit(me)).is_some()
    {
        return;
    }
    let charm = state.runtime.charm(me);
    match (charm.directory, charm.upgrade) {
        (Directory::Writing, _) => list.act(Act::UnitAgent(me, UnitAct::EndCharm)),
        (Directory::CutShort, _) => list_write(me, 2, list),
        (Directory::Whole, UpgradeDue::Forced | UpgradeDue::ForcedFirst) => {
            list_write(me, 4, list);
        }
        (Directory::Whole, UpgradeDue::Quietly) if world.is_off(clause(5)) => {
            list_write(me, 3, list);
        }
        (Directory::Absent, _) | (Directory::Whole, UpgradeDue::Quietly | UpgradeDue::None) => {}
    }
}

/// Lists the beginning of a write, or the whole write where no crash can come between.
fn list_write(me: UnitId, number: u8, list: &mut Lister<'_>) {
    let act = if list.world.agents_crash() { UnitAct::BeginCharm } else { UnitAct::WriteCharm };
    list.duty(CharmRule, number, Act::UnitAgent(me, act));
}

/// Writes the directory in one step: begins and ends.
pub(crate) fn write(me: UnitId, step: &mut StepContext<'_>) {
    begin(me, step);
    end(me, step);
}

/// Begins to write the directory of the newest charm. The hooks that follow an upgrade are noted
/// now, so that a crash loses none of them. A directory that was cut short is written as it was
/// begun: an upgrade that came since is due by itself, with its own hooks, and is not written while
/// the directory is the user's (D4:66-69, D4:173-174). So of two upgrades that are due, the forced
/// one is written during an error, and the other waits until the error is resolved.
pub(crate) fn begin(me: UnitId, step: &mut StepContext<'_>) {
    let (world, touched) = (step.world, &mut step.effects.touched);
    let is_in_error = step.state.runtime.unit(me).is_suspended();
    let charm = step.state.runtime.charm_mut(me, touched);
    let (upgrade, is_newest) = match charm.upgrade {
        UpgradeDue::ForcedFirst if is_in_error => (UpgradeDue::Forced, false),
        UpgradeDue::ForcedFirst => (UpgradeDue::Quietly, true),
        due @ (UpgradeDue::None | UpgradeDue::Quietly | UpgradeDue::Forced) => (due, true),
    };
    let written = match charm.directory {
        Directory::Absent => Some(Event::CharmInstalled(me)),
        Directory::Whole if is_newest => Some(Event::CharmWritten(me)),
        Directory::Whole => Some(Event::ForcedCharmWritten(me)),
        Directory::Writing | Directory::CutShort => None,
    };
    let runs_hooks = match (charm.directory, upgrade) {
        (Directory::Absent | Directory::Writing | Directory::CutShort, _)
        | (Directory::Whole, UpgradeDue::None) => false,
        (Directory::Whole, UpgradeDue::Quietly | UpgradeDue::ForcedFirst) => true,
        (Directory::Whole, UpgradeDue::Forced) if is_in_error => world.is_off(clause(7)),
        (Directory::Whole, UpgradeDue::Forced) => match world.variants.forced_upgrade {
            ForcedUpgrade::RunsHooks => true,
            ForcedUpgrade::RunsNone => false,
        },
    };
    let drops_hooks = is_in_error
        && upgrade == UpgradeDue::Forced
        && charm.directory == Directory::Whole
        && world.variants.hooks_before_force == HooksBeforeForce::Dropped;
    let failed = charm.owed.hook().filter(|_| drops_hooks);
    if runs_hooks {
        charm.owed = Owed::UpgradeCharm.settled(world.charm_of(me));
    } else if drops_hooks {
        charm.owed = Owed::None;
    }
    if charm.directory != Directory::CutShort {
        charm.upgrade = if is_newest { UpgradeDue::None } else { UpgradeDue::Quietly };
    }
    charm.directory = Directory::Writing;
    if failed.is_some() && step.state.runtime.hooks(me).marked() == failed {
        step.state.runtime.hooks_mut(me, &mut step.effects.touched).set_mark(None);
    }
    if let Some(event) = written {
        step.happens(event);
    }
}

/// Ends the write: the directory is whole.
pub(crate) fn end(me: UnitId, step: &mut StepContext<'_>) {
    step.state.runtime.charm_mut(me, &mut step.effects.touched).directory = Directory::Whole;
}

/// Cuts a write of the directory short, if the agent of `me` crashes in one.
pub(crate) fn crash(me: UnitId, step: &mut StepContext<'_>) {
    if is_writing(me, step.world, step.state) {
        step.state.runtime.charm_mut(me, &mut step.effects.touched).directory = Directory::CutShort;
    }
}

/// Notes that config-changed begins, and sees the configuration as it is now.
pub(super) fn hook_begins(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    if step.world.detail.charm && hook == Hook::ConfigChanged {
        step.state.runtime.charm_mut(me, &mut step.effects.touched).config_stale = false;
    }
}

/// Applies the port and forgets the reads of a hook of `me` that has run, or counts as run.
pub(super) fn hook_ended(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    if step.world.detail.charm {
        ports::hook_succeeds(me, step);
        config::hook_is_over(me, step);
        let charm = step.state.runtime.charm_mut(me, &mut step.effects.touched);
        charm.owed = charm.owed.after(hook, step.world.charm_of(me));
    }
}

/// Notes for units that a committed transaction has made their charm or configuration an old one,
/// or closes the port of a removed unit.
pub(crate) fn committed(txn: &Txn, step: &mut StepContext<'_>) {
    if !step.world.detail.charm {
        return;
    }
    for op in &txn.ops {
        match op.on {
            AnyOn::Application(On { doc, change: Some(change), .. }) => tell(doc, change, step),
            AnyOn::Unit(On { doc, change: Some(UnitChange::Remove), .. }) => {
                ports::removed(doc, step);
            }
            AnyOn::Application(_)
            | AnyOn::Unit(_)
            | AnyOn::Machine(_)
            | AnyOn::Relation(_)
            | AnyOn::Marker(_)
            | AnyOn::Model(_) => {}
        }
    }
}

/// Notes for each deployed unit of an application that its charm or configuration is an old one.
fn tell(id: ApplicationId, change: ApplicationChange, step: &mut StepContext<'_>) {
    let upgrade = match change {
        ApplicationChange::SetConfig => None,
        ApplicationChange::Upgrade => Some(UpgradeDue::Quietly),
        ApplicationChange::ForceUpgrade => Some(UpgradeDue::Forced),
        ApplicationChange::Create
        | ApplicationChange::Remove
        | ApplicationChange::SetLife(_)
        | ApplicationChange::AddUnit
        | ApplicationChange::DropUnit
        | ApplicationChange::AddRelations(_)
        | ApplicationChange::DropRelations(_)
        | ApplicationChange::Expose
        | ApplicationChange::Unexpose
        | ApplicationChange::SetConstraints(_) => return,
    };
    for unit in step.world.application(id).units() {
        match upgrade {
            None => configure(unit, step),
            Some(upgrade) => is_to_upgrade(unit, upgrade, step),
        }
    }
}

/// Notes that the configuration of a unit has changed.
fn configure(unit: UnitId, step: &mut StepContext<'_>) {
    if has_configured(unit, step.world, step.state) {
        step.state.runtime.charm_mut(unit, &mut step.effects.touched).config_stale = true;
    }
    config::changed(unit, step);
}

/// Makes an upgrade due for a deployed unit. The last of several commands decides, unless the
/// variant lets force stay: then the forced charm is written first, and the other one after it.
fn is_to_upgrade(unit: UnitId, upgrade: UpgradeDue, step: &mut StepContext<'_>) {
    let charm = step.state.runtime.charm(unit);
    let is_forced = matches!(charm.upgrade, UpgradeDue::Forced | UpgradeDue::ForcedFirst);
    let due = match step.world.variants.upgrade_again {
        UpgradeAgain::ForceStays if is_forced && upgrade == UpgradeDue::Quietly => {
            UpgradeDue::ForcedFirst
        }
        UpgradeAgain::LastDecides | UpgradeAgain::ForceStays => upgrade,
    };
    if charm.directory != Directory::Absent {
        step.state.runtime.charm_mut(unit, &mut step.effects.touched).upgrade = due;
    }
}

/// Whether a config-changed hook of the unit has begun, so that it has not seen the next change.
fn has_configured(unit: UnitId, world: &World, state: &State) -> bool {
    let hooks = state.runtime.hooks(unit);
    let has_begun = hooks.phase >= Phase::Configured || hooks.mark == Some(HookKind::ConfigChanged);
    state.runtime.is_deployed(unit) && has_begun && world.charm_of(unit).has(Hook::ConfigChanged)
}
