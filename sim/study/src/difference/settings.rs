//! Differences between the settings of two scenarios, and between their starts.

use std::collections::BTreeSet;

use deathwatch_documents::{
    difference::{Setting, Sides, StartDifference},
    run::{DocumentName, Fault, Header, Origin, Table, Tables, Value},
};
use deathwatch_scenario::Scenario;
use toml::Value as Toml;

use crate::recording::{entities, header, tables};

pub(super) fn settings(scenarios: &Sides<&Scenario>) -> Vec<Setting> {
    let of_worlds = scenarios.map(|it| settings_of_world(it));
    let mut settings = unlike(&of_worlds, String::clone);
    let written = scenarios.map(|it| written(it));
    for (of, a) in &written.a {
        let Some(b) = written.b.get(of) else { continue };
        let both = Sides { a: a.clone(), b: b.clone() };
        settings.extend(unlike(&both, |key| format!("{key} of {of}")));
    }
    settings
}

/// The settings that have different values, each with its name.
fn unlike(both: &Sides<Table<String>>, name: impl Fn(&String) -> String) -> Vec<Setting> {
    let mut keys: Vec<&String> = both.a.keys().collect();
    keys.extend(both.b.keys().filter(|key| !both.a.contains_key(*key)));
    let both = keys
        .into_iter()
        .map(|key| Setting { name: name(key), value: both.map(|it| it.get(key).cloned()) });
    both.filter(|it| it.value.a != it.value.b).collect()
}

/// The settings of a scenario's world, by name.
fn settings_of_world(scenario: &Scenario) -> Table<String> {
    let header = header(scenario, "", Origin::Script, 0, None);
    let mut settings = Table::new();
    for (variant, value) in scenario.world.variants.values() {
        settings.insert(variant.name.to_owned(), value.to_owned());
    }
    of_world(&mut settings, &header);
    settings.insert("tries".to_owned(), scenario.world.tries.to_string());
    settings.insert("retries".to_owned(), scenario.world.retries.to_string());
    let entities = entities(&scenario.world, &|_| true);
    let mut there = |name: String| drop(settings.insert(name, "there".to_owned()));
    entities.machines.keys().for_each(|it| there(format!("machine {it}")));
    for (name, application) in &entities.applications {
        there(format!("application {name}"));
        application.units.iter().for_each(|it| there(format!("unit {it}")));
    }
    entities.relations.keys().for_each(|it| there(format!("relation {it}")));
    settings
}

/// The rules of the scenario's own and the hooks of charms, as they are written.
fn written(scenario: &Scenario) -> Table<Table<String>> {
    let file = scenario.table();
    let applications = file.get("world").and_then(|it| it.get("applications"));
    let of = [("rule", file.get("rule")), ("application", applications)];
    let named = of.into_iter().flat_map(|(kind, all)| {
        let all = all.and_then(Toml::as_table).into_iter().flatten();
        all.filter_map(move |(name, it)| Some((kind, name, it.as_table()?)))
    });
    let lines = named.map(|(kind, name, table)| {
        let is_told =
            |(key, value): &(&String, &Toml)| kind == "rule" || value.is_array() && *key != "units";
        let told = table.iter().filter(is_told);
        let told = told.map(|(key, value)| (key.clone(), value.to_string()));
        (format!("{kind} {name}"), told.collect())
    });
    lines.collect()
}

/// Adds assumptions, permissions, and switches.
fn of_world(settings: &mut Table<String>, header: &Header) {
    let mut say =
        |name: &str, value: &str| drop(settings.insert(name.to_owned(), value.to_owned()));
    say("transactions", &header.transactions);
    header.details.iter().for_each(|it| say(&format!("detail {it}"), "on"));
    for (key, assumption) in &header.assumptions {
        say(&format!("assumption {key}"), if assumption.made { "made" } else { "not made" });
    }
    say("fairness", &format!("{}, of each {}", header.fairness, header.fairness_per));
    say("users", &header.users.to_string());
    for given in &header.commands {
        let most = given.most.map_or("unlimited".to_owned(), |most| most.to_string());
        say(&given.command, &most);
    }
    for (key, fault) in &header.faults {
        say(&format!("fault {key}"), &strikes(fault));
    }
    let off = &header.switched_off;
    let rules = &header.own_rules;
    for rule in rules {
        say(&format!("rule {rule}"), if off.clauses.contains(rule) { "off" } else { "on" });
    }
    let clauses = off.clauses.iter().filter(|it| !rules.contains(it));
    clauses.for_each(|it| say(&format!("clause {it}"), "off"));
    off.asserts.iter().for_each(|it| say(&format!("asserts of {it}"), "off"));
    off.neglected.iter().for_each(|it| say(&format!("duty {it}"), "neglected"));
}

fn strikes(fault: &Fault) -> String {
    match (&fault.machines, fault.on) {
        (_, false) => "off".to_owned(),
        (None, true) => "on".to_owned(),
        (Some(machines), true) => format!("of {}", machines.join(", ")),
    }
}

/// The fields that have other values at the start, of rows that both worlds have.
pub(super) fn start(scenarios: &Sides<&Scenario>) -> Vec<StartDifference> {
    let rows = scenarios.map(|it| tables(&it.world, &it.start));
    let mut differences = Vec::new();
    for (kind, name, field) in fields(&rows.a) {
        let value = rows.map(|it| Some(given(it.get(kind)?.get(name)?.get(field)?.clone())));
        if let Sides { a: Some(a), b: Some(b) } = value
            && a != b
        {
            let document = DocumentName { kind: kind.to_owned(), name: name.to_owned() };
            let (field, value) = (field.to_owned(), Sides { a, b });
            differences.push(StartDifference { document, field, value });
        }
    }
    differences
}

/// The value without commands that are given zero times: the list of permissions already tells
/// whether a world has the command at all.
fn given(mut value: Option<Value>) -> Option<Value> {
    if let Some(Value::Commands(counts)) = &mut value {
        counts.retain(|_, count| *count > 0);
    }
    value
}

/// The names of all fields: the kind of row, the row, and the field.
fn fields(tables: &Tables) -> BTreeSet<(&str, &str, &str)> {
    let all = tables.iter().flat_map(|(kind, rows)| {
        let rows = rows.iter();
        rows.flat_map(move |(row, fields)| fields.keys().map(move |it| (kind, row, it)))
    });
    all.map(|(kind, row, field)| (kind.as_str(), row.as_str(), field.as_str())).collect()
}
