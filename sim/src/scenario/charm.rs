//! Charms: which hooks an application's units run, where the detail `hooks` is on.

use deathwatch_model::{
    action::Hook,
    world::{CharmDef, WorldBuilder},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    detail::how_to_switch_on,
    file::{ApplicationFile, WorldFile},
    value::At,
};
use crate::problem::{Problem, Text};

/// A hook of a unit itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum HookFile {
    /// Runs before any other.
    Install,
    /// Runs after the install hook, and after the agent has restarted.
    ConfigChanged,
    /// Runs after the first config-changed hook.
    Start,
    /// Runs last.
    Stop,
}

/// The charm of an application.
pub(super) fn read(file: &ApplicationFile) -> CharmDef {
    let of = |given: &Option<At<Vec<HookFile>>>| match given {
        None => Hook::OF_UNITS.to_vec(),
        Some(hooks) => hooks.value.iter().map(|hook| named(*hook)).collect(),
    };
    CharmDef::new(&of(&file.hooks), &of(&file.may_fail))
}

fn named(hook: HookFile) -> Hook {
    match hook {
        HookFile::Install => Hook::Install,
        HookFile::ConfigChanged => Hook::ConfigChanged,
        HookFile::Start => Hook::Start,
        HookFile::Stop => Hook::Stop,
    }
}

/// Refuses to say what hooks a charm has where they have no names.
pub(super) fn check(text: &Text, file: &WorldFile, world: &WorldBuilder) -> Result<(), Problem> {
    if world.detail.hooks {
        return Ok(());
    }
    let hooks = |(_, it): (_, &'_ ApplicationFile)| {
        let named = [&it.hooks, &it.may_fail].into_iter().flatten().next()?;
        Some(named.span.clone())
    };
    match file.applications.iter().find_map(hooks) {
        None => Ok(()),
        Some(span) => {
            let message = "hooks have names only where the detail `hooks` is on";
            let problem = text.problem(&span, message, "not expected here");
            Err(problem.with_help(how_to_switch_on("hooks")))
        }
    }
}
