//! Comments: their width, and forms that no comment uses.
//!
//! A form is a phrase that hides the noun of the field that it stands for. Only phrases that are
//! always wrong are listed, so there are no exemptions. Quotations are not checked, as they are the
//! documents' words.
//!
//! A public type or trait of a crate has a comment. A field, a variant or a function has one where
//! its name is not enough: a comment that repeats a name is a line to keep true.

use super::files;

/// The greatest width of a line that is a comment, in characters.
const MOST_COLUMNS: usize = 100;

/// Phrases that no comment uses, and the words to be used instead.
const FORMS: &[(&str, &str)] = &[
    ("whoever", "the actor, the agent or the reader"),
    ("so many", "the number"),
    ("is told to", "the condition under which it does so"),
    ("is told of", "the event, or the text that says it"),
    ("is told nothing", "gets no event"),
    ("in vain", "spurious"),
    ("ways back to", "reverse dependencies"),
    ("there is such a thing", "what is returned"),
];

#[test]
fn comments_use_no_hollow_forms_and_are_wrapped() {
    let mut faults = Vec::new();
    for (folder, least) in [("model", 100), ("sim", 300), ("tests", 50), ("benches", 1)] {
        let files = files(folder, "rs");
        assert!(files.len() >= least, "{} files were found in {folder}", files.len());
        for (file, text) in &files {
            let here = comment_faults(text).into_iter();
            faults.extend(here.map(|fault| format!("{file}:{fault}")));
        }
    }
    assert!(faults.is_empty(), "comments to be rewritten:\n{}", faults.join("\n"));
}

/// First words that make the beginning of a comment a relative clause, which hides its noun.
const CLAUSES: &[&str] = &["What", "That", "Those", "Who", "Whom", "Where", "How", "Of"];

#[test]
fn comments_begin_with_the_noun_that_they_are_about() {
    let files = ["model", "sim"].into_iter().flat_map(|folder| files(folder, "rs"));
    let faults: Vec<_> = files
        .flat_map(|(file, text)| {
            clauses(&text).into_iter().map(move |line| format!("{file}:{line}"))
        })
        .collect();
    assert!(faults.is_empty(), "comments to begin with a noun:\n{}", faults.join("\n"));
}

/// The lines of doc comments whose first paragraph begins with a relative clause.
fn clauses(text: &str) -> Vec<usize> {
    let comment = |line: &str| line.starts_with("///") || line.starts_with("//!");
    let lines: Vec<_> = text.lines().map(str::trim_start).collect();
    let is_first = |index: usize| index == 0 || !comment(lines[index - 1]);
    let begins = |line: &str| {
        let word = line[3..].trim_start().split([' ', ',', ':', ';']).next();
        word.is_some_and(|word| CLAUSES.contains(&word))
    };
    let faults = lines
        .iter()
        .enumerate()
        .filter(|(index, line)| comment(line) && is_first(*index) && begins(line));
    faults.map(|(index, _)| index + 1).collect()
}

#[test]
fn clauses_at_the_beginning_of_comments_are_found() {
    assert_eq!(clauses("/// What it is.\nfn it() {}\n\n    //! Those left.\n"), [1, 4]);
    assert_eq!(clauses("/// The rows.\n///\n/// What follows.\n"), [0; 0]);
    assert_eq!(clauses("// What a plain comment says.\n/// Whatever.\n/// Once.\n"), [0; 0]);
}

/// The faults of the comments in a text, each after its line.
fn comment_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    // Consecutive lines are read as one, as a phrase may be wrapped.
    let mut previous = String::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let Some(comment) = comment_text(line) else {
            previous.clear();
            continue;
        };
        if line.chars().count() > MOST_COLUMNS {
            faults.push(format!("{line_number}: it is wider than {MOST_COLUMNS} columns"));
        }
        let both = format!("{previous} {comment}").to_lowercase();
        for (form, instead) in FORMS {
            let form = form.to_lowercase();
            if contains_phrase(&both, &form) && !contains_phrase(&previous.to_lowercase(), &form) {
                faults.push(format!("{line_number}: \"{form}\"; say {instead}"));
            }
        }
        comment.clone_into(&mut previous);
    }
    faults
}

/// The text of a line that is a comment, without quotations.
fn comment_text(line: &str) -> Option<String> {
    let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim();
    Some(comment.split('"').step_by(2).collect())
}

/// Whether a text contains a phrase that begins and ends with whole words.
fn contains_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        let end = start + phrase.len();
        !text[..start].ends_with(char::is_alphanumeric)
            && !text[end..].starts_with(char::is_alphanumeric)
    })
}

#[test]
fn faults_of_comments_are_found() {
    assert_eq!(comment_faults("/// The number of states.\nlet whoever = 1;"), [""; 0]);
    assert_eq!(comment_faults("// It quotes \"whoever\"."), [""; 0]);
    assert_eq!(comment_faults("// Found in vain.").len(), 1);
    let wrapped = "    /// For so\n    /// many states.";
    assert_eq!(comment_faults(wrapped), ["2: \"so many\"; say the number"]);
    assert_eq!(comment_faults(&format!("// {}", "a".repeat(98))).len(), 1);
    assert_eq!(comment_faults(&format!("// {}", "a".repeat(97))), [""; 0]);
}

#[test]
fn what_crates_show_is_explained() {
    let faults: Vec<_> = ["model", "sim"]
        .into_iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|(file, _)| file.contains("/src/"))
        .flat_map(|(file, text)| {
            let lines = unexplained_types(&text);
            lines.into_iter().map(move |line| format!("{file}:{line}"))
        })
        .collect();
    assert!(faults.is_empty(), "public types without a comment:\n{}", faults.join("\n"));
}

/// The lines of the public types and traits of a text without a comment.
fn unexplained_types(text: &str) -> Vec<usize> {
    let lines: Vec<_> = text.lines().map(str::trim_start).collect();
    // Between a comment and its type there may be attributes and plain comments.
    let is_between = |line: &str| {
        line.starts_with("#[") || line.starts_with("//") || line.ends_with([',', ']', '('])
    };
    // A macro passes comments on.
    let is_comment = |line: &str| ["///", "$(#[", "#[doc"].iter().any(|it| line.starts_with(it));
    let explained = |index: usize| {
        let mut before = lines[..index].iter().rev();
        let last = before.find(|line| is_comment(line) || !is_between(line));
        last.is_some_and(|line| is_comment(line))
    };
    let types = ["pub struct ", "pub enum ", "pub trait "];
    (0..lines.len())
        .filter(|index| types.iter().any(|form| lines[*index].starts_with(form)))
        .filter(|index| !explained(*index))
        .map(|index| index + 1)
        .collect()
}

#[test]
fn types_without_a_comment_are_found() {
    assert_eq!(unexplained_types("/// A row.\n#[derive(Debug)]\npub struct Row;"), [0; 0]);
    assert_eq!(unexplained_types("pub enum Life {\n}\npub trait Kind {}"), [1, 3]);
    assert_eq!(unexplained_types("/// A row.\nfn row() {}\npub struct Row;"), [3]);
}
