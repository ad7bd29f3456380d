//! The small worlds in which clauses are switched off. They are scenarios of their own, because
//! they must stay small, and because the claims that a clause matters to must not change with every
//! new scenario.

use std::path::Path;

use crate::scenario::{self, Scenario};

macro_rules! worlds {
    ($($name:literal)+) => { [$(($name, include_str!(concat!("../../../../scenarios/weakening/", $name, ".toml")))),+] };
}

/// The worlds by name.
///
/// # Panics
/// If one of them is not a scenario.
pub fn worlds() -> Vec<(String, Scenario)> {
    let worlds = worlds![
        "relation" "races" "counts" "subordinate" "redeployed" "deployer" "hooks" "machines"
        "creation" "force" "forced-out" "directories" "reconciled" "readings" "mends"
        "refused" "refused-peer"
        "two-clients-on-machines" "two-clients-on-applications" "two-clients-on-relations"
    ];
    let read = |(name, source): (&str, &str)| {
        let scenario = scenario::parse(Path::new(name), source);
        (name.to_owned(), scenario.unwrap_or_else(|problem| panic!("{name}: {problem}")))
    };
    worlds.into_iter().map(read).collect()
}
