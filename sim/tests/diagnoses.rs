//! Diagnoses of documents that many others hold.

use deathwatch_claims::Diagnosis;
use deathwatch_documents::wait_for::WaitFor;
use deathwatch_model::{
    ids::{ApplicationId, Id as _, RelationId},
    rows::{Row, RowKind},
};
use deathwatch_scenario::{describe, replay};
use deathwatch_study::wait_for;
use insta::assert_snapshot;

use crate::common::{MIXED, good};

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
                let wait_for =
                    wait_for::of(&scenario.world, &diagnosis).expect("it is an entity's");
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
    wait_for::of(world, &Diagnosis::of(world, &state, row)).expect("it is an entity's")
}

/// The edges of a graph, and its roots, as lines.
fn lines(graph: &WaitFor) -> Vec<String> {
    let edges = graph.edges.iter().map(|edge| {
        let to = edge.to.as_deref().unwrap_or("nothing");
        format!("{} -> {to}: {}", edge.from, edge.reason.row().id)
    });
    let roots = graph.roots.iter();
    let roots = roots.map(|root| format!("root {}: {}", root.kind, root.entities.join(", ")));
    edges.chain(roots).collect()
}

const PAIR: &str = concat!("\n", include_str!("../../tests/worlds/pair-in-trouble.toml"));

fn after(steps: &str) -> String {
    format!("shows = \"Something is stuck.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{PAIR}")
}

/// A hook of another application's unit holds an application, by way of their relation.
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

/// Two units with the older agent, which has not entered their relation yet.
const OLDER: &str = concat!("\n", include_str!("../../tests/worlds/older-agents.toml"));

/// The kinds of the roots that unit wordpress/0 waits for after a script, in a world with more
/// variants.
fn roots(variants: &str, steps: &[&str]) -> Vec<String> {
    let steps = steps.join("\n").replace('@', "wordpress:db mysql:server");
    let shows = "Something is not noticed.";
    let source = format!("shows = \"{shows}\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{OLDER}{variants}");
    graph(&source, "unit wordpress/0").roots.iter().map(|root| root.kind.to_string()).collect()
}

const CRASH: &str =
    "faults: crash unit-agent wordpress/0\nsupervisor: restart unit-agent wordpress/0";
const UP: &str = "unit-agent wordpress/0: establish-presence\nunit-agent wordpress/0: read-state";
const ENTER: &str =
    "unit-agent wordpress/0: put-settings @\nunit-agent wordpress/0: enter-scope wordpress/0 @";
const WATCH: &str = "unit-agent wordpress/0: watch @";
const COMES: &str = "unit-agent mysql/0: put-settings @\nunit-agent mysql/0: enter-scope mysql/0 @";
const JOINED: &str = "unit-agent wordpress/0: begin run-joined-hook mysql/0 @\nunit-agent wordpress/0: exit\nunit-agent wordpress/0: end";
const GOES: &str = "client: destroy-unit mysql/0\nclient: leave-scope mysql/0 @";

/// A fact that the older agent alone has, in its memory, can be a root.
#[test]
fn what_holds_the_older_agent_is_named() {
    let disconnected = ["faults: disconnect wordpress/0"];
    assert_eq!(roots("", &disconnected), ["cut-off"]);
    assert_eq!(roots("", &[CRASH]), ["starting-up"]);
    let crashed = ["faults: crash unit-agent wordpress/0"];
    assert_eq!(roots("", &crashed), ["agent-crashed"]);
    assert_eq!(roots("", &[ENTER]), ["not-watching"]);
    assert_eq!(roots("", &[ENTER, WATCH]), ["can-act"], "it has nothing to do");
    assert_eq!(roots("", &[ENTER, WATCH, COMES]), ["not-watching"], "its watch has fired");
    assert_eq!(roots("", &[ENTER, COMES, WATCH]), ["hook-due"]);
    assert_eq!(roots("", &[ENTER, COMES, WATCH, JOINED]), ["can-act"], "it has told everything");
}

#[test]
fn what_the_older_agent_does_not_notice_is_named() {
    let another = COMES.replace("mysql/0", "mysql/1");
    let missed = [ENTER, WATCH, COMES, &another, WATCH, JOINED];
    assert_eq!(roots("", &missed), ["event-missed"], "a watch fires once");
    let looked = roots("watch-set-again = \"with-a-look\"\n", &missed);
    assert_eq!(looked, ["hook-due"], "the second joins, too");

    let gone = [ENTER, COMES, WATCH, JOINED, GOES, CRASH, UP, WATCH];
    assert_eq!(roots("", &gone), ["seen-forgotten"]);
    assert_eq!(roots("seen-units = \"on-disk\"\n", &gone), ["hook-due"], "departed is due");

    let told = "unit-agent mysql/0: watch @\nunit-agent mysql/0: run-joined-hook wordpress/0 @";
    let (begins, ends) = JOINED.split_once('\n').expect("it ends in another line");
    let meanwhile = [ENTER, COMES, WATCH, begins, told, ends];
    assert_eq!(roots("", &meanwhile), ["event-dropped"], "it was not noted as seen yet");
    let kept = roots("event-of-unseen = \"kept\"\n", &meanwhile);
    assert_eq!(kept, ["hook-due"], "changed is due");
    let later = [ENTER, WATCH, COMES, WATCH, JOINED, told];
    assert_eq!(roots("", &later), ["settings-unwatched"]);
    assert_eq!(roots("later-units = \"watched\"\n", &later), ["hook-due"], "changed is due");
}

#[test]
fn an_error_state_that_nobody_leaves_is_named() {
    let failed = "client: destroy-unit wordpress/0\n\
                  unit-agent wordpress/0: begin run-stop-hook\n\
                  faults: fail-stop-hook wordpress/0\nfaults: fail-stop-hook wordpress/0";
    let seen = format!("{failed}\nunit-agent wordpress/0: replicate");
    let split = "\n[world]\ntransactions = \"split\"\n";
    let unseen = roots(split, &[failed]);
    assert_eq!(unseen, ["not-replicated"], "the administrator has not heard of it");
    let written = |variants: &str| roots(&format!("{variants}{split}"), &[&seen]);
    assert_eq!(written(""), ["unit-hook-failed"]);
    assert_eq!(written("error-states = \"final\"\n"), ["error-final"]);
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
