//! The tally: the sum of the results of some seeds, added one by one in the order of the plan.

use std::collections::{BTreeMap, BTreeSet};

use deathwatch_documents::{
    Expected,
    sweep::{OddSeeds, SeedPart},
};
use deathwatch_simulator::stats::Stats;

use super::{
    groups::{FailingSeed, Groups, Violation},
    header::{About, Until, digest},
    plan::{PlanParts, SweepPlan},
    result::{Ended, SeedResult},
    seen::Seen,
};

/// The sum of the results of some seeds.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    pub(super) about: &'a About,
    pub(super) plan: &'a SweepPlan,
    until: Until,
    places: PlanParts,
    pub(super) done: BTreeSet<u64>,
    pub(super) ended_by: Option<u64>,
    pub(super) claims: Vec<SeedCount>,
    pub(super) groups: Groups,
    pub(super) unsettled: Option<OddSeeds>,
    pub(super) diverged: Option<OddSeeds>,
    /// The parts of the seeds, each with its unexpected failures.
    pub(super) parts: Vec<(SeedPart, Surprises)>,
    pub(super) stats: Stats,
    pub(super) seen: Seen,
    pub(super) digest: u64,
}

/// The number of seeds that violate each claim unexpectedly, and the failure of the smallest.
pub(super) type Surprises = BTreeMap<usize, (u64, FailingSeed)>;

/// The number of seeds, and the smallest of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SeedCount {
    pub(super) seeds: u64,
    pub(super) first: Option<u64>,
}

impl<'a> Tally<'a> {
    /// The tally of no seeds.
    pub fn new(about: &'a About, plan: &'a SweepPlan, until: Until) -> Self {
        let places = plan.parts();
        let part = |name| {
            let part =
                SeedPart { name, seeds: 0, surprises: Vec::new(), unsettled: None, diverged: None };
            (part, BTreeMap::new())
        };
        let parts = places.names().into_iter().map(part).collect();
        Self {
            about,
            plan,
            until,
            places,
            done: BTreeSet::new(),
            ended_by: None,
            claims: vec![SeedCount::default(); about.claims.len()],
            groups: Groups::default(),
            unsettled: None,
            diverged: None,
            parts,
            stats: Stats::default(),
            seen: Seen::default(),
            digest: digest(&[]),
        }
    }

    /// Whether `result` ends the sweep.
    pub(super) fn ends_with(&self, result: &SeedResult) -> bool {
        self.until == Until::FirstSurprise && is_unexpected(self.about, result)
    }

    /// Adds the result of a seed that was not added before. Seeds are added in the order of the
    /// plan. Those after the end of the sweep do not count.
    ///
    /// # Panics
    /// If the seed is not in the plan, or violates a claim that the sweep does not ask.
    pub fn add(&mut self, result: &SeedResult) {
        if self.ended_by.is_some() || !self.done.insert(result.seed) {
            return;
        }
        if self.ends_with(result) {
            self.ended_by = Some(result.seed);
        }
        let (part, surprises) = &mut self.parts[self.places.of(result.seed)];
        part.seeds += 1;
        let mut violations = Vec::new();
        for violated in &result.violations {
            let known = self.about.claim(&violated.claim);
            let (at, expected) = known.expect("only the claims of the sweep are watched");
            let failing = FailingSeed::new(result, violated);
            let count = &mut self.claims[at];
            count.seeds += 1;
            count.first = Some(count.first.map_or(result.seed, |first| first.min(result.seed)));
            let is_unexpected = expected != Expected::Violated;
            if is_unexpected {
                let (seeds, first) = surprises.entry(at).or_insert_with(|| (0, failing.clone()));
                *seeds += 1;
                if failing.seed < first.seed {
                    *first = failing;
                }
            }
            violations.push(Violation { claim: at, is_unexpected, violated });
        }
        let groups = self.groups.add(result, &violations);
        self.seen.add(result, groups);
        match &result.end {
            Ended::Settled => {}
            Ended::Unsettled(why) => {
                OddSeeds::add(&mut self.unsettled, result.seed, why);
                OddSeeds::add(&mut part.unsettled, result.seed, why);
            }
            Ended::Diverged(how) => {
                OddSeeds::add(&mut self.diverged, result.seed, how);
                OddSeeds::add(&mut part.diverged, result.seed, how);
            }
        }
        self.stats.extend(&result.stats);
        let mut bytes = self.digest.to_le_bytes().to_vec();
        bytes.extend(result.seed.to_le_bytes());
        bytes.extend(result.digest.to_le_bytes());
        self.digest = digest(&bytes);
    }
}

/// Whether `result` has an unexpected violation, or differs when it is run again.
pub(super) fn is_unexpected(about: &About, result: &SeedResult) -> bool {
    let is_expected =
        |name: &str| about.claim(name).is_some_and(|(_, expected)| expected == Expected::Violated);
    let is_divergent = matches!(result.end, Ended::Diverged(_));
    is_divergent || result.violations.iter().any(|violated| !is_expected(&violated.claim))
}
