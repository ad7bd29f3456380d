//! Seeds of worlds with details: how long hooks with names take, and how often they fail.

mod common;

use std::path::Path;

use common::render;
use deathwatch_sim::{
    Problem, Scenario, replay,
    scenario::parse,
    simulate::{Run, Simulation},
};

/// A world in which one unit is installed, started and destroyed, with more in these tables.
fn with(tables: &str) -> Result<Scenario, Problem> {
    let text = format!(
        "shows = \"A life.\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n\
         [world.applications]\nwordpress = {{ units = [\"1\"], deployed = false }}\n\
         [user]\n\"destroy-unit wordpress/0\" = 1\n{tables}"
    );
    parse(Path::new("life.toml"), text)
}

/// The runs of some seeds of the world with these tables.
fn runs(tables: &str) -> Vec<Run> {
    let scenario = with(tables).expect("it is a scenario");
    let replay = replay(&scenario).expect("it has no script");
    let simulation = Simulation::new(&scenario, &replay).expect("it can be simulated");
    (0..20).map(|seed| simulation.run(seed, &|| false).expect("nobody stops it")).collect()
}

/// The longest time that a run took, in hours.
fn hours(tables: &str) -> u64 {
    runs(tables).iter().map(|run| run.stats.time).max().expect("there are some") / 3_600_000
}

#[test]
fn hooks_with_names_take_a_time_of_their_own() {
    let [named, other] = ["named-hook", "hook"].map(|hook| {
        format!("[simulate]\nswarm = false\nlatency.{hook} = \"1000h\"\n[world]\nhooks = true\n")
    });
    let detail = "[detail]\nhooks = true\n";
    assert_eq!(hours(&format!("{named}{detail}")), 4_000, "four hooks, one after the other");
    assert_eq!(hours(&format!("{other}{detail}")), 0);
    assert_eq!(hours(&named), 0);
    assert_eq!(hours(&other), 1_000, "the stop hook has no name here");
}

/// The number of hooks that fail in some runs in which the chance of each is this.
fn failures(per_mille: u32) -> u64 {
    let tables = format!(
        "[detail]\nhooks = true\n[faults]\nunit-hook-failure = true\n[simulate]\nswarm = false\n\
         [simulate.faults]\nunit-hook-failure = \"never\"\nnamed-hook-failure = {per_mille}\n"
    );
    let failed = |run: &Run| run.stats.faults.get("unit-hook-failure").copied().unwrap_or(0);
    runs(&tables).iter().map(failed).sum()
}

#[test]
fn hooks_with_names_fail_by_a_chance_of_their_own() {
    assert_eq!(failures(0), 0);
    let (some, all) = (failures(300), failures(1_000));
    assert!(some > 0 && all > some, "{some} and {all}");
}

#[test]
fn hooks_without_names_have_no_such_chance() {
    let [fault, detail] = ["[faults]\nunit-hook-failure = true\n", "[detail]\nhooks = true\n"];
    let chance = "[simulate.faults]\nnamed-hook-failure = 300\n";
    let told = |tables: &str| render(&with(tables).expect_err("it is refused"));
    let lacks_detail = told(&format!("{fault}{chance}"));
    assert!(lacks_detail.contains("allow it: [detail] hooks = true"), "{lacks_detail}");
    let lacks_fault = told(&format!("{detail}{chance}"));
    assert!(lacks_fault.contains("allow it: [faults] unit-hook-failure = true"), "{lacks_fault}");
    assert!(with(&format!("{fault}{detail}{chance}")).is_ok());
}
