//! Lines of text: numbers with their nouns, sizes, and words cut to the width of a line.

use std::{borrow::Cow, collections::BTreeSet};

use deathwatch_documents::run::Value;
use deathwatch_model::clause::{Clause, Rule};
use deathwatch_scenario::{escape::escape, shell::quoted};
use textwrap::{Options, WordSeparator, WordSplitter, core::display_width};
use unicode_width::UnicodeWidthStr as _;

/// The width of text that goes to no terminal.
pub const COLUMNS: usize = 80;

/// The column at which numbers end on a wide terminal.
pub const FAR: usize = 100;

/// The commands that show the results of the scenarios in a file: as a page, and step by step.
pub fn commands(file: &str) -> [String; 2] {
    let file = quoted(file);
    [
        format!("deathwatch check {file} --format html --output answers.html"),
        format!("deathwatch explore {file}"),
    ]
}

const COMMAND: &str = "deathwatch ";

/// The least width of text that is wrapped.
const LEAST: usize = 20;

/// The details that the text format prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextDetail {
    /// Unexpected answers, and nothing else.
    OnlySurprises,
    /// Numbers, and runs that show an unexpected answer.
    Surprises,
    /// Runs of expected violations as well, and the names of all claims.
    Violations,
}

/// The number of columns that `text` takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// A number with a comma between thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn plural(count: usize, what: &str) -> String {
    number(count as u64, what)
}

/// A number with its noun, for numbers that the memory does not bound.
pub fn number(count: u64, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness" | "fix") => format!("{} {what}es", thousands(count)),
        (count, what) => format!("{} {what}s", thousands(count)),
    }
}

/// A number with its noun, of which `many` is the plural, with no other end than an s.
pub fn number_of(count: u64, many: &str) -> String {
    number(count, many.trim_end_matches('s'))
}

/// A sentence that begins with a capital letter.
pub(crate) fn capital(sentence: &str) -> String {
    match sentence.split_at_checked(1) {
        Some((first, others)) => format!("{}{others}", first.to_uppercase()),
        None => sentence.to_owned(),
    }
}

/// Adds a line to a text. The line may quote text from outside, so line breaks in it are escaped.
pub fn add_line(text: &mut String, indent: usize, line: &str) {
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(&escape(line));
    text.push('\n');
}

