//! The report of a sweep: what all seeds say together, and whether that is what is expected.
//!
//! A claim that is expected to hold must not be violated by any seed, and one that is expected to
//! be violated must be violated by one at least. What is open, because a seed was not run or did
//! not settle, is never told as an answer.

use deathwatch_model::{check::Answer, claims::Claim, clause::Clause};

use super::{
    groups::{Failing, Group},
    tally::{Count, Tally},
};
use crate::{Expected, simulate::Stats, verdict::Status};

/// What a sweep says of a scenario.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// Whether it was answered as it expects.
    pub status: Status,
    /// Over its script and its claims: violated if one is, else open if one is, else they hold.
    pub answer: Answer,
    /// Where its script did not do what it expects.
    pub failures: Vec<String>,
    /// How many seeds were run.
    pub seeds: u64,
    /// How many were to be run.
    pub planned: u64,
    /// Some of those that were not, as "17" or "40..60".
    pub missing: Vec<String>,
    /// The seed that ended the sweep before its end, as nobody expected what it shows.
    pub ended_by: Option<u64>,
    /// The claims, each with its answer.
    pub claims: Vec<Answered>,
    /// The failures, those that look alike together, in order of the claims.
    pub groups: Vec<Group>,
    /// The seeds that did not settle.
    pub unsettled: Option<Odd>,
    /// The seeds that went another way when they were run again.
    pub diverged: Option<Odd>,
    /// The seeds in parts.
    pub parts: Vec<Part>,
    /// What happened.
    pub stats: Stats,
    /// Stands for every run.
    pub digest: u64,
}

/// A claim and what the seeds say of it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The claim.
    pub claim: &'static Claim,
    /// The answer that is expected.
    pub expected: Expected,
    /// The answer; it "holds" if no run violates it.
    pub answer: Answer,
    /// How many seeds violate it.
    pub seeds: u64,
    /// The smallest of them.
    pub first: Option<u64>,
    /// In how many ways.
    pub kinds: u64,
}

impl Answered {
    /// Whether the answer is the expected one.
    pub fn status(&self) -> Status {
        match (self.answer, self.expected) {
            (Answer::Inconclusive, _) => Status::Undecided,
            (Answer::Violated, Expected::Violated)
            | (Answer::Holds | Answer::Vacuous, Expected::Holds | Expected::Vacuous) => {
                Status::AsExpected
            }
            (Answer::Violated, Expected::Holds | Expected::Vacuous)
            | (Answer::Holds | Answer::Vacuous, Expected::Violated) => Status::Unexpected,
        }
    }
}

/// Seeds with which something is odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// How many.
    pub seeds: u64,
    /// The smallest of them.
    pub first: u64,
    /// What is odd with it.
    pub says: String,
}

impl Odd {
    pub(super) fn add(odd: &mut Option<Self>, seed: u64, says: &str) {
        let it = odd.get_or_insert_with(|| Self { seeds: 0, first: seed, says: says.to_owned() });
        it.seeds += 1;
        if seed < it.first {
            (it.first, it.says) = (seed, says.to_owned());
        }
    }
}

/// A part of the seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which seeds, "seeds 0..500".
    pub name: String,
    /// How many of them were run.
    pub seeds: u64,
    /// What nobody expected.
    pub surprises: Surprises,
    /// Those that did not settle.
    pub unsettled: Option<Odd>,
    /// Those that went another way when they were run again.
    pub diverged: Option<Odd>,
}

impl Part {
    pub(super) fn new(name: String) -> Self {
        let surprises = Surprises::default();
        Self { name, seeds: 0, surprises, unsettled: None, diverged: None }
    }
}

/// For each claim that is violated where it should not be, how many seeds do so, and the smallest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surprises(Vec<(usize, u64, Failing)>);

