//! Malicious input: endless lines, deceptive letters, names that look like answers.

use std::{ffi::OsStr, fs};

use insta::assert_snapshot;

use crate::fixture::{AS_EXPECTED, Folder, NOT_ASKED, bug_not_known, unit};

/// An escape sequence, a control byte, a carriage return, a C1 control, a right-to-left override,
/// marks, a separator of lines, a character that is none, and a line that looks like ours.
const NASTY: &str =
    "\u{1b}[2J\u{1}\r\u{9b}31m\u{202e}\u{61c}\u{200f}\u{2028}\u{fffe}\nok    all  is well";

/// Whether a terminal shows every letter as a letter, and no line looks like an answer.
pub(crate) fn is_harmless(text: &str) -> bool {
    let is_trick = |letter: char| {
        letter != '\n' && letter.is_control()
            || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{fffe}' | '\u{ffff}')
            || ('\u{2028}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
    };
    !text.contains(is_trick) && !text.lines().any(|line| line.starts_with("ok    all"))
}

/// The stdout and stderr of a run.
fn written(folder: &Folder, args: &[&str]) -> (String, String) {
    let output = folder.command(args).output().expect("it runs");
    let code = output.status.code().expect("it ends by itself");
    assert!((0..=3).contains(&code), "{args:?} exits with {code}");
    let text = |bytes| String::from_utf8(bytes).expect("it writes text");
    (text(output.stdout), text(output.stderr))
}

/// The text as a string of TOML or JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[test]
fn a_line_of_any_length_is_shown_in_a_few() {
    let folder = Folder::new();
    let long = "x".repeat(70_000);
    let bad = [
        ("junk", format!("shows = \"{long}\" oops\n")),
        ("key", format!("{long} = 1\n")),
        ("value", format!("shows = \"A test.\"\n[world]\ntransactions = \"{long}\"\n")),
        ("table", format!("shows = \"A test.\"\n[world.machines]\n0 = {{ {long} = 1 }}\n")),
        (
            "machine",
            format!("shows = \"A test.\"\n[world.machines]\n0 = {{ host = \"{long}\" }}\n"),
        ),
        ("name", format!("shows = \"A test.\"\n[world.machines]\n\"{long}\" = {{}}\n")),
        ("command", format!("{}\n[user]\n\"{long} wordpress/0\" = 1\n", unit())),
        ("unit", format!("{}\n[user]\n\"destroy-unit {long}\" = 1\n", unit())),
        ("step", unit().replace("client: destroy-unit wordpress/0", &long)),
        ("outcome", unit().replace("wordpress/0\n", &format!("wordpress/0 => refused: {long}\n"))),
        ("variant", format!("{}\n[variants]\n{long} = \"{long}\"\n", unit())),
        ("claim", unit().replace("a Dead unit is removed", &long)),
        ("clause", unit().replace("remove-unit.1", &long)),
        ("letters", format!("shows = \"{}\" oops\n", "\u{9b}é字".repeat(30_000))),
    ];
    for (name, text) in bad {
        fs::write(folder.path("bad.toml"), text).expect("written");
        for command in ["check", "replay", "simulate", "list scenarios"] {
            let assert = folder.run(&format!("{command} bad.toml")).code(NOT_ASKED);
            let stderr = &assert.get_output().stderr;
            assert!(stderr.len() < 4096, "{command} {name}: {} bytes", stderr.len());
            assert!(stderr.len() > 40, "{command} {name} says what is wrong");
        }
    }
}

#[test]
fn a_place_in_a_long_line_is_shown_with_what_is_around_it() {
    let line = "x".repeat(70_000);
    let folder = Folder::new().with("long.toml", format!("shows = \"{line}\" oops # {line}\n"));
    assert_snapshot!(folder.seen("check long.toml"));
}

#[test]
fn columns_count_what_an_editor_shows() {
    let folder = Folder::new()
        .with("mark.toml", "\u{feff}showz = \"A test.\"\n")
        .with("letters.toml", "shows = \"äöü 字 🙂\" oops\n")
        .with("return.toml", "shows = \"A test.\"\n# a\rb\noops\n");
    for (file, place) in [
        ("mark.toml", "mark.toml:1:1]"),
        ("letters.toml", "letters.toml:1:19]"),
        ("return.toml", "return.toml:2:5]"),
    ] {
        let (_, stderr) = written(&folder, &["check", file]);
        assert!(stderr.contains(place), "{stderr}");
        assert!(is_harmless(&stderr), "{stderr:?}");
    }
}

#[test]
fn what_is_no_text_has_a_place() {
    let folder = Folder::new().with("zero.toml", "shows = \"A test.\"\n# a\0b\n");
    let (_, stderr) = written(&folder, &["check", "zero.toml"]);
    assert!(stderr.contains("zero.toml:2:4]") && is_harmless(&stderr), "{stderr}");
}

#[cfg(unix)]
#[test]
fn nasty_names_are_shown_escaped_by_every_command() {
    let shows = quoted(&NASTY.replace('\n', " "));
    let world = unit().replace("\"A Dead unit is removed by its deployer.\"", &shows);
    let script = world.replace("client: destroy", "# \\u001b[2J\\u009b\nclient: destroy");
    let bug = bug_not_known().replace("shows = \"", "shows = \"\\u001b[2J\\u202e ");
    let folder = Folder::new();
    let (good, bad, bugs) =
        (format!("{NASTY}.toml"), format!("{NASTY}bad.toml"), format!("{NASTY}bug.toml"));
    for (name, text) in [(&good, script.as_str()), (&bad, "shows = 1\n"), (&bugs, &bug)] {
        fs::write(folder.path(name), text).expect("written");
    }
    let journal = format!("{NASTY}.jsonl");
    let outputs = ["text", "json", "junit"];
    for format in outputs {
        for args in [
            vec!["check", &good, "--verbose"],
            vec!["check", &bugs, "--verbose"],
            vec!["check", &good, "--max-states", "1"],
            vec!["check", &good, "--engine", "stateright"],
            vec!["check", &bad],
            vec!["check", &good, "--output", "missing/\u{1b}[2J"],
            vec!["simulate", &good, "--seeds", "0..3", "--verbose"],
            vec!["simulate", &bugs, "--seeds", "0..60", "--keep-going", "--verbose"],
        ] {
            let (stdout, stderr) = written(&folder, &[&args[..], &["--format", format]].concat());
            assert!(is_harmless(&stdout), "{args:?}: {stdout:?}");
            assert!(is_harmless(&stderr), "{args:?}: {stderr:?}");
        }
    }
    folder
        .command(&["simulate", &bugs, "--seeds", "0..60", "--keep-going", "--journal", &journal])
        .assert()
        .code(1);
    for args in [
        vec!["list", "scenarios", &good],
        vec!["list", "scenarios", &good, "--format", "json"],
        vec!["replay", &good],
        vec!["replay", &good, &bugs],
        vec!["replay", &bad],
        vec!["replay", &bugs, "--seed", "3", "--verbose"],
        vec!["shrink", &good],
        vec!["shrink", &bugs, "--seed", "17"],
        vec!["shrink", &bugs, "--seed", "17", "--format", "json"],
        vec!["explore", &bad],
        vec!["merge", &journal],
        vec!["merge", &journal, "--format", "json", "--verbose"],
        vec!["merge", &journal, "--format", "junit"],
        vec!["merge", &good],
        vec!["check", "--\u{1b}[2J"],
        vec!["report", "--check", "--quick", "--scenarios", &good],
        vec!["simulate", &good, "--seeds", "0..1", "--journal", &good],
    ] {
        let (stdout, stderr) = written(&folder, &args);
        assert!(is_harmless(&stdout), "{args:?}: {stdout:?}");
        assert!(is_harmless(&stderr), "{args:?}: {stderr:?}");
        assert!(!stdout.is_empty() || !stderr.is_empty(), "{args:?} says nothing");
    }
}

#[test]
fn names_in_json_are_what_they_are() {
    let name = "a\u{1b}\u{9b}\u{202e}b";
    let folder = Folder::new();
    fs::write(folder.path(&format!("{name}.toml")), unit()).expect("written");
    let (stdout, _) = written(&folder, &["check", &format!("{name}.toml"), "--format", "json"]);
    assert!(stdout.contains(r"a\u001b\u009b\u202eb"), "{stdout}");
    let value: serde_json::Value = serde_json::from_str(&stdout).expect("it is JSON");
    assert_eq!(value["runs"][0]["scenario"], name);
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_can_be_read_and_shown() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = Folder::new();
    let name = OsStr::from_bytes(b"caf\xe9\x1b.toml");
    fs::write(folder.0.path().join(name), unit()).expect("written");
    let mut command = folder.command(&["check"]);
    let output = command.arg(name).output().expect("it runs");
    assert_eq!(output.status.code(), Some(AS_EXPECTED));
    let stdout = String::from_utf8(output.stdout).expect("it writes text");
    assert!(is_harmless(&stdout) && stdout.contains(r"\u{1b}"), "{stdout:?}");
}

#[test]
fn not_all_of_very_many_problems_are_shown() {
    let mut folder = Folder::new();
    for number in 0..300 {
        folder = folder.with(&format!("bad/{number}.toml"), "shows = 1\n");
    }
    let (_, stderr) = written(&folder, &["check", "bad"]);
    assert!(stderr.contains("and 280 more problems"), "{stderr}");
    assert_eq!(stderr.matches("invalid type").count(), 20);
}

/// A GitHub workflow takes a line that begins with two colons, after any spaces, for a command.
#[test]
fn no_line_is_a_command_of_a_workflow() {
    let world = "world.applications.wordpress = { units = [\"1\"] }\n";
    let name = "every unit is what is said of it, and ::error file=a,line=1::somebody else's words";
    let always = format!("own.\"{name}\".always = \"units.all(u, u.life != 'alive')\"\n");
    let folder = Folder::new().with("a.toml", format!("shows = \"A test.\"\n{world}{always}"));
    for line in ["check a.toml", "simulate a.toml --seeds 0..2", "check a.toml --verbose"] {
        let args: Vec<&str> = line.split(' ').collect();
        let (stdout, _) = written(&folder, &args);
        assert!(!stdout.lines().any(|line| line.trim_start().starts_with("::")), "{stdout}");
        assert!(stdout.contains("error file=a"), "{stdout}");
    }
}

#[test]
fn the_name_of_a_case_is_escaped() {
    let text = "shows = \"A test.\"\nworld.applications.wordpress = { units = [\"1\"] }\n\
                own.\"x\\u202ey\".reachable = \"units.all(u, u.life == 'alive')\"\n";
    let folder = Folder::new().with("a.toml", text);
    for line in ["check a.toml", "simulate a.toml --seeds 0..2"] {
        let args: Vec<&str> = line.split(' ').chain(["--format", "junit"]).collect();
        let (stdout, _) = written(&folder, &args);
        assert!(is_harmless(&stdout) && stdout.contains("x\\u{202e}y"), "{stdout}");
    }
}

#[test]
fn what_goes_to_no_terminal_has_colours_only_where_a_flag_says_so() {
    let folder = Folder::new().with("unit.toml", unit());
    for format in ["text", "github"] {
        let mut command = folder.command(&["check", "unit.toml", "--format", format]);
        let output = command.env("CLICOLOR_FORCE", "1").output().expect("it runs");
        assert!(!output.stdout.contains(&0x1b), "{format}");
    }
}

#[test]
fn a_rule_of_any_name_is_shown_escaped() {
    let rule = quoted(&format!("rule {NASTY}"));
    let text = format!(
        "{}\n[rule.{rule}]\nonly = \"set-unit-dead\"\nactor = \"unit-agent\"\n\
         each = \"unit\"\nwhen = 'true'\n",
        unit().replace("client: destroy-unit", "user: destroy-unit")
    );
    let folder = Folder::new().with("rule.toml", text);
    for line in [&["replay", "rule.toml"][..], &["replay", "rule.toml", "--seed", "1"]] {
        for flags in [&[][..], &["--verbose"]] {
            let args = [line, flags].concat();
            let (stdout, stderr) = written(&folder, &args);
            assert!(is_harmless(&stdout) && is_harmless(&stderr), "{args:?}: {stdout}{stderr}");
        }
    }
}

#[test]
fn letters_that_xml_forbids_are_escaped() {
    let text = format!("{}\n[own.\"no \\uFFFE, no \\uFFFF\"]\nalways = 'true'\n", unit());
    let folder = Folder::new().with("forbidden.toml", text);
    let (xml, _) = written(&folder, &["check", "forbidden.toml", "--format", "junit"]);
    assert!(!xml.contains(['\u{fffe}', '\u{ffff}']) && xml.contains("no \\u{fffe}"), "{xml}");
}
