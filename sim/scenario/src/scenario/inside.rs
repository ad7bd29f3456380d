//! Positions inside strings: where in the file a part of a string's value is written.
//!
//! Steps are lines of one long string, and commands are keys of several words. A problem in one of
//! them points to the word, not to the string.

use std::ops::Range;

use super::value::Located;
use crate::problem::Text;

/// A position in a string. Later positions are found from it without beginning anew, as a script
/// may have very many lines.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    value: usize,
    /// The offset in the string as it is written; `None` before its opening quotes.
    raw: Option<usize>,
}

impl Cursor {
    pub(super) const START: Self = Self { value: 0, raw: None };
}

impl Text {
    /// The bytes of the file in which the bytes `part` of the value of `string` are written.
    pub(super) fn inside(&self, string: &Located<String>, part: &Range<usize>) -> Range<usize> {
        self.inside_behind(&mut Cursor::START.clone(), string, part)
    }

    /// The part of [`Self::inside`], if it is not before `cursor`, which moves there.
    pub(super) fn inside_behind(
        &self,
        cursor: &mut Cursor,
        string: &Located<String>,
        part: &Range<usize>,
    ) -> Range<usize> {
        let raw = &self.source[string.span.clone()];
        let start = locate(raw, &string.value, cursor, part.start);
        let end = locate(raw, &string.value, &mut cursor.clone(), part.end);
        let at = string.span.start;
        at + start..at + end.max(start)
    }
}

/// The offset in `raw`, a TOML string or bare key, of the byte at `offset` of its `value`. `offset`
/// is not before `cursor`.
fn locate(raw: &str, value: &str, cursor: &mut Cursor, offset: usize) -> usize {
    let (opening, has_escapes) = opening(raw);
    let (mut at, mut produced) = (cursor.raw.unwrap_or(opening), cursor.value);
    while produced < offset && at < raw.len() {
        let (taken, made) = match raw.as_bytes()[at] {
            b'\\' if has_escapes => escape(&raw[at..]),
            b'\r' if raw[at..].starts_with("\r\n") && !value[produced..].starts_with('\r') => {
                (2, 1)
            }
            _ => {
                let letter = raw[at..].chars().next().map_or(1, char::len_utf8);
                (letter, letter)
            }
        };
        at += taken;
        produced += made;
    }
    *cursor = Cursor { value: produced, raw: Some(at) };
    at.min(raw.len())
}

/// The offset of the text after the opening quotes, and whether the text has escapes.
fn opening(raw: &str) -> (usize, bool) {
    let (quotes, has_escapes) = match raw.as_bytes() {
        [b'"', b'"', b'"', ..] => (3, true),
        [b'\'', b'\'', b'\'', ..] => (3, false),
        [b'"', ..] => (1, true),
        [b'\'', ..] => (1, false),
        _ => (0, false),
    };
    let rest = &raw[quotes..];
    let newline = match quotes {
        3 if rest.starts_with("\r\n") => 2,
        3 if rest.starts_with('\n') => 1,
        _ => 0,
    };
    (quotes + newline, has_escapes)
}

/// The lengths in bytes of the escape at the beginning of `raw`, and of the text that it stands
/// for.
fn escape(raw: &str) -> (usize, usize) {
    let code = |digits: usize| {
        let letter = raw.get(2..2 + digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        (2 + digits, letter.and_then(char::from_u32).map_or(1, char::len_utf8))
    };
    match raw.as_bytes().get(1) {
        Some(b'x') => code(2),
        Some(b'u') => code(4),
        Some(b'U') => code(8),
        Some(b' ' | b'\t' | b'\n' | b'\r') => {
            let rest = raw[1..].trim_start_matches([' ', '\t', '\n', '\r']);
            (raw.len() - rest.len(), 0)
        }
        _ => (2, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct One {
        key: Located<String>,
    }

    /// The text that is found for `word`, by the position of `word` in the value.
    fn found(source: &str, word: &str) -> String {
        let text = Text::new("test", source.into());
        let one: One = toml::from_str(source).expect("a good file");
        let start = one.key.value.find(word).expect("it is there");
        let span = text.inside(&one.key, &(start..start + word.len()));
        source[span].to_owned()
    }

    #[test]
    fn a_part_of_a_string_is_found_in_the_file() {
        for source in [
            "key = \"a word here\"",
            "key = 'a word here'",
            "key = \"\"\"\na word here\"\"\"",
            "key = \"\"\"\r\na\r\nb\r\nword\r\n\"\"\"",
            "key = '''\r\na\r\nword\r\n'''",
            "key = \"\"\"a \\\n   \\u00e9\\U0001F600\\t\\\"é\\x41\\\\ word\"\"\"",
        ] {
            assert_eq!(found(source, "word"), "word", "{source}");
        }
    }
}
