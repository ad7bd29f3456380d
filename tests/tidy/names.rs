//! Names: one of a type has at most two definitions, and those with two are listed in
//! `ratchet.toml`, a list that only shrinks. So do the numbers there of variables and fields whose
//! names hide what they hold.
//!
//! Text is read and not parsed: a definition of a type is a line that begins with `struct`, `enum`,
//! `trait` or `type`, after its visibility. Indented aliases are left out, as most are associated
//! types of traits.

use std::collections::BTreeMap;

use super::{lines::ratchet, sources};

/// The greatest number of definitions of a name.
const MOST_DEFINITIONS: usize = 2;

/// The names with any number of definitions, and why.
const CONVENTIONS: &[(&str, &str)] =
    &[("Args", "each command has a file with its flags, `Args`, and `run`")];

#[test]
fn a_type_name_has_at_most_two_definitions() {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in sources() {
        for (index, line) in text.lines().enumerate() {
            if let Some(name) = defined_type(line) {
                let place = format!("{file}:{}", index + 1);
                definitions.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    assert!(definitions.len() > 500, "{} names were found", definitions.len());
    for (name, reason) in CONVENTIONS {
        let places = definitions.remove(*name).unwrap_or_default();
        assert!(places.len() > MOST_DEFINITIONS, "{name} needs no exemption because {reason}");
    }
    let known = ratchet()["names"]["twice"].as_array().expect("a list").clone();
    let known: Vec<&str> = known.iter().filter_map(toml::Value::as_str).collect();
    let is_twice = |it: &(&String, &Vec<String>)| it.1.len() == 2;
    let twice: Vec<&str> = definitions.iter().filter(is_twice).map(|it| it.0.as_str()).collect();
    let new: Vec<&&str> = twice.iter().filter(|it| !known.contains(it)).collect();
    assert!(new.is_empty(), "these names are taken: {new:?}");
    let gone: Vec<&&str> = known.iter().filter(|it| !twice.contains(it)).collect();
    assert!(gone.is_empty(), "these are no names of two types any more: {gone:?}");
    definitions.retain(|_, places| places.len() > MOST_DEFINITIONS);
    let list: Vec<String> =
        definitions.iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    assert!(list.is_empty(), "too many types have these names:\n{}", list.join("\n"));
}

/// The name of the type that a line defines, if it defines one.
fn defined_type(line: &str) -> Option<&str> {
    let definition = line.trim_start();
    let is_indented = definition.len() < line.len();
    let without_visibility = match definition.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => definition,
    };
    let (keyword, rest) = without_visibility.split_once(' ')?;
    let is_type = match keyword {
        "struct" | "enum" | "trait" => true,
        "type" => !is_indented,
        _ => false,
    };
    let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len());
    let is_name = rest.starts_with(|it: char| it.is_ascii_uppercase());
    (is_type && is_name).then_some(&rest[..end])
}

#[test]
fn fewer_names_hide_what_they_hold() {
    let sources = sources();
    for (name, most) in ratchet()["names"]["hiding"].as_table().expect("a table") {
        let found: usize = sources.iter().map(|(_, text)| bindings(text, name)).sum();
        let most = usize::try_from(most.as_integer().expect("a number")).expect("not negative");
        assert!(found <= most, "{found} are called `{name}`, {most} were: say what it holds");
        assert!(found == most, "lower the number of `{name}` in ratchet.toml to {found}");
    }
}

/// The number of variables, parameters and fields of this name: behind `let`, `for` or a bar, or
/// before a type or a value.
fn bindings(text: &str, name: &str) -> usize {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let is_binding = |(at, _): &(usize, &str)| {
        let (before, after) = (&text[..*at], &text[at + name.len()..]);
        let is_word =
            !before.ends_with(|it| is_letter(it) || it == '.') && !after.starts_with(is_letter);
        let begins = ["let ", "let mut ", "for ", "|", "|&"].iter().any(|it| before.ends_with(it));
        is_word && (begins || after.starts_with(": "))
    };
    text.match_indices(name).filter(is_binding).count()
}

#[test]
fn bindings_are_found() {
    let text = "let told = 1; let mut told = 2; for told in 3 {} |told| told.told; fn a(told: u8) {} \
                let retold = told::<u8>(untold); x.told";
    assert_eq!(bindings(text, "told"), 5);
    assert_eq!(bindings(text, "a"), 0);
}

#[test]
fn definitions_of_types_are_found() {
    let found = |line| defined_type(line).unwrap_or("none");
    assert_eq!(found("pub struct Row<'a> {"), "Row");
    assert_eq!(found("    enum Kind {"), "Kind");
    assert_eq!(found("pub(in crate::rows) trait Visit: Sized {"), "Visit");
    assert_eq!(found("pub(super) type Sink<'a> = dyn FnMut(UnitId) -> bool + 'a;"), "Sink");
    assert_eq!(found("    type Item = Row;"), "none");
    assert_eq!(found("        pub struct $name {"), "none");
    assert_eq!(found("/// The struct Row"), "none");
    assert_eq!(found("impl Row {"), "none");
}
