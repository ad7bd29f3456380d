//! The other commands.

use std::{process::Stdio, time::Duration};

use insta::assert_snapshot;
use predicates::prelude::*;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, bug_as_it_is, json, unit};

#[test]
fn replay_shows_what_each_step_changes() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    assert_snapshot!(folder.seen("replay unit.toml"));
    assert_snapshot!(folder.seen("replay unit.toml bug.toml"));
    folder.run("replay ./bug.toml").code(AS_EXPECTED).stdout("bug has no steps\n");
}

#[test]
fn lists_name_what_there_is() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("list scenarios bug.toml unit.toml"));
    assert_snapshot!(folder.seen("list scenarios bug.toml --format json"));
    for (what, name) in [
        ("claims", "a Dying unit is removed"),
        ("variants", "relation-tracking"),
        ("clauses", "remove-unit.4"),
    ] {
        let contains = || predicate::str::contains(name);
        folder.run(&format!("list {what}")).code(AS_EXPECTED).stdout(contains());
        let assert = folder.run(&format!("list {what} --format json")).code(AS_EXPECTED);
        let list = json(&assert);
        assert_eq!(list["command"], format!("list {what}"));
        let names = list[what].as_array().expect("an array").iter();
        assert!(names.clone().any(|item| item["name"] == name), "{what}");
    }
    folder.run("list everything").code(NOT_ASKED);
    folder.run("list claims bug.toml").code(NOT_ASKED);
}

#[test]
fn the_schema_is_json() {
    let folder = Folder::new();
    let assert = folder.run("schema").code(AS_EXPECTED);
    assert!(json(&assert)["properties"]["world"].is_object());
}

#[test]
fn only_this_machine_may_explore() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is()).with("unit.toml", unit());
    assert_snapshot!(folder.seen("explore bug.toml --address 0.0.0.0:3000"));
    assert_snapshot!(folder.seen("explore bug.toml --address localhost"));
    folder.run("explore .").code(NOT_ASKED).stderr(predicate::str::contains("more than one"));

    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = taken.local_addr().expect("it has one");
    let assert = folder.run(&format!("explore bug.toml --address {address}")).code(NOT_ASKED);
    assert.stderr(predicate::str::contains("failed to serve on 127.0.0.1"));
}

#[test]
fn explore_serves_the_world_to_a_browser() {
    let folder = Folder::new().with("unit.toml", unit());
    let address = {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
        free.local_addr().expect("it has one")
    };
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("deathwatch"))
        .current_dir(&folder.0)
        .args(["explore", "unit.toml", "--address", &address.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let answer = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(50));
        get(address, "/.states/").ok()
    });
    child.kill().expect("it still serves");
    child.wait().expect("it ends");
    let answer = answer.expect("it answers within ten seconds");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("life: Dead"), "it begins where the script ends:\n{answer}");
}

/// What a server answers to a browser.
fn get(address: std::net::SocketAddr, path: &str) -> std::io::Result<String> {
    use std::io::{Read as _, Write as _};

    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[test]
fn help_says_what_each_command_answers() {
    let folder = Folder::new();
    assert_snapshot!(folder.seen("--help"));
    for command in ["check", "replay", "explore", "list", "shrink", "schema"] {
        let both = predicate::str::contains("Answers: ").and(predicate::str::contains("Examples:"));
        folder.run(&format!("{command} --help")).code(AS_EXPECTED).stdout(both);
    }
    folder.run("").code(NOT_ASKED);
    folder.run("chekc").code(NOT_ASKED).stderr(predicate::str::contains("'check'"));
}
