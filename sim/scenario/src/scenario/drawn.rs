//! Drawn details: the scenarios with fewer details that seeds may draw.
//!
//! Each is read from the text of the scenario without what needs a detail that is off. So it is a
//! scenario like any other, and a run of a seed is replayed, shrunk and written in it.

use deathwatch_model::world::{Details, FaultKind};
use toml::{Table, Value};

use super::{
    Scenario,
    commands::kind_of,
    form::{SimulateFile, rates_lacking},
    needs,
};
use crate::problem::{Problem, Text};

/// Checks that `scenario` has details that seeds may draw, if they are to draw any.
pub(super) fn check(
    text: &Text,
    file: Option<&SimulateFile>,
    scenario: &Scenario,
) -> Result<(), Problem> {
    let Some(file) = file else { return Ok(()) };
    let Some(draws) = file.draw_details.as_ref().filter(|draws| draws.value) else {
        return Ok(());
    };
    let refuse = |message: &str, help: &str| {
        Err(text.problem(&draws.span, message, "false, or nothing, was expected").with_help(help))
    };
    if !scenario.world.detail.any() {
        let help = "the table [detail] says what a world has beside D1 and D2";
        return refuse("this world has no details that could be drawn", help);
    }
    if !file.swarm {
        return refuse("seeds draw nothing where `swarm` is off", "leave out `swarm = false`");
    }
    if !scenario.steps.is_empty() {
        let help = "a script says what happens with all details of its world";
        return refuse("details cannot be drawn where there is a script", help);
    }
    for details in fewer(scenario) {
        if let Err(problem) = with(scenario, details) {
            let on: Vec<&str> = details.on().collect();
            let on = if on.is_empty() { "no details".to_owned() } else { on.join(", ") };
            let message = format!("seeds may draw {on}, and then this is not a scenario");
            return refuse(&message, &format!("without the others, {problem}"));
        }
    }
    Ok(())
}

/// The scenarios that seeds of `scenario` may draw: one for each selection of its details, from
/// none to all, that has the details which others need.
///
/// # Panics
/// If one of these is no scenario, which reading `scenario` has ruled out.
pub fn drawn(scenario: &Scenario) -> Vec<Scenario> {
    let fewer = fewer(scenario)
        .into_iter()
        .map(|details| with(scenario, details).expect("it was read when the scenario was checked"));
    fewer.chain([scenario.clone()]).collect()
}

/// The selections of the scenario's details that are not all of them.
fn fewer(scenario: &Scenario) -> Vec<Details> {
    let all = scenario.world.detail;
    all.parts().into_iter().filter(|part| *part != all).collect()
}

/// The scenario with no other details than these.
fn with(scenario: &Scenario, details: Details) -> Result<Scenario, Problem> {
    let mut table = scenario.table();
    retain(&mut table, &["detail"], |name| details.on().any(|on| on == name));
    retain(&mut table, &["simulate"], |name| name != "draw-details");
    retain(&mut table, &["simulate", "faults"], |name| {
        !rates_lacking(details).any(|it| it == name)
    });
    retain(&mut table, &["faults"], |key| {
        let mut kinds = FaultKind::ALL.iter().filter(|kind| kind.key() == key);
        kinds.all(|kind| kind.row().needs.is_none_or(|detail| details.has(detail)))
    });
    retain(&mut table, &["user"], |line| {
        kind_of(line).is_none_or(|(kind, _)| kind.lacks(details).is_none())
    });
    for claims in [&["claims"][..], &["simulate", "claims"]] {
        let is_there = |name: &str| {
            deathwatch_claims::named(name).is_none_or(|it| it.lacks(details).is_none())
        };
        retain(&mut table, claims, is_there);
        let list = inner(&mut table, claims).and_then(|claims| claims.get_mut("vacuous"));
        if let Some(Value::Array(vacuous)) = list {
            vacuous.retain(|name| name.as_str().is_none_or(is_there));
        }
    }
    retain(&mut table, &["world"], |name| match name {
        "constraints" => details.constraints,
        "hardware" => details.constraints && details.provisioning,
        "retries" => details.workflow,
        _ => true,
    });
    for kind in ["machines", "applications"] {
        let Some(entities) = inner(&mut table, &["world", kind]) else { continue };
        for (_, entity) in entities.iter_mut() {
            let Value::Table(entity) = entity else { continue };
            needs::forget(entity, |detail| !details.has(detail));
        }
    }
    scenario.with_table(&table)
}

/// Keeps the entries of a table that `is_kept` accepts, if there is such a table.
fn retain(table: &mut Table, path: &[&str], is_kept: impl Fn(&str) -> bool) {
    if let Some(table) = inner(table, path) {
        table.retain(|name, _| is_kept(name));
    }
}

/// The table at the end of `path`.
fn inner<'a>(table: &'a mut Table, path: &[&str]) -> Option<&'a mut Table> {
    path.iter().try_fold(table, |table, name| table.get_mut(*name)?.as_table_mut())
}
