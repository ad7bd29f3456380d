//! Charms: which hooks an application's units run, where the detail `hooks` is on.

use deathwatch_model::{
    action::Hook,
    world::{CharmDef, Details, WorldBuilder},
};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::{Table, Value};

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
    /// Runs after an upgrade. It needs the detail `charm`.
    UpgradeCharm,
}

/// The charm of an application.
pub(super) fn read(file: &ApplicationFile) -> CharmDef {
    let of = |given: &Option<At<Vec<HookFile>>>| match given {
        None => Hook::OF_UNITS.to_vec(),
        Some(hooks) => named(&hooks.value),
    };
    let only = |given: &Option<At<Vec<HookFile>>>| {
        given.as_ref().map_or_else(Vec::new, |hooks| named(&hooks.value))
    };
    CharmDef::new(&of(&file.hooks), &of(&file.may_fail))
        .with_ports(&only(&file.open_port), &only(&file.close_port))
}

fn named(hooks: &[HookFile]) -> Vec<Hook> {
    hooks.iter().map(|hook| hook.named()).collect()
}

impl HookFile {
    fn named(self) -> Hook {
        match self {
            Self::Install => Hook::Install,
            Self::ConfigChanged => Hook::ConfigChanged,
            Self::Start => Hook::Start,
            Self::Stop => Hook::Stop,
            Self::UpgradeCharm => Hook::UpgradeCharm,
        }
    }
}

/// What an application can say only with a detail, each with that: keys, and names of hooks.
const NEEDS: [(&str, &str); 5] = [
    ("hooks", "hooks"),
    ("may-fail", "hooks"),
    ("open-port", "charm"),
    ("close-port", "charm"),
    ("upgrade-charm", "charm"),
];

/// Takes away from an application what it can say only with more details than these.
pub(super) fn forget(application: &mut Table, details: Details) {
    let lacks = |name: &str| NEEDS.iter().any(|(it, detail)| *it == name && !details.has(detail));
    application.retain(|key, _| !lacks(key));
    for (_, value) in application.iter_mut() {
        if let Value::Array(names) = value {
            names.retain(|name| name.as_str().is_none_or(|name| !lacks(name)));
        }
    }
}

/// Refuses to say of a charm what nothing comes of without a detail.
pub(super) fn check(text: &Text, file: &WorldFile, world: &WorldBuilder) -> Result<(), Problem> {
    for (_, it) in file.applications.iter() {
        let hooks = [&it.hooks, &it.may_fail];
        let ports = [&it.open_port, &it.close_port];
        if let (false, Some(named)) = (world.detail.hooks, hooks.into_iter().flatten().next()) {
            let message = "hooks have names only where the detail `hooks` is on";
            return Err(lacks(text, named, message, "hooks"));
        }
        let upgrades = |named: &&At<Vec<HookFile>>| named.value.contains(&HookFile::UpgradeCharm);
        if let (false, Some(named)) =
            (world.detail.charm, hooks.into_iter().flatten().find(upgrades))
        {
            let message = "charms are upgraded only where the detail `charm` is on";
            return Err(lacks(text, named, message, "charm"));
        }
        if let (false, Some(named)) = (world.detail.charm, ports.into_iter().flatten().next()) {
            let message = "units have ports only where the detail `charm` is on";
            return Err(lacks(text, named, message, "charm"));
        }
    }
    Ok(())
}

fn lacks<T>(text: &Text, given: &At<T>, message: &str, detail: &str) -> Problem {
    let problem = text.problem(&given.span, message, "not expected here");
    problem.with_help(how_to_switch_on(detail))
}
