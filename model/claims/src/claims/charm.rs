//! The claims about the charm of a unit: the detail `charm` (D4:61-69, D4:117-119, D4:137-138,
//! D4:165-177).

use deathwatch_model::{
    action::Hook,
    actor::Client,
    ids::{ApplicationId, UnitId},
    life::Life::{Alive, Dead},
    rows::Row,
    runtime::{Charm, ConfigRead, Directory, Owed, UpgradeDue},
    state::State,
    store::Store,
    world::World,
};

use super::{
    Claim, ClaimView,
    Link::{AgentOfCharm, UnitOfCharm},
    RowEvent,
    begun::begun,
    forms::{always, each_hook, leads, step},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "a hook runs only where the charm directory is whole",
        source: "D4:64-69; D4:97-98",
        test: each_hook(runs_elsewhere),
    },
    Claim {
        name: "the agent upgrades the charm directory only while it owns it, or by force",
        source: "D4:64-69; D4:173-177",
        test: step(&[RowEvent::Upkeep], writes_what_is_not_its_own),
    },
    Claim {
        name: "upgrade-charm runs once, right after an upgrade",
        source: "D4:173-177",
        test: each_hook(upgrades_wrongly),
    },
    Claim {
        name: "config-changed runs right after upgrade-charm",
        source: "D4:165-166",
        test: each_hook(does_not_configure),
    },
    Claim {
        name: "no hook follows a forced upgrade from an error",
        source: "D4:174-177",
        test: step(&[RowEvent::Upkeep], owes_after_error),
    },
    Claim {
        name: "an application that is not Alive is not configured, upgraded or exposed",
        source: "our resolution, beside D4:117-118; D4:166; D4:173",
        test: step(&[RowEvent::Upkeep, RowEvent::Exposure], is_too_late),
    },
    Claim {
        name: "a port changes only when the hook that asks for it succeeds",
        source: "D4:134-138",
        test: step(&[RowEvent::Upkeep], changes_early),
    },
    Claim {
        name: "the configuration that a hook has read it reads again the same",
        source: "D4:120; D4:131-133",
        test: step(&[RowEvent::Upkeep], gets_otherwise),
    },
    Claim {
        name: "no port of a unit that is gone is open",
        source: "D4:117-119; D4:137-138",
        test: always!(is_left_open, UnitCharm[UnitOfCharm]),
    },
    Claim {
        name: "an agent whose unit's configuration has changed runs config-changed, or stops",
        source: "D4:166",
        test: leads!(UnitCharm [UnitOfCharm, AgentOfCharm], is_config_due, is_not_config_due),
    },
    Claim {
        name: "a deployed Alive unit whose application has another charm gets it",
        source: "D4:173-174",
        test: leads!(UnitCharm[UnitOfCharm], is_upgrade_due, is_not_upgrade_due),
    },
    Claim {
        name: "a deployed unit gets a charm that is forced, in an error, too",
        source: "D4:174-177",
        test: leads!(UnitCharm [UnitOfCharm, AgentOfCharm], is_force_due, is_not_force_due),
    },
    Claim {
        name: "a hook that is to follow an upgrade runs, or its unit goes",
        source: "D4:165-166; D4:173-174",
        test: leads!(UnitCharm[UnitOfCharm], is_hook_due, is_not_hook_due),
    },
    Claim {
        name: "a charm directory that is begun is written",
        source: "D4:64-65",
        test: leads!(UnitCharm[UnitOfCharm], is_partial, is_not_partial),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "upgrade-charm runs once, right after an upgrade",
    "config-changed runs right after upgrade-charm",
    "no hook follows a forced upgrade from an error",
    "an agent whose unit's configuration has changed runs config-changed, or stops",
    "a deployed Alive unit whose application has another charm gets it",
    "a deployed unit gets a charm that is forced, in an error, too",
    "a hook that is to follow an upgrade runs, or its unit goes",
];

/// The hook that ran as a whole, by a step that changed only what the detail `charm` knows.
pub(super) fn has_run(before: &State, after: &State, id: UnitId) -> Option<Hook> {
    if !before.runtime.has_charms() {
        return None;
    }
    let (old, new) = (before.runtime.charm(id), after.runtime.charm(id));
    let configures = old.config_stale && !new.config_stale;
    let owed = if old.owed == new.owed { Owed::None } else { old.owed };
    owed.hook().or_else(|| configures.then_some(Hook::ConfigChanged))
}

fn runs_elsewhere(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(world, before, after, row)?;
    (before.runtime.has_charms() && before.runtime.charm(id).directory != Directory::Whole)
        .then_some(row)
}

/// The unit of whose application's new charm the agent begins to write the directory.
fn upgraded(before: &State, after: &State, row: Row) -> Option<UnitId> {
    let Row::UnitCharm(id) = row else { return None };
    let (old, new) = (before.runtime.charm(id), after.runtime.charm(id));
    let is_deployed = before.runtime.is_deployed(id) && after.runtime.is_deployed(id);
    (is_deployed
        && old.directory == Directory::Whole
        && old.upgrade != UpgradeDue::None
        && new.upgrade == UpgradeDue::None)
        .then_some(id)
}

