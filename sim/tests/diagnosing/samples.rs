//! Models of public reports: five that were stuck, and one that was not.

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use deathwatch_claims::check::Stop;
use deathwatch_diagnose::{Considered, diagnose};
use deathwatch_documents::diagnosis::{Case, StuckVerdict, WhatIf, WhatIfGoes};
use insta::assert_snapshot;

use super::{diagnosed, read, shown};

/// The files of the sample with this name.
pub(super) fn sample(name: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnosing/samples");
    let files = ["status", "show-unit"].map(|it| folder.join(format!("{name}.{it}.json")));
    files.iter().filter_map(|it| fs::read_to_string(it).ok()).collect()
}

fn screen_of(name: &str) -> String {
    let files = sample(name);
    shown(&files.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_unit_in_error_holds_its_relation_and_the_model() {
    assert_snapshot!(screen_of("s1-hook-error-in-scope"));
}

#[test]
fn a_unit_and_its_pending_machine_wait_for_each_other() {
    assert_snapshot!(screen_of("s2-removed-while-allocating"));
}

#[test]
fn a_lost_agent_may_be_stopped_or_its_machine_gone() {
    assert_snapshot!(screen_of("s4-agent-lost"));
}

#[test]
fn a_pending_container_is_left_in_4_x() {
    assert_snapshot!(screen_of("s5-pending-container"));
}

#[test]
fn a_unit_that_does_not_leave_its_peers_stays() {
    assert_snapshot!(screen_of("s7-peer-scope-never-left"));
}

#[test]
fn what_is_on_its_way_out_is_not_stuck() {
    assert_snapshot!(screen_of("s10-on-its-way-out"));
}

/// The first line is as open as the exit code where a unit is not shown of which a life is unknown.
#[test]
fn what_goes_as_far_as_is_shown_is_not_decided() {
    let files = sample("s10-on-its-way-out");
    let mut units: serde_json::Value = serde_json::from_str(&files[1]).expect("JSON");
    units.as_object_mut().expect("units by name").remove("store/0").expect("it is there");
    let seen = shown(&[&files[0], &units.to_string()]);
    assert!(seen.contains("\nNOT DECIDED: as far as it is known"), "{seen}");
    assert!(seen.ends_with("exit code 3\n"), "{seen}");
}

/// A search that ends early leaves an outcome open; it does not turn a yes into a no.
#[test]
fn what_if_is_open_where_its_search_ends_early() {
    let files = sample("s4-agent-lost");
    let juju = read(&files.iter().map(String::as_str).collect::<Vec<_>>()).expect("it is read");
    let asked = AtomicU32::new(0);
    let outcomes = |most: u32| {
        asked.store(0, Ordering::Relaxed);
        let is_over = || asked.fetch_add(1, Ordering::Relaxed) >= most;
        let found = diagnose(&juju, &|| is_over().then_some(Stop::Time)).expect("it is diagnosed");
        let cases: Vec<Case> = found.report.groups.into_iter().flat_map(|it| it.cases).collect();
        cases.into_iter().map(|it| it.what_if).collect::<Vec<Vec<WhatIf>>>()
    };
    let whole = outcomes(u32::MAX);
    let all = asked.load(Ordering::Relaxed);
    let mut open = 0;
    for most in (0..all).step_by(all.div_ceil(60) as usize) {
        for (case, of_whole) in outcomes(most).iter().zip(&whole) {
            for it in case {
                let of_whole = of_whole.iter().find(|whole| whole.doing == it.doing);
                let is_open = it.goes == WhatIfGoes::Undecided;
                open += u32::from(is_open);
                assert!(is_open || of_whole.is_some_and(|whole| whole.goes == it.goes), "{it:?}");
            }
        }
    }
    assert!(open > 0, "{all} times it was asked whether to stop");
}

#[test]
fn programs_are_told_the_same() {
    let all = ["s1-hook-error-in-scope", "s4-agent-lost", "s10-on-its-way-out"].map(|name| {
        let files = sample(name);
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        format!("{:#}", diagnosed(&files).report.document()["diagnosis"])
    });
    assert_snapshot!(all.join("\n"));
}

#[test]
fn yaml_says_the_same_as_json() {
    for name in ["s1-hook-error-in-scope", "s4-agent-lost", "s7-peer-scope-never-left"] {
        let files = sample(name);
        let as_yaml: Vec<String> = files.iter().map(|it| yaml(it)).collect();
        let [one, other] =
            [files, as_yaml].map(|it| shown(&it.iter().map(String::as_str).collect::<Vec<_>>()));
        assert_eq!(one, other);
    }
}

/// JSON as YAML in blocks, as Juju writes it.
fn yaml(json: &str) -> String {
    fn write(value: &serde_json::Value, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        match value {
            serde_json::Value::Object(map) if !map.is_empty() => {
                text.push('\n');
                for (key, value) in map {
                    let _ = write!(text, "{indent}{}:", serde_json::Value::from(key.as_str()));
                    write(value, depth + 1, text);
                }
            }
            serde_json::Value::Array(items) if !items.is_empty() => {
                text.push('\n');
                for item in items {
                    let _ = write!(text, "{indent}-");
                    write(item, depth + 1, text);
                }
            }
            other => {
                let _ = writeln!(text, " {other}");
            }
        }
    }
    let mut text = String::new();
    write(&serde_json::from_str(json).expect("it is JSON"), 0, &mut text);
    text
}

#[test]
fn with_status_alone_the_answer_is_never_less_careful() {
    for (name, whole) in [
        ("s1-hook-error-in-scope", StuckVerdict::UntilYouAct),
        ("s2-removed-while-allocating", StuckVerdict::ForEver),
        ("s4-agent-lost", StuckVerdict::UntilYouAct),
    ] {
        let files = sample(name);
        assert_eq!(diagnosed(&[&files[0], &files[1]]).report.verdict, whole, "{name}");
        let alone = diagnosed(&[&files[0]]).report.verdict;
        assert_ne!(alone, StuckVerdict::GoesByItself, "{name}");
    }
}

/// The output for an application without units, which a relation holds.
const LEFT: [&str; 2] = [
    r#"{"model": {"name": "fir", "version": "3.6.14"},
      "machines": {"0": {"juju-status": {"current": "started"}, "instance-id": "i-0"}},
      "applications": {
        "vaultlet": {"life": "dying", "relations": {"certs": [
          {"related-application": "gate", "interface": "tls", "scope": "global"}]}},
        "gate": {"relations": {"tls": [
          {"related-application": "vaultlet", "interface": "tls", "scope": "global"}]},
          "units": {"gate/3": {"machine": "0", "workload-status": {"current": "active"},
            "juju-status": {"current": "idle", "version": "3.6.14"}}}}}}"#,
    r#"{"gate/3": {"machine": "0", "life": "alive"}}"#,
];

/// Juju does not show scopes that have no counterpart left, so it is open whether a unit is in
/// scope.
#[test]
fn nobody_may_be_in_the_scope_of_a_relation_that_holds_an_application() {
    assert_snapshot!(shown(&LEFT));
}

/// A dump of the database decides between the two cases.
#[test]
fn the_database_says_who_is_in_scope() {
    let [status, units] = LEFT;
    let dump = |scopes: &str| {
        format!(
            r#"{{"relations": [{{"key": "vaultlet:certs gate:tls", "id": 5, "life": 1}}],
            "relationscopes": [{scopes}], "units": [{{"name": "gate/3", "life": 0}}],
            "unitstates": [{{"_id": "uuid:u#gate/3", "relation-state": {{"5": "id: 5"}}}}]}}"#
        )
    };
    let someone = dump(r#"{"key": "r#5#requirer#gate/3"}"#);
    let verdict = |dump: &str| diagnosed(&[status, units, dump]).report.verdict;
    assert_eq!(verdict(&someone), StuckVerdict::GoesByItself);
    assert_eq!(verdict(&dump("")), StuckVerdict::Inconsistent);
    let gone = dump(r#"{"key": "r#5#requirer#gate/3"}, {"key": "r#5#requirer#gate/1"}"#);
    assert_eq!(verdict(&gone), StuckVerdict::Undecided, "gate/1 is gone and in scope");
    assert_snapshot!(shown(&[status, units, &dump("")]));
}

/// A unit that is Dying on a machine of which no instance could be started.
#[test]
fn a_failed_start_holds_a_unit() {
    let status = r#"{"model": {"name": "ash", "version": "3.6.14"},
      "machines": {"8": {"juju-status": {"current": "pending"}, "instance-id": "pending",
        "machine-status": {"current": "provisioning error", "message": "no hosts"}}},
      "applications": {"web": {"life": "dying", "units": {"web/3": {"machine": "8",
        "workload-status": {"current": "waiting"}, "juju-status": {"current": "allocating"}}}}}}"#;
    let units = r#"{"web/3": {"machine": "8", "life": "dying"}}"#;
    assert_snapshot!(shown(&[status, units]));
}

