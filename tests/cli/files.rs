//! Files: input is never replaced, output is whole or absent, and nothing else is left behind.

use std::fs;

use predicates::prelude::*;

use crate::{
    fixture::{
        AS_EXPECTED, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known,
        code_after, unit,
    },
    program::program,
};

/// A folder, a link to one of its files, and another name of that file.
#[cfg(unix)]
fn with_aliases() -> Folder {
    let folder = Folder::new().with("unit.toml", unit());
    std::os::unix::fs::symlink("unit.toml", folder.path("link.toml")).expect("linked");
    fs::hard_link(folder.path("unit.toml"), folder.path("other.toml")).expect("linked");
    folder
}

#[cfg(unix)]
#[test]
fn no_command_replaces_what_it_reads() {
    let folder = with_aliases();
    fs::create_dir(folder.path("sub")).expect("made");
    folder.run("simulate unit.toml --seeds 0..3 --journal seeds.jsonl").code(AS_EXPECTED);
    let (unit, seeds) = (folder.read("unit.toml"), folder.read("seeds.jsonl"));
    let names = folder.names();
    for file in ["unit.toml", "./unit.toml", "sub/../unit.toml", "link.toml", "other.toml"] {
        for command in ["check unit.toml", "check .", "simulate unit.toml --seeds 0..3"] {
            let refused = folder.run(&format!("{command} --output {file}"));
            refused.code(NOT_ASKED).stdout("").stderr(predicate::str::contains("reads that file"));
        }
        folder.run(&format!("simulate unit.toml --seeds 0..3 --journal {file}")).code(NOT_ASKED);
        folder.run(&format!("shrink unit.toml --force --output {file}")).code(NOT_ASKED);
        folder.run(&format!("replay unit.toml --seed 1 --write-scenario {file}")).code(NOT_ASKED);
    }
    folder.run("merge seeds.jsonl --output seeds.jsonl").code(NOT_ASKED);
    let line = "simulate unit.toml --seeds 0..3 --journal";
    folder.run(&format!("{line} seeds.jsonl --output sub/../seeds.jsonl")).code(NOT_ASKED);
    folder.run(&format!("{line} new.jsonl --output ./new.jsonl")).code(NOT_ASKED);
    assert_eq!((folder.read("unit.toml"), folder.read("seeds.jsonl")), (unit, seeds));
    assert_eq!(folder.names(), names, "nothing else is left");
}

#[test]
fn a_trace_does_not_replace_what_is_read() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("check bug.toml --write-traces .").code(AS_EXPECTED);
    let trace = "bug/a-dying-relation-is-removed.toml";
    let text = folder.read(trace);
    let refused = folder.run(&format!("check bug.toml {trace} --write-traces ."));
    refused.code(NOT_ASKED).stderr(predicate::str::contains("reads that file"));
    assert_eq!(folder.read(trace), text);
}

#[test]
fn a_trace_replaces_an_earlier_one_and_no_other_file() {
    let trace = "found/bug/a-dying-relation-is-removed.toml";
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with(trace, "# mine\n");
    let refused = folder.run("check bug.toml --write-traces found").code(NOT_ASKED);
    refused.stderr(predicate::str::contains("somebody else has made it"));
    assert_eq!(folder.read(trace), "# mine\n");
    folder.run("check bug.toml --write-traces new").code(AS_EXPECTED);
    folder.run("check bug.toml --write-traces new").code(AS_EXPECTED);
}

/// One rule for every output file: missing folders are made.
#[test]
fn folders_that_are_missing_are_made() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    for (line, file) in [
        ("new FILE", "new/my.toml"),
        ("check bug.toml --output FILE", "check/to/answer.txt"),
        ("check bug.toml --journal FILE", "journal/to/bug.jsonl"),
        ("check bug.toml --write-graph FILE", "graph/to/bug.aut"),
        ("check bug.toml --any-size --certificate FILE", "certificate/to/bug.jsonl"),
        ("replay bug.toml --counterexample --write-scenario FILE", "run/to/bug.toml"),
        ("replay bug.toml --write-end FILE", "end/to/bug.toml"),
        ("simulate bug.toml --seed 1 --journal FILE", "seed/to/bug.jsonl"),
    ] {
        folder.run(&line.replace("FILE", file)).code(AS_EXPECTED);
        assert!(!folder.read(file).is_empty(), "{file}");
    }
}

/// The limit on the size of a file stands for a disk that becomes full.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_that_is_half_written() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let binary = program().display().to_string();
    for (line, file) in [
        ("new my.toml", "my.toml"),
        ("check bug.toml --write-graph bug.aut", "bug.aut"),
        ("check bug.toml --any-size --certificate bug.jsonl", "bug.jsonl"),
        ("man man", "man/deathwatch"),
    ] {
        let script = format!("ulimit -f 0; exec {binary} {line}");
        let mut full = assert_cmd::Command::new("sh");
        let full = full.current_dir(folder.0.path()).args(["-c", &script]).assert();
        full.code(NOT_ASKED)
            .stderr(predicate::str::contains(file))
            .stderr(predicate::str::contains(".deathwatch-").not());
        let left: Vec<_> = folder.names().into_iter().filter(|name| name != "man").collect();
        assert_eq!(left, ["bug.toml"], "{line}");
    }
    assert!(fs::read_dir(folder.path("man")).expect("made").next().is_none());
    folder.run("new my.toml").code(AS_EXPECTED);
}

