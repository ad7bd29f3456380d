//! Input that Juju did not print, or that is cut off: the error names file and place, and no
//! secret.

use std::fmt::Write as _;

use deathwatch_diagnose::Juju;
use deathwatch_documents::diagnosis::StuckVerdict;
use insta::assert_snapshot;

use super::{diagnosed, paged, read, shown};

/// A text in settings that no output may contain.
const SECRET: &str = "hunter2-correct-horse";

fn refused(files: &[&str]) -> String {
    use miette::Diagnostic as _;
    let Err(problem) = read(files) else { panic!("this should not be read: {files:?}") };
    let help = problem.help().map(|it| format!("\n  {it}")).unwrap_or_default();
    let said = format!("{problem}{help}");
    assert!(!said.contains(SECRET), "{said}");
    said
}

#[test]
fn what_is_no_output_of_juju_is_refused() {
    let status = r#"{"machines": {}, "applications": {}}"#;
    let table = "Model  Controller  Cloud/Region  Version\nacorn  hive        orchard       4.1\n";
    let deep = "- ".repeat(5000);
    let nested = "[".repeat(5000);
    let cases: Vec<(&str, Vec<&str>)> = vec![
        ("empty", vec![""]),
        ("a table", vec![table]),
        ("broken off", vec!["{\n \"machines\": {\n  \"0\": {\"juju-status\": {\"curr"]),
        ("a secret in bad JSON", vec!["{\"password\": \"hunter2-correct-horse\", }"]),
        ("a secret in bad YAML", vec!["password: hunter2-correct-horse\n bad: [\n"]),
        ("deep YAML", vec![&deep]),
        ("deep JSON", vec![&nested]),
        ("anchors", vec!["a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"]),
        ("tags", vec!["a: !!python/object {x: 1}\n"]),
        ("two documents", vec!["machines: {}\n---\nmachines: {}\n"]),
        ("1.x", vec![r#"{"environment": "e", "machines": {}}"#]),
        ("1.x in YAML", vec!["machines:\n  \"0\":\n    agent-state: started\n"]),
        ("one machine", vec![r#"{"model": "m", "machines": {}}"#]),
        ("a dump alone", vec![r#"{"relationscopes": [], "units": []}"#]),
        (
            "a dump of another model",
            vec![status, r#"{"relationscopes": [], "units": [{"name": "pg/0", "life": 1}]}"#],
        ),
        (
            "a dump with another life",
            vec![status, r#"{"relationscopes": [], "units": [{"name": "pg/0", "life": 7}]}"#],
        ),
        ("two statuses", vec![status, status]),
        ("no status", vec![r#"{"a/0": {"life": "dying"}}"#]),
        ("something else", vec![r#"{"kind": "Deployment"}"#]),
        ("mixed models", vec![status, r#"{"pg/0": {"life": "dying"}}"#]),
        ("a list for a table", vec![r#"{"machines": [], "applications": {}}"#]),
        (
            "an unknown life",
            vec![r#"{"machines": {}, "applications": {"pg": {"life": "hunter2-correct-horse"}}}"#],
        ),
        ("a bad number", vec![r#"{"machines": {"zero": {}}, "applications": {"pg": {}}}"#]),
        (
            "a bad unit",
            vec![r#"{"machines": {}, "applications": {"pg": {"units": {"pg/x": {}}}}}"#],
        ),
    ];
    let shown = TWO_UNITS;
    let unit = |name: &str, info: &str| format!(r#""{name}": {{"relation-info": [{info}]}}"#);
    let info = |id: u8, ends: [&str; 2], in_scope: bool| {
        let [own, other] = ends;
        format!(
            r#"{{"relation-id": {id}, "endpoint": "{own}", "related-endpoint": "{other}",
            "local-unit": {{"in-scope": {in_scope}}}, "related-units": {{"web/0": {{"in-scope": true}}}}}}"#
        )
    };
    let both = |first: &str, second: &str| {
        format!("{{{}, {}}}", unit("pg/0", first), unit("web/0", second))
    };
    let (pg, web) = (info(1, ["db", "sql"], true), info(1, ["sql", "db"], true));
    let other_scope = both(&pg, &info(1, ["sql", "db"], false));
    let other_ends = both(&info(1, ["admin", "sql"], true), &web);
    let cases = cases.into_iter().chain([
        ("another machine", vec![shown, r#"{"pg/0": {"machine": "1"}}"#]),
        ("another scope", vec![shown, &other_scope]),
        ("another relation of the number", vec![shown, &other_ends]),
    ]);
    assert!(read(&[shown, &both(&pg, &web)]).is_ok());
    let mut text = String::new();
    for (what, files) in cases {
        let _ = writeln!(text, "{what}: {}\n", refused(&files));
    }
    assert_snapshot!(text);
}

#[test]
fn what_is_no_text_is_refused() {
    for (bytes, said) in [
        (&b"{\"a\":\n\"\xFF\xFE\"}"[..], "status.json:2: this is not UTF-8 text"),
        (b"\xFF\xFE{\0}\0", "status.json:1: this is UTF-16 text, as PowerShell writes it"),
        (b"\xFE\xFF\0{\0}", "status.json:1: this is UTF-16 text"),
        (b"\x1F\x8B\x08\0", "status.json:1: this is a compressed archive"),
        (b"\xFD7zXZ\0\0", "status.json:1: this is a compressed archive"),
    ] {
        let files = [("status.json".to_owned(), bytes.to_vec())];
        let problem = Juju::read(&files).err().map(|it| it.to_string());
        assert_eq!(problem.as_deref(), Some(said));
    }
}

/// A model of two related units.
const TWO_UNITS: &str = r#"{"model": {"name": "m", "version": "3.6.14"},
  "machines": {
    "0": {"juju-status": {"current": "started"}, "instance-id": "i-0"},
    "1": {"juju-status": {"current": "started"}, "instance-id": "i-1"}},
  "applications": {
    "pg": {"relations": {"db": [{"related-application": "web", "interface": "pgsql"}]},
      "units": {"pg/0": {"machine": "0", "workload-status": {"current": "active"},
        "juju-status": {"current": "idle", "version": "3.6.14"}}}},
    "web": {"relations": {"sql": [{"related-application": "pg", "interface": "pgsql"}]},
      "units": {"web/0": {"machine": "1", "workload-status": {"current": "active"},
        "juju-status": {"current": "idle", "version": "3.6.14"}}}}}}"#;

/// A status that no Juju is known to print may be that of something broken.
#[test]
fn a_status_that_is_not_known_leaves_it_open() {
    let units = r#"{"pg/0": {"life": "alive"}, "web/0": {"life": "alive"}}"#;
    let verdict = |status: &str| diagnosed(&[status, units]).report.verdict;
    assert_eq!(verdict(TWO_UNITS), StuckVerdict::GoesByItself);
    for (known, unknown) in [("idle", "excuting"), ("started", "dwon"), ("active", "eror")] {
        let status = TWO_UNITS.replacen(&format!("\"{known}\""), &format!("\"{unknown}\""), 1);
        assert_eq!(verdict(&status), StuckVerdict::Undecided, "{unknown}");
        let told = shown(&[&status, units]);
        assert!(told.contains("none that Juju is known to print"), "{told}");
        assert!(!told.contains(unknown), "{told}");
    }
}

/// YAML that is cut off at the end of a line is YAML, and the missing part may hold something.
#[test]
fn yaml_that_may_break_off_leaves_it_open() {
    let status = "model:\n  name: m\n  version: 3.6.14\nmachines: {}\napplications:\n  pg: {}\n";
    let whole = format!("{status}controller:\n  timestamp: 04:15:00Z\n");
    let verdict = |status: &str| diagnosed(&[status]).report.verdict;
    assert_eq!(verdict(&whole), StuckVerdict::GoesByItself);
    assert_eq!(verdict(status), StuckVerdict::Undecided);
}

/// Settings, addresses, messages and other possible secrets are in no output.
#[test]
fn secrets_are_not_kept() {
    let status = format!(
        r#"{{"model": {{"name": "m", "version": "3.6.14", "{SECRET}": "{SECRET}"}},
      "machines": {{"0": {{"juju-status": {{"current": "down", "since": "at {SECRET}", "message": "{SECRET}"}},
        "instance-id": "{SECRET}", "dns-name": "{SECRET}", "hostname": "{SECRET}",
        "machine-status": {{"current": "running", "message": "{SECRET}"}}}}}},
      "applications": {{"pg": {{"life": "dying", "charm": "{SECRET}",
        "relations": {{"peers": [{{"related-application": "pg", "interface": "{SECRET}"}}]}},
        "units": {{"pg/7": {{"machine": "0", "public-address": "{SECRET}",
          "workload-status": {{"current": "error", "message": "hook failed: \"{SECRET} x\""}},
          "juju-status": {{"current": "lost", "message": "running {SECRET} {SECRET}",
            "version": "3.6.14"}}}}}}}}}}}}"#
    );
    let units = format!(
        r#"{{"pg/7": {{"machine": "0", "life": "dying", "address": "{SECRET}", "relation-info": [
      {{"relation-id": 0, "endpoint": "peers", "related-endpoint": "peers",
        "application-data": {{"password": "{SECRET}"}}, "data": {{"key": "{SECRET}"}},
        "local-unit": {{"in-scope": true, "data": {{"password": "{SECRET}"}}}}}}]}}}}"#
    );
    let diagnosed = diagnosed(&[&status, &units]);
    let json = serde_json::to_string(&diagnosed.report).expect("all keys are text");
    let page = paged(&[&status, &units]);
    let all = [shown(&[&status, &units]), json, page, diagnosed.scenarios.concat()].concat();
    assert!(all.contains("pg/7"), "real names are shown: {all}");
    assert!(!all.contains(SECRET), "{all}");
    let debug = format!("{:?}", read(&[&status, &units]).expect("it is read"));
    assert!(!debug.contains(SECRET), "{debug}");
}

/// Text of the files is shown as text on a page and on a screen, even if it is markup.
#[test]
fn names_that_are_markup_are_not_shown() {
    let status = r#"{"model": {"name": "<script>alert(1)</script>", "version": "3.6\u001b[2J"},
      "machines": {"0": {"juju-status": {"current": "started", "since": "<b>now</b>"},
        "instance-id": "i-0"}},
      "applications": {"pg": {"units": {"pg/2": {"machine": "0",
        "workload-status": {"current": "error", "message": "hook failed: \"<i>x</i>\""},
        "juju-status": {"current": "idle", "since": "<b>now</b>", "version": "3.6.14"}}}}}}"#;
    let units = r#"{"pg/2": {"life": "dying"}}"#;
    let page = paged(&[status, units]);
    let all = [shown(&[status, units]), page].concat();
    assert!(all.contains("pg/2"), "{all}");
    for bad in ["<script>alert", "<b>now", "<i>x", "\u{1b}"] {
        assert!(!all.contains(bad), "{bad}: {all}");
    }
}

/// A thousand units: ten of them are stuck with their machines.
#[test]
fn what_is_alive_is_cut_away() {
    let (status, units) = large(1_000, 10);
    let diagnosed = diagnosed(&[&status, &units]);
    assert_eq!(diagnosed.report.groups.len(), 10);
    let things = diagnosed.report.groups.iter().map(|it| it.things.len());
    assert_eq!(things.sum::<usize>(), 20, "each with its machine");
}

/// A model of units of one application, of which the first `stuck` are Dying with their machines
/// and have lost agents.
fn large(units: usize, stuck: usize) -> (String, String) {
    let (mut machines, mut shown, mut each) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..units {
        let (is_stuck, life) = (number < stuck, if number < stuck { "dying" } else { "alive" });
        let agent = if is_stuck { "lost" } else { "idle" };
        let machine = if is_stuck { r#""down", "life": "dying""# } else { r#""started""# };
        machines.push(format!(
            r#""{number}": {{"juju-status": {{"current": {machine}}}, "instance-id": "i{number}"}}"#
        ));
        shown.push(format!(
            r#""web/{number}": {{"machine": "{number}", "workload-status": {{"current": "active"}},
            "juju-status": {{"current": "{agent}", "version": "3.6.14"}}}}"#
        ));
        each.push(format!(r#""web/{number}": {{"machine": "{number}", "life": "{life}"}}"#));
    }
    let status = format!(
        r#"{{"model": {{"name": "large", "version": "3.6.14"}}, "machines": {{{}}},
        "applications": {{"web": {{"units": {{{}}}}}}}}}"#,
        machines.join(","),
        shown.join(",")
    );
    (status, format!("{{{}}}", each.join(",")))
}

#[test]
fn fifty_thousand_units_are_read() {
    let (status, units) = large(50_000, 1);
    let diagnosed = diagnosed(&[&status, &units]);
    assert_eq!(diagnosed.report.groups.len(), 1);
}
