//! Any line of a script, in the world of the relation-scope bug. One that is read and possible is taken.
#![no_main]

use std::{path::Path, sync::LazyLock};

use deathwatch_scenario::{
    replay,
    scenario::{self, Scenario},
};
use libfuzzer_sys::fuzz_target;

const BUG: &str = include_str!("../../scenarios/relation-scope-bug/1-as-written.toml");

static SCENARIO: LazyLock<Scenario> =
    LazyLock::new(|| scenario::parse(Path::new("bug.toml"), BUG).expect("a shipped scenario"));

fuzz_target!(|line: &str| {
    if let Ok((_, typed)) = SCENARIO.going_on(&SCENARIO.start, line) {
        let _ = replay::replay(&typed);
    }
});
