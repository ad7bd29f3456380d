//! Closures: everything that may hold an entity is in its group, with each possible value of its
//! hidden fields.

use deathwatch_diagnose::{Considered, Diagnosed};
use deathwatch_documents::diagnosis::{Holder, StuckVerdict};

use super::diagnosed;

/// A unit as status shows it on a machine.
fn unit(name: &str, machine: &str, agent: &str) -> String {
    format!(
        r#""{name}": {{"machine": "{machine}", "workload-status": {{"current": "active"}},
        "juju-status": {{"current": "{agent}", "version": "3.6.14"}}}}"#
    )
}

/// A machine as status shows it.
fn machine(name: &str, agent: &str, rest: &str) -> String {
    format!(
        r#""{name}": {{"juju-status": {{"current": {agent}}}, "instance-id": "i-{name}" {rest}}}"#
    )
}

/// The diagnosis of a model of this version with these machines and applications.
fn model(version: &str, machines: &[String], applications: &str, units: &str) -> Diagnosed {
    let machines = machines.join(",");
    let status = format!(
        r#"{{"model": {{"name": "m", "version": "{version}"}}, "machines": {{{machines}}},
        "applications": {{{applications}}}}}"#
    );
    diagnosed(&[&status, units])
}

/// The names in the trees below these holders.
fn names(holders: &[Holder]) -> Vec<&str> {
    holders.iter().flat_map(|it| [vec![it.name.as_str()], names(&it.waiting)].concat()).collect()
}

/// Whether some of the considered states contain this text, and others do not.
fn is_open(considered: &[Considered], said: &str) -> bool {
    let has = considered.iter().filter(|it| it.scenario.contains(said)).count();
    (1..considered.len()).contains(&has)
}

#[test]
fn the_units_of_a_dying_machine_hold_it_together() {
    let machines = [machine("0", r#""started", "life": "dying""#, "")];
    let applications = format!(
        r#""pg": {{"units": {{{}}}}}, "web": {{"units": {{{}}}}}"#,
        unit("pg/0", "0", "idle"),
        unit("web/0", "0", "idle")
    );
    let units = r#"{"pg/0": {"life": "dying"}, "web/0": {"life": "dying"}}"#;
    let report = model("3.6.14", &machines, &applications, units).report;
    let [group] = &report.groups[..] else { panic!("one group: {:?}", report.groups) };
    assert_eq!(group.things, ["unit pg/0", "unit web/0", "machine 0"]);
    assert_eq!(report.verdict, StuckVerdict::GoesByItself);
}

#[test]
fn a_container_holds_its_host() {
    let container = r#", "containers": {"0/lxd/0": {"juju-status": {"current": "pending",
        "life": "dying"}, "instance-id": "pending"}}"#;
    let machines = [machine("0", r#""started", "life": "dying""#, container)];
    let report = model("4.0.1", &machines, "", "{}").report;
    let [group] = &report.groups[..] else { panic!("one group: {:?}", report.groups) };
    assert_eq!(group.verdict, StuckVerdict::ForEver);
    assert_eq!(names(&group.cases[0].holders), ["machine 0/lxd/0", "machine 0"]);
}

/// A machine of the controller has other duties, which are not modelled.
#[test]
fn a_machine_of_the_controller_leaves_it_open() {
    let member = r#", "controller-member-status": "has-vote""#;
    for (rest, verdict) in [("", StuckVerdict::GoesByItself), (member, StuckVerdict::Undecided)] {
        let machines = [machine("0", r#""started", "life": "dying""#, rest)];
        assert_eq!(model("3.6.14", &machines, "", "{}").report.verdict, verdict);
    }
}

/// An Alive entity that holds one that is not is reported with the command that removes it.
#[test]
fn an_alive_container_holds_its_host() {
    let container = r#", "containers": {"0/lxd/0": {"juju-status": {"current": "started"},
        "instance-id": "i-1"}}"#;
    let machines = [machine("0", r#""started", "life": "dying""#, container)];
    let report = model("3.6.14", &machines, "", "{}").report;
    let [group] = &report.groups[..] else { panic!("one group: {:?}", report.groups) };
    let [case] = &group.cases[..] else { panic!("one case: {group:?}") };
    assert_eq!(names(&case.holders), ["machine 0/lxd/0", "machine 0"]);
    assert!(case.next[0].what.starts_with("juju remove-machine 0/lxd/0 "), "{case:?}");
    assert_ne!(report.verdict, StuckVerdict::GoesByItself);
}

/// An agent that is lost on a healthy machine has stopped, or does not exist.
#[test]
fn a_lost_agent_may_be_stopped_or_gone() {
    let machines = [machine("0", r#""started""#, "")];
    let applications = format!(r#""pg": {{"units": {{{}}}}}"#, unit("pg/0", "0", "lost"));
    let diagnosed = model("3.6.14", &machines, &applications, r#"{"pg/0": {"life": "dying"}}"#);
    assert_eq!(diagnosed.report.verdict, StuckVerdict::Depends);
    assert!(is_open(&diagnosed.considered, "downtime = true"));
    assert!(is_open(&diagnosed.considered, r#""pg/0" = "none""#));
}

/// The cleanup that makes the units of a Dying application Dying may still be due.
#[test]
fn a_cleanup_may_be_due() {
    let machines = [machine("0", r#""started""#, "")];
    let unit = unit("pg/0", "0", "idle");
    let applications = format!(r#""pg": {{"life": "dying", "units": {{{unit}}}}}"#);
    let diagnosed = model("3.6.14", &machines, &applications, r#"{"pg/0": {"life": "alive"}}"#);
    assert!(is_open(&diagnosed.considered, "[start.units-cleanup]"));
}

/// One of many units that are alike is kept, and each unhealthy one.
#[test]
fn an_alive_unit_that_is_not_well_holds_a_dying_relation() {
    let machines = [machine("0", r#""started""#, ""), machine("1", r#""down""#, "")];
    let related = |other: &str| {
        format!(
            r#""relations": {{"db": [{{"related-application": "{other}", "interface": "x"}}]}}"#
        )
    };
    let applications = format!(
        r#""vault": {{"life": "dying", {}}}, "gate": {{{}, "units": {{{}, {}}}}}"#,
        related("gate"),
        related("vault"),
        unit("gate/0", "0", "idle"),
        unit("gate/1", "1", "lost")
    );
    let units = r#"{"gate/0": {"life": "alive"}, "gate/1": {"life": "alive"}}"#;
    let report = model("3.6.14", &machines, &applications, units).report;
    let [group] = &report.groups[..] else { panic!("one group: {:?}", report.groups) };
    let mut holders = group.cases.iter().flat_map(|it| names(&it.holders));
    assert!(holders.any(|it| it == "unit gate/1"), "{group:?}");
    assert_ne!(report.verdict, StuckVerdict::GoesByItself);
}
