//! A sweep as data, for JSON and for pages.

use deathwatch_documents::{
    Outcome, Status, Sweep,
    sweep::{
        ByKind, ClaimSeeds, DrawnDetails, FailureGroup, OddSeeds, SeedRow, SweepStats, SweptClaim,
        TransactionCounts,
    },
    wait_for::WaitFor,
};
use deathwatch_model::check::Stop;
use deathwatch_study::sweep::{
    self, Answered, Ended, Report,
    times::{self, Bins},
};

use super::Lacks;

/// What is said of single seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Each {
    /// Rows, columns and distributions.
    Shown,
    /// Nothing but sums.
    Summed,
}

/// One scenario.
pub(super) fn swept(swept: &super::Swept, each: Each) -> Sweep {
    let report = &swept.report;
    let seen = &report.seen;
    let took = swept.took.as_ref();
    Sweep {
        scenario: report.scenario.clone(),
        file: report.file.clone(),
        expected: report.is_as_expected(),
        answer: Outcome::from(report.answer).name().to_owned(),
        seeds: report.seeds,
        planned: report.planned,
        steps: report.stats.steps,
        seconds: took.map(|took| took.time.as_secs_f64()),
        seeds_per_second: took.map(|took| rate(took.rate(took.seeds))),
        steps_per_second: took.map(|took| rate(took.rate(took.steps))),
        claims: report.claims.iter().map(claim).collect(),
        groups: report.groups.iter().enumerate().map(|(at, it)| group(swept, at, it)).collect(),
        unsettled: report.unsettled.as_ref().map(odd),
        diverged: report.diverged.as_ref().map(odd),
        failures: report.failures.clone(),
        ended_by: report.ended_by,
        missing: report.missing.clone(),
        stopped: swept.lacks.as_ref().and_then(stopped).map(str::to_owned),
        reason: swept.undecided_because(),
        drawn: report.drawn.iter().map(drawn).collect(),
        stats: stats(report, each),
        columns: shown(each, || seen.columns.clone()),
        rows: shown(each, || seen.rows.iter().map(row).collect()),
        rows_left_out: (each == Each::Shown).then_some(seen.left_out),
        digest: format!("{:016x}", report.digest),
    }
}

/// What single seeds say, if that is shown.
fn shown<T: Default>(each: Each, what: impl FnOnce() -> T) -> T {
    match each {
        Each::Shown => what(),
        Each::Summed => T::default(),
    }
}

fn rate(rate: u128) -> u64 {
    u64::try_from(rate).unwrap_or(u64::MAX)
}

fn claim(answered: &Answered) -> SweptClaim {
    SweptClaim {
        name: answered.claim.name.to_owned(),
        kind: answered.claim.kind().name().to_owned(),
        source: answered.claim.source.to_owned(),
        answer: Outcome::from(answered.said()).name().to_owned(),
        expected: answered.expected.of_seeds(answered.claim).to_string(),
        as_expected: answered.status() == Status::AsExpected,
        seeds: answered.seeds,
        first_seed: answered.first,
        groups: answered.kinds,
    }
}

fn group(swept: &super::Swept, at: usize, group: &sweep::Group) -> FailureGroup {
    let (first, clearest) = (&group.first, &group.clearest);
    let violated = &first.violated;
    let claims = group.claims.iter().cloned();
    let [replay, shrink] = swept.commands(group, first);
    let [replay_clearest, shrink_clearest] = swept.commands(group, clearest);
    FailureGroup {
        kind: group.kind.to_string(),
        text: group.kind.says(),
        passage: group.kind.source(),
        expected: !group.is_unexpected,
        seeds: group.seeds,
        alone: group.alone,
        claims: claims.map(|(name, seeds)| ClaimSeeds { name, seeds }).collect(),
        faults: group.faults.clone(),
        first_seed: first.seed,
        claim: violated.claim.clone(),
        step: violated.step,
        steps: first.steps,
        subject: violated.subject.clone(),
        rule: violated.rule.clone(),
        diagnosis: violated.wait_for.as_ref().map(WaitFor::paragraph),
        wait_for: violated.wait_for.clone(),
        replay,
        shrink,
        clearest_seed: clearest.seed,
        clearest_steps: clearest.steps,
        clearest_wait_for: clearest.violated.wait_for.clone(),
        replay_clearest,
        shrink_clearest,
        shrunk: swept.shrunk.get(at).cloned().flatten(),
    }
}

fn odd(odd: &sweep::Odd) -> OddSeeds {
    OddSeeds { seeds: odd.seeds, first_seed: odd.first, reason: odd.says.clone() }
}

fn drawn(drawn: &sweep::Drawn) -> DrawnDetails {
    DrawnDetails { details: drawn.details.clone(), seeds: drawn.seeds, first_seed: drawn.first }
}

fn row(row: &sweep::Row) -> SeedRow {
    let faults = row.faults.iter();
    SeedRow {
        seed: row.seed,
        odd: match &row.end {
            Ended::Settled => None,
            Ended::Unsettled(why) => Some(format!("did not settle: {why}")),
            Ended::Diverged(how) => Some(format!("went another way when run again: {how}")),
        },
        groups: row.groups.clone(),
        violated: row.violated,
        steps: row.steps,
        milliseconds: row.time,
        commands: row.commands,
        faults: faults.map(|(fault, times)| (fault.to_string(), *times)).collect(),
        unfinished: ByKind::new(|kind| row.unfinished[kind]),
    }
}

/// The reason that ended a sweep early, in a word.
fn stopped(lacks: &Lacks) -> Option<&'static str> {
    match lacks {
        Lacks::Stopped(Stop::Time) => Some("time"),
        Lacks::Stopped(Stop::Interrupted) => Some("interrupted"),
        Lacks::Stopped(Stop::States | Stop::Edges | Stop::Memory | Stop::Threads | Stop::Space)
        | Lacks::NotMerged(_) => None,
    }
}

fn stats(report: &Report, each: Each) -> SweepStats {
    let (stats, seen) = (&report.stats, &report.seen);
    let bins = match each {
        Each::Shown => Bins::Shown,
        Each::Summed => Bins::LeftOut,
    };
    let clause_seeds = seen.clauses.iter();
    let named = |counts: &std::collections::BTreeMap<std::borrow::Cow<'static, str>, u64>| {
        counts.iter().map(|(name, count)| (name.to_string(), *count)).collect()
    };
    SweepStats {
        commands: stats.commands,
        transactions: TransactionCounts {
            planned: stats.planned,
            committed: stats.committed,
            aborted: stats.aborted,
            contended: stats.contended,
        },
        faults: named(&stats.faults),
        fault_seeds: named(&seen.faults),
        longest_ms: stats.time,
        largest: ByKind::new(|kind| stats.largest[kind]),
        removal_ms: ByKind::new(|kind| times::removal(&stats.removal[kind], bins)),
        unfinished: ByKind::new(|kind| times::unfinished(&stats.unfinished[kind])),
        exercised: stats.clauses.iter().map(|it| it.to_string()).collect(),
        never_exercised: report.never_exercised().iter().map(ToString::to_string).collect(),
        clause_seeds: shown(each, || {
            clause_seeds.map(|(clause, seeds)| (clause.to_string(), *seeds)).collect()
        }),
    }
}
