//! Workflow commands of GitHub: lines of a log that it shows beside the lines of files, and a page
//! that sums up the step.

use std::fmt::Write as _;

use deathwatch_documents::{
    Status,
    case::{Cases, QuestionCase},
};
use deathwatch_scenario::escape::escape_lines;

use crate::{status::row, text::plural};

/// The number of failures that a summary has.
const MOST_SUMMED_UP: usize = 100;

/// The unexpected answers of a scenario, a command each.
pub fn annotated(cases: &Cases) -> String {
    cases.annotations().map(|it| command(cases, it)).collect()
}

/// The annotation that `command` is undecided, as a limit came before the scenarios were loaded.
pub fn of_unloaded(command: &str, why: &str) -> String {
    format!("::warning title={}::{}\n", property(command), data(&format!("undecided: {why}")))
}

/// The summary of `command`, in Markdown.
pub fn summary(command: &str, scenarios: &[Cases]) -> String {
    let told = |it: &&QuestionCase| it.status != Status::AsExpected;
    let all = scenarios.iter().flat_map(|of| of.annotations().filter(told).map(move |it| (of, it)));
    let all: Vec<(&Cases, &QuestionCase)> = all.collect();
    let scenarios = plural(scenarios.len(), "scenario");
    if all.is_empty() {
        return format!("### {command}: {scenarios} as expected\n");
    }
    let mut text = format!("### {command}: {scenarios}\n\n| scenario | answer |\n| --- | --- |\n");
    for (of, it) in all.iter().take(MOST_SUMMED_UP) {
        let first = it.message.lines().next().unwrap_or_default();
        writeln!(text, "| {} | {} |", cell(&of.scenario), cell(first)).expect("it takes any text");
    }
    if all.len() > MOST_SUMMED_UP {
        let more = all.len() - MOST_SUMMED_UP;
        writeln!(text, "| | and {more} more |").expect("it takes any text");
    }
    text
}

fn command(of: &Cases, it: &QuestionCase) -> String {
    let level = row(it.status).github;
    let line = it.line.map_or_else(String::new, |line| format!(",line={line}"));
    let title = property(&format!("{}: {}", of.scenario, it.question));
    format!("::{level} file={}{line},title={title}::{}\n", property(&of.file), data(&it.message))
}

/// The text of a command, escaped as GitHub asks.
fn data(text: &str) -> String {
    escape_lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The text of a cell of a table, which cannot be anything else.
fn cell(text: &str) -> String {
    let mut cell = String::new();
    for letter in escape_lines(text).chars() {
        match letter {
            '\n' | '\r' => cell.push(' '),
            '&' => cell.push_str("&amp;"),
            '<' => cell.push_str("&lt;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '~' | '@' | '#' => {
                cell.push('\\');
                cell.push(letter);
            }
            _ => cell.push(letter),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::{super::case, *};

    #[test]
    fn what_a_name_contains_is_no_command() {
        let message = "one\r\n::set-output name=two::100%".to_owned();
        let mut it = case("a, b: c", Status::Unexpected, message);
        it.line = Some(3);
        let of = Cases {
            suite: String::new(),
            scenario: "x\n::error::y".to_owned(),
            file: "50%,a.toml".to_owned(),
            seconds: None,
            all: vec![it],
        };
        let command = annotated(&of);
        assert_eq!(command.lines().count(), 1, "{command}");
        let (head, message) = command
            .trim_end()
            .split_once("::")
            .map(|it| it.1)
            .unwrap_or_default()
            .split_once("::")
            .expect("two parts");
        assert_eq!(
            head,
            "error file=50%25%2Ca.toml,line=3,title=x%0A%3A%3Aerror%3A%3Ay%3A a%2C b%3A c"
        );
        assert!(message.ends_with("%0A::set-output name=two::100%25"), "{message}");
        assert_eq!(cell("a|b`c\n<i>"), "a\\|b\\`c &lt;i>");
    }
}
