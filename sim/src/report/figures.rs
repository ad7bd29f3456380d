//! What searches count, and how it is remembered: from the page of all scenarios.
//!
//! A test that makes all reports again cannot search every large world again. Where a world is
//! known to be large and nothing but figures is wanted of it, those that were committed will do.

use std::collections::BTreeMap;

use super::markdown;
use crate::scenario::{Expected, Scenario};

/// A world of more states is a large one.
const LARGE: u64 = 20_000;

/// What a search counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// States.
    pub states: u64,
    /// Transitions.
    pub transitions: u64,
    /// The greatest number of steps from the start to a state by a shortest way.
    pub depth: u32,
}

/// The figures that a page of all scenarios holds, by the names of the scenarios.
pub fn remembered(page: &str) -> BTreeMap<String, Figures> {
    page.lines().filter_map(row).collect()
}

/// The scenario and the figures of a row: its link, then somewhere after it three numbers.
fn row(line: &str) -> Option<(String, Figures)> {
    let (_, rest) = line.strip_prefix("| [")?.split_once("](../scenarios/")?;
    let (name, _) = rest.split_once(".toml)")?;
    let mut cells = rest.trim_end_matches([' ', '|']).rsplit('|').map(markdown::read_number);
    let (depth, transitions, states) = (cells.next()??, cells.next()??, cells.next()??);
    let depth = u32::try_from(depth).ok()?;
    Some((name.to_owned(), Figures { states, transitions, depth }))
}

/// Whether a scenario with these figures need not be searched again: its world is large, and
/// there is no run to tell of.
pub fn can_be_remembered(scenario: &Scenario, figures: Figures) -> bool {
    let is_quiet = scenario.claims.iter().all(|(_, answer)| *answer != Expected::Violated);
    is_quiet && figures.states > LARGE
}

/// Whether anything is searched for the scenario; a script alone is not.
pub fn is_searched(scenario: &Scenario) -> bool {
    let is_pinned = scenario.states.is_some() || scenario.transitions.is_some();
    is_pinned || !scenario.claims.is_empty() || !scenario.witnesses.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_last_cells_of_a_row() {
        let page = "| [b](../scenarios/a/b.toml) | One, 5 \\| 6. | 1,234 | 7 | 8 |\n\
                    | [c](../scenarios/a/c.toml) | Two. | | | |\n| states | 1 | 2 | 3 |\n";
        let figures = Figures { states: 1234, transitions: 7, depth: 8 };
        assert_eq!(remembered(page), BTreeMap::from([("a/b".to_owned(), figures)]));
    }
}
