//! A transcript: commands with their output. In it `…` stands for omitted text: within a line for
//! any text, alone in a line for any lines.

use std::fmt;

/// The sign for omitted text.
const ELLIPSIS: &str = "…";

/// A command, and the shown part of its output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShownCommand {
    /// The command, as a reader types it.
    pub(crate) command: String,
    /// The lines below it; empty if its output is not shown.
    pub(crate) output: Vec<String>,
}

/// The commands of a block. In the language `console` they follow a `$`, and the other lines are
/// output; in `sh` each line is a command. A `\` at the end of a line continues it.
pub(crate) fn commands(language: &str, text: &str) -> Vec<ShownCommand> {
    let mut found: Vec<ShownCommand> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let command = if language == "sh" { Some(line) } else { line.strip_prefix("$ ") };
        if let Some(first) = command {
            let mut command = first.to_owned();
            while command.ends_with('\\') {
                command.push('\n');
                command.push_str(lines.next().expect("the command goes on"));
            }
            found.push(ShownCommand { command, output: Vec::new() });
        } else {
            let shown = found.last_mut().expect("output follows a command");
            shown.output.push(line.to_owned());
        }
    }
    found.retain(|shown| !shown.command.trim().is_empty());
    found
}

/// Whether `printed` matches the lines of `shown`.
pub(crate) fn matches(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == ELLIPSIS => {
            (0..=printed.len()).any(|left_out| matches(rest, &printed[left_out..]))
        }
        Some((line, rest)) => {
            let Some((first, others)) = printed.split_first() else { return false };
            line_matches(line, first) && matches(rest, others)
        }
    }
}

/// Whether a line matches a shown line.
fn line_matches(shown: &str, printed: &str) -> bool {
    let Some((first, after)) = shown.split_once(ELLIPSIS) else { return shown == printed };
    let (between, last) = after.rsplit_once(ELLIPSIS).unwrap_or(("", after));
    let rest = printed.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
    let Some(mut rest) = rest else { return false };
    for part in between.split(ELLIPSIS) {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    true
}

impl fmt::Display for ShownCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\n{}", self.command, self.output.join("\n"))
    }
}

#[test]
fn commands_are_found_with_their_output() {
    let text = "$ a b \\\n    c\none\ntwo\n$ d\n";
    let shown = |command: &str, output: &[&str]| ShownCommand {
        command: command.to_owned(),
        output: output.iter().map(|&line| line.to_owned()).collect(),
    };
    let found = commands("console", text);
    assert_eq!(found, [shown("a b \\\n    c", &["one", "two"]), shown("d", &[])]);
    assert_eq!(commands("sh", "a\n\nb\n"), [shown("a", &[]), shown("b", &[])]);
}

#[test]
fn an_ellipsis_stands_for_what_is_left_out() {
    let is_shown = |shown: &str, printed: &str| {
        let shown: Vec<String> = shown.lines().map(ToOwned::to_owned).collect();
        matches(&shown, &printed.lines().collect::<Vec<_>>())
    };
    assert!(is_shown("a\nb", "a\nb"));
    assert!(!is_shown("a", "a\nb"));
    assert!(!is_shown("a\nb", "a"));
    assert!(is_shown("a\n…\nd", "a\nb\nc\nd"));
    assert!(is_shown("a\n…", "a"));
    assert!(!is_shown("…\nd", "a\nb"));
    assert!(is_shown("a … d", "a b c d"));
    assert!(!is_shown("a … d", "a b c"));
    assert!(!is_shown("a … c … c", "a b c"));
    assert!(!is_shown("ab…bc", "abc"));
}