/// A size as text, as in "3.5 GiB".
pub fn show_size(bytes: u64) -> String {
    let units = [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => {
            let tenths = u128::from(bytes) * 10 / u128::from(unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

/// A time, to the hundredth of a second.
pub fn show_seconds(seconds: f64) -> String {
    format!("{seconds:.2} s")
}

/// A text whose lines take at most this number of columns. What is left of one goes on below,
/// further to the right. A word that is longer stays whole, and so does a command, to be typed
/// again.
pub fn fitted(text: &str, columns: usize) -> String {
    let mut fitted = String::new();
    for line in text.lines() {
        let words = line.trim_start();
        if display_width(line) <= columns || words.starts_with(COMMAND) {
            fitted.push_str(&inert(line));
        } else {
            let indent = &line[..line.len() - words.len()];
            let hanging = format!("{indent}{:width$}", "", width = 2 + number_before(words));
            let options = Options::new(columns.max(LEAST)).break_words(false);
            let options = options.initial_indent(indent).subsequent_indent(&hanging);
            let options = options.word_splitter(WordSplitter::NoHyphenation);
            let options = options.word_separator(WordSeparator::AsciiSpace);
            let lines = textwrap::wrap(words, &options);
            let lines: Vec<_> = lines.iter().map(|line| inert(line)).collect();
            fitted.push_str(&lines.join("\n"));
        }
        fitted.push('\n');
    }
    fitted
}

/// A line that no workflow of GitHub takes for a command: those begin with `::` after spaces, or
/// have `##[`. A name in a file may say anything.
fn inert(line: &str) -> Cow<'_, str> {
    let words = line.trim_start();
    if !words.starts_with("::") && !line.contains("##[") {
        return Cow::Borrowed(line);
    }
    let indent = &line[..line.len() - words.len()];
    let words = words.strip_prefix("::").map_or(words.to_owned(), |it| format!("\\u{{3a}}:{it}"));
    Cow::Owned(format!("{indent}{}", words.replace("##[", "#\\u{23}[")))
}

/// The columns of the number with which a line begins, and of the spaces behind it; 0 if it begins
/// with none. Before it may stand whose step it is, of two sides.
fn number_before(line: &str) -> usize {
    let numbered = line.strip_prefix(['A', 'B']).map_or(line, str::trim_start);
    let rest = numbered.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_numbered = rest.len() < numbered.len() && rest.starts_with("  ");
    if is_numbered { line.len() - rest.len() + 2 } else { 0 }
}

/// Clauses by name, with their texts and passages, a line each; none, if there are none.
pub fn clauses(names: &BTreeSet<String>) -> Vec<String> {
    let head = (!names.is_empty()).then(|| "where".to_owned());
    // Those of the protocol in its order, and then the rules of a scenario's own.
    let mut in_order: Vec<&String> = names.iter().collect();
    in_order.sort_by_key(|name| Clause::named(name).map_or((true, None), |it| (false, Some(it))));
    let lines = in_order.into_iter().map(|name| {
        let (says, source) = text_of(name);
        format!("  {name}: {says} ({source})")
    });
    head.into_iter().chain(lines).collect()
}

/// The text of the clause of this name, and its passages: one that the protocol does not have is a
/// rule of a scenario's own.
pub(crate) fn text_of(name: &str) -> (&'static str, &'static str) {
    let clause = Clause::named(name).unwrap_or(Clause { rule: Rule::Own, number: 1 });
    clause.info().map_or(("", ""), |info| (info.says, info.source))
}

/// A value, or "none".
pub(crate) fn value(value: Option<&Value>) -> String {
    match value {
        None => "none".to_owned(),
        Some(Value::Flag(holds)) => if *holds { "yes" } else { "no" }.to_owned(),
        Some(Value::Count(count)) => count.to_string(),
        Some(Value::Word(word)) => word.clone(),
        Some(Value::Names(given)) => names(given),
        Some(Value::Machine { machine }) => format!("machine {machine}"),
        Some(Value::Unit { unit }) => format!("beside {unit}"),
        Some(Value::Transaction { transaction, .. }) => transaction.clone(),
        Some(Value::Hook { hook }) => format!("hook {hook}"),
        Some(Value::Aborts { aborts, again }) => {
            format!("{aborts}{}", if *again { ", to be planned again" } else { "" })
        }
        Some(Value::Commands(given)) => {
            let given = given.iter().filter(|(_, count)| **count > 0);
            let given: Vec<_> = given.map(|(name, count)| format!("{name}: {count}")).collect();
            if given.is_empty() { "none".to_owned() } else { given.join(", ") }
        }
    }
}

/// Names; of many the first ones, and how many more there are.
pub(crate) fn names(given: &[String]) -> String {
    const NAMED: usize = 12;
    let named = given[..given.len().min(NAMED)].join(", ");
    match given.len() {
        0 => "none".to_owned(),
        all if all > NAMED => format!("{named} and {} more", all - NAMED),
        _ => named,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_goes_on_below() {
        let text = "      violated: \"a Dying relation is removed\"\n        12  user: destroy-unit wordpress/0\n  B   6  user: destroy-unit wordpress/0\n";
        let lines = [
            "      violated: \"a Dying",
            "        relation is removed\"",
            "        12  user: destroy-unit",
            "              wordpress/0",
            "  B   6  user: destroy-unit",
            "           wordpress/0",
        ];
        assert_eq!(fitted(text, 30), lines.map(|it| format!("{it}\n")).concat());
        assert_eq!(fitted(text, 80), text);
        let whole = "  deathwatch check scenarios/relation-scope-bug/1-as-written.toml --verbose\n";
        assert_eq!(fitted(whole, 30), whole);
        assert_eq!(
            fitted("a \u{1b}[1mbold\u{1b}[0m word\n", 11),
            "a \u{1b}[1mbold\u{1b}[0m word\n"
        );
    }
}
