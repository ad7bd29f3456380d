//! The rows that the committed page has already, which need not be made again.
//!
//! A row is kept as it is, by the names in its first cells.

use std::collections::BTreeMap;

use crate::report::markdown;

/// The rows of a page.
#[derive(Clone, Debug, Default)]
pub struct Committed {
    rows: BTreeMap<String, String>,
    /// The violations that seeds find, in the order of the page.
    pub known: Vec<KnownViolation>,
}

/// A violation that a seed finds, according to the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownViolation {
    /// The name of the scenario below the folder of scenarios.
    pub scenario: String,
    pub claim: String,
    pub seed: u64,
    /// The number of steps of its run when it is shrunk.
    pub shrunk: Option<u64>,
    /// The number of steps of the explorer's shortest run, if it was asked.
    pub shortest: Option<u64>,
}

/// The rows of `page`.
pub fn committed(page: &str) -> Committed {
    let mut committed = Committed::default();
    for line in page.lines().filter(|line| line.starts_with("| [")) {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split('|').map(str::trim).collect();
        let width = if line.contains("](../scenarios/") && cells.len() < 8 { 2 } else { 1 };
        committed.rows.insert(cells[..width.min(cells.len())].join("|"), format!("{line}\n"));
        committed.known.extend(known(&cells));
    }
    committed
}

fn known(cells: &[&str]) -> Option<KnownViolation> {
    let [link, claim, seeds, _, shrunk, ..] = *cells else { return None };
    let shortest = cells.get(5).copied().unwrap_or_default();
    let (name, _) = link.strip_prefix('[')?.split_once("](../scenarios/")?;
    let scenario = name.to_owned();
    let seed = markdown::read_number(seeds)?.checked_sub(1)?;
    let [shrunk, shortest] = [shrunk, shortest].map(markdown::read_number);
    let known = KnownViolation { scenario, claim: claim.to_owned(), seed, shrunk, shortest };
    // In the other table this cell is a number.
    markdown::read_number(claim).is_none().then_some(known)
}

impl Committed {
    /// The row whose first cells are these.
    pub fn row<'a>(&self, key: impl IntoIterator<Item = &'a str>) -> Option<&String> {
        self.rows.get(&key.into_iter().collect::<Vec<_>>().join("|"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_known_by_what_they_name() {
        let page = "| [a/b](../scenarios/a/b.toml) | it holds | 8 | 700 | 5 | 4 | |\n\
                    | [a/c](../scenarios/a/c.toml) | it holds | | | | 4 | goes round for ever |\n\
                    | [d](../scenarios/d.toml) | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 |\n";
        let committed = committed(page);
        let rows: Vec<&str> = page.split_inclusive('\n').collect();
        let row = |key: &[&str]| committed.row(key.iter().copied()).map(String::as_str);
        assert_eq!(row(&["[a/b](../scenarios/a/b.toml)", "it holds"]), Some(rows[0]));
        assert_eq!(row(&["[a/c](../scenarios/a/c.toml)", "it holds"]), Some(rows[1]));
        assert_eq!(row(&["[d](../scenarios/d.toml)"]), Some(rows[2]));
        let (scenario, claim) = ("a/b".to_owned(), "it holds".to_owned());
        let known = KnownViolation { scenario, claim, seed: 7, shrunk: Some(5), shortest: Some(4) };
        assert_eq!(committed.known, [known]);
    }
}
