//! The expanded form of a scenario file: each entity and each permission is an entry of its own, so
//! that each can be removed on its own.
//!
//! A file may use patterns and defaults. The expanded form is made from the world that was read
//! from the file. Variants, assumptions and clauses that are switched off are copied from the file.

use deathwatch_claims::Claim;
use deathwatch_model::{
    action::HookKind,
    ids::{ApplicationId, Constraints, MachineId, Placement, RelationId},
    runtime::Hardware,
    state::State,
    world::{Allowed, CharmDef, FaultKind, HookTrait, Scope, Series, Switch, Transactions, World},
};
use deathwatch_scenario::scenario::{SESSIONS, Scenario, UNASSIGNED, described};
use toml::{Table, Value};

use crate::write::{KEPT, own, start};

/// The number of times that a command is planned, unless a file gives another.
const TRIES: u8 = 3;

/// The number of times that a failed transition is tried again, unless a file gives another.
const RETRIES: u8 = 1;

/// The tables of `scenario` in expanded form, and `claim` if it is one of its own.
pub(super) fn table(scenario: &Scenario, claim: &Claim) -> Table {
    let file = scenario.table();
    let mut table = Table::new();
    table.insert("shows".to_owned(), Value::from(scenario.shows.as_str()));
    let mut put = |name: &str, entries: Table| {
        if !entries.is_empty() {
            table.insert(name.to_owned(), entries.into());
        }
    };
    let copied = |name: &str| file.get(name).and_then(Value::as_table).cloned();
    put("variants", copied("variants").unwrap_or_default());
    put("detail", detail(&scenario.world));
    let described = described(scenario);
    put("world", world(&scenario.world, &described));
    put("user", user(&scenario.world));
    put("faults", faults(&scenario.world));
    put("assume", copied("assume").unwrap_or_default());
    put("rule", copied("rule").unwrap_or_default());
    put("switch-off", copied("switch-off").unwrap_or_default());
    let start = start(&scenario.world, &described, &scenario.start);
    put("start", start.expect("no transaction is pending at the start"));
    put("own", own(&file, claim));
    table
}

/// The tables of `scenario` about its world, as its file has them, and `claim` if it is one of its
/// own.
pub(super) fn as_written(scenario: &Scenario, claim: &Claim) -> Table {
    let file = scenario.table();
    let own = own(&file, claim);
    let is_kept = |name: &str| name == "shows" || KEPT.contains(&name);
    let kept = file.into_iter().filter(|(name, _)| is_kept(name));
    kept.chain((!own.is_empty()).then(|| ("own".to_owned(), own.into()))).collect()
}

fn detail(world: &World) -> Table {
    world.detail.on().map(|name| (name.to_owned(), true.into())).collect()
}

fn world(world: &World, start: &State) -> Table {
    let mut table = Table::new();
    if world.transactions == Transactions::Split {
        table.insert("transactions".to_owned(), "split".into());
    }
    if world.hooks {
        table.insert("hooks".to_owned(), true.into());
    }
    if world.tries != TRIES {
        table.insert("tries".to_owned(), i64::from(world.tries).into());
    }
    if world.detail.workflow && world.retries != RETRIES {
        table.insert("retries".to_owned(), i64::from(world.retries).into());
    }
    let sets = world.constraints.listed().filter(|set| *set != Constraints::NONE);
    let sets: Vec<Value> = sets.map(|set| world.constraints.name(set).into()).collect();
    if !sets.is_empty() {
        table.insert("constraints".to_owned(), sets.into());
    }
    if let Some(hardware) = world.constraints.hardware() {
        table.insert("hardware".to_owned(), Value::Array(hardware.map(Value::from).collect()));
    }
    let machines =
        world.machine_ids().map(|id| (&world.machine(id).name, machine(world, start, id)));
    table.insert("machines".to_owned(), entries(machines));
    let applications = world
        .application_ids()
        .map(|id| (&world.application(id).name, application(world, start, id)));
    table.insert("applications".to_owned(), entries(applications));
    let relations =
        world.relation_ids().map(|id| (&world.relation(id).name, relation(world, start, id)));
    table.insert("relations".to_owned(), entries(relations));
    table
}

