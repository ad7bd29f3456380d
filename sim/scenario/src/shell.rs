//! Words as a shell reads them, in commands that are to be typed again.

use std::borrow::Cow;

use crate::escape::escape;

/// A word, quoted for a shell.
pub fn quoted(word: &str) -> String {
    if let Cow::Owned(_) = escape(word) {
        let bytes = word.bytes().map(|byte| match byte {
            b'\\' | b'\'' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            byte => format!("\\x{byte:02x}"),
        });
        return format!("$'{}'", bytes.collect::<String>());
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,@:".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
