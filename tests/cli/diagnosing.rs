//! `diagnose` on the command line: exit codes, formats, the scenario that it writes, and refusals.

use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, stdout_of};

/// The exit codes for verdicts on the model.
const NEEDS_YOU: i32 = 1;
const DEPENDS: i32 = 3;

/// A folder with Juju's output for a model of one unit, pg/7, with these fields.
fn folder(status: &str, unit: &str) -> Folder {
    let status = format!(
        r#"{{"model": {{"name": "m", "version": "3.6.14"}},
        "machines": {{"4": {{"juju-status": {{"current": "started"}}, "instance-id": "i-4"}}}},
        "applications": {{"pg": {{"units": {{"pg/7": {{"machine": "4", {status}}}}}}}}}}}"#
    );
    let units = format!(r#"{{"pg/7": {{"machine": "4", {unit}}}}}"#);
    Folder::new().with("status.json", status).with("units.json", units)
}

/// The fields of a healthy unit's agent, and of a unit whose stop hook failed.
const WELL: &str = r#""juju-status": {"current": "idle", "version": "3.6.14"}"#;
const FAILED: &str = r#""workload-status": {"current": "error", "message": "hook failed: \"stop\""},
    "juju-status": {"current": "idle", "version": "3.6.14"}"#;
const DYING: &str = r#""life": "dying""#;

#[test]
fn the_exit_code_says_whether_it_goes() {
    let told = |text: &'static str| predicate::str::contains(text);
    let alive = folder(WELL, r#""life": "alive""#);
    let run = alive.run("diagnose status.json units.json").code(AS_EXPECTED);
    run.stdout(told("everything is Alive"));
    let dying = folder(WELL, DYING);
    dying.run("diagnose units.json status.json").code(AS_EXPECTED).stdout(told("without you"));
    let failed = folder(FAILED, DYING);
    let run = failed.run("diagnose status.json units.json").code(NEEDS_YOU);
    run.stdout(told("juju resolved --no-retry pg/7").and(told("pg/0").not()));
    let pending = r#"{"model": {"version": "4.0.0"}, "applications": {},
        "machines": {"3": {"juju-status": {"current": "pending", "life": "dying"}}}}"#;
    let pending = Folder::new().with("status.json", pending);
    pending.run("diagnose status.json").code(DEPENDS).stdout(told("(b)"));
    let other = Folder::new().with("status.json", "Model  Controller  Cloud\n");
    let refused = told("a table for people").and(told("juju show-unit"));
    other.run("diagnose status.json").code(NOT_ASKED).stderr(refused);
    other.run("diagnose nowhere.json").code(NOT_ASKED).stderr(told("nowhere.json"));
    let empty = told("no output of `juju status` in it").and(told("juju_status.yaml"));
    other.run("diagnose .").code(NOT_ASKED).stderr(empty);
}

#[test]
fn the_state_is_written_as_a_scenario() {
    let folder = folder(FAILED, DYING);
    folder.run("diagnose status.json units.json --scenario stuck.toml").code(NEEDS_YOU);
    let text = folder.read("stuck.toml");
    assert!(text.contains("# pg/0 is pg/7 in the model."), "{text}");
    folder.run("assume stuck.toml --no-variants").code(AS_EXPECTED);
    let asked = "ask stuck.toml --reachable units.all(u,!u.exists)";
    folder.run(asked).code(AS_EXPECTED);
    let again = "diagnose status.json units.json --scenario status.json";
    folder.run(again).code(NOT_ASKED);
    // One file cannot be both what is written.
    let both = "diagnose status.json units.json --scenario stuck.toml --output stuck.toml";
    folder.run(both).code(NOT_ASKED);
    assert_eq!(folder.read("stuck.toml"), text);
}

#[test]
fn programs_get_one_object() {
    let folder = folder(FAILED, DYING);
    folder.run("diagnose status.json units.json --format json --output out.json").code(NEEDS_YOU);
    let json: serde_json::Value = serde_json::from_str(&folder.read("out.json")).expect("JSON");
    assert_eq!(json["diagnosis"]["verdict"], "until-you-act");
    assert_eq!(json["diagnosis"]["groups"][0]["cases"][0]["holders"][0]["name"], "unit pg/7");
}

/// Secrets in Juju's output are in no output of ours.
#[test]
fn no_format_has_what_is_secret() {
    const SECRET: &str = "hunter2-correct-horse";
    let folder = folder(
        &format!(
            r#""public-address": "{SECRET}", "workload-status": {{"current": "error",
            "message": "hook failed: \"{SECRET} x\"", "since": "at {SECRET}"}},
            "juju-status": {{"current": "executing", "message": "running {SECRET} {SECRET}",
            "since": "{SECRET}", "version": "3.6.14"}}"#
        ),
        &format!(
            r#""life": "dying", "address": "{SECRET}", "relation-info": [{{"relation-id": 0,
            "endpoint": "peers", "related-endpoint": "peers",
            "application-data": {{"password": "{SECRET}"}},
            "local-unit": {{"in-scope": true, "data": {{"password": "{SECRET}"}}}}}}]"#
        ),
    );
    for format in ["text", "json", "html"] {
        let line = format!(
            "diagnose status.json units.json --format {format} --output out --scenario out.toml"
        );
        folder.run(&line).code(NEEDS_YOU).stderr(predicate::str::contains(SECRET).not());
        let all = [folder.read("out"), folder.read("out.toml")].concat();
        assert!(all.contains("pg/7") && !all.contains(SECRET), "{format}: {all}");
    }
}

