//! The hidden facts that decide: as few as tell the answers apart.

use super::{DiagnosedState, Grouping};
use crate::{hidden::Pick, words};

/// The most facts that decide together, as they are told.
const MOST_DECIDERS: usize = 3;

impl Grouping<'_> {
    /// The facts whose values tell the cases apart: as few as will do.
    pub(super) fn deciders(&self, cases: &[Vec<&DiagnosedState>]) -> Vec<usize> {
        if cases.len() < 2 {
            return Vec::new();
        }
        let picks = |state: &DiagnosedState| self.facts.state(state.number);
        let states: Vec<(usize, Vec<&Pick>)> = cases
            .iter()
            .enumerate()
            .flat_map(|(case, of)| of.iter().map(move |it| (case, picks(it))))
            .collect();
        let is_open = |fact: &usize| states.iter().any(|(_, it)| it[*fact] != states[0].1[*fact]);
        let open: Vec<usize> = (0..self.facts.all.len()).filter(is_open).collect();
        for size in 1..=MOST_DECIDERS.min(open.len()) {
            for set in combinations(&open, size) {
                let decides = states.iter().all(|(case, mine)| {
                    states.iter().all(|(other, theirs)| {
                        case == other || set.iter().any(|it| mine[*it] != theirs[*it])
                    })
                });
                if decides {
                    return set;
                }
            }
        }
        open
    }

    /// The values that the facts which decide have in a case.
    pub(super) fn when(&self, deciders: &[usize], of: &[&DiagnosedState]) -> Vec<String> {
        let fact = |fact: &usize| {
            let mut values: Vec<&Pick> = Vec::new();
            for state in of {
                let value = self.facts.state(state.number)[*fact];
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            let all = &self.facts.all[*fact];
            (values.len() < all.values.len() || deciders.len() == 1)
                .then(|| words::fact(self.juju, &values))
        };
        deciders.iter().filter_map(fact).collect()
    }
}

/// The sets of this size of these numbers.
fn combinations(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    match (size, of.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (_, Some((first, rest))) => {
            let with = combinations(rest, size - 1);
            let with = with.into_iter().map(|set| [&[*first], &set[..]].concat());
            with.chain(combinations(rest, size)).collect()
        }
    }
}
