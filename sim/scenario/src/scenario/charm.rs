//! Charms: which hooks an application's units run, where the detail `hooks` is on.

use deathwatch_model::{
    action::HookKind,
    world::{CharmDef, Details, HookTrait, WorldBuilder},
};

use super::{
    form::{ApplicationFile, HookFile, WorldFile},
    needs::{self, Need},
    value::Located,
};
use crate::problem::{Problem, Text};

/// Reads the charms of the applications, in the world that has its details.
///
/// # Errors
/// If a charm says something of which nothing comes without a detail, or lets some hook write
/// settings that cannot.
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
    let kinds = |hooks: &Located<Vec<HookFile>>| -> Vec<HookKind> {
        hooks.value.iter().map(|hook| hook.kind()).collect()
    };
    let of = |given: &Option<Located<Vec<HookFile>>>| -> Vec<HookKind> {
        // Where hooks of relations have no names, nothing is said of them.
        let has_names = detail.relations || detail.workflow;
        let unnamed = HookKind::ALL.iter().filter(|it| it.is_of_relations() && !has_names);
        match given {
            None => HookKind::ALL.to_vec(),
            Some(hooks) => kinds(hooks).into_iter().chain(unnamed.copied()).collect(),
        }
    };
    let only = |given: &Option<Located<Vec<HookFile>>>| given.as_ref().map_or_else(Vec::new, kinds);
    CharmDef::default()
        .with(HookTrait::Exists, &of(&file.hooks))
        .with(HookTrait::Fails, &of(&file.may_fail))
        .with(HookTrait::NeverSucceeds, &only(&file.never_succeeds))
        .with(HookTrait::Writes, &only(&file.writes))
        .with(HookTrait::WritesNew, &only(&file.writes_new))
        .with(HookTrait::Reads, &only(&file.reads))
        .with(HookTrait::OpensPort, &only(&file.open_port))
        .with(HookTrait::ClosesPort, &only(&file.close_port))
        .with(HookTrait::ReadsConfig, &only(&file.config_get))
}

/// An error, if a setting of a charm has no effect in a world with these details.
fn check(text: &Text, it: &ApplicationFile, detail: Details) -> Result<(), Problem> {
    for need in needs::lacking(detail) {
        if let Some(used) = use_of(it, need) {
            return Err(need.refuse(text, &used.span));
        }
    }
    let cannot =
        |hooks: &&Located<Vec<HookFile>>| !hooks.value.iter().all(|it| it.can_write(detail));
    let Some(hooks) = [&it.writes, &it.writes_new].into_iter().flatten().find(cannot) else {
        return Ok(());
    };
    let message = "some of these hooks cannot write settings that anybody reads";
    let last = if detail.settings {
        ", relation-departed or relation-broken"
    } else {
        " or relation-departed"
    };
    let wanted = format!(
        "config-changed, upgrade-charm, relation-joined, relation-changed{last} was expected"
    );
    Err(text.problem(&hooks.span, message, &wanted))
}

/// The place where an application uses a need: a key, or the name of a hook of its charm.
fn use_of<'a>(it: &'a ApplicationFile, need: &Need) -> Option<&'a Located<Vec<HookFile>>> {
    let hooks =
        [("hooks", &it.hooks), ("may-fail", &it.may_fail), ("never-succeeds", &it.never_succeeds)];
    let tools = [
        ("writes", &it.writes),
        ("writes-new", &it.writes_new),
        ("reads", &it.reads),
        ("open-port", &it.open_port),
        ("close-port", &it.close_port),
        ("config-get", &it.config_get),
    ];
    let has_one = |given: &&Located<Vec<HookFile>>| {
        given.value.iter().any(|hook| need.is_about(hook.kind().name()))
    };
    let named = hooks.into_iter().filter_map(|(_, given)| given.as_ref()).find(has_one);
    let mut keys = hooks.into_iter().chain(tools).filter(|(key, _)| need.is_about(key));
    named.or_else(|| keys.find_map(|(_, given)| given.as_ref()))
}
