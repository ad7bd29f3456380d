//! The document of a sweep: the answers that all seeds give together, and whether they are the
//! expected ones.
//!
//! A claim that is expected to hold must not be violated by any seed, and one that is expected to
//! be violated must be violated by at least one. A claim that is open, because a seed was not run
//! or did not settle, gets no answer.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use deathwatch_claims::Claim;
use deathwatch_documents::{
    Expected, Outcome, QuestionKind, Status, Sweep,
    sweep::{
        ByKind, DrawnDetails, DutiesMissed, FailureGroup, SeedPart, Surprise, SweepStats,
        SweptClaim,
    },
};
use deathwatch_model::{
    clause::{Clause, Rule},
    world::FaultKind,
};
use deathwatch_simulator::{duties::DutyStage, stats::Stats};

use super::{
    groups::{Commands, FailingSeed},
    header::About,
    seen::Seen,
    tally::{SeedCount, Surprises, Tally},
    times,
};
use crate::simulate::draw_details;

impl Tally<'_> {
    /// The document of the results. `asked` are the flags of a question that was asked on the spot,
    /// as no file has it.
    pub fn document(self, asked: &[String]) -> Sweep {
        let about = self.about;
        let last = self.ended_by.and_then(|seed| self.plan.position(seed));
        let missing = self.plan.gaps(&self.done, last);
        let drawn = self.drawn();
        let commands = Commands { scenario: about.words(), asked };
        let (numbers, groups): (Vec<usize>, Vec<FailureGroup>) =
            self.groups.into_sorted(&commands).into_iter().unzip();
        let is_cut = about.is_cut
            || !missing.is_empty()
            || self.ended_by.is_some()
            || self.unsettled.is_some();
        let claims = about.claims.iter().zip(&self.claims).map(|(&(claim, expected), count)| {
            // Another shard may have the seed that violates it.
            let is_elsewhere = expected == Expected::Violated && self.plan.is_part();
            swept((claim, expected), *count, &groups, is_cut || is_elsewhere)
        });
        let claims: Vec<SweptClaim> = claims.collect();
        let is_wrong = !about.failures.is_empty() || self.diverged.is_some();
        let is_open = !missing.is_empty() || self.unsettled.is_some();
        let Seen { rows, left_out, columns, faults, clauses } = self.seen.numbered(&numbers);
        let unsettled = self.unsettled.as_ref().map(|odd| match odd.seeds {
            1 => "1 seed did not settle".to_owned(),
            seeds => format!("{seeds} seeds did not settle"),
        });
        Sweep {
            scenario: about.scenario.clone(),
            file: about.file.clone(),
            set: about.set.clone(),
            status: status(&claims, is_wrong, is_open),
            known: None,
            answer: answer(&claims, is_wrong, is_open),
            seeds: self.done.len() as u64,
            planned: self.plan.len(),
            steps: self.stats.steps,
            seconds: None,
            seeds_per_second: None,
            steps_per_second: None,
            claims,
            groups,
            unsettled: self.unsettled,
            diverged: self.diverged,
            failures: about.failures.clone(),
            ended_by: self.ended_by,
            missing,
            stopped: None,
            reason: unsettled,
            drawn,
            stats: stats(&self.stats, about, &faults, &clauses),
            columns,
            rows,
            rows_left_out: Some(left_out),
            digest: format!("{:016x}", self.digest),
            parts: self.parts.into_iter().map(|it| part(it, &commands)).collect(),
        }
    }

    /// The details that the seeds drew. A seed draws the same whatever becomes of its run, so no
    /// journal holds them.
    fn drawn(&self) -> Vec<DrawnDetails> {
        let choices = &self.about.draws;
        let none = |details: &Vec<String>| DrawnDetails {
            details: details.clone(),
            seeds: 0,
            first_seed: None,
        };
        let mut drawn: Vec<DrawnDetails> = choices.iter().map(none).collect();
        for &seed in self.done.iter().filter(|_| !choices.is_empty()) {
            let it = &mut drawn[draw_details(seed, choices.len())];
            it.seeds += 1;
            it.first_seed = it.first_seed.or(Some(seed));
        }
        drawn
    }
}

