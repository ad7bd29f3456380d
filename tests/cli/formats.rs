//! Formats and outputs.

use std::{fs, process::Stdio};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::{
    fixture::{
        AS_EXPECTED, Folder, LARGE, NOT_ASKED, UNDECIDED, UNEXPECTED, UNIT, bug_as_it_is,
        bug_not_known, json, unit,
    },
    program::program,
};

#[test]
fn json_is_one_object() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("check bug.toml unit.toml --format json"));
}

#[test]
fn junit_has_a_suite_per_folder_and_a_case_per_claim() {
    let folder = Folder::new()
        .with("bugs/known.toml", bug_as_it_is())
        .with("bugs/unknown.toml", bug_not_known())
        .with("units/unit.toml", unit())
        .with("units/wrong.toml", UNIT.replace("dead =", "alive =") + "[check]\nstates = 7\n");
    assert_snapshot!(folder.seen("check bugs units --format junit"));
}

#[test]
fn times_are_shown_only_if_asked_for() {
    let folder = Folder::new().with("unit.toml", unit());
    let seconds = |line: &str| json(&folder.run(line))["runs"][0]["seconds"].clone();
    assert!(seconds("check unit.toml --format json").is_null());
    assert!(seconds("check unit.toml --format json --timings").is_number());
    let text = folder.run("check unit.toml --timings").code(AS_EXPECTED);
    text.stdout(predicate::str::is_match(r"depth 2, \d+\.\d\d s, \d.* KiB").expect("a pattern"));
}

#[test]
fn the_phases_of_a_search_say_for_how_long_all_threads_were_at_work() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let phases = |line: &str| {
        let phases = json(&folder.run(line))["runs"][0]["phases"].clone();
        let of = |key: &'static str| -> Vec<_> {
            phases.as_array().into_iter().flatten().map(|it| it[key].clone()).collect()
        };
        (of("phase"), of("all_busy").iter().all(serde_json::Value::is_number))
    };
    let names = ["exploring", "deciding"].map(serde_json::Value::from).to_vec();
    let line = "check bug.toml --format json --timings";
    assert_eq!(phases(&format!("{line} --threads 2")), (names.clone(), true));
    assert_eq!(phases(&format!("{line} --threads 1")), (names, false));
    assert_eq!(phases("check bug.toml --format json --threads 2").0, [""; 0]);
    let text = folder.run("check bug.toml --timings --threads 2").code(AS_EXPECTED);
    let shares = r"exploring [\d.]+ s, all threads busy for \d+ %; deciding";
    text.stdout(predicate::str::is_match(shares).expect("a pattern"));
}

#[test]
fn an_output_file_is_replaced_as_a_whole() {
    let folder = Folder::new().with("bug.toml", bug_not_known()).with("out.json", "old");
    let to_stdout = folder.run("check bug.toml --format json").get_output().stdout.clone();
    let line = "check bug.toml --format json --output out.json";
    folder.run(line).code(UNEXPECTED).stdout("").stderr("");
    assert_eq!(folder.read("out.json").as_bytes(), to_stdout);
    assert_eq!(folder.names(), ["bug.toml", "out.json"]);
}

#[test]
fn an_output_file_stays_as_it_is_if_the_question_is_bad() {
    let folder = Folder::new().with("bad.toml", "shows = 1\n").with("out.txt", "old");
    folder.run("check bad.toml --output out.txt").code(NOT_ASKED);
    assert_eq!(folder.read("out.txt"), "old");
    assert_eq!(folder.names(), ["bad.toml", "out.txt"]);
}

#[test]
fn an_output_that_cannot_be_written_is_reported_first() {
    let folder = Folder::new().with("large.toml", LARGE);
    assert_snapshot!(folder.seen("check large.toml --output ."));
    assert_snapshot!(folder.seen("check large.toml --output large.toml/out.txt"));
    assert_snapshot!(folder.seen("check large.toml --write-traces large.toml"));
}