fn entries<'a>(entries: impl Iterator<Item = (&'a String, Table)>) -> Value {
    Value::Table(entries.map(|(name, entry)| (name.clone(), Value::Table(entry))).collect())
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> Value {
    Value::Array(names.map(|name| Value::from(name.as_str())).collect())
}

fn machine(world: &World, state: &State, id: MachineId) -> Table {
    let constants = world.machine(id);
    let mut table = Table::new();
    let jobs = [("manage-model", constants.manages_model), ("host-units", constants.hosts_units)];
    if constants.manages_model || !constants.hosts_units {
        let jobs = jobs.into_iter().filter(|(_, has)| *has).map(|(job, _)| Value::from(job));
        table.insert("jobs".to_owned(), Value::Array(jobs.collect()));
    }
    put_series(&mut table, world, world.series_of_machine(id));
    if let Some(parent) = constants.parent {
        table.insert("host".to_owned(), world.machine(parent).name.as_str().into());
    }
    let runs = |id: MachineId| state.runtime.machine(id).hardware == Hardware::Running;
    if state.store.machine(id).is_none() {
        table.insert("exists".to_owned(), false.into());
    } else if !runs(id) && constants.parent.is_none_or(runs) {
        table.insert("provisioned".to_owned(), false.into());
    }
    if constants.never_starts {
        table.insert("never-starts".to_owned(), true.into());
    }
    table
}

fn put_series(table: &mut Table, world: &World, series: Option<Series>) {
    if let Some(series) = series {
        table.insert("series".to_owned(), world.series.name(series).into());
    }
}

/// Names the hooks that have a trait, of those that the world knows, unless all have.
fn put_hooks(table: &mut Table, key: &str, world: &World, charm: CharmDef, its: HookTrait) {
    let is_known = |hook: HookKind| match hook {
        HookKind::UpgradeCharm => world.detail.charm,
        HookKind::Joined | HookKind::Changed | HookKind::Departed | HookKind::Broken => {
            world.has_sightings()
        }
        HookKind::ConfigChanged => world.detail.hooks,
        HookKind::Install | HookKind::Start | HookKind::Stop => true,
    };
    if !HookKind::ALL.iter().all(|hook| charm.is(*hook, its)) {
        let names = named(|hook| is_known(hook) && charm.is(hook, its));
        table.insert(key.to_owned(), Value::Array(names));
    }
}

fn named(is_meant: impl Fn(HookKind) -> bool) -> Vec<Value> {
    let all = HookKind::ALL.iter().filter(|hook| is_meant(**hook));
    all.map(|hook| Value::from(hook.name())).collect()
}

fn application(world: &World, state: &State, id: ApplicationId) -> Table {
    let constants = world.application(id);
    let units = constants.units().filter_map(|id| Some((id, state.store.unit(id)?.placement)));
    let units: Vec<_> = units.collect();
    let on = |placement: &Placement| match placement {
        Placement::Machine(machine) => world.machine(*machine).name.as_str(),
        Placement::Principal(unit) => world.unit(*unit).name.as_str(),
        Placement::Nowhere => UNASSIGNED,
    };
    let mut table = Table::new();
    let placements = units.iter().map(|(_, placement)| Value::from(on(placement)));
    let placements = Value::Array(placements.collect());
    put_series(&mut table, world, world.series_of(id));
    if constants.subordinate {
        table.insert("subordinate".to_owned(), true.into());
    }
    if !units.is_empty() {
        let key = if constants.subordinate { "subordinates" } else { "units" };
        table.insert(key.to_owned(), placements);
    }
    if constants.units.len() > units.len() {
        let most = i64::try_from(constants.units.len()).unwrap_or(i64::MAX);
        table.insert("most-units".to_owned(), most.into());
    }
    if world.detail.hooks || world.detail.workflow {
        let charm = constants.charm;
        put_hooks(&mut table, "hooks", world, charm, HookTrait::Exists);
        put_hooks(&mut table, "may-fail", world, charm, HookTrait::Fails);
        let is_new = |hook| charm.is(hook, HookTrait::WritesNew);
        for (key, hooks) in [
            ("never-succeeds", named(|hook| charm.is(hook, HookTrait::NeverSucceeds))),
            ("writes", named(|hook| charm.is(hook, HookTrait::Writes) && !is_new(hook))),
            ("writes-new", named(is_new)),
            ("reads", named(|hook| charm.is(hook, HookTrait::Reads))),
            ("open-port", named(|hook| charm.is(hook, HookTrait::OpensPort))),
            ("close-port", named(|hook| charm.is(hook, HookTrait::ClosesPort))),
            ("config-get", named(|hook| charm.is(hook, HookTrait::ReadsConfig))),
        ] {
            if !hooks.is_empty() {
                table.insert(key.to_owned(), Value::Array(hooks));
            }
        }
    }
    if state.store.application(id).is_none() {
        table.insert("exists".to_owned(), false.into());
    }
    let can_be_deployed = |placement: &Placement| match placement {
        Placement::Machine(machine) => state.runtime.runs(*machine),
        Placement::Principal(unit) => state.runtime.is_deployed(*unit),
        Placement::Nowhere => false,
    };
    if units
        .iter()
        .any(|(id, placement)| can_be_deployed(placement) && !state.runtime.is_deployed(*id))
    {
        table.insert("deployed".to_owned(), false.into());
    }
    table
}

fn relation(world: &World, state: &State, id: RelationId) -> Table {
    let mut table = Table::new();
    if world.relation(id).scope == Scope::Container {
        table.insert("scope".to_owned(), "container".into());
    }
    if state.store.relation(id).is_none() {
        table.insert("exists".to_owned(), false.into());
    }
    let scope = state.store.scope(id);
    if !scope.is_empty() {
        table.insert("entered".to_owned(), names(scope.iter().map(|id| &world.unit(id).name)));
    }
    table
}

fn user(world: &World) -> Table {
    let most = |allowed: &Allowed| match allowed.most {
        Some(most) => Value::Integer(i64::from(most)),
        None => Value::from("unlimited"),
    };
    let commands = world.commands.iter();
    let mut table: Table =
        commands.map(|allowed| (world.show_command(allowed.command), most(allowed))).collect();
    if world.more_users > 0 {
        table.insert(SESSIONS.to_owned(), Value::from(1 + i64::from(world.more_users)));
    }
    table
}

fn faults(world: &World) -> Table {
    let on = FaultKind::ALL.iter().map(|kind| (kind.key(), world.faults.switch(*kind)));
    on.filter(|(_, switch)| switch.is_on())
        .map(|(key, switch)| {
            let value = match switch {
                Switch::Whole(is_on) => is_on.into(),
                Switch::For(these) => names(these.iter().map(|id| &world.machine(*id).name)),
            };
            (key.to_owned(), value)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use deathwatch_scenario::scenario::{find, load, parse};

    #[test]
    fn the_expanded_form_describes_the_same_world() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
        for file in find(&[root]).expect("there are some") {
            let mut scenario = load(&file).expect("it is good");
            let claim = deathwatch_claims::all().next().expect("there are some");
            let table = super::table(&scenario, claim);
            let text = toml::to_string(&table).expect("tables can be written");
            let written = parse(&file.file, text.as_str()).expect("it is one");
            // One asks less than the other, so it keeps less of history.
            scenario.world = scenario.world.changed(|it| it.history = written.world.history);
            scenario.start.history = written.start.history.clone();
            assert_eq!(written.start, scenario.start, "{text}");
            let (is, was) = (format!("{:?}", written.world), format!("{:?}", scenario.world));
            assert_eq!(is, was, "{text}");
        }
    }
}
