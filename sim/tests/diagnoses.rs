//! Diagnoses of documents that many others hold.

mod common;

use common::{MIXED, good};
use deathwatch_model::{
    claims::Diagnosis,
    ids::{ApplicationId, Id as _, RelationId},
    rows::{Row, RowKind},
};
use deathwatch_sim::{describe, replay, wait_for::WaitFor};
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
        [Row::Relation(RelationId::new(0)), Row::Application(ApplicationId::new(0))].map(
            |subject| {
                let diagnosis = Diagnosis::of(&scenario.world, &state, subject);
                let wait_for = WaitFor::of(&scenario.world, &diagnosis).expect("it is an entity's");
                wait_for.sentences().join("\n  ")
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

#[test]
fn a_row_of_each_kind_has_a_name() {
    let scenario = good(&format!("shows = \"It has one of each.\"\n[world]\n{MIXED}"));
    let last = |kind: RowKind| kind.rows(&scenario.world).last();
    let names = RowKind::ALL.into_iter().filter_map(last);
    let names: Vec<String> = names.map(|row| describe::subject(&scenario.world, row)).collect();
    assert_snapshot!(names.join("\n"), @r"
    machine 0/lxc/0
    application mysql
    unit mysql/0
    relation mysql:cluster
    unit mysql/0 in mysql:cluster
    the hardware and agent of machine 0/lxc/0
    the agent of mysql/0
    the agent of mysql/0 in mysql:cluster
    user
    cleaner
    neglectful agents
    ");
}
