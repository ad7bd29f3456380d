//! Expectations: every field of a row can be expected, and a field that differs is reported.

use std::collections::BTreeSet;

use deathwatch_model::rows::{FieldKind, RowKind};
use deathwatch_scenario::{replay, schema};

use crate::common::{
    MIXED, PAIR,
    expected::{
        CONSTRAINTS, STARTED, WATCHES, WORKFLOW, with_constraints, with_watches, with_workflow,
    },
    good, render,
};

/// A principal, its subordinate and a container, after some steps.
fn after(steps: &str, expect: &str) -> String {
    let faults = "[faults]\ncrash = true\ndowntime = true\nhook-failure = true\n\
                  unit-hook-failure = true\nundetected-hardware-failure = true\n[switch-off]\nneglected = [\"cleaner.1\"]\n";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{MIXED}[world]\n\
         transactions = \"split\"\n{faults}[user]\n\"deploy mysql 1\" = 1\n[expect]\n{expect}"
    )
}

/// A unit with named hooks, whose agent crashed after its install hook had exited.
fn with_hooks(expect: &str) -> String {
    let steps = "machine-agent 1: deploy-unit wordpress/0
unit-agent wordpress/0: begin run-install-hook
unit-agent wordpress/0: exit
faults: crash unit-agent wordpress/0";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n[detail]\nhooks = true\n\
         [faults]\ncrash = true\n[world]\ntransactions = \"split\"\n[world.machines]\n\
         0 = {{ jobs = [\"manage-model\"] }}\n1 = {{}}\n[world.applications]\n\
         wordpress = {{ units = [\"1\"], deployed = false }}\n[expect]\n{expect}"
    )
}

const HOOKS: &str = r#"
phase = { "wordpress/0" = "fresh" }
mark = { "wordpress/0" = "install" }
exited = { "wordpress/0" = true }
retry = { "wordpress/0" = false }
request = { "wordpress/0" = "none" }
acts-on = { "wordpress/0" = "none" }
decided = { "wordpress/0" = "none" }
config-due = { "wordpress/0" = true }
"#;

/// A unit whose charm is upgraded, after one of its hooks has opened the unit's port.
fn with_charm(expect: &str) -> String {
    let steps = "client: expose wordpress
client: set-config wordpress
unit-agent wordpress/0: begin run-config-changed-hook
unit-agent wordpress/0: open-port
client: set-config wordpress
client: force-upgrade-charm wordpress
unit-agent wordpress/0: end
unit-agent wordpress/0: write-charm
client: upgrade-charm wordpress";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n[detail]\nhooks = true\ncharm = true\n\
         [world]\ntransactions = \"split\"\n[world.machines]\n0 = {{ jobs = [\"manage-model\"] }}\n\
         1 = {{}}\n[world.applications]\n\
         wordpress = {{ units = [\"1\"], open-port = [\"config-changed\"] }}\n[expect]\n{expect}"
    )
}

const CHARM: &str = r#"
charm-directory = { "wordpress/0" = "whole" }
charm-upgrade = { "wordpress/0" = "due" }
charm-hook = { "wordpress/0" = "upgrade-charm" }
config-stale = { "wordpress/0" = true }
port-asked = { "wordpress/0" = "nothing" }
config-read = { "wordpress/0" = "nothing" }
port-open = { "wordpress/0" = true }
exposed = { wordpress = true }
"#;

/// Two related units, each of which runs a hook about the other.
fn with_relations(expect: &str) -> String {
    let relation = "wordpress:db mysql:server";
    let steps = format!(
        "unit-agent wordpress/0: begin run-joined-hook mysql/0 {relation}
unit-agent wordpress/0: relation-set {relation}
unit-agent wordpress/0: end
unit-agent mysql/0: begin run-joined-hook wordpress/0 {relation}
unit-agent mysql/0: relation-get wordpress/0 {relation}
unit-agent mysql/0: relation-set {relation}
unit-agent wordpress/0: begin run-changed-hook mysql/0 {relation}"
    );
    let writes = "writes = [\"relation-joined\"]";
    let detail = "[detail]\nhooks = true\nrelations = true\nsettings = true\n[world]\n\
                  transactions = \"split\"\n";
    format!(
        "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{detail}{PAIR}[expect]\n{expect}"
    )
    .replace("most-units = 2", writes)
    .replace(
        "{ units = [\"2\"] }",
        &format!("{{ units = [\"2\"], reads = [\"relation-joined\"], {writes} }}"),
    )
}