#[test]
fn a_page_has_the_answer_and_what_frees_it() {
    let folder = folder(FAILED, DYING);
    folder.run("diagnose status.json units.json --format html --output out.html").code(NEEDS_YOU);
    let page = folder.read("out.html");
    for said in [
        "STUCK until you act",
        "its hook stop failed; its agent waits for you",
        "resolve each hook error",
        "juju remove-unit --force pg/7",
        "removes unit pg/7",
        "and all is gone",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains("pg/0"), "{page}");
}

/// A folder as juju-crashdump makes it: only the files with Juju's output are read.
#[test]
fn a_folder_is_read_by_what_is_in_its_files() {
    const SECRET: &str = "hunter2-correct-horse";
    let status = format!(
        "model:\n  name: m\n  version: 3.6.14\nmachines:\n  \"4\":\n    juju-status:\n      \
         current: started\n    instance-id: i-4\napplications:\n  pg:\n    units:\n      pg/7:\n        \
         machine: \"4\"\n        workload-status:\n          current: error\n          \
         message: 'hook failed: \"stop\"'\n        juju-status:\n          current: idle\n          \
         version: 3.6.14\n        public-address: {SECRET}\ncontroller:\n  timestamp: 04:15:00Z\n"
    );
    let controller = "model:\n  name: controller\nmachines: {}\napplications: {}\n";
    let dump = Folder::new()
        .with("dump/juju_status.yaml", &status)
        .with("dump/juju_status_controller.yaml", controller)
        .with("dump/model_config.yaml", format!("proxy-password:\n  Value: {SECRET}\n"))
        .with("dump/storage.yaml", "filesystems: [\n")
        .with("dump/debug_log.txt", format!("unit-pg-7: 04:05:06 ERROR {SECRET}\n"))
        .with("dump/pg_7/addon_output/juju-show-unit/pg_7", "pg/7:\n  life: dying\n")
        .with("dump/pg_7/addon_output/juju-show-machine/4", "model: m\nmachines: {}\n");
    for format in ["text", "json", "html"] {
        let run = dump.run(&format!("diagnose dump --format {format}")).code(NEEDS_YOU);
        let out = stdout_of(&run);
        assert!(out.contains("juju resolved --no-retry pg/7"), "{out}");
        assert!(!out.contains(SECRET), "{out}");
    }
    let again = "diagnose dump --scenario dump/juju_status.yaml";
    dump.run(again).code(NOT_ASKED).stderr(predicate::str::contains("reads that file"));
    let two = dump.with("dump/2/status.yaml", status);
    let both = predicate::str::contains("are both of `juju status`");
    two.run("diagnose dump").code(NOT_ASKED).stderr(both);
    let broken = Folder::new().with("d/units", "pg/7:\n  life: [dying\n");
    let told = predicate::str::contains("d/units:").and(predicate::str::contains("no YAML"));
    broken.run("diagnose d").code(NOT_ASKED).stderr(told);
}

/// Ten stuck units among a thousand that share a relation: the answer takes less than its limit of
/// five seconds.
#[test]
fn a_thousand_units_take_seconds() {
    let (mut machines, mut shown, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..1_000 {
        let (agent, life) = if number < 10 { ("lost", "dying") } else { ("idle", "alive") };
        let machine = if number < 10 { r#""down", "life": "dying""# } else { r#""started""# };
        machines.push(format!(
            r#""{number}": {{"juju-status": {{"current": {machine}}}, "instance-id": "i{number}"}}"#
        ));
        shown.push(format!(
            r#""web/{number}": {{"machine": "{number}", "workload-status": {{"current": "active"}},
            "juju-status": {{"current": "{agent}", "version": "3.6.14"}}}}"#
        ));
        units.push(format!(
            r#""web/{number}": {{"life": "{life}", "relation-info": [{{"relation-id": 1,
            "endpoint": "db", "related-endpoint": "db",
            "related-units": {{"db/0": {{"in-scope": true}}}}}}]}}"#
        ));
    }
    let members: Vec<String> =
        (0..1_000).map(|it| format!(r#""web/{it}": {{"in-scope": true}}"#)).collect();
    units.push(format!(
        r#""db/0": {{"life": "alive", "relation-info": [{{"relation-id": 1, "endpoint": "db",
        "related-endpoint": "db", "related-units": {{{}}}}}]}}"#,
        members.join(",")
    ));
    let end = |other: &str| {
        format!(r#"{{"db": [{{"related-application": "{other}", "interface": "sql"}}]}}"#)
    };
    let status = format!(
        r#"{{"model": {{"name": "large", "version": "3.6.14"}}, "machines": {{{}}},
        "applications": {{"web": {{"units": {{{}}}, "relations": {}}},
        "db": {{"units": {{"db/0": {{"machine": "500", {WELL}}}}}, "relations": {}}}}}}}"#,
        machines.join(","),
        shown.join(","),
        end("db"),
        end("web")
    );
    let units = format!("{{{}}}", units.join(","));
    let folder = Folder::new().with("status.json", status).with("units.json", units);
    folder.run("diagnose status.json units.json --time 5s").code(NEEDS_YOU);
}

#[test]
fn an_agent_that_failed_may_hold_things() {
    let healthy = folder(WELL, DYING);
    let status = healthy.read("status.json");
    let failed = status.replacen("\"current\": \"started\"", "\"current\": \"error\"", 1);
    assert_ne!(status, failed, "{status}");
    let folder = healthy.with("failed.json", failed);
    let run = folder.run("diagnose failed.json units.json").code(DEPENDS);
    run.stdout(predicate::str::contains("a failure of the agent of machine"));
}
