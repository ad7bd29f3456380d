//! The text of Rust, as far as clauses are looked for in it: functions, statements and numbers.

use std::collections::BTreeMap;

/// The greatest number of lines of a statement that are shown.
const MOST_LINES: usize = 9;

/// A function, by the places of its text.
pub(crate) struct RustFunction {
    pub(crate) name: String,
    pub(crate) signature: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The lines of the statement that a line is part of, with the comment above. Where it is the first
/// one of a block, the line that opens the block comes first.
pub(crate) fn statement(line: usize, text: &[&str], code: &[&str]) -> Vec<usize> {
    let is_end = |line: &str| {
        let line = line.trim();
        line.is_empty() || line.ends_with([';', '{', '}', ','])
    };
    let first_of = |line: usize| {
        (0..line).rev().take(MOST_LINES).take_while(|it| !is_end(code[*it])).last().unwrap_or(line)
    };
    let with_comment = |line: usize| {
        let is_comment = |it: &usize| text[*it].trim_start().starts_with("// ");
        (0..line).rev().take_while(is_comment).last().unwrap_or(line)
    };
    let mut first = first_of(line);
    let mut last = line;
    let mut open = 0;
    for (it, text) in code.iter().enumerate().skip(first).take(MOST_LINES) {
        let count = |of: [char; 2]| text.matches(of).count();
        open += count(['(', '[']);
        open = open.saturating_sub(count([')', ']']));
        last = last.max(it);
        if it >= line && open == 0 && is_end(text) {
            break;
        }
    }
    if last > line && code[last].trim() == "}" {
        last -= 1;
    }
    first = with_comment(first);
    let opener = first.checked_sub(1).filter(|it| code[*it].trim_end().ends_with('{'));
    let opener =
        opener.map(first_of).filter(|it| !code[*it].contains("fn ") && !code[*it].contains(") ->"));
    (opener.map_or(first, with_comment)..=last).collect()
}

pub(crate) fn is_of_name(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// The name at the end of a text, and the text before it.
pub(crate) fn last_name(text: &str) -> (&str, &str) {
    text.split_at(text.rfind(|it| !is_of_name(it)).map_or(0, |it| it + 1))
}

/// The whole numbers above 0 that stand by themselves, with their places.
pub(crate) fn numbers(code: &str) -> Vec<(usize, u8)> {
    let mut numbers = Vec::new();
    let bytes = code.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|it| is_of_name(char::from(**it))).count();
        let is_alone = at == 0 || !(is_of_name(char::from(bytes[at - 1])) || bytes[at - 1] == b'.');
        if let (true, Ok(number @ 1..)) = (is_alone, code[at..end].parse()) {
            numbers.push((at, number));
        }
        at = end;
    }
    numbers
}

/// The small numbers that a file gives names to: `const BROKEN_RUNS_ONCE: u8 = 8;`.
pub(crate) fn constants(text: &str) -> Vec<(String, u8)> {
    let of_line = |line: &str| {
        let (name, value) = line.split_once("const ")?.1.split_once(": u8 = ")?;
        Some((name.to_owned(), value.strip_suffix(';')?.parse().ok()?))
    };
    text.lines().filter_map(of_line).collect()
}

/// A text of the same length, in which numbers stand in the place of their names and of the paths
/// before these, with spaces around.
pub(crate) fn with_numbers(code: &str, named: &BTreeMap<String, u8>) -> String {
    let mut text = String::with_capacity(code.len());
    for word in code.split_inclusive(|it| !is_of_name(it)) {
        let name = word.trim_end_matches(|it| !is_of_name(it));
        let Some(number) = named.get(name) else {
            text.push_str(word);
            continue;
        };
        let before = text.len();
        while let Some(path) = text.strip_suffix("::") {
            text.truncate(last_name(path).0.len());
        }
        let skipped = before - text.len();
        let number = number.to_string();
        text.extend(std::iter::repeat_n(' ', skipped + name.len() - number.len()));
        text.push_str(&number);
        text.push_str(&word[name.len()..]);
    }
    text
}

/// The functions of a file, from the outside in.
pub(crate) fn functions(code: &str) -> Vec<RustFunction> {
    let mut functions = Vec::new();
    for (from, _) in code.match_indices("fn ") {
        let rest = &code[from + 3..];
        let name: String = rest.chars().take_while(|it| is_of_name(*it)).collect();
        let is_whole = from == 0 || !code[..from].ends_with(is_of_name);
        let Some(open) = body_of(rest).filter(|_| is_whole && !name.is_empty()) else { continue };
        let mut depth = 0;
        let body = rest[open..].char_indices().find(|(_, it)| {
            depth += match it {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        let to = from + 3 + open + body.map_or(rest.len() - open, |(at, _)| at);
        functions.push(RustFunction { name, signature: rest[..open].to_owned(), from, to });
    }
    functions
}

/// The beginning of a function's body, if it has one. Brackets before it may have braces, too.
fn body_of(function: &str) -> Option<usize> {
    let mut depth = 0;
    let (at, it) = function.char_indices().find(|(_, it)| {
        depth += match it {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0 && matches!(it, '{' | ';')
    })?;
    (it == '{').then_some(at)
}

/// A text with spaces in the place of comments and quotations.
pub(crate) fn without_words(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text.char_indices().peekable();
    while let Some((at, it)) = rest.next() {
        let ends: Option<fn(&str) -> Option<usize>> = if text[at..].starts_with("//") {
            Some(|text| text.find('\n'))
        } else if it == '"' {
            Some(|text| text[1..].find('"').map(|it| it + 2))
        } else {
            None
        };
        let Some(ends) = ends else {
            code.push(it);
            continue;
        };
        let length = ends(&text[at..]).unwrap_or(text.len() - at);
        for it in text[at..at + length].chars() {
            code.extend(std::iter::repeat_n(if it == '\n' { '\n' } else { ' ' }, it.len_utf8()));
        }
        while rest.peek().is_some_and(|(next, _)| *next < at + length) {
            rest.next();
        }
    }
    code
}