#[cfg(unix)]
#[test]
fn an_output_that_is_no_file_is_written_to_and_not_replaced() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};

    let folder = Folder::new().with("unit.toml", unit()).with("real/out.txt", "old");
    folder.run("check unit.toml --output /dev/null").code(AS_EXPECTED);
    let null = fs::metadata("/dev/null").expect("it is there");
    assert!(null.file_type().is_char_device());

    symlink("real/out.txt", folder.path("link.txt")).expect("a link");
    folder.run("check unit.toml --output link.txt").code(AS_EXPECTED);
    assert!(folder.path("link.txt").is_symlink());
    assert!(folder.read("real/out.txt").contains("1 scenario as expected"));
}

/// Output without a reader is not produced.
#[cfg(unix)]
#[test]
fn a_stdout_that_is_closed_or_full_is_noticed() {
    let folder = Folder::new().with("unit.toml", unit());
    let binary = program().display().to_string();
    let run = |line: &str, stdout: &str| {
        let mut shell = assert_cmd::Command::new("sh");
        let script = format!("exec {binary} {line} {stdout}");
        shell.current_dir(folder.0.path()).args(["-c", &script]).assert()
    };
    for line in
        ["check unit.toml", "list claims", "schema", "new my.toml", "--help", "check -h", "-V"]
    {
        let refused = run(line, ">&-").code(NOT_ASKED);
        refused.stderr(predicate::str::contains("standard output is closed"));
        if std::path::Path::new("/dev/full").exists() {
            let full = run(line, ">/dev/full").code(NOT_ASKED);
            full.stderr(predicate::str::contains("failed to write the output"));
            fs::remove_file(folder.path("my.toml")).ok();
        }
        run(line, ">/dev/null").code(AS_EXPECTED).stderr("");
        run(line, "<&- 2>&- | cat >/dev/null").code(AS_EXPECTED);
        fs::remove_file(folder.path("my.toml")).ok();
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = Folder::new().with("unit.toml", unit());
    for (line, code) in [
        ("list clauses", AS_EXPECTED),
        ("schema", AS_EXPECTED),
        ("replay unit.toml", AS_EXPECTED),
        ("check unit.toml", UNDECIDED),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = folder
            .process(line.split_whitespace())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        assert_eq!(output.status.code(), Some(code), "{line}");
    }
}

#[test]
fn a_counterexample_is_a_scenario() {
    let folder = Folder::new().with("bug.toml", bug_not_known());
    folder.run("check bug.toml --write-traces found").code(UNEXPECTED);
    let found = "found/bug/a-dying-relation-is-removed.toml";
    assert_snapshot!(folder.read(found));
    assert_snapshot!(folder.seen(&format!("replay {found}")));
    folder.run("check found").code(AS_EXPECTED);
}

/// Warnings about ineffective settings are in each format for programs.
#[test]
fn warnings_are_data() {
    let world = "shows = \"A warning.\"\nworld.applications.mysql = { units = [\"1\"] }\n\
                 faults.abort = true\nclaims.\"an application counts its units\" = \"holds\"\n";
    let folder = Folder::new().with("a.toml", world);
    let text = "the fault `abort` can strike nothing here: no transaction of an atomic world waits for its commit";
    let answers = json(&folder.run("check a.toml --format json"));
    let warning = &answers["runs"][0]["warnings"][0];
    assert_eq!((&warning["of"], &warning["key"]), (&"fault".into(), &"abort".into()));
    assert_eq!(warning["text"], text);
    let because = warning["because"].as_str().expect("text");
    assert!(text.ends_with(because));
    for (format, says) in [
        ("junit", format!("<system-err>warning: {text}")),
        ("sarif", "\"level\": \"warning\"".to_owned()),
        (
            "github",
            format!(
                "::warning file=a.toml,line=1,title=a%3A all that is allowed can happen::{text}"
            ),
        ),
    ] {
        let told = folder.run(&format!("check a.toml --format {format}"));
        told.stdout(predicate::str::contains(says));
    }
}