/// Storage is not modelled, and may hold a unit that would go by itself.
#[test]
fn what_is_not_modelled_leaves_it_open() {
    let status = r#"{"model": {"name": "yew", "version": "3.6.14"},
      "machines": {"0": {"juju-status": {"current": "started"}, "instance-id": "i-0"}},
      "applications": {"pg": {"units": {"pg/2": {"machine": "0",
        "workload-status": {"current": "active"},
        "juju-status": {"current": "idle", "version": "3.6.14"}}}}},
      "storage": {"storage": {"data/0": {"attachments": {"units": {"pg/2": {}}}}}}}"#;
    assert_snapshot!(shown(&[status, r#"{"pg/2": {"life": "dying"}}"#]));
    assert_eq!(diagnosed(&[status]).report.verdict, StuckVerdict::Undecided);
    let alive = diagnosed(&[status, r#"{"pg/2": {"life": "alive"}}"#]).report.verdict;
    assert_eq!(alive, StuckVerdict::GoesByItself);
}

/// An application that nothing refers to is inconsistent, whatever the hidden fields are.
#[test]
fn an_application_that_nothing_refers_to_is_inconsistent() {
    let status = r#"{"model": {"name": "oak", "version": "2.9.42"}, "machines": {},
      "applications": {"web": {"life": "dying"}}}"#;
    assert_snapshot!(shown(&[status]));
}

/// The output for a Dying unit that is related to an application without units: it does not show
/// whether the unit is in the scope of that relation.
#[test]
fn whatever_may_hold_a_unit_is_considered() {
    let status = r#"{"model": {"name": "ivy", "version": "4.0.1"},
      "machines": {"0": {"juju-status": {"current": "down"}, "instance-id": "i-0"}},
      "applications": {
        "pg": {"relations": {"db": [
          {"related-application": "web", "interface": "sql", "scope": "global"}]},
          "units": {"pg/0": {"machine": "0", "workload-status": {"current": "unknown"},
            "juju-status": {"current": "lost", "version": "4.0.1"}}}},
        "web": {"relations": {"db": [
          {"related-application": "pg", "interface": "sql", "scope": "global"}]}}}}"#;
    let considered = diagnosed(&[status, r#"{"pg/0": {"life": "dying"}}"#]).considered;
    for (what, said) in [
        ("it is in scope", r#"entered = ["pg/0"]"#),
        ("it is not", "entered = []"),
        ("its agent knows", r#""pg:db web:db" = ["pg/0"]"#),
        ("its agent forgot", r#""pg:db web:db" = []"#),
        ("the relation is Dying", r#", "pg:db web:db"]"#),
        ("its machine is broken", r#"undetected-hardware-failure = ["0"]"#),
        ("its agent is stopped", "downtime = true"),
        ("it was replaced", r#""pg/0" = "none""#),
    ] {
        let has = considered.iter().filter(|it| it.scenario.contains(said)).count();
        assert!((1..considered.len()).contains(&has), "{what}: {has} of {}", considered.len());
    }
    for (number, one) in considered.iter().enumerate() {
        let is_same = |other: &&Considered| other.scenario == one.scenario;
        assert_eq!(considered.iter().position(|it| is_same(&it)), Some(number), "each once");
    }
}