fn writes_what_is_not_its_own(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let id = upgraded(before, after, row)?;
    let runs = before.runtime.pending_hook(Client::Unit(id)).is_some();
    let is_users = before.runtime.unit(id).is_suspended();
    let is_forced = before.runtime.charm(id).upgrade == UpgradeDue::Forced;
    (runs || is_users && !is_forced).then_some(row)
}

fn upgrades_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    if !before.runtime.has_charms() {
        return None;
    }
    let is_due = before.runtime.charm(id).owed == Owed::UpgradeCharm;
    ((hook == Hook::UpgradeCharm) != is_due).then_some(row)
}

fn does_not_configure(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let is_due =
        before.runtime.has_charms() && before.runtime.charm(id).owed == Owed::ConfigChanged;
    (is_due && hook != Hook::ConfigChanged).then_some(row)
}

fn owes_after_error(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let id = upgraded(before, after, row)?;
    let (old, new) = (before.runtime.charm(id), after.runtime.charm(id));
    let is_from_error = old.upgrade == UpgradeDue::Forced && before.runtime.unit(id).is_suspended();
    (is_from_error && old.owed != new.owed && new.owed != Owed::None).then_some(row)
}

fn is_too_late(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let is_alive = |id| before.store.application_life(id) == Some(Alive);
    match row {
        Row::UnitCharm(id) => {
            let (old, new) = (before.runtime.charm(id), after.runtime.charm(id));
            let is_told = !old.config_stale && new.config_stale
                || old.upgrade != new.upgrade && new.upgrade != UpgradeDue::None;
            (is_told && !is_alive(world.unit(id).application)).then_some(row)
        }
        Row::Application(id) => {
            let exposed = |store: &Store, id: ApplicationId| {
                store.application(id).is_some_and(|it| it.exposed)
            };
            (!exposed(&before.store, id) && exposed(&after.store, id) && !is_alive(id))
                .then_some(row)
        }
        _ => None,
    }
}

fn changes_early(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::UnitCharm(id) = row else { return None };
    let changes = before.runtime.is_port_open(id) != after.runtime.is_port_open(id);
    let [runs, still_runs] =
        [before, after].map(|state| state.runtime.pending_hook(Client::Unit(id)).is_some());
    let is_removed = before.store.unit(id).is_some() && after.store.unit(id).is_none();
    let succeeds = runs && !still_runs && !after.runtime.unit(id).is_suspended();
    (changes && !is_removed && !succeeds).then_some(row)
}

fn gets_otherwise(_: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let Row::UnitCharm(id) = row else { return None };
    let [old, new] = [before, after].map(|state| state.runtime.charm(id).config_read);
    (old == ConfigRead::Old && new == ConfigRead::Current).then_some(row)
}

fn is_left_open(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    view.state.runtime.is_port_open(id) && view.state.store.unit(id).is_none()
}

/// Whether the unit exists and is not Dead.
fn lives(state: &State, id: UnitId) -> bool {
    state.store.unit_life(id).is_some_and(|life| life != Dead)
}

fn is_config_due(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    state.runtime.charm(id).config_stale
        && state.runtime.unit(id).charm != Charm::Stopped
        && lives(state, id)
}

fn is_not_config_due(world: &World, state: &State, subject: Row) -> bool {
    !is_config_due(world, state, subject)
}

fn is_upgrade_due(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    state.runtime.charm(id).upgrade != UpgradeDue::None && state.store.unit_life(id) == Some(Alive)
}

fn is_not_upgrade_due(world: &World, state: &State, subject: Row) -> bool {
    !is_upgrade_due(world, state, subject)
}

/// Whether a forced upgrade is due, of an Alive unit or one in error.
fn is_force_due(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    let is_alive = state.store.unit_life(id) == Some(Alive);
    state.runtime.charm(id).upgrade == UpgradeDue::Forced
        && (is_alive || state.runtime.unit(id).is_suspended() && lives(state, id))
}

fn is_not_force_due(world: &World, state: &State, subject: Row) -> bool {
    !is_force_due(world, state, subject)
}

fn is_hook_due(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    state.runtime.charm(id).owed != Owed::None && lives(state, id)
}

fn is_not_hook_due(world: &World, state: &State, subject: Row) -> bool {
    !is_hook_due(world, state, subject)
}

fn is_partial(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitCharm(id) = subject else { return false };
    match state.runtime.charm(id).directory {
        Directory::Writing | Directory::CutShort => lives(state, id),
        Directory::Absent | Directory::Whole => false,
    }
}

fn is_not_partial(world: &World, state: &State, subject: Row) -> bool {
    !is_partial(world, state, subject)
}
