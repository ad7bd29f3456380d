//! Text in diagrams. It comes from files, and must not end the line, the label or the diagram that it
//! stands in, nor be read as one of their commands.

use std::fmt::Write as _;

use deathwatch_scenario::escape::escape;

/// A text in a Mermaid diagram. All but letters, digits and a few harmless signs are written as
/// numbers, which Mermaid shows as what they stand for.
pub(super) fn mermaid(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in escape(text).chars() {
        if letter.is_alphanumeric() || " /._,:()=+'-".contains(letter) {
            written.push(letter);
        } else {
            write!(written, "#{};", u32::from(letter)).expect("a string takes any text");
        }
    }
    written
}

/// A text between the quotes of a DOT file.
pub(super) fn dot(text: &str) -> String {
    escape(text).replace('\\', "\\\\").replace('"', "\\\"")
}
