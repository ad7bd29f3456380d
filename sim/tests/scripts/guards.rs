//! Clauses that only say what an actor does not do, or when: no step carries them out, but without
//! one a script can do what is not possible with it.

use deathwatch_model::clause::Clause;
use deathwatch_scenario::replay;

use crate::common::good;

/// Two manager machines and another one.
const MANAGERS: &str = r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = { jobs = ["manage-model"] }
2 = {}
"#;

const CONTAINER: &str = r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
"1/lxc/0" = { host = "1" }
"#;

/// Says that the last of `steps` is possible without `clause` only.
fn prevents(clause: &str, steps: &str, world: &str, switched_off: &str) {
    let with = |off: &str| {
        let script = format!("shows = \"A test.\"\nsteps = \"\"\"\n{steps}\n\"\"\"\n");
        good(&format!("{script}{world}[switch-off]\n{switched_off}\nclauses = [{off}]\n"))
    };
    let impossible = replay(&with("")).expect_err(clause);
    let done = impossible.reached.actions.len();
    let without = replay(&with(&format!("\"{clause}\"")));
    let without = without.unwrap_or_else(|it| panic!("{clause}: {:?}", it.problem));
    assert_eq!(without.actions.len(), done + 1, "{clause} prevents the last step");
    assert!(Clause::named(clause).is_some_and(Clause::is_guard), "{clause}");
}

#[test]
fn a_guard_prevents_what_is_possible_without_it() {
    let relation = "wordpress:db mysql:server";
    let in_scope =
        format!("{}[variants]\ndead-while-in-scope = \"allowed\"\n", crate::common::PAIR);
    let dead = format!(
        "client: destroy-unit wordpress/0\nclient: set-unit-dead wordpress/0\n\
         client: destroy-relation {relation}\n\
         unit-agent wordpress/0: leave-scope wordpress/0 {relation}"
    );
    prevents("unit-agent.16", &dead, &in_scope, "");
    let hooks = format!("{}[faults]\nhook-failure = true\n", crate::common::PAIR);
    let in_error = format!(
        "client: destroy-unit wordpress/0\nfaults: fail-hooks wordpress/0 {relation}\n\
         unit-agent wordpress/0: run-hooks {relation}"
    );
    prevents("unit-agent.22", &in_error, &hooks, "");
    let charm = "[world]\ntransactions = \"split\"\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n\
                 1 = {}\n[world.applications]\nwordpress.units = [\"1\"]\n[detail]\nhooks = true\n\
                 charm = true\n[faults]\nunit-hook-failure = true\n";
    let error = "client: set-config wordpress\n\
                 unit-agent wordpress/0: begin run-config-changed-hook\n\
                 faults: fail-unit-hook wordpress/0";
    let users =
        format!("{error}\nclient: upgrade-charm wordpress\nunit-agent wordpress/0: write-charm");
    prevents("charm.5", &users, charm, "");
    let forced = format!(
        "{error}\nclient: force-upgrade-charm wordpress\nunit-agent wordpress/0: write-charm\n\
         operator: resolve wordpress/0\nunit-agent wordpress/0: begin run-upgrade-charm-hook"
    );
    prevents("charm.7", &forced, charm, "");
    let reads = charm
        .replace("wordpress.units", "wordpress.config-get = [\"config-changed\"]\nwordpress.units");
    let again = "client: set-config wordpress\nunit-agent wordpress/0: begin run-config-changed-hook\n\
                 unit-agent wordpress/0: config-get\nclient: set-config wordpress\n\
                 unit-agent wordpress/0: config-get";
    prevents("charm.12", again, &reads, "");
    let failing = format!("{MANAGERS}[faults]\nhardware-failure = [\"1\"]\n");
    let manager = "client: destroy-machine 0\nrun machine-agent 0\nfaults: fail-hardware 1\n\
                   provisioner: start-instance 1";
    prevents("machine-agent.6", manager, &failing, "");
    let failing = format!("{CONTAINER}[faults]\nhardware-failure = [\"1\"]\n");
    let container = "faults: fail-hardware 1\nprovisioner: start-instance 1/lxc/0";
    prevents("provisioner.4", container, &failing, "");
    let starts = "[detail]\nprovisioning = true\n[world.machines]\n0 = { jobs = [\"manage-model\"] }\n\
                  1 = { provisioned = false }\n[faults]\ncrash = true\nstart-failure = true\n";
    let stray = "provisioner: start-instance 1\nfaults: crash machine-agent 0\n\
                 provisioner: start-instance 1";
    prevents("provisioner.6", stray, starts, "");
    let error =
        "provisioner: start-instance 1\nfaults: fail-start 1\nprovisioner: start-instance 1";
    prevents("provisioner.7", error, starts, "");
    let fresh = format!("{MANAGERS}[variants]\nagent-upgrade = \"on-fresh-systems\"\n");
    let both = "client: destroy-machine 2\nrun machine-agent 2\noperator: upgrade\n\
                operator: replace 0\noperator: replace 1";
    prevents("operator.2", both, &fresh, "neglected = [\"provisioner.3\"]");
}