/// Without a check, a pipe without a reader would block a process for ever.
#[cfg(unix)]
#[test]
fn nobody_is_waited_for_who_does_not_read() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("it runs").success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.path("socket")).expect("made");
    for (file, why) in [("pipe", "it is a pipe that nobody reads"), ("socket", "it is a socket")] {
        for line in [
            "check bug.toml --output",
            "check bug.toml --journal",
            "simulate bug.toml --seed 1 --output",
            "simulate bug.toml --seed 1 --journal",
            "replay bug.toml --output",
            "shrink bug.toml --seed 1 --output",
        ] {
            let refused = folder.run(&format!("{line} {file}")).code(NOT_ASKED).stdout("");
            refused.stderr(predicate::str::contains(why));
        }
    }
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).expect("text"));
    while folder.run("check bug.toml --output pipe").get_output().status.code() == Some(NOT_ASKED) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(reader.join().expect("it ends").contains("1 scenario as expected"));
}

#[test]
fn every_scenario_has_traces_of_its_own() {
    let names = ["a b", "a-b", "A-B", "a_b", "a.b", "sub/a b", "sub-a/b", "aé", "aè"];
    let mut folder = Folder::new();
    for name in names {
        folder = folder.with(&format!("in/{name}.toml"), bug_not_known());
    }
    let long = "x".repeat(200);
    folder = folder.with(&format!("in/{long}1.toml"), bug_not_known());
    folder = folder.with(&format!("in/{long}2.toml"), bug_not_known());
    folder.run("check in --write-traces out").code(UNEXPECTED);
    let files = deathwatch_scenario::find(&[folder.path("out")]).expect("traces");
    assert_eq!(files.len(), names.len() + 2, "{files:?}");
    for name in files.iter().map(|it| it.file.file_name().expect("a name").to_string_lossy()) {
        assert_eq!(name, "a-dying-relation-is-removed.toml");
    }
    let plain = folder.path("out/in/a-b/a-dying-relation-is-removed.toml");
    assert!(plain.exists(), "a name that will do everywhere stays as it is");
    folder.run("replay out").code(AS_EXPECTED);
}

/// Pipes that nothing is written to would block a reader.
#[cfg(unix)]
#[test]
fn only_ordinary_files_are_read() {
    let folder = Folder::new().with("unit.toml", unit());
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.toml")).status();
    assert!(made.expect("it runs").success());
    std::os::unix::fs::symlink("pipe.toml", folder.path("link.toml")).expect("linked");
    let mut files = vec!["pipe.toml", "link.toml", "/dev/null", "/dev/zero", "."];
    // /proc/kmsg is an ordinary file by its kind, and has no end. Only some users may read it.
    files.extend(["/proc/kmsg"].into_iter().filter(|file| std::path::Path::new(file).exists()));
    for file in files {
        let journal = folder.run(&format!("merge {file}")).code(NOT_ASKED).stdout("");
        journal.stderr(predicate::str::is_empty().not());
        if file != "." {
            for command in ["check", "replay", "simulate", "list scenarios", "explore", "shrink"] {
                folder.run(&format!("{command} {file}")).code(NOT_ASKED).stdout("");
            }
        }
    }
}

/// Time that grows with the square of a file's size shows only in large files.
#[test]
fn loading_takes_time_in_proportion_to_the_file() {
    use std::fmt::Write as _;

    let seeds = (0..100_000).fold(String::new(), |mut text, seed| {
        let _ = write!(text, "{seed},");
        text
    });
    let machines = (0..8_000).fold(String::new(), |mut text, id| {
        let _ = writeln!(text, "\"{id}-{}\" = {{}}", "x".repeat(60));
        text
    });
    let long = "x".repeat(60_000);
    let begin = "shows = \"It is large.\"\n[world.machines]\n";
    let folder = Folder::new()
        .with("seeds.toml", format!("{begin}0 = {{}}\n[simulate]\nseeds = [{seeds}]\n"))
        .with("name.toml", format!("{begin}{machines}1 = {{ host = \"{long}\" }}\n"));
    folder.run("replay seeds.toml").code(AS_EXPECTED);
    folder
        .run("check name.toml")
        .code(NOT_ASKED)
        .stderr(predicate::str::contains("no such machine"));
    let run = folder.run("simulate seeds.toml --seeds 0..9 --time 5s --journal seeds.jsonl");
    let again = "simulate seeds.toml --seeds 0..9 --time 1ms --journal seeds.jsonl";
    let code = predicate::in_iter([AS_EXPECTED, UNDECIDED]);
    run.code(code.clone());
    folder.run(again).code(code);
}

/// A signal comes while a file is half written.
#[cfg(unix)]
#[test]
fn nothing_is_left_of_what_was_not_finished() {
    use std::{process::Stdio, thread, time::Duration};

    use crate::fixture::LARGE;

    let endless = LARGE.replace("[claims]", "[simulate]\nstorm = \"8760h\"\n[claims]");
    for (line, files) in [
        ("check large.toml --output answer.txt", 2),
        ("simulate large.toml --seed 1 --output answer.txt", 2),
        // These commands write no partial answer.
        ("replay large.toml --seed 1 --write-scenario answer.toml", 1),
        ("shrink large.toml --seed 1 --output answer.toml", 1),
    ] {
        for signal in ["-INT", "-TERM"] {
            let folder = Folder::new().with("large.toml", &endless);
            let mut child =
                folder.process(line.split(' ')).stderr(Stdio::null()).spawn().expect("it starts");
            while folder.names().len() < 2 {
                assert!(child.try_wait().expect("it is ours").is_none(), "{line} ended by itself");
                thread::sleep(Duration::from_millis(10));
            }
            assert_eq!(code_after(&mut child, signal), Some(UNDECIDED), "{line} {signal}");
            let names = folder.names();
            let is_left = |name: &String| name.starts_with(".deathwatch-");
            assert!(!names.iter().any(is_left), "{line} {signal} leaves {names:?}");
            assert_eq!(names.len(), files, "{names:?}");
        }
    }
}
