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

/// The graph of what `entity` waits for after a script.
fn graph(source: &str, entity: &str) -> WaitFor {
    let scenario = good(source);
    let state = replay(&scenario).expect("a script").state;
    let world = &scenario.world;
    let mut rows = RowKind::ALL.into_iter().flat_map(|kind| kind.rows(world));
    let row = rows.find(|row| describe::subject(world, *row) == entity).expect("it is there");
    WaitFor::of(world, &Diagnosis::of(world, &state, row)).expect("it is an entity's")
}

/// The edges of a graph, and its roots.
fn lines(graph: &WaitFor) -> Vec<String> {
    let edges = graph.edges.iter().map(|edge| {
        let to = edge.to.as_deref().unwrap_or("nothing");
        format!("{} -> {to}: {}", edge.from, edge.reason.row().id)
    });
    let roots = graph.roots.iter();
    let roots = roots.map(|root| format!("root {}: {}", root.kind, root.entities.join(", ")));
    edges.chain(roots).collect()
}

const PAIR: &str = r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress.units = ["1"]
mysql.units = ["2"]
[world.relations]
"wordpress:db mysql:server".entered = ["wordpress/0", "mysql/0"]
[faults]
hook-failure = true
hardware-failure = true
[variants]
machine-with-dying-units = "allowed"
"#;

fn after(steps: &str) -> String {
    format!("shows = \"Something is stuck.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{PAIR}")
}

/// A hook of another application's unit keeps an application, by way of their relation.
#[test]
fn a_chain_leads_from_an_application_to_a_hook() {
    let steps = "client: destroy-application mysql\n\
                 faults: fail-hooks wordpress/0 wordpress:db mysql:server\n\
                 run unit-agent mysql/0\nrun machine-agent 2";
    assert_snapshot!(lines(&graph(&after(steps), "application mysql")).join("\n"), @r"
    application mysql -> relation wordpress:db mysql:server: relation-of
    relation wordpress:db mysql:server -> unit wordpress/0: in-scope
    unit wordpress/0 -> relation wordpress:db mysql:server: relation-hook-failed
    root relation-hook-failed: unit wordpress/0
    ");
}

/// The machine waits for its unit, and the unit for the machine's agent, which has no instance.
#[test]
fn who_waits_for_each_other_is_a_root() {
    let steps = "client: destroy-unit wordpress/0\nclient: destroy-machine 1\n\
                 faults: fail-hardware 1";
    let scenario = after(steps).replace(".entered = [\"wordpress/0\", \"mysql/0\"]", " = {}");
    let graph = graph(&scenario, "unit wordpress/0");
    assert_snapshot!(lines(&graph).join("\n"), @r"
    unit wordpress/0 -> nothing: not-deployed
    unit wordpress/0 -> machine 1: deployer
    machine 1 -> unit wordpress/0: assigned
    machine 1 -> nothing: no-instance
    root cycle(assigned+deployer): machine 1, unit wordpress/0
    ");
    assert_eq!(serde_json::from_value::<WaitFor>(serde_json::json!(graph)).ok(), Some(graph));
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