const RELATIONS: &str = r#"
marked-relation = { "wordpress/0" = "wordpress:db mysql:server" }
marked-unit = { "wordpress/0" = "mysql/0", "mysql/0" = "wordpress/0" }
has-settings = { "wordpress:db mysql:server" = ["wordpress/0", "mysql/0"] }
wrote-settings = { "wordpress:db mysql:server" = ["wordpress/0"] }
seen = { "wordpress/0 in wordpress:db mysql:server" = ["mysql/0"] }
changed-due = { "wordpress/0 in wordpress:db mysql:server" = "mysql/0" }
left = { "wordpress/0 in wordpress:db mysql:server" = [] }
stale = { "wordpress/0 in wordpress:db mysql:server" = [], "mysql/0 in wordpress:db mysql:server" = [] }
read = { "mysql/0 in wordpress:db mysql:server" = ["wordpress/0"] }
read-old = { "mysql/0 in wordpress:db mysql:server" = [] }
read-mixed = { "mysql/0 in wordpress:db mysql:server" = [] }
remembered = { "mysql/0 in wordpress:db mysql:server" = [] }
wrote = { "wordpress/0 in wordpress:db mysql:server" = false, "mysql/0 in wordpress:db mysql:server" = true }
"#;

fn failures(source: &str) -> Vec<String> {
    let replay = replay(&good(source)).unwrap_or_else(|it| panic!("{}", render(&it.problem)));
    replay.failures.iter().map(ToString::to_string).collect()
}

const STEPS: &str = "client: destroy-unit wordpress/0
client 2: begin destroy-unit wordpress/1
unit-agent wordpress/0: begin run-hooks wordpress:info logging:info
faults: fail-hooks wordpress/0 wordpress:info logging:info
faults: fail-unit-hook logging/0
user: begin deploy mysql
faults: crash machine-agent 0/lxc/0";

const EVERYTHING: &str = r#"
principals = { 0 = [], "0/lxc/0" = ["wordpress/0"], 1 = ["wordpress/1"] }
containers = { 0 = ["0/lxc/0"] }
instance = { 0 = true, 1 = false }
lost-instance = { 0 = false, 1 = false }
hardware = { 0 = "running", 1 = "absent" }
placement = { "wordpress/0" = "0/lxc/0", "logging/0" = "wordpress/0" }
subordinates = { "wordpress/0" = ["logging/0"], "wordpress/1" = [] }
deployed-by = { "wordpress/0" = "0/lxc/0", "logging/0" = "wordpress/0", "wordpress/1" = "none" }
deployed = { "0/lxc/0" = ["wordpress/0"], "wordpress/0" = ["logging/0"] }
down = { "0/lxc/0" = true, "wordpress/0" = false }
new-version = { 0 = false }
hook-error = { "wordpress/0" = "logging:info wordpress:info", "logging/0" = "none" }
charm = { "wordpress/0" = "started", "logging/0" = "failed" }
force = { "wordpress/0" = false }
units = { wordpress = 2 }
relations = { wordpress = 2 }
settings = { wordpress = true, "wordpress:cluster" = true }
count-in-scope = { "wordpress:cluster" = 1 }
in-scope = { "wordpress:info logging:info" = ["logging/0", "wordpress/0"] }
directory = { "wordpress:cluster" = ["wordpress/0"] }
unwritten = { "wordpress:cluster" = [] }
departed = { "wordpress:cluster" = [] }
leftovers = { "wordpress:cluster" = false }
cleanup = { "wordpress:cluster" = false }
units-cleanup = { wordpress = false }
pending = { user = "deploy mysql", "client 2" = "destroy-unit wordpress/1", client = "none", provisioner = "none", cleaner = "none", "wordpress/0" = "none", 0 = "none" }
aborts = { user = 0 }
application = { user = "none" }
unassigned = { user = "none" }
upgraded = { agents = false }
given = { user = { "deploy mysql 1" = 0 } }
cleanups = []
"#;

