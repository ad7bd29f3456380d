//! The claims about the hooks of a unit: the detail `hooks` (D4:12-59, D4:143-189).
//!
//! What is said of "once" counts hooks that ran or counted as run, on one disk: an agent that is
//! deployed anew, because its hardware is gone, begins again.

use deathwatch_model::{
    action::Hook,
    life::Life::{Alive, Dead},
    rows::Row,
    runtime::{Charm, Phase},
    state::State,
    world::World,
};

use super::{
    Claim, ClaimView,
    Link::{AgentOfHooks, UnitOfHooks},
    begun::begun,
    forms::{always, each_hook, leads},
};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        name: "the install hook runs once, before any other hook",
        source: "D4:163",
        test: each_hook(installs_wrongly),
    },
    Claim {
        name: "the first config-changed hook runs right after the install hook",
        source: "D4:165-166",
        test: each_hook(configures_wrongly),
    },
    Claim {
        name: "the start hook runs once, right after the first config-changed hook",
        source: "D4:169-171",
        test: each_hook(starts_wrongly),
    },
    Claim {
        name: "no hook of a unit runs after its stop hook",
        source: "D4:179-180",
        test: each_hook(runs_after_stop),
    },
    Claim {
        name: "the stop hook does not run while its unit is in a scope",
        source: "D4:188-189; D4:245-246",
        test: each_hook(stops_in_scope),
    },
    Claim {
        name: "a unit in error runs no hook",
        source: "D4:21-22; D1:93-95",
        test: each_hook(runs_in_error),
    },
    Claim {
        name: "a hook that was cut short or failed runs again only if the operator says so",
        source: "D4:36-49",
        test: each_hook(runs_again),
    },
    Claim {
        name: "no hook of a Dead unit runs",
        source: "D1:100; D4:26-29",
        test: each_hook(runs_dead),
    },
    Claim {
        name: "the operator sees an error only of a hook that did not succeed",
        source: "D4:21-22; D4:36-39",
        test: always!(is_wrong_error, UnitHooks[AgentOfHooks]),
    },
    Claim {
        name: "an Alive unit whose agent is deployed is started",
        source: "D4:163-171; D4:182-183",
        test: leads!(UnitHooks[UnitOfHooks], is_unstarted, is_not_unstarted),
    },
    Claim {
        name: "an agent that has restarted runs config-changed, or stops",
        source: "D4:166-167",
        test: leads!(UnitHooks [UnitOfHooks, AgentOfHooks], is_config_due, is_not_config_due),
    },
];

/// The claims that read what an agent notes.
pub(super) const NOTED: &[&str] = &[
    "the install hook runs once, before any other hook",
    "the first config-changed hook runs right after the install hook",
    "the start hook runs once, right after the first config-changed hook",
    "no hook of a unit runs after its stop hook",
    "a hook that was cut short or failed runs again only if the operator says so",
    "an Alive unit whose agent is deployed is started",
    "an agent that has restarted runs config-changed, or stops",
];

fn installs_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let is_fresh = before.runtime.hooks(id).phase == Phase::Fresh;
    ((hook == Hook::Install) != is_fresh).then_some(row)
}

fn configures_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let is_installed = before.runtime.hooks(id).phase == Phase::Installed;
    (is_installed && hook != Hook::ConfigChanged).then_some(row)
}

fn starts_wrongly(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let is_configured = before.runtime.hooks(id).phase == Phase::Configured;
    ((hook == Hook::Start) != is_configured).then_some(row)
}

fn runs_after_stop(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(world, before, after, row)?;
    (before.runtime.unit(id).charm == Charm::Stopped).then_some(row)
}

fn stops_in_scope(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, hook) = begun(world, before, after, row)?;
    let mut relations = world.relations_of(id).iter();
    let is_in_scope = relations.any(|relation| before.store.in_scope(*relation, id));
    (hook == Hook::Stop && is_in_scope).then_some(row)
}

fn runs_in_error(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(world, before, after, row)?;
    before.runtime.unit(id).is_suspended().then_some(row)
}

fn runs_again(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(world, before, after, row)?;
    let hooks = before.runtime.hooks(id);
    (hooks.mark.is_some() && !hooks.retry).then_some(row)
}

fn runs_dead(world: &World, before: &State, after: &State, row: Row) -> Option<Row> {
    let (id, _) = begun(world, before, after, row)?;
    (before.store.unit_life(id) == Some(Dead)).then_some(row)
}

fn is_wrong_error(view: &ClaimView<'_>, subject: Row) -> bool {
    let Row::UnitHooks(id) = subject else { return false };
    let runtime = &view.state.runtime;
    runtime.unit(id).charm.has_failed() && runtime.hooks(id).exited
}

/// Whether an Alive unit whose agent is deployed has not run its first hooks.
fn is_unstarted(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitHooks(id) = subject else { return false };
    state.store.unit_life(id) == Some(Alive)
        && state.runtime.is_deployed(id)
        && state.runtime.hooks(id).phase != Phase::Started
}

fn is_not_unstarted(world: &World, state: &State, subject: Row) -> bool {
    !is_unstarted(world, state, subject)
}

/// Whether config-changed is due in a unit that has not stopped.
fn is_config_due(_: &World, state: &State, subject: Row) -> bool {
    let Row::UnitHooks(id) = subject else { return false };
    state.runtime.hooks(id).config_due
        && state.runtime.unit(id).charm != Charm::Stopped
        && state.store.unit_life(id).is_some_and(|life| life != Dead)
}

fn is_not_config_due(world: &World, state: &State, subject: Row) -> bool {
    !is_config_due(world, state, subject)
}
