//! Lines of text: numbers with their nouns, sizes, and what fits into a line.

use std::{borrow::Cow, collections::BTreeSet};

use deathwatch_documents::run::Value;
use deathwatch_model::clause::Clause;
use deathwatch_scenario::escape::escape;
use textwrap::{Options, WordSplitter};
use unicode_width::UnicodeWidthStr as _;

/// The width of text that goes to no terminal, and the column at which numbers end on a wide one.
pub const COLUMNS: usize = 100;

/// The least width of text that is wrapped.
const LEAST: usize = 20;

/// What the text format prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing but unexpected answers.
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

/// A number with its noun.
pub fn plural(count: usize, what: &str) -> String {
    number(count as u64, what)
}

/// A number with its noun, for numbers that the memory does not bound.
pub fn number(count: u64, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "witness") => format!("{count} witnesses"),
        (count, what) => format!("{count} {what}s"),
    }
}

/// A number with its noun, of which `many` is the plural, with no other end than an s.
pub fn number_of(count: u64, many: &str) -> String {
    number(count, many.trim_end_matches('s'))
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

/// Sentences as lines that are no longer than a terminal is wide, indented so far.
pub fn wrapped(sentences: &[String], indent: usize) -> Vec<String> {
    wrapped_to(COLUMNS, sentences, indent)
}

/// Sentences as lines of at most this number of columns, indented so far. A word that is longer
/// stays whole.
pub fn wrapped_to(columns: usize, sentences: &[String], indent: usize) -> Vec<String> {
    let options = Options::new(columns.saturating_sub(indent).max(LEAST))
        .subsequent_indent("  ")
        .break_words(false);
    let options = options.word_splitter(WordSplitter::NoHyphenation);
    sentences.iter().flat_map(|it| textwrap::wrap(it, &options)).map(Cow::into_owned).collect()
}

/// Clauses with their texts and passages, a line each; none, if there are none.
pub fn clauses(clauses: &BTreeSet<Clause>) -> Vec<String> {
    let head = (!clauses.is_empty()).then(|| "where".to_owned());
    let lines = clauses.iter().map(|clause| {
        let (says, source) = text_of(*clause);
        format!("  {clause}: {says} ({source})")
    });
    head.into_iter().chain(lines).collect()
}

/// The text of a clause, and its passages.
pub(crate) fn text_of(clause: Clause) -> (&'static str, &'static str) {
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
