//! The small worlds in which clauses are switched off. They are scenarios of their own, because
//! they must stay small, and because the claims that a clause matters to must not change with every
//! new scenario.

use std::path::Path;

use deathwatch_scenario::scenario::{self, SESSIONS, Scenario};
use toml::Value;

macro_rules! worlds {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../../../../scenarios/weakening/", $name, ".toml")))),+] };
}

/// The worlds by name.
///
/// # Panics
/// If one of them is not a scenario.
pub fn worlds() -> Vec<(String, Scenario)> {
    let worlds = worlds![
        "relation" "races" "counts" "subordinate" "redeployed" "deployer" "hooks" "unit-hooks"
        "hooks-by-name" "charm" "charm-in-error" "charm-commands" "configuration"
        "relations" "settings" "entering" "lost-settings"
        "machines" "creation" "kept" "force" "forced-out" "left-behind" "directories" "reconciled"
        "readings" "mends"
        "refused" "refused-peer"
        "two-clients-on-machines" "two-clients-on-applications" "two-clients-on-relations"
        "two-users-on-applications" "two-users-on-machines" "two-users-on-units"
        "destroy-model" "versions" "provisioning" "strays-come-last"
        "failed-starts" "other-constraints" "workflow" "watches"
        "series" "series-with-unit" "constraints" "constraints-with-unit" "constraints-late"
        "constraints-deployed" "constraints-asserted" "constraints-asserted-with-unit"
    ];
    let read = |(name, source): (&str, &str)| {
        let scenario = scenario::parse(Path::new(name), source);
        (name.to_owned(), scenario.unwrap_or_else(|problem| panic!("{name}: {problem}")))
    };
    worlds.into_iter().map(read).collect()
}

/// The same world with one user; `None` if it has no more.
///
/// # Panics
/// Never: a scenario is one without this key, too.
pub(super) fn with_one_user(scenario: &Scenario) -> Option<Scenario> {
    let mut table = scenario.table();
    table.get_mut("user").and_then(Value::as_table_mut)?.remove(SESSIONS)?;
    let source = toml::to_string(&table).expect("a table can be written");
    Some(scenario::parse_again(&scenario.address, source).expect("one user is always possible"))
}
