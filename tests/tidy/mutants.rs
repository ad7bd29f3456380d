//! Mutants that are left out: each exclusion is about a function that exists.
//!
//! An exclusion without a match hides that its function was removed or renamed, and that its
//! mutants have not been tested since.

use toml::{Table, Value};

use super::{read, root, sources};

#[test]
fn every_exclusion_matches_a_function() {
    let sources = sources();
    let mut faults = Vec::new();
    for name in [".cargo/mutants.toml", ".cargo/mutants-claims.toml"] {
        let table: Table = read(&root().join(name)).parse().expect("it is TOML");
        let all = table["exclude_re"].as_array().expect("a list");
        assert!(!all.is_empty(), "{name} leaves something out");
        for exclusion in all.iter().filter_map(Value::as_str) {
            let file = file_of(exclusion);
            let here = sources.iter().filter(|it| it.0.ends_with(&file)).map(|it| it.1.as_str());
            let texts: Vec<&str> = here.collect();
            let is_missing = |function: &&str| {
                let definition = format!("fn {function}");
                let begins = |rest: &str| rest.starts_with(['(', '<']);
                let is_in = |text: &str| text.split(&definition).skip(1).any(begins);
                !texts.iter().any(|text| is_in(text))
            };
            let functions = functions_of(exclusion);
            let missing: Vec<&&str> = functions.iter().filter(|it| is_missing(it)).collect();
            if texts.is_empty() || !missing.is_empty() {
                faults.push(format!("{name}: {exclusion}: {missing:?} in {} files", texts.len()));
            }
        }
    }
    assert!(faults.is_empty(), "exclusions that match nothing:\n{}", faults.join("\n"));
}

/// The end of the path that an exclusion names; empty, if it names none.
fn file_of(exclusion: &str) -> String {
    let path = exclusion.split_once(r"\.rs:").map(|(path, _)| format!("{path}.rs"));
    path.unwrap_or_default()
}

/// The names of functions in an exclusion: behind the last "in", or behind "replace".
fn functions_of(exclusion: &str) -> Vec<&str> {
    let place = exclusion.rsplit_once(" in ").map(|(_, rest)| rest);
    let place = place.or_else(|| exclusion.split_once("(in|replace) ").map(|(_, rest)| rest));
    let place = place.or_else(|| exclusion.split_once("replace ").map(|(_, rest)| rest));
    let place = place.or_else(|| exclusion.strip_prefix("in ")).unwrap_or_default();
    let path = place.split([' ', '$']).next().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or_default();
    let name = name.trim_start_matches(")?").trim_end_matches(r"\b");
    let parts = name.trim_matches(['(', ')']).split('|');
    parts.map(|it| it.trim_end_matches(r"\b")).filter(|it| is_identifier(it)).collect()
}

fn is_identifier(text: &str) -> bool {
    text.len() > 1 && text.chars().all(|it| it.is_ascii_lowercase() || it == '_')
}

#[test]
fn functions_of_exclusions_are_found() {
    assert_eq!(functions_of(r"a\.rs:.* replace - with \+ in .*cut_batch"), [""; 0]);
    assert_eq!(functions_of(r"a\.rs:.* replace - with \+ in Search::cut_batch"), ["cut_batch"]);
    assert_eq!(functions_of(r"a\.rs:.* replace (A|B)::touch"), ["touch"]);
    assert_eq!(functions_of(r"replace (one_due|two_due)\b"), ["one_due", "two_due"]);
    assert_eq!(functions_of(r"(in|replace) (\w+::)?watchers\b"), ["watchers"]);
    assert_eq!(functions_of(r"replace Own::is -> bool with true"), ["is"]);
    assert_eq!(functions_of(r"in Step<.*>::commit$"), ["commit"]);
    assert_eq!(file_of(r"explore/space\.rs:.* replace Space::commit"), "explore/space.rs");
    assert_eq!(file_of(r"replace Own::is -> bool with true"), "");
}
