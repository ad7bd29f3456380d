//! The report of a sweep: the answers that all seeds give together, and whether they are the
//! expected ones.
//!
//! A claim that is expected to hold must not be violated by any seed, and one that is expected to
//! be violated must be violated by at least one. A claim that is open, because a seed was not run
//! or did not settle, gets no answer.

use deathwatch_documents::Status;
use deathwatch_model::{
    check::CheckAnswer,
    claims::{Claim, ClaimKind},
    clause::Clause,
};
use deathwatch_scenario::Expected;
use deathwatch_simulator::stats::Stats;

use super::{
    drawn::Drawn,
    groups::{Failing, Group},
    seen::Seen,
    tally::{Count, Tally},
};

/// The report of a sweep on one scenario.
#[derive(Clone, Debug)]
pub struct Report {
    /// The name of the scenario.
    pub scenario: String,
    /// Its file.
    pub file: String,
    /// Whether it was answered as it expects.
    pub status: Status,
    /// The answer to script and claims together: violated if any is, else inconclusive if any is,
    /// else they hold.
    pub answer: CheckAnswer,
    /// The expectations that its script does not meet.
    pub failures: Vec<String>,
    /// The number of seeds that were run.
    pub seeds: u64,
    /// The number of seeds that were to be run.
    pub planned: u64,
    /// A few of the seeds that were not run, as "17" or "40..60".
    pub missing: Vec<String>,
    /// The seed whose unexpected result ended the sweep before its end.
    pub ended_by: Option<u64>,
    /// The claims, each with its answer.
    pub claims: Vec<Answered>,
    /// The failures in groups: those that are not expected first, then those of most seeds.
    pub groups: Vec<Group>,
    /// The seeds that did not settle.
    pub unsettled: Option<Odd>,
    /// The seeds whose second run differed from the first.
    pub diverged: Option<Odd>,
    /// The seeds in parts.
    pub parts: Vec<Part>,
    /// The details of its world.
    pub details: Vec<String>,
    /// The selections of these that seeds draw, each with the seeds that drew it; none, if they draw
    /// nothing.
    pub drawn: Vec<Drawn>,
    /// The statistics of all runs.
    pub stats: Stats,
    /// The seeds one by one, as far as they are few, and in columns.
    pub seen: Seen,
    /// A hash of every run.
    pub digest: u64,
}

/// A claim and the answer of the seeds.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The claim.
    pub claim: &'static Claim,
    /// The expected answer.
    pub expected: Expected,
    /// The answer: "violated" if a run decides it, and "holds" if none does.
    pub answer: CheckAnswer,
    /// The number of seeds that violate it.
    pub seeds: u64,
    /// The smallest of them.
    pub first: Option<u64>,
    /// The number of groups of its failures.
    pub kinds: u64,
}

impl Answered {
    /// The answer to what the claim says. What some seed reaches can be reached; that none does
    /// leaves it open.
    pub fn said(&self) -> CheckAnswer {
        match (self.claim.kind(), self.answer) {
            (ClaimKind::Reachable, CheckAnswer::Violated) => CheckAnswer::Holds,
            (ClaimKind::Reachable, _) => CheckAnswer::Inconclusive,
            (ClaimKind::Always | ClaimKind::Step | ClaimKind::Leads, answer) => answer,
        }
    }

    /// Whether the answer is the expected one.
    pub fn status(&self) -> Status {
        match (self.answer, self.expected) {
            (CheckAnswer::Inconclusive, _) => Status::Undecided,
            (CheckAnswer::Violated, Expected::Violated)
            | (
                CheckAnswer::Holds | CheckAnswer::Vacuous,
                Expected::Holds | Expected::Vacuous | Expected::NotViolated,
            ) => Status::AsExpected,
            (
                CheckAnswer::Violated,
                Expected::Holds | Expected::Vacuous | Expected::NotViolated,
            )
            | (CheckAnswer::Holds | CheckAnswer::Vacuous, Expected::Violated) => Status::Unexpected,
        }
    }
}

