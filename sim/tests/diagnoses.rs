//! Diagnoses of documents that many others hold.

mod common;

use common::good;
use deathwatch_model::{
    claims::Diagnosis,
    ids::{ApplicationId, EntityId, Id as _, RelationId},
};
use deathwatch_sim::{describe, replay};
use insta::assert_snapshot;

/// The diagnoses of a relation with this number of units in scope and of their application. The
/// agent of the last unit has crashed.
fn held(units: usize) -> String {
    let scenario = good(&format!(
        r#"
shows = "Many are in scope."
steps = """
client: destroy-relation wordpress:db mysql:server
client: destroy-application wordpress
faults: crash unit-agent wordpress/{last}
"""
[world.machines]
0 = {{ jobs = ["manage-model"] }}
"1..={units}" = {{}}
[world.applications]
wordpress = {{ units = ["1..={units}"] }}
mysql = {{}}
[world.relations]
"wordpress:db mysql:server" = {{ entered = ["wordpress/*"] }}
[faults]
crash = true
downtime = true
"#,
        last = units - 1
    ));
    let state = replay(&scenario).expect("a script").state;
    let [relation, application] =
        [EntityId::Relation(RelationId::new(0)), EntityId::Application(ApplicationId::new(0))].map(
            |subject| {
                let diagnosis = Diagnosis::of(&scenario.world, &state, subject);
                describe::diagnosis(&scenario.world, &diagnosis).replace("; ", "\n  ")
            },
        );
    format!("{relation}\n{application}\n")
}

#[test]
fn a_few_holders_are_all_named() {
    assert_snapshot!(held(3));
}

#[test]
fn of_many_holders_the_first_and_the_different_ones_are_named() {
    assert_snapshot!(held(50));
}

/// The length of a diagnosis is bounded in a world of any size.
#[test]
fn a_paragraph_does_not_grow_with_the_world() {
    assert!(held(2000).len() < 1500, "{}", held(2000));
}
