//! Toggles: variants, faults, assumptions, details, and rules of the scenario's own, each set by
//! name.
//!
//! A scenario that is set otherwise is read again from its text, so whatever a file may not say,
//! such as a detail without one that it needs, is refused in the same words. What is about one
//! scenario is not taken along: its script, what it expects, its numbers of states and its seeds.

use std::borrow::Cow;

use deathwatch_model::world::{Assumption, Details, FaultKind, World};
use toml::{Table, Value};

use super::{Scenario, names::with_suggestion};
use crate::problem::Problem;

/// The value of a switch.
const ON: &str = "on";
/// See [`ON`].
const OFF: &str = "off";

/// The table of clauses that are switched off, as rules are.
const SWITCH_OFF: &str = "switch-off";

const OF_RULES: &str = "A rule of the scenario's own.";

/// A kind of toggles: each is a table of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToggleKind {
    Variant,
    Fault,
    Assumption,
    Detail,
    /// Whether a rule of the scenario's own is on.
    Rule,
}

impl ToggleKind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Variant, Self::Fault, Self::Assumption, Self::Detail, Self::Rule];

    pub fn table(self) -> &'static str {
        match self {
            Self::Variant => "variants",
            Self::Fault => "faults",
            Self::Assumption => "assume",
            Self::Detail => "detail",
            Self::Rule => SWITCH_OFF,
        }
    }
}

/// A setting of a world that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toggle {
    pub kind: ToggleKind,
    pub name: Cow<'static, str>,
    pub about: &'static str,
    /// Its values, each with its meaning.
    pub values: Vec<(&'static str, &'static str)>,
    pub fixes: &'static [&'static str],
    /// The value that it has in a world.
    pub value: &'static str,
}

/// All settings that can be changed, with their values in `world`.
pub fn toggles(world: &World) -> Vec<Toggle> {
    let switch = |kind, name, about, value| Toggle {
        kind,
        name: Cow::Borrowed(name),
        about,
        values: vec![(OFF, ""), (ON, "")],
        fixes: &[],
        value,
    };
    let on_or_off = |is_on: bool| if is_on { ON } else { OFF };
    let variants = world.variants.values().map(|(info, value)| Toggle {
        kind: ToggleKind::Variant,
        name: info.name.into(),
        about: info.about,
        values: info.values.to_vec(),
        fixes: info.fixes,
        value,
    });
    let faults = FaultKind::ALL.iter().map(|kind| {
        let value = on_or_off(world.faults.switch(*kind).is_on());
        switch(ToggleKind::Fault, kind.key(), kind.row().meaning, value)
    });
    let assumptions = Assumption::ALL.iter().map(|it| {
        let row = it.row();
        switch(ToggleKind::Assumption, row.key, row.says, on_or_off(it.is_made(&world.assumptions)))
    });
    let details = Details::LIST.iter().map(|info| {
        switch(ToggleKind::Detail, info.name, info.adds, on_or_off(world.detail.has(info.name)))
    });
    let rules = world.own_rules.clauses().map(|(clause, name)| Toggle {
        name: Cow::Owned(name.to_owned()),
        ..switch(ToggleKind::Rule, "", OF_RULES, on_or_off(!world.is_off(clause)))
    });
    variants.chain(faults).chain(assumptions).chain(details).chain(rules).collect()
}

