//! Which details seeds drew. A seed draws the same whatever becomes of its run, so no journal holds it.

use super::tally::Tally;
use crate::simulate::draw_details;

/// A selection of details that seeds may draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The details.
    pub details: Vec<String>,
    /// The number of seeds that drew it.
    pub seeds: u64,
    /// The smallest of them.
    pub first: Option<u64>,
}

impl Drawn {
    /// What the seeds that were run drew.
    pub(super) fn of(tally: &Tally<'_>) -> Vec<Self> {
        let choices = &tally.about.draws;
        let none = |details: &Vec<String>| Self { details: details.clone(), seeds: 0, first: None };
        let mut drawn: Vec<Self> = choices.iter().map(none).collect();
        for &seed in tally.done.iter().filter(|_| !choices.is_empty()) {
            let it = &mut drawn[draw_details(seed, choices.len())];
            it.seeds += 1;
            it.first = it.first.or(Some(seed));
        }
        drawn
    }
}
