//! Edits: small changes of a valid text, which reach deeper code than noise.

use proptest::{collection::vec, prelude::*, sample::Index};

/// A change of a text.
#[derive(Clone, Debug)]
pub enum Edit {
    /// Some characters become others.
    Replace { at: Index, length: usize, with: String },
    /// Some characters are repeated.
    Repeat { at: Index, length: usize, times: usize },
    /// A line is left out.
    Drop { line: Index },
    /// A word becomes another word of the text.
    Word { at: Index, from: Index },
}

/// Texts with a meaning in one of our languages.
const PIECES: [&str; 44] = [
    "\"",
    "\"\"\"",
    "'",
    "'''",
    "\\",
    "\\u00e9",
    "\\u001b",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "=",
    "=>",
    " ",
    ".",
    ",",
    "0",
    "-1",
    "1..=100",
    "99999999999999999999",
    "1e400",
    "0x10",
    ": ",
    "#",
    "[",
    "]",
    "[[",
    "{ ",
    "}",
    "/*",
    "*",
    "true",
    "null",
    "é",
    "\u{feff}",
    "\u{202e}",
    "\u{9b}",
    "\0",
    "all",
    "unlimited",
    "no-op",
    "refused: ",
    "aborted: remove-unit.4",
    "\r\n\r\n",
];

pub fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let with = prop_oneof![
        4 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => vec(any::<char>(), 0..5).prop_map(|letters| letters.into_iter().collect()),
        1 => any::<u64>().prop_map(|number| number.to_string()),
    ];
    let edit = prop_oneof![
        3 => (any::<Index>(), 0_usize..30, with)
            .prop_map(|(at, length, with)| Edit::Replace { at, length, with }),
        1 => (any::<Index>(), 1_usize..40, 2_usize..60)
            .prop_map(|(at, length, times)| Edit::Repeat { at, length, times }),
        3 => any::<Index>().prop_map(|line| Edit::Drop { line }),
        3 => (any::<Index>(), any::<Index>()).prop_map(|(at, from)| Edit::Word { at, from }),
    ];
    vec(edit, 1..5)
}

/// The text after these edits.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    edits.iter().fold(text.to_owned(), |text, edit| edit.of(&text))
}

impl Edit {
    fn of(&self, text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let part = |at: &Index, length: usize| {
            let from = at.index(letters.len() + 1);
            from..(from + length).min(letters.len())
        };
        let string = |letters: &[char]| letters.iter().collect::<String>();
        let around = |at: std::ops::Range<usize>, with: &str| {
            format!("{}{with}{}", string(&letters[..at.start]), string(&letters[at.end..]))
        };
        match self {
            Self::Replace { at, length, with } => around(part(at, *length), with),
            Self::Repeat { at, length, times } => {
                let part = part(at, *length);
                around(part.clone(), &string(&letters[part]).repeat(*times))
            }
            Self::Drop { line } => {
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                if !lines.is_empty() {
                    lines.remove(line.index(lines.len()));
                }
                lines.concat()
            }
            Self::Word { at, from } => {
                let is_word = |letter: char| letter.is_alphanumeric() || "-_/".contains(letter);
                let words: Vec<(usize, &str)> = text
                    .split(|letter| !is_word(letter))
                    .filter(|word| !word.is_empty())
                    .map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
                    .collect();
                if words.is_empty() {
                    return text.to_owned();
                }
                let ((start, old), (_, new)) = (*at.get(&words), *from.get(&words));
                format!("{}{new}{}", &text[..start], &text[start + old.len()..])
            }
        }
    }
}