/// Seeds that did not settle, or whose runs differed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odd {
    /// Their number.
    pub seeds: u64,
    /// The smallest of them.
    pub first: u64,
    /// The reason for that one.
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
    /// The name of the part, as in "seeds 0..500".
    pub name: String,
    /// The number of its seeds that were run.
    pub seeds: u64,
    /// The unexpected violations.
    pub surprises: Surprises,
    /// The seeds that did not settle.
    pub unsettled: Option<Odd>,
    /// The seeds whose second run differed from the first.
    pub diverged: Option<Odd>,
}

impl Part {
    pub(super) fn new(name: String) -> Self {
        let surprises = Surprises::default();
        Self { name, seeds: 0, surprises, unsettled: None, diverged: None }
    }
}

/// For each claim that is violated unexpectedly, the number of seeds that violate it, and the
/// smallest.
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

    /// The number of seeds that violate a claim, and the smallest of them, in order of the claims.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Failing)> {
        self.0.iter().map(|(_, seeds, first)| (*seeds, first))
    }
}

impl Report {
    /// Draws the conclusion from the results.
    pub fn of(tally: Tally<'_>) -> Self {
        let last = tally.ended_by.and_then(|seed| tally.plan.position(seed));
        let drawn = Drawn::of(&tally);
        let missing = tally.plan.gaps(&tally.done, last);
        let (numbers, groups): (Vec<usize>, Vec<Group>) =
            tally.groups.into_sorted().into_iter().unzip();
        let is_cut = !missing.is_empty() || tally.ended_by.is_some() || tally.unsettled.is_some();
        let answered = |((claim, expected), count): (&(&'static Claim, Expected), &Count)| {
            // Another shard may have the seed that violates it.
            let is_elsewhere = *expected == Expected::Violated && tally.plan.is_part();
            Answered {
                claim,
                expected: *expected,
                answer: match count.seeds {
                    0 if is_cut || is_elsewhere => CheckAnswer::Inconclusive,
                    0 => CheckAnswer::Holds,
                    _ => CheckAnswer::Violated,
                },
                seeds: count.seeds,
                first: count.first,
                kinds: groups.iter().filter(|group| group.is_about(claim)).count() as u64,
            }
        };
        let claims = tally.about.claims.iter().zip(&tally.claims).map(answered).collect();
        let mut report = Self {
            scenario: tally.about.scenario.clone(),
            file: tally.about.file.clone(),
            status: Status::AsExpected,
            answer: CheckAnswer::Holds,
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
            details: tally.about.details.clone(),
            drawn,
            stats: tally.stats,
            seen: tally.seen.numbered(&numbers),
            digest: tally.digest,
        };
        report.conclude();
        report
    }

    fn conclude(&mut self) {
        let is_wrong = !self.failures.is_empty() || self.diverged.is_some();
        let is_open = !self.missing.is_empty() || self.unsettled.is_some();
        let answers = |answer| self.claims.iter().any(|claim| claim.said() == answer);
        self.answer = if is_wrong || answers(CheckAnswer::Violated) {
            CheckAnswer::Violated
        } else if is_open || answers(CheckAnswer::Inconclusive) {
            CheckAnswer::Inconclusive
        } else {
            CheckAnswer::Holds
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

    /// The smallest seed of each group of unexpected failures.
    pub fn surprising_seeds(&self) -> Vec<u64> {
        let surprises = self.groups.iter().filter(|group| group.is_unexpected);
        let mut seeds: Vec<u64> = surprises.map(|group| group.first.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    /// The clauses of the protocol that a run can carry out in a world with these details.
    pub fn clauses(&self) -> impl Iterator<Item = Clause> {
        let has = |detail: &str| self.details.iter().any(|it| it == detail);
        Clause::all().filter(move |it| !it.is_guard() && it.needs().iter().all(|it| has(it)))
    }

    /// Those of them that no run carried out.
    pub fn never_exercised(&self) -> Vec<Clause> {
        self.clauses().filter(|clause| !self.stats.clauses.contains(*clause)).collect()
    }
}
