//! Output on a terminal, for people, and elsewhere, for programs.

use std::{fs, path::Path};

use predicates::prelude::*;

use crate::{
    fixture::{
        AS_EXPECTED, CYCLE, Folder, NOT_ASKED, UNDECIDED, UNEXPECTED, bug_as_it_is, bug_not_known,
        json, stdout_of, unit,
    },
    program::program,
};

/// Even the longest names of scenarios are not cut: figures that do not fit behind a name go below
/// it, in as many lines as they take.
#[test]
fn a_line_of_a_shipped_scenario_fits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut check =
        Folder::new().command(&["check", "scenarios/transactions", "scenarios/own-claims"]);
    let checked = check.current_dir(root).assert().code(AS_EXPECTED);
    let text = stdout_of(&checked);
    assert!(text.lines().count() > 100 && !text.contains('…'), "{text}");
    let mut lines = text.lines().peekable();
    let (mut beside, mut below) = (0, 0);
    while let Some(line) = lines.next() {
        let Some(named) = line.strip_prefix("ok    ") else { continue };
        let is_below = !named.contains("  ");
        let figures = if is_below { lines.next().unwrap_or_default() } else { line };
        // A name is shown in full, however long it is.
        assert!(figures.chars().count() <= 80 && named.starts_with("scenarios/"), "{line}");
        let is_size = figures.ends_with(" states") || figures.ends_with(" state");
        assert!(is_size || figures.contains("script of "), "{line}: {figures}");
        *if is_below { &mut below } else { &mut beside } += 1;
    }
    assert!(beside > 3 && below > 100, "{beside} beside, {below} below");
    let mut check = Folder::new()
        .command(&["check", "scenarios/known-bugs/41-peer-scopes-are-never-left.toml"]);
    let text = stdout_of(&check.current_dir(root).assert().code(AS_EXPECTED));
    assert!(text.contains("every number of\n        units beside wordpress/1\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn colours_are_used_where_they_are_asked_for() {
    let folder = Folder::new().with("unit.toml", unit());
    let coloured = predicate::str::contains("\u{1b}[");
    for plain in
        ["check unit.toml", "check unit.toml --color never", "check unit.toml --color auto"]
    {
        folder.run(plain).code(AS_EXPECTED).stdout(coloured.clone().not());
    }
    for place in ["--color always check unit.toml", "check unit.toml --color always"] {
        folder.run(place).code(AS_EXPECTED).stdout(coloured.clone());
    }
    folder.run("check unit.toml --color always --format json").stdout(coloured.clone().not());
    folder.run("check unit.toml --color sometimes").code(NOT_ASKED);
    folder.run("check none.toml --color always").code(NOT_ASKED).stderr(coloured.clone());
    folder.run("check none.toml").code(NOT_ASKED).stderr(coloured.not());
}

/// What a command does on a terminal of 90 columns, which `script` provides, if it is there.
#[cfg(target_os = "linux")]
fn on_terminal(folder: &Folder, line: &str) -> Option<std::process::Output> {
    let command = format!("stty rows 30 cols 90; {} {line}", program().display());
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(folder.path("."));
    script.stdin(std::process::Stdio::null()).output().ok()
}

/// Where there is no terminal, a step is one line for programs.
#[test]
#[cfg(target_os = "linux")]
fn a_step_fits_a_terminal() {
    let folder = Folder::new().with("bug.toml", bug_as_it_is());
    folder.run("replay bug.toml --counterexample --write-scenario run.toml");
    for line in ["replay run.toml --verbose", "replay bug.toml --seed 1"] {
        let Some(told) = on_terminal(&folder, line) else { return };
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        let plain = folder.run(line).get_output().stdout.clone();
        let plain = String::from_utf8(plain).expect("text");
        assert!(told.lines().all(|line| line.trim_end().chars().count() <= 90), "{told}");
        assert!(plain.lines().any(|line| line.chars().count() > 90), "{plain}");
        assert!(told.split_whitespace().eq(plain.split_whitespace()), "{told}");
    }
}

/// A page is not written to a terminal, where nobody can read it.
#[test]
#[cfg(target_os = "linux")]
fn a_page_does_not_go_to_a_terminal() {
    let folder = Folder::new().with("unit.toml", unit());
    let on_terminal = |line: &str| on_terminal(&folder, line);
    let Some(told) = on_terminal("check unit.toml") else { return };
    assert_eq!(told.status.code(), Some(AS_EXPECTED), "{told:?}");
    for line in [
        "check unit.toml --format html",
        "replay unit.toml --format html",
        "assume unit.toml --no-variants --format html",
        "simulate unit.toml --seeds 0..2 --format html",
    ] {
        let refused = on_terminal(line).expect("it ran before");
        let said = String::from_utf8_lossy(&refused.stdout).into_owned();
        assert_eq!(refused.status.code(), Some(NOT_ASKED), "{line}: {said}");
        assert!(said.contains("--format html > FILE.html") && !said.contains("<html"), "{said}");
        let to_file = on_terminal(&format!("{line} --output page.html")).expect("it ran before");
        assert_eq!(to_file.status.code(), Some(AS_EXPECTED), "{line}");
    }
}

#[test]
fn quiet_says_what_is_unexpected_and_nothing_else() {
    let folder = Folder::new().with("unit.toml", unit()).with("bug.toml", bug_as_it_is());
    folder.run("check . --quiet").code(AS_EXPECTED).stdout("").stderr("");
    folder.run("simulate bug.toml --quiet --keep-going").code(AS_EXPECTED).stdout("").stderr("");
    // A known failure is not reported as new.
    let folder = folder.with("known.toml", bug_not_known());
    folder.run("check known.toml --journal before.jsonl").code(UNEXPECTED);
    folder.run("check known.toml --quiet --baseline before.jsonl").code(AS_EXPECTED).stdout("");
    fs::remove_file(folder.path("known.toml")).expect("it is there");
    let runs = json(&folder.run("check . -q --format json").code(AS_EXPECTED));
    assert_eq!(runs["runs"].as_array().map(Vec::len), Some(2), "a format is whole");
    folder.run("check . --quiet --verbose").code(NOT_ASKED);
    let folder = folder.with("bug.toml", bug_not_known());
    let one = predicate::str::starts_with("FAIL  bug ")
        .and(predicate::str::contains("2 scenarios: 1 as expected, 1 not as expected"))
        .and(predicate::str::contains("ok  ").not());
    folder.run("check . --quiet").code(UNEXPECTED).stdout(one);
}

/// A summary names a few scenarios of each kind, however many there are.
#[test]
fn a_summary_fits_a_screen() {
    let mut folder = Folder::new();
    for number in 0..30 {
        folder = folder.with(&format!("{number}.toml"), CYCLE);
    }
    let checked = folder.run("check .").code(UNEXPECTED);
    let text = stdout_of(&checked);
    let (_, summary) = text.split_once("30 scenarios: ").expect("a summary");
    assert_eq!(summary.lines().count(), 17, "{summary}");
    assert!(summary.ends_with("and 25 more scenarios not as expected\n"), "{summary}");
    for command in ["check 0.toml --format html --output answers.html", "explore 0.toml"] {
        assert!(summary.contains(&format!("\n  deathwatch {command}\n")), "{summary}");
    }
}

/// On a terminal there are colours and times, and a progress line never wraps, as it could not be
/// removed.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_times_and_progress_that_fits() {
    let large = crate::fixture::LARGE.replace("[claims]", "[check]\nstates = 3000000\n[claims]");
    let folder = Folder::new()
        .with("folder-of-scenarios-with-a-long-name/another-folder/large.toml", large)
        .with("folder-of-scenarios-with-a-long-name/unit.toml", unit());
    let deathwatch = program().display().to_string();
    let inner = format!(
        "stty rows 30 cols 90; env -u CI -u NO_COLOR TERM=xterm {deathwatch} check \
         folder-of-scenarios-with-a-long-name --time 3s --threads 1"
    );
    let mut script = assert_cmd::Command::new("script");
    script.current_dir(folder.0.path()).args(["-qec", &inner, "typescript"]);
    script.timeout(std::time::Duration::from_secs(60)).assert().code(UNDECIDED);
    let typed = fs::read_to_string(folder.path("typescript")).expect("it was written");
    let drawn: Vec<&str> =
        typed.split(['\r', '\n']).filter(|it| it.contains("Exploring")).collect();
    assert!(!drawn.is_empty(), "{typed}");
    for line in typed.split(['\r', '\n']).filter(|it| !it.starts_with("Script")) {
        assert!(plain(line).chars().count() <= 90, "{line}");
    }
    let last = plain(drawn[drawn.len() - 1]);
    for part in ["1/2 ", "large", " of 3.0M states, ", "/s, ", "iB, ", " left"] {
        assert!(last.contains(part), "{part}: {last}");
    }
    let line = typed.lines().find(|line| line.contains("unit ")).expect("the second scenario");
    assert!(line.contains("\u{1b}[") && plain(line).ends_with(" s"), "{line}");
}

/// A line without its escape sequences.
#[cfg(target_os = "linux")]
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest =
        parts.map(|part| part.split_once(|it: char| it.is_alphabetic()).unwrap_or_default().1);
    (first + &rest.collect::<String>()).trim_end().to_owned()
}