impl Surprises {
    pub(super) fn push(&mut self, claim: usize, failing: Failing) {
        match self.0.binary_search_by_key(&claim, |(claim, ..)| *claim) {
            Err(at) => self.0.insert(at, (claim, 1, failing)),
            Ok(at) => {
                let (_, seeds, first) = &mut self.0[at];
                *seeds += 1;
                if failing.seed < first.seed {
                    *first = failing;
                }
            }
        }
    }

    /// How many seeds violate a claim and the smallest of them, in order of the claims.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Failing)> {
        self.0.iter().map(|(_, seeds, first)| (*seeds, first))
    }
}

impl Report {
    /// Draws the conclusion.
    pub fn of(tally: Tally<'_>) -> Self {
        let last = tally.ended_by.and_then(|seed| tally.plan.place(seed));
        let missing = tally.plan.gaps(&tally.done, last);
        let groups = tally.groups.into_sorted();
        let is_cut = !missing.is_empty() || tally.ended_by.is_some() || tally.unsettled.is_some();
        let answered = |((claim, expected), count): (&(&'static Claim, Expected), &Count)| {
            // Another shard may have the seed that violates it.
            let is_elsewhere = *expected == Expected::Violated && tally.plan.is_part();
            Answered {
                claim,
                expected: *expected,
                answer: match count.seeds {
                    0 if is_cut || is_elsewhere => Answer::Inconclusive,
                    0 => Answer::Holds,
                    _ => Answer::Violated,
                },
                seeds: count.seeds,
                first: count.first,
                kinds: groups.iter().filter(|group| group.claim == claim.name).count() as u64,
            }
        };
        let claims = tally.about.claims.iter().zip(&tally.claims).map(answered).collect();
        let mut report = Self {
            scenario: tally.about.scenario.clone(),
            file: tally.about.file.clone(),
            status: Status::AsExpected,
            answer: Answer::Holds,
            failures: tally.about.failures.clone(),
            seeds: tally.done.len() as u64,
            planned: tally.plan.len(),
            missing,
            ended_by: tally.ended_by,
            claims,
            groups,
            unsettled: tally.unsettled,
            diverged: tally.diverged,
            parts: tally.in_parts,
            stats: tally.stats,
            digest: tally.digest,
        };
        report.conclude();
        report
    }

    fn conclude(&mut self) {
        let is_wrong = !self.failures.is_empty() || self.diverged.is_some();
        let is_open = !self.missing.is_empty() || self.unsettled.is_some();
        let answers = |answer| self.claims.iter().any(|claim| claim.answer == answer);
        self.answer = if is_wrong || answers(Answer::Violated) {
            Answer::Violated
        } else if is_open || answers(Answer::Inconclusive) {
            Answer::Inconclusive
        } else {
            Answer::Holds
        };
        let worst = self.claims.iter().map(Answered::status).max();
        self.status = match worst.unwrap_or(Status::AsExpected) {
            _ if is_wrong => Status::Unexpected,
            worst if is_open => worst.max(Status::Undecided),
            worst => worst,
        };
    }

    /// Whether every answer is the expected one.
    pub fn is_as_expected(&self) -> bool {
        self.status == Status::AsExpected
    }

    /// Whether a group is of a claim that is not expected to be violated.
    pub fn is_surprise(&self, group: &Group) -> bool {
        let claim = self.claims.iter().find(|it| it.claim.name == group.claim);
        claim.is_none_or(|it| it.expected != Expected::Violated)
    }

    /// The smallest seed of each way in which it fails although nobody expects that.
    pub fn surprising_seeds(&self) -> Vec<u64> {
        let surprises = self.groups.iter().filter(|group| self.is_surprise(group));
        let mut seeds: Vec<u64> = surprises.map(|group| group.first.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    /// The clauses of the protocol that no run carried out.
    pub fn never_exercised(&self) -> Vec<Clause> {
        Clause::all().filter(|clause| !self.stats.clauses.contains(*clause)).collect()
    }
}