#[test]
fn everything_that_a_row_has_can_be_expected() {
    assert_eq!(failures(&after(STEPS, EVERYTHING)), [""; 0]);
    assert_eq!(failures(&with_hooks(HOOKS)), [""; 0]);
    assert_eq!(failures(&with_charm(CHARM)), [""; 0]);
    assert_eq!(failures(&with_workflow(WORKFLOW)), [""; 0]);
    assert_eq!(failures(&with_watches(WATCHES)), [""; 0]);
    assert_eq!(failures(&with_relations(RELATIONS)), [""; 0]);
    assert_eq!(failures(STARTED), [""; 0]);
    let lines = EVERYTHING
        .lines()
        .chain(HOOKS.lines())
        .chain(CHARM.lines())
        .chain(WORKFLOW.lines())
        .chain(WATCHES.lines());
    assert_eq!(failures(&with_constraints(CONSTRAINTS)), [""; 0]);
    let lines = lines.chain(RELATIONS.lines()).chain(STARTED.lines()).chain(CONSTRAINTS.lines());
    let keys: BTreeSet<&str> = lines.filter_map(|line| Some(line.split_once(" = ")?.0)).collect();
    // History is expected in `history`.
    let parts = RowKind::ALL.into_iter().filter(|kind| !kind.is_history());
    let parts = parts.flat_map(RowKind::fields).flat_map(|field| match field.parts {
        [] => std::slice::from_ref(field),
        parts => parts,
    });
    let is_told = |kind| !matches!(kind, FieldKind::Life | FieldKind::Document);
    let fields: BTreeSet<&str> =
        parts.filter(|field| is_told(field.kind)).map(|field| field.name).collect();
    let missing: Vec<&str> = fields.difference(&keys).copied().collect();
    assert_eq!(missing, ["peers"], "nothing expects these; there is no command in progress");
    let properties = schema()["$defs"]["Expect"]["properties"].clone();
    let history = RowKind::ALL.into_iter().filter(|kind| kind.is_history());
    let history = history.flat_map(RowKind::fields).map(|field| field.name);
    let history: BTreeSet<&str> = history.filter(|name| !fields.contains(name)).collect();
    let known = properties.as_object().expect("a table").keys();
    let known: BTreeSet<String> =
        known.filter(|it| !history.contains(it.as_str())).cloned().collect();
    let lists = ["alive", "dying", "dead", "gone", "cleanups", "number"].into_iter();
    assert_eq!(known, fields.into_iter().chain(lists).map(str::to_owned).collect());
    for (key, property) in properties.as_object().expect("a table") {
        assert!(property["description"].is_string(), "{key}");
    }
}

#[test]
fn a_hook_that_is_running_can_be_expected() {
    let after = |expect: &str| {
        let steps = "client: destroy-relation wordpress:db mysql:server\n\
                     unit-agent wordpress/0: begin run-hooks wordpress:db mysql:server";
        failures(&format!(
            "shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n{PAIR}\
             [world]\ntransactions = \"split\"\nhooks = true\n[expect]\n{expect}"
        ))
    };
    let running = "\"wordpress/0\" = \"run-hooks mysql:server wordpress:db\"";
    assert_eq!(after(&format!("pending = {{ {running}, \"mysql/0\" = \"none\" }}")), [""; 0]);
    let hook = "run-hooks wordpress:db mysql:server";
    for (expected, actual) in [
        ("\"wordpress/0\" = \"none\"", format!("wordpress/0: none; there is: {hook}")),
        (
            "\"mysql/0\" = \"run-hooks wordpress:db mysql:server\"",
            format!("mysql/0: {hook}; there is: none"),
        ),
        (
            "\"wordpress/0\" = \"remove-unit wordpress/0\"",
            format!("wordpress/0: remove-unit wordpress/0; there is: {hook}"),
        ),
    ] {
        let failures = after(&format!("pending = {{ {expected} }}"));
        assert!(failures.len() == 1 && failures[0].ends_with(&actual), "{failures:?}");
    }
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn what_is_not_as_expected_is_told() {
    let wrong = r#"
dead = ["wordpress/0"]
principals = { 1 = [] }
containers = { 0 = [] }
instance = { 0 = false }
hardware = { 0 = "running", 1 = "running" }
placement = { "logging/0" = "none", "wordpress/1" = "0", "mysql/0" = "1" }
deployed-by = { "wordpress/0" = "none" }
hook-error = { "wordpress/0" = "none", "logging/0" = "wordpress:cluster" }
charm = { "logging/0" = "stop-failed" }
units = { wordpress = 3, mysql = 0 }
count-in-scope = { "wordpress:cluster" = 0 }
in-scope = { "wordpress:cluster" = ["wordpress/1"] }
directory = { "wordpress:cluster" = ["wordpress/1", "wordpress/0"] }
pending = { user = "none", "client 2" = "destroy-unit wordpress/0", provisioner = "remove-machine 1" }
application = { user = "mysql" }
upgraded = { agents = true }
cleanups = ["settings of wordpress:cluster"]
number = { machines = 7, relations = 0 }
"#;
    snapshot("unmet", &failures(&after(STEPS, wrong)).join("\n"));
}
