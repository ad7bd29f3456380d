//! The figures of searches. They are kept in the page of all scenarios.
//!
//! A test that makes all reports again cannot search every large world again. Where a world is
//! known to be large and only its figures are needed, the committed ones serve.

use std::collections::BTreeMap;

use deathwatch_scenario::scenario::{Expected, Scenario};

use super::markdown;

/// The number of states above which a world is large.
const LARGE: u64 = 20_000;

/// The figures of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The number of states.
    pub states: u64,
    /// The number of transitions.
    pub transitions: u64,
    /// The depth: the greatest length of a shortest path from the start to a state.
    pub depth: u32,
}

/// The figures in a page of all scenarios, by the names of the scenarios.
pub fn committed(page: &str) -> BTreeMap<String, Figures> {
    page.lines().filter_map(row).collect()
}

/// The scenario and the figures of a row: a link, and three numbers somewhere after it.
fn row(line: &str) -> Option<(String, Figures)> {
    let (_, rest) = line.strip_prefix("| [")?.split_once("](../scenarios/")?;
    let (name, _) = rest.split_once(".toml)")?;
    let mut cells = rest.trim_end_matches([' ', '|']).rsplit('|').map(markdown::read_number);
    let (depth, transitions, states) = (cells.next()??, cells.next()??, cells.next()??);
    let depth = u32::try_from(depth).ok()?;
    Some((name.to_owned(), Figures { states, transitions, depth }))
}

/// Whether a scenario with these figures need not be searched again: its world is large, and it has
/// no run to render.
pub fn is_kept(scenario: &Scenario, figures: Figures) -> bool {
    let is_quiet = scenario.claims.iter().all(|(_, answer)| *answer != Expected::Violated);
    is_quiet && figures.states > LARGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_last_cells_of_a_row() {
        let page = "| [b](../scenarios/a/b.toml) | One, 5 \\| 6. | 1,234 | 7 | 8 |\n\
                    | [c](../scenarios/a/c.toml) | Two. | | | |\n| states | 1 | 2 | 3 |\n";
        let figures = Figures { states: 1234, transitions: 7, depth: 8 };
        assert_eq!(committed(page), BTreeMap::from([("a/b".to_owned(), figures)]));
    }
}