/// The scenario with these `settings`, each as in "relation-tracking:remote-scope".
///
/// # Errors
/// If there is no such setting, or if no scenario may have it.
pub fn set(scenario: &Scenario, settings: &[String]) -> Result<Scenario, Problem> {
    let mut table = scenario.table();
    for key in ["steps", "again", "expect", "check", "simulate", "finding", "witnesses"] {
        table.remove(key);
    }
    let known = toggles(&scenario.world);
    for setting in settings {
        let (name, value) = parts(setting);
        let Some(toggle) = known.iter().find(|it| it.name == name) else {
            let problem = Problem::new(format!("nothing is called `{name}` that can be set"));
            return Err(with_suggestion(problem, name, known.iter().map(|it| &*it.name)));
        };
        if toggle.values.iter().all(|(known, _)| *known != value) {
            let values: Vec<&str> = toggle.values.iter().map(|(value, _)| *value).collect();
            let problem = Problem::new(format!("`{name}` has no value `{value}`"));
            return Err(problem.with_help(format!("expected {}", values.join(" or "))));
        }
        if toggle.kind == ToggleKind::Rule {
            switch_rule(&mut table, name, value == ON);
            continue;
        }
        let value = match toggle.kind {
            ToggleKind::Variant => Value::String(value.to_owned()),
            ToggleKind::Fault | ToggleKind::Assumption | ToggleKind::Detail | ToggleKind::Rule => {
                Value::Boolean(value == ON)
            }
        };
        let tables = table.entry(toggle.kind.table()).or_insert_with(|| Table::new().into());
        if let Value::Table(entries) = tables {
            entries.insert(name.to_owned(), value);
        }
    }
    scenario.with_table(&table)
}

/// The name and the value of a setting.
pub fn parts(setting: &str) -> (&str, &str) {
    setting.rsplit_once(':').unwrap_or((setting, ""))
}

/// Switches the rule of this name on or off, which is a clause.
fn switch_rule(table: &mut Table, name: &str, is_on: bool) {
    let off = table.entry(SWITCH_OFF).or_insert_with(|| Table::new().into());
    let Value::Table(off) = off else { return };
    let clauses = off.entry("clauses").or_insert_with(|| Value::Array(Vec::new()));
    let Value::Array(clauses) = clauses else { return };
    clauses.retain(|it| it.as_str() != Some(name));
    if !is_on {
        clauses.push(Value::String(name.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario() -> Scenario {
        let text = "shows = \"x\"\n[world.applications]\na.units = [\"1\"]\n[faults]\n\
                    hardware-failure = [\"1\"]\n[user]\n\"destroy-unit a/0\" = 1\n\
                    [rule.\"a: rule\"]\nonly = \"remove-unit\"\nwhen = 'true'\n";
        super::super::parse("x.toml".as_ref(), text).expect("it is one")
    }

    #[test]
    fn a_name_stands_for_one_thing() {
        let toggles = toggles(&scenario().world);
        for toggle in &toggles {
            let same = toggles.iter().filter(|it| it.name == toggle.name);
            assert_eq!(same.count(), 1, "{}", toggle.name);
            let is_known = toggle.values.iter().any(|(value, _)| *value == toggle.value);
            assert!(is_known, "{toggle:?}");
        }
    }

    #[test]
    fn each_value_is_what_the_world_has_then() {
        let scenario = scenario();
        for toggle in toggles(&scenario.world) {
            for (value, _) in &toggle.values {
                let setting = format!("{}:{value}", toggle.name);
                let Ok(varied) = set(&scenario, std::slice::from_ref(&setting)) else {
                    let needs = matches!(toggle.kind, ToggleKind::Detail | ToggleKind::Fault);
                    assert!(needs && *value == ON, "{setting}: only these need a detail");
                    continue;
                };
                let now = toggles(&varied.world);
                let now = now.iter().find(|it| it.name == toggle.name).expect("it is there");
                assert_eq!(now.value, *value, "{setting}");
            }
        }
    }

    #[test]
    fn what_cannot_be_set_is_refused() {
        for (setting, said) in [
            ("", "nothing is called ``"),
            ("relation-traking:remote-scope", "nothing is called `relation-traking`"),
            ("relation-tracking:remote", "has no value `remote`"),
            ("relation-tracking", "has no value ``"),
            ("crash:yes", "has no value `yes`"),
            ("settings:on", "needs"),
        ] {
            let problem = set(&scenario(), &[setting.to_owned()]).expect_err(setting);
            assert!(problem.to_string().contains(said), "{setting}: {problem}");
        }
    }
}
