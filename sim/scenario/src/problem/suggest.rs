//! Suggestions: known names that are like an unknown one.
//!
//! There may be 100,000 known names, and an unknown one may be as long as a file. So names are
//! compared only if their lengths allow for a typing error, and long ones not at all.

use strsim::levenshtein;

use crate::{escape::shorten, listed::few};

/// The longest name that is compared, in characters.
const LONGEST: usize = 64;
/// The length at which a suggested name is cut, in characters.
const SHOWN: usize = 80;

/// The help for `name`, which is none of the `known` names.
pub fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    const FEW: usize = 12;
    if let Some(near) = nearest(name, known.clone()) {
        return Some(near);
    }
    let is_any = known.clone().next().is_some();
    is_any.then(|| format!("possible: {}", few(known.map(quoted), FEW)))
}

/// The `known` names that are most like `name`.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let length = name.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let limit = (1 + length / 3).min(length.saturating_sub(1));
    let distance = |other: &str| {
        // A letter has four bytes at most, so most names need not even be counted.
        let is_compared =
            other.len() <= 4 * (length + limit) && length.abs_diff(other.chars().count()) <= limit;
        is_compared.then(|| levenshtein(name, other)).filter(|it| *it <= limit)
    };
    let distances = known.filter_map(|other| Some((distance(other)?, other)));
    let mut near: Vec<(usize, &str)> = distances.collect();
    near.sort_by_key(|(distance, _)| *distance);
    let names: Vec<String> = near.into_iter().take(3).map(|(_, name)| quoted(name)).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

fn quoted(name: &str) -> String {
    format!("`{}`", shorten(name, SHOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_suggested_or_a_few_of_all() {
        let known = ["wordpress", "mysql", "logging"];
        let suggest = |name| suggestion(name, known.into_iter());
        assert_eq!(suggest("wordpres").as_deref(), Some("did you mean `wordpress`?"));
        assert_eq!(suggest("sql").as_deref(), Some("did you mean `mysql`?"));
        assert_eq!(
            suggest("haproxy").as_deref(),
            Some("possible: `wordpress`, `mysql`, `logging`")
        );
        assert_eq!(suggestion("x", std::iter::empty()), None);
        let near = |name, known: &'static str| nearest(name, std::iter::once(known));
        assert_eq!(near("kitten", "sitting").as_deref(), Some("did you mean `sitting`?"));
        assert_eq!((near("kitten", "setting!"), near("", "abc")), (None, None));
    }

    #[test]
    fn long_names_are_not_compared_and_not_told_in_full() {
        let long = "x".repeat(60_000);
        let known: Vec<String> = (0..20_000).map(|id| format!("{long}{id}")).collect();
        assert_eq!(nearest(&long, known.iter().map(String::as_str)), None);
        let told = suggestion(&long, known.iter().map(String::as_str)).expect("a few");
        assert!(told.chars().count() < 1_200, "{} letters", told.len());
    }
}
