//! Clauses that only say what an actor does not do, or when: no step carries them out, but without
//! one a script can do what is not possible with it.

use deathwatch_model::clause::Clause;
use deathwatch_sim::replay;

use crate::common::good;

/// Two manager machines and another one.
const MANAGERS: &str = r#"
[world.machines]
0 = { jobs = ["manage-model"] }
1 = { jobs = ["manage-model"] }
2 = {}
"#;

/// A container.
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
    let failing = format!("{MANAGERS}[faults]\nhardware-failure = [\"1\"]\n");
    let manager = "client: destroy-machine 0\nrun machine-agent 0\nfaults: fail-hardware 1\n\
                   provisioner: start-instance 1";
    prevents("machine-agent.6", manager, &failing, "");
    let failing = format!("{CONTAINER}[faults]\nhardware-failure = [\"1\"]\n");
    let container = "faults: fail-hardware 1\nprovisioner: start-instance 1/lxc/0";
    prevents("provisioner.4", container, &failing, "");
    let fresh = format!("{MANAGERS}[variants]\nagent-upgrade = \"on-fresh-systems\"\n");
    let both = "client: destroy-machine 2\nrun machine-agent 2\noperator: upgrade\n\
                operator: replace 0\noperator: replace 1";
    prevents("operator.2", both, &fresh, "neglected = [\"provisioner.3\"]");
}

#[test]
fn every_guard_is_tried() {
    let guards = Clause::all().filter(|clause| clause.is_guard()).map(|it| it.to_string());
    let guards: Vec<String> = guards.collect();
    let tried = [
        "unit-agent.16",
        "unit-agent.22",
        "charm.5",
        "charm.7",
        "machine-agent.6",
        "provisioner.4",
        "operator.2",
    ];
    assert_eq!(guards, tried);
}