#[test]
fn a_guard_of_workflows_prevents_what_is_possible_without_it() {
    let installs = "[detail]\nworkflow = true\n[world]\ntransactions = \"split\"\n[world.machines]\n\
                    0 = { jobs = [\"manage-model\"] }\n1 = {}\n[world.applications]\n\
                    wordpress = { units = [\"1\"], deployed = false }\n[faults]\nunit-hook-failure = true\n";
    let failed = "machine-agent 1: deploy-unit wordpress/0\nunit-agent wordpress/0: establish-presence\n\
                  unit-agent wordpress/0: read-state\n\
                  unit-agent wordpress/0: begin run-install-hook\nfaults: fail-unit-hook wordpress/0\n";
    let told = format!("{failed}unit-agent wordpress/0: replicate");
    prevents("workflow.4", &told, installs, "");
    let again = format!(
        "{failed}faults: fail-unit-hook wordpress/0\nunit-agent wordpress/0: begin run-install-hook"
    );
    prevents("workflow.5", &again, installs, "");
    let relation = "wordpress:db mysql:server";
    let changes = format!(
        "unit-agent wordpress/0: watch {relation}\nunit-agent mysql/0: watch {relation}\n\
         unit-agent mysql/0: begin run-joined-hook wordpress/0 {relation}\n\
         unit-agent mysql/0: end\n\
         unit-agent wordpress/0: begin run-changed-hook mysql/0 {relation}"
    );
    let related = RELATED
        .replace("hooks = true\nrelations", "workflow")
        .replace("mysql = {", "mysql = { writes = [\"relation-joined\"],");
    prevents("workflow.15", &changes, &related, "");
}

/// Two related units, of which one writes its settings.
const RELATED: &str = r#"
[detail]
hooks = true
relations = true
[world.machines]
0 = { jobs = ["manage-model"] }
1 = {}
2 = {}
[world.applications]
wordpress = { units = ["1"], writes = ["relation-joined", "relation-changed"] }
mysql = { units = ["2"] }
[world.relations]
"wordpress:db mysql:server" = { entered = ["wordpress/0", "mysql/0"] }
"#;

#[test]
fn a_guard_of_relation_hooks_prevents_what_is_possible_without_it() {
    let relation = "wordpress:db mysql:server";
    let run = |unit: &str, hook: &str, other: &str| {
        format!(
            "unit-agent {unit}: begin run-{hook}-hook {other} {relation}\nunit-agent {unit}: end\n"
        )
    };
    let begin = |unit: &str, hook: &str, other: &str| {
        format!("unit-agent {unit}: begin run-{hook}-hook {other} {relation}")
    };
    let (one, two) = ("wordpress/0", "mysql/0");
    let joined = run(one, "joined", two);
    let settled = joined.clone() + &run(one, "changed", two);
    let left = format!(
        "client: destroy-relation {relation}\nunit-agent {two}: run-broken-hook {relation}\n\
                        unit-agent {two}: leave-scope {two} {relation}\n"
    );
    let leaves = format!(
        "client: destroy-relation {relation}\nunit-agent {one}: run-broken-hook {relation}\n"
    );
    prevents("relation-hooks.3", &(joined + &left + &begin(one, "departed", two)), RELATED, "");
    let again = format!("{leaves}unit-agent {one}: run-broken-hook {relation}");
    prevents("relation-hooks.8", &again, RELATED, "");
    let gone = format!(
        "client: destroy-unit {two}\nunit-agent {two}: run-broken-hook {relation}\n\
                        unit-agent {two}: leave-scope {two} {relation}\n"
    );
    prevents("relation-hooks.9", &(gone + &begin(one, "joined", two)), RELATED, "");
    prevents("relation-hooks.11", &(settled.clone() + &begin(one, "joined", two)), RELATED, "");
    prevents("relation-hooks.14", &(settled.clone() + &begin(one, "changed", two)), RELATED, "");
    prevents("relation-hooks.12", &(settled + &begin(one, "departed", two)), RELATED, "");
    let seen = run(two, "joined", one) + &run(two, "changed", one);
    let written = seen.clone() + &run(one, "joined", two) + &run(two, "changed", one);
    let anew = written + &run(one, "changed", two) + &begin(two, "changed", one);
    prevents("relation-hooks.13", &anew, RELATED, "");
}

/// Settings that go with their unit are no step of anybody's.
#[test]
fn settings_stay_by_a_guard() {
    let relation = "wordpress:db mysql:server";
    let script = |off: &str, left: &str| {
        format!(
            "shows = \"A test.\"\nsteps = \"\"\"\nclient: destroy-unit wordpress/0\n\
             unit-agent wordpress/0: run-broken-hook {relation}\n\
             unit-agent wordpress/0: leave-scope wordpress/0 {relation}\n\"\"\"\n{RELATED}\
             [switch-off]\nclauses = [{off}]\n[expect]\nhas-settings = {{ \"{relation}\" = [{left}] }}\n"
        )
    };
    for (off, left) in
        [("", "\"wordpress/0\", \"mysql/0\""), ("\"relation-hooks.10\"", "\"mysql/0\"")]
    {
        let replayed = replay(&good(&script(off, left))).expect("it can be done");
        assert!(replayed.failures.is_empty(), "{off}: {:?}", replayed.failures);
    }
}

