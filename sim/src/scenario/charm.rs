//! Charms: which hooks an application's units run, where the detail `hooks` is on.

use deathwatch_model::{
    rows::Mark,
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

/// A hook of a charm.
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
    /// Runs when another unit is seen in a relation; this and the following need the detail
    /// `relations`.
    RelationJoined,
    /// Runs after the joined hook, and when the other unit's settings have changed.
    RelationChanged,
    /// Runs when another unit is no longer related.
    RelationDeparted,
    /// Runs before the unit leaves a relation.
    RelationBroken,
}

impl HookFile {
    fn mark(self) -> Mark {
        match self {
            Self::Install => Mark::Install,
            Self::ConfigChanged => Mark::ConfigChanged,
            Self::Start => Mark::Start,
            Self::Stop => Mark::Stop,
            Self::UpgradeCharm => Mark::UpgradeCharm,
            Self::RelationJoined => Mark::Joined,
            Self::RelationChanged => Mark::Changed,
            Self::RelationDeparted => Mark::Departed,
            Self::RelationBroken => Mark::Broken,
        }
    }

    fn is_of_relation(self) -> bool {
        Mark::OF_RELATIONS.contains(&self.mark())
    }

    /// Whether it can write settings that somebody reads: not while the unit is in no scope
    /// (D4:185-189), nor when it is about to leave it.
    fn can_write(self) -> bool {
        match self {
            Self::ConfigChanged
            | Self::UpgradeCharm
            | Self::RelationJoined
            | Self::RelationChanged
            | Self::RelationDeparted => true,
            Self::Install | Self::Start | Self::Stop | Self::RelationBroken => false,
        }
    }
}

/// What an application or a machine can say only with a detail, each with that: keys, and names of
/// hooks.
const NEEDS: [(&str, &str); 12] = [
    ("series", "series"),
    ("reads", "settings"),
    ("hooks", "hooks"),
    ("may-fail", "hooks"),
    ("open-port", "charm"),
    ("close-port", "charm"),
    ("upgrade-charm", "charm"),
    ("writes", "relations"),
    ("relation-joined", "relations"),
    ("relation-changed", "relations"),
    ("relation-departed", "relations"),
    ("relation-broken", "relations"),
];

/// Takes away from an application or a machine what it can say only with a detail that is off.
pub(crate) fn forget(entity: &mut Table, is_off: impl Fn(&str) -> bool) {
    let lacks = |name: &str| NEEDS.iter().any(|(it, detail)| *it == name && is_off(detail));
    entity.retain(|key, _| !lacks(key));
    for (_, value) in entity.iter_mut() {
        if let Value::Array(names) = value {
            names.retain(|name| name.as_str().is_none_or(|name| !lacks(name)));
        }
    }
}

/// Reads the charms of the applications, in the world that has its details.
///
/// # Errors
/// If a charm says something of which nothing comes without a detail, or lets some hook write settings
/// that cannot.
pub(super) fn read(text: &Text, file: &WorldFile, world: &mut WorldBuilder) -> Result<(), Problem> {
    for (_, it) in file.applications.iter() {
        check(text, it, world.detail)?;
    }
    let charms = file.applications.iter().map(|(_, it)| charm(it, world.detail));
    let charms: Vec<CharmDef> = charms.collect();
    for (application, charm) in world.applications.iter_mut().zip(charms) {
        application.charm = charm;
    }
    Ok(())
}

/// The charm of an application, in a world with these details.
fn charm(file: &ApplicationFile, detail: Details) -> CharmDef {
    let marks = |hooks: &At<Vec<HookFile>>| -> Vec<Mark> {
        hooks.value.iter().map(|hook| hook.mark()).collect()
    };
    let of = |given: &Option<At<Vec<HookFile>>>| -> Vec<Mark> {
        // Where hooks of relations have no names, nothing is said of them.
        let unnamed = Mark::OF_RELATIONS.into_iter().filter(|_| !detail.relations);
        match given {
            None => Mark::OF_UNITS.into_iter().chain(Mark::OF_RELATIONS).collect(),
            Some(hooks) => marks(hooks).into_iter().chain(unnamed).collect(),
        }
    };
    let only = |given: &Option<At<Vec<HookFile>>>| given.as_ref().map_or_else(Vec::new, marks);
    CharmDef::new(&of(&file.hooks), &of(&file.may_fail))
        .with_settings(&only(&file.writes), &only(&file.reads))
        .with_ports(&only(&file.open_port), &only(&file.close_port))
}

/// Refuses to say of a charm what nothing comes of in a world with these details.
fn check(text: &Text, it: &ApplicationFile, detail: Details) -> Result<(), Problem> {
    let hooks = || [&it.hooks, &it.may_fail].into_iter().flatten();
    let ports = || [&it.open_port, &it.close_port].into_iter().flatten();
    let any = |is_meant: fn(HookFile) -> bool| {
        hooks().find(move |named| named.value.iter().any(|hook| is_meant(*hook)))
    };
    let refused = [
        (
            detail.hooks,
            hooks().next(),
            "hooks have names only where the detail `hooks` is on",
            "hooks",
        ),
        (
            detail.charm,
            any(|hook| hook == HookFile::UpgradeCharm),
            "charms are upgraded only where the detail `charm` is on",
            "charm",
        ),
        (
            detail.charm,
            ports().next(),
            "units have ports only where the detail `charm` is on",
            "charm",
        ),
        (
            detail.settings,
            it.reads.as_ref(),
            "what hooks read is told only where the detail `settings` is on",
            "settings",
        ),
        (
            detail.relations,
            any(HookFile::is_of_relation).or(it.writes.as_ref()),
            "hooks of relations have names only where the detail `relations` is on",
            "relations",
        ),
    ];
    for (is_on, given, message, detail) in refused {
        if let (false, Some(named)) = (is_on, given) {
            let problem = text.problem(&named.span, message, "not expected here");
            return Err(problem.with_help(how_to_switch_on(detail)));
        }
    }
    match &it.writes {
        Some(hooks) if !hooks.value.iter().all(|hook| hook.can_write()) => {
            let message = "some of these hooks cannot write settings that anybody reads";
            let wanted = "config-changed, upgrade-charm, relation-joined, relation-changed or \
                          relation-departed was expected";
            Err(text.problem(&hooks.span, message, wanted))
        }
        Some(_) | None => Ok(()),
    }
}
