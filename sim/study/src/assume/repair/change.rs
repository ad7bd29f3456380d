//! Scenarios with changes made: variants at other values, and clauses that were off switched on.

use deathwatch_documents::assumed::Amendment;
use deathwatch_scenario::{Problem, scenario::Scenario};
use toml::{Table, Value};

use super::super::choices::{VariantSetting, choose};

/// The table of clauses that are switched off, and its lists.
const SWITCH_OFF: &str = "switch-off";
/// The clauses that are not carried out.
const CLAUSES: &str = "clauses";
/// The clauses whose asserts are left out.
const ASSERTS: &str = "asserts";

/// A value of a variant as a change.
pub(super) fn variant((name, value): VariantSetting) -> Amendment {
    Amendment::Variant { name: name.to_owned(), value: value.to_owned() }
}

/// Whether a change sets a variant.
pub(super) fn is_variant(change: &Amendment) -> bool {
    matches!(change, Amendment::Variant { .. })
}

/// Whether two changes set the same thing, so that a set has at most one of them.
pub(super) fn exclude(one: &Amendment, other: &Amendment) -> bool {
    match (one, other) {
        (Amendment::Variant { name, .. }, Amendment::Variant { name: other, .. }) => name == other,
        _ => one == other,
    }
}

/// The clauses that a scenario switches off, each as a change that switches it on.
pub(super) fn switches(scenario: &Scenario) -> Vec<Amendment> {
    let table = scenario.table();
    let off = |key: &str, change: fn(String) -> Amendment| -> Vec<Amendment> {
        let names = table.get(SWITCH_OFF).and_then(|it| it.get(key));
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names.filter_map(Value::as_str).map(|name| change(name.to_owned())).collect()
    };
    [off(CLAUSES, Amendment::Clause), off(ASSERTS, Amendment::Asserts)].concat()
}

/// The scenario with these changes, or none if they leave it as it is.
///
/// # Errors
/// If there is no such world, or the scenario's steps are about another one.
pub(super) fn changed(
    scenario: &Scenario,
    changes: &[Amendment],
) -> Result<Option<Scenario>, Problem> {
    let mut table = scenario.table();
    let mut is_changed = false;
    for change in changes {
        is_changed |= match change {
            Amendment::Variant { name, value } => {
                let setting = other_value(scenario, name, value);
                choose(&mut table, setting.as_slice());
                setting.is_some()
            }
            Amendment::Clause(name) => switch_on(&mut table, CLAUSES, name),
            Amendment::Asserts(name) => switch_on(&mut table, ASSERTS, name),
        };
    }
    if is_changed { scenario.with_table(&table).map(Some) } else { Ok(None) }
}

/// The value of a variant, if the scenario has another one.
fn other_value(scenario: &Scenario, name: &str, value: &str) -> Option<VariantSetting> {
    let (info, own) = scenario.world.variants.values().find(|(it, _)| it.name == name)?;
    let (value, _) = info.value(value)?;
    (own != value).then_some((info.name, value))
}

/// Switches on the clause of this name in the table of a scenario; says whether it was off.
fn switch_on(table: &mut Table, key: &str, name: &str) -> bool {
    let off = table.get_mut(SWITCH_OFF).and_then(|off| off.get_mut(key));
    let Some(names) = off.and_then(Value::as_array_mut) else { return false };
    let before = names.len();
    names.retain(|it| it.as_str() != Some(name));
    names.len() < before
}
