//! Escaping: input as it is shown.
//!
//! Files, their names and journals may contain anything: an escape sequence clears a terminal, a
//! newline makes a line that looks like a line of ours, and a bidirectional control reorders the
//! characters around it. Every renderer escapes what it shows by the functions of this module.

use std::{borrow::Cow, fmt::Write as _};

/// Whether a character controls a terminal or the order of text.
fn is_harmful(letter: char) -> bool {
    match letter {
        '\t' => false,
        // Separators of lines and paragraphs, marks and isolates of bidirectional text.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // XML has no place for these.
        | '\u{fffe}' | '\u{ffff}' => true,
        letter => letter.is_control(),
    }
}

/// A text as one line: its controls are written as `\u{1b}`, `\n` and the like.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    text.chars().for_each(|letter| push(&mut shown, letter));
    Cow::Owned(shown)
}

/// A text of several lines, each escaped. A newline in input must be escaped before.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    if !text.contains(|letter| letter != '\n' && is_harmful(letter)) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(escape).collect();
    Cow::Owned(lines.join("\n"))
}

/// JSON, or a basic string of TOML, with its raw controls written as `\u009b` and the like. The
/// result means the same text.
pub fn escape_quoted(text: &str) -> Cow<'_, str> {
    let is_raw = |letter| letter != '\n' && is_harmful(letter);
    if !text.contains(is_raw) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_raw(letter) {
            write!(written, "\\u{:04x}", u32::from(letter)).expect("a string takes any text");
        } else {
            written.push(letter);
        }
    }
    Cow::Owned(written)
}

/// Adds a character as it is shown.
pub fn push(shown: &mut String, letter: char) {
    if is_harmful(letter) {
        shown.extend(letter.escape_default());
    } else {
        shown.push(letter);
    }
}

/// The number of characters that show `letter`.
pub fn width(letter: char) -> usize {
    if is_harmful(letter) { letter.escape_default().len() } else { 1 }
}

/// The text; if it has more characters than `most`, with "…" for its middle.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let (first, last) = (most - most / 4, most / 4);
    let head = text.char_indices().nth(first).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(last - 1).map_or(0, |(at, _)| at);
    Cow::Owned(format!("{}…{}", &text[..head], &text[tail..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_harmless_is_shown_as_it_is() {
        for text in ["", "wordpress/0", "é – „ü“ 字 🙂", "a\tb"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text), "{text}");
            assert!(matches!(escape_quoted(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(escape_lines("ok\nok\n"), "ok\nok\n");
    }

    #[test]
    fn what_plays_tricks_is_shown_by_its_number() {
        assert_eq!(escape("a\u{1b}[2J\0\r\n\u{9b}\u{7f}"), r"a\u{1b}[2J\u{0}\r\n\u{9b}\u{7f}");
        assert_eq!(escape("\u{202e}\u{2066}\u{2028}"), r"\u{202e}\u{2066}\u{2028}");
        assert_eq!(escape_lines("a\u{1b}\nb\r\n"), "a\\u{1b}\nb\\r\n");
    }

    #[test]
    fn what_is_quoted_keeps_its_meaning() {
        let text = "\u{1b}\u{9b}\u{7f}\u{202e}\u{2028} é";
        let json = serde_json::to_string(text).expect("it is text");
        let written = escape_quoted(&json);
        assert_eq!(written, r#""\u001b\u009b\u007f\u202e\u2028 é""#);
        assert_eq!(serde_json::from_str::<String>(&written).expect("it is JSON"), text);
    }
}
