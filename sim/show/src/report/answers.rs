//! The answers and figures of all scenarios as a table, in which drift is seen and figures are
//! kept.
//!
//! A test that makes all reports again cannot search every large world again. Where a world is
//! known to be large and only its figures are needed, the committed ones serve.

use std::{collections::BTreeMap, fmt::Write as _};

use deathwatch_scenario::{
    listed,
    scenario::{Expected, Scenario},
};

use super::{AnsweredScenario, markdown::count};

/// The head of the table, by which a file of ours is known.
pub(super) const HEAD: &str = "scenario\tanswers\tstates\ttransitions\n";
/// The number of states above which a world is large.
const LARGE: u64 = 20_000;

/// The figures of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    pub states: u64,
    pub transitions: u64,
}

/// The table, sorted by the names of the scenarios.
pub(super) fn table(answered: &[AnsweredScenario]) -> String {
    let rows: BTreeMap<&str, &AnsweredScenario> =
        answered.iter().map(|it| (&*it.name, it)).collect();
    let mut table = HEAD.to_owned();
    for (name, it) in rows {
        let _ = match it.figures {
            None => writeln!(table, "{name}\t{}\t\t", answers(it)),
            Some(Figures { states, transitions }) => {
                writeln!(table, "{name}\t{}\t{states}\t{transitions}", answers(it))
            }
        };
    }
    table
}

/// The claims that are violated, and how many others have each answer; and the steps of the script.
pub(super) fn answers(it: &AnsweredScenario) -> String {
    let violated = it.claims(Expected::Violated);
    let mut parts = listed::in_quotes(violated.iter().map(|claim| claim.name));
    if let Some(first) = parts.first_mut() {
        first.insert_str(0, "violated ");
    }
    for (answer, word) in [(Expected::Holds, "holds"), (Expected::Vacuous, "vacuous")] {
        match it.claims(answer).len() {
            0 => {}
            claims => parts.push(format!("{word} {claims}")),
        }
    }
    if !it.scenario.steps.is_empty() {
        parts.push(count(it.scenario.steps.len(), "step", "steps"));
    }
    parts.join("; ")
}

/// The figures in a table, by the names of the scenarios.
pub fn committed(table: &str) -> BTreeMap<String, Figures> {
    table.lines().filter_map(figures).collect()
}

fn figures(row: &str) -> Option<(String, Figures)> {
    let cells: Vec<&str> = row.split('\t').collect();
    let [name, _, states, transitions] = cells[..] else { return None };
    let figures = Figures { states: states.parse().ok()?, transitions: transitions.parse().ok()? };
    Some((name.to_owned(), figures))
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
    fn figures_are_read_as_they_are_written() {
        let table = format!("{HEAD}a/b\tviolated \"it\"; holds 2\t1234\t7\na/c\t5 steps\t\t\n");
        let figures = Figures { states: 1234, transitions: 7 };
        assert_eq!(committed(&table), BTreeMap::from([("a/b".to_owned(), figures)]));
    }
}