/// A unit that enters in two transactions may be seen without its settings.
#[test]
fn settings_that_are_not_there_are_not_read() {
    let relation = "wordpress:db mysql:server";
    let steps = format!(
        "unit-agent wordpress/0: put-settings {relation}\n\
         unit-agent wordpress/0: begin enter-scope wordpress/0 {relation}\n\
         client: destroy-relation {relation}\nclient: integrate {relation}\n\
         unit-agent wordpress/0: commit\nunit-agent mysql/0: put-settings {relation}\n\
         unit-agent mysql/0: begin enter-scope mysql/0 {relation}\nunit-agent mysql/0: commit\n\
         unit-agent mysql/0: begin run-joined-hook wordpress/0 {relation}\n\
         unit-agent mysql/0: relation-get wordpress/0 {relation}"
    );
    let world = RELATED
        .replace("relations = true", "relations = true\nsettings = true")
        .replace("entered = [\"wordpress/0\", \"mysql/0\"]", "")
        .replace("mysql = {", "mysql = { reads = [\"relation-joined\"],");
    let variants = "[variants]\nentering-scope = \"two-transactions\"\n";
    let split = "[world]\ntransactions = \"split\"\n";
    prevents("settings.5", &steps, &format!("{split}{world}{variants}"), "");
}

/// What a hook has written goes where it should by no step of its own.
#[test]
fn what_a_hook_has_written_counts_by_guards() {
    let relation = "wordpress:db mysql:server";
    let begin = format!(
        "unit-agent wordpress/0: begin run-joined-hook mysql/0 {relation}\n\
         unit-agent wordpress/0: relation-set {relation}\n"
    );
    let world = RELATED.replace("relations = true", "relations = true\nsettings = true");
    let ends = "unit-agent wordpress/0: end";
    let fails = &format!("faults: fail-hooks wordpress/0 {relation}");
    let cases = [
        (ends, "", "\"wordpress/0\""),
        (ends, "\"settings.3\"", ""),
        (fails, "", ""),
        (fails, "\"settings.4\"", "\"wordpress/0\""),
    ];
    for (then, off, written) in cases {
        let replayed = replay(&good(&format!(
            "shows = \"A test.\"\nsteps = \"\"\"\n{begin}{then}\n\"\"\"\n{world}\
             [faults]\nhook-failure = true\n[switch-off]\nclauses = [{off}]\n\
             [expect]\nwrote-settings = {{ \"{relation}\" = [{written}] }}\n"
        )));
        let failures = replayed.expect("it can be done").failures;
        assert!(failures.is_empty(), "{then} without {off}: {failures:?}");
    }
}

/// What a hook has read is no other hook's by no step of its own.
#[test]
fn what_a_hook_has_read_is_forgotten_by_a_guard() {
    let relation = "wordpress:db mysql:server";
    let world = RELATED
        .replace("relations = true", "relations = true\nsettings = true")
        .replace("mysql = {", "mysql = { reads = [\"relation-joined\"],");
    for (off, read) in [("", ""), ("\"settings.6\"", "\"wordpress/0\"")] {
        let replayed = replay(&good(&format!(
            "shows = \"A test.\"\nsteps = \"\"\"\n\
             unit-agent mysql/0: begin run-joined-hook wordpress/0 {relation}\n\
             unit-agent mysql/0: relation-get wordpress/0 {relation}\n\
             unit-agent mysql/0: end\n\"\"\"\n{world}\
             [switch-off]\nclauses = [{off}]\n\
             [expect]\nread = {{ \"mysql/0 in {relation}\" = [{read}] }}\n"
        )));
        let failures = replayed.expect("it can be done").failures;
        assert!(failures.is_empty(), "without {off}: {failures:?}");
    }
}

#[test]
fn every_guard_is_tried() {
    let guards = Clause::all().filter(|clause| clause.is_guard()).map(|it| it.to_string());
    let guards: Vec<String> = guards.collect();
    let of_hooks = [3, 8, 9, 10, 11, 12, 13, 14].map(|number| format!("relation-hooks.{number}"));
    let first = ["unit-agent.16", "unit-agent.22"].map(String::from).into_iter().chain(of_hooks);
    let last = [
        "settings.4",
        "settings.5",
        "settings.6",
        "charm.5",
        "charm.7",
        "charm.12",
        "workflow.4",
        "workflow.5",
        "workflow.15",
        "machine-agent.6",
        "provisioner.4",
        "provisioner.6",
        "provisioner.7",
        "operator.2",
    ];
    let tried: Vec<String> = first.chain(last.map(String::from)).collect();
    assert_eq!(guards, tried);
}