/// The answer of the seeds to a claim. A run that decides the claim violates it, or shows that its
/// condition can be reached.
fn swept(
    (claim, of_seeds): (&'static Claim, Expected),
    count: SeedCount,
    groups: &[FailureGroup],
    is_open: bool,
) -> SweptClaim {
    let kind = QuestionKind::from(claim.kind());
    let is_decided = count.seeds > 0;
    let is_open = is_open && !is_decided;
    let is_about =
        |group: &&FailureGroup| group.claims.iter().any(|known| known.name == claim.name);
    SweptClaim {
        name: claim.name.to_owned(),
        kind,
        source: claim.source.to_owned(),
        answer: match (is_decided, kind) {
            (true, QuestionKind::Reachable) => Outcome::Holds,
            (true, _) => Outcome::Violated,
            // That none of some seeds reaches it does not say that nothing can.
            (false, QuestionKind::Reachable) => Outcome::Undecided,
            (false, _) if is_open => Outcome::Undecided,
            (false, _) => Outcome::Holds,
        },
        expected: of_seeds.of_seeds(claim),
        status: if is_open {
            Status::Undecided
        } else if is_decided == (of_seeds == Expected::Violated) {
            Status::AsExpected
        } else {
            Status::Unexpected
        },
        known: None,
        seeds: count.seeds,
        first_seed: count.first,
        groups: groups.iter().filter(is_about).count() as u64,
    }
}

/// The answer to script and claims together.
fn answer(claims: &[SweptClaim], is_wrong: bool, is_open: bool) -> Outcome {
    let has = |answer| claims.iter().any(|claim| claim.answer == answer);
    if is_wrong || has(Outcome::Violated) {
        Outcome::Violated
    } else if is_open || has(Outcome::Undecided) {
        Outcome::Undecided
    } else {
        Outcome::Holds
    }
}

/// Whether all answers are the expected ones.
fn status(claims: &[SweptClaim], is_wrong: bool, is_open: bool) -> Status {
    let worst = claims.iter().map(|claim| claim.status).max().unwrap_or(Status::AsExpected);
    match worst {
        _ if is_wrong => Status::Unexpected,
        worst if is_open => worst.max(Status::Undecided),
        worst => worst,
    }
}

/// A part of the seeds, with the unexpected failures in the order of their claims.
fn part((part, found): (SeedPart, Surprises), commands: &Commands<'_>) -> SeedPart {
    let surprises =
        found.into_values().map(|(seeds, FailingSeed { seed, steps, violated })| Surprise {
            seeds,
            first_seed: seed,
            claim: violated.claim,
            step: violated.step,
            steps,
            subject: violated.subject,
            wait_for: violated.wait_for,
            commands: commands.of(seed),
        });
    SeedPart { surprises: surprises.collect(), ..part }
}

/// The statistics of all runs, and the numbers of seeds in which each fault struck, and which
/// carried out each clause.
fn stats(
    stats: &Stats,
    about: &About,
    fault_seeds: &BTreeMap<Cow<'static, str>, u64>,
    clause_seeds: &BTreeMap<Clause, u64>,
) -> SweepStats {
    let has = |detail: &str| about.details.iter().any(|it| it == detail);
    let can_be = |it: &Clause| !it.is_guard() && it.needs().iter().all(|it| has(it));
    let name = |clause: Clause| match (clause.rule, usize::from(clause.number)) {
        (Rule::Own, place @ 1..) if place <= about.rules.len() => about.rules[place - 1].clone(),
        _ => clause.to_string(),
    };
    let own = (1..=about.rules.len())
        .filter_map(|place| Some(Clause { rule: Rule::Own, number: u8::try_from(place).ok()? }));
    let never = Clause::all().chain(own).filter(|it| can_be(it) && !stats.clauses.contains(*it));
    let named = |counts: &BTreeMap<Cow<'static, str>, u64>| {
        counts.iter().map(|(name, count)| (name.to_string(), *count)).collect()
    };
    SweepStats {
        figures: stats.figures(),
        faults: named(&stats.faults),
        fault_seeds: named(fault_seeds),
        never_struck: {
            let struck = |it: &&String| stats.faults.contains_key(it.as_str());
            about.faults.iter().filter(|it| !struck(it)).cloned().collect()
        },
        never_struck_at: {
            let missed = |kind: &FaultKind| Some((kind.key().to_owned(), missed(stats, *kind)?));
            FaultKind::ALL.iter().filter_map(missed).collect()
        },
        longest_ms: stats.time,
        largest: ByKind::new(|kind| stats.largest[kind]),
        removal_ms: ByKind::new(|kind| times::removal(&stats.removal[kind])),
        unfinished: ByKind::new(|kind| times::unfinished(&stats.unfinished[kind])),
        exercised: stats.clauses.iter().map(name).collect(),
        never_exercised: never.map(name).collect(),
        clause_seeds: clause_seeds.iter().map(|(it, seeds)| (name(*it), *seeds)).collect(),
    }
}

/// The duties at which a fault of this kind never struck, if it struck elsewhere and there are any.
fn missed(stats: &Stats, kind: FaultKind) -> Option<DutiesMissed> {
    let never = stats.duties.not_struck(kind, stats.struck.get(kind.key())?);
    let at = |stages: &[DutyStage]| {
        let duties = never.iter().filter(|(stage, _)| stages.contains(stage));
        let duties: BTreeSet<Clause> = duties.map(|(_, duty)| duty).collect();
        duties.into_iter().map(|duty| duty.to_string()).collect()
    };
    (!never.is_empty()).then(|| DutiesMissed {
        planned: at(&[DutyStage::Planned]),
        entered: at(&[DutyStage::Entered]),
        in_hook: at(&[DutyStage::Departure, DutyStage::Hook]),
        done: at(&[DutyStage::Done]),
    })
}
