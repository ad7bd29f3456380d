//! Comparison of the answers of several processes with those of one. Each process is a thread, and
//! messages go through loopback.

use std::{
    fmt::Debug,
    thread::{self, ScopedJoinHandle},
};

use deathwatch_claims::{
    Claim,
    check::{CheckReport, Exchange, Exchanges, SearchSettings, Symmetry, TooLarge},
};
use deathwatch_cluster::{Cluster, Member, connect, free_addresses};
use deathwatch_model::clause::Clause;
use deathwatch_scenario::{Replay, Scenario, replay, scenario::Expected};
use deathwatch_show::{
    answers::{details, gist},
    text::TextDetail,
};
use deathwatch_study::{
    answers,
    verdict::{self, Engine, Refines, Verdict, VerdictOptions},
};

#[derive(Debug, Default)]
pub(crate) struct ClusterTally {
    /// Worlds, their states and the greatest number of these.
    pub(crate) worlds: usize,
    /// Worlds with symmetries, and those of them in which some exchanges were left out.
    pub(crate) reduced: usize,
    pub(crate) refused: usize,
    pub(crate) states: u64,
    pub(crate) most_states: u64,
    /// Answers, and runs that show them.
    pub(crate) answers: usize,
    pub(crate) runs: usize,
}

/// A cluster of this number of connected processes.
pub(crate) fn connected(processes: usize) -> Vec<Cluster> {
    let addresses = free_addresses(processes).expect("there are free ports");
    in_threads(0..processes, |process| {
        let (stop, turned_away) = (&|| false, &|_: &str, _| ());
        let addresses = &addresses;
        let member = Member { addresses, process, secret: &[], question: &[], stop, turned_away };
        connect(&member).expect("all processes come")
    })
}

/// Compares the answers of these clusters to every claim and every witness, and their output, with
/// those of one process. A world of more than `most` states is left out.
///
/// # Errors
/// The description of a difference, if there is one.
pub(crate) fn compare(
    scenario: Scenario,
    most: u64,
    clusters: &[Vec<Cluster>],
    tally: &mut ClusterTally,
) -> Result<(), String> {
    compare_by(&asking_everything(scenario), most, Symmetry::Off, clusters, tally)
}

/// Compares the same with symmetry reduction. A world without symmetries is left out, and so is one
/// whose file does not state its number of states.
///
/// # Errors
/// The description of a difference, if there is one.
pub(crate) fn compare_reduced(
    scenario: Scenario,
    most: u64,
    clusters: &[Vec<Cluster>],
    tally: &mut ClusterTally,
) -> Result<(), String> {
    if scenario.states.is_none_or(|states| states > most) {
        return Ok(());
    }
    let mut scenario = asking_everything(scenario);
    // Symmetry is off where refinement is asked for.
    scenario.refines = None;
    let replay = replay(&scenario).expect("every step is possible");
    let limits = SearchSettings::without_limits(1);
    let first = SearchSettings { max_states: Some(1), symmetry: Symmetry::On, ..limits };
    let first = verdict::judge(&scenario, &replay, &options(first));
    let report = first.ok().and_then(|verdict| verdict.report);
    if report.is_none_or(|report| report.exchanges == Exchanges::default()) {
        return Ok(());
    }
    compare_by(&scenario, most, Symmetry::On, clusters, tally)
}

fn compare_by(
    scenario: &Scenario,
    most: u64,
    symmetry: Symmetry,
    clusters: &[Vec<Cluster>],
    tally: &mut ClusterTally,
) -> Result<(), String> {
    let replay = replay(scenario).expect("every step is possible");
    let limits = SearchSettings::without_limits(1);
    let settings = SearchSettings { max_states: Some(most), symmetry, ..limits };
    let Ok(alone) = verdict::judge(scenario, &replay, &options(settings)) else { return Ok(()) };
    let Some(report) = alone.report.as_ref().filter(|_| alone.stopped().is_none()) else {
        return Ok(());
    };
    tally.reduced += usize::from(!report.exchanges.made.is_empty());
    tally.refused += usize::from(!report.exchanges.left_out.is_empty());
    let expected = said(scenario, &alone);
    for members in clusters {
        let found = judge_by(scenario, &replay, settings, members);
        let mut found = found.into_iter().map(|it| it.expect("the world is small"));
        let answer = found.next().flatten().expect("process 0 answers");
        assert!(found.all(|it| it.is_none()), "no other process answers");
        let other = said(scenario, &answer);
        if other != expected {
            let pairs = expected.iter().zip(&other).find(|(one, other)| one != other);
            let (name, processes) = (&scenario.name, members.len());
            return Err(format!("{name}, {processes} processes: {pairs:?}"));
        }
    }
    let states = report.states;
    tally.worlds += 1;
    tally.states += states;
    tally.most_states = tally.most_states.max(states);
    tally.answers += alone.judged.len();
    tally.runs += alone.judged.iter().filter(|it| it.finding.trace.is_some()).count();
    Ok(())
}

/// The verdict of each of these processes.
pub(crate) fn judge_by<E: Exchange + Sync>(
    scenario: &Scenario,
    replay: &Replay,
    settings: SearchSettings<'_>,
    members: &[E],
) -> Vec<Result<Option<Verdict>, TooLarge>> {
    in_threads(members, |member| {
        // Processes may have different numbers of threads, without any effect on answers.
        let settings = SearchSettings { threads: 1 + member.process() % 2, ..settings };
        verdict::judge_by_cluster(scenario, replay, &options(settings), member)
    })
}

/// Runs `work` for each item in a thread of its own, and returns the results in order.
pub(crate) fn in_threads<T: Send, R: Send>(
    each: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let work = &work;
        let threads = each.into_iter().map(|it| scope.spawn(move || work(it)));
        let threads: Vec<ScopedJoinHandle<'_, R>> = threads.collect();
        threads.into_iter().map(|it| it.join().expect("it does not panic")).collect()
    })
}

/// The scenario with every claim, every witness and, if its world has details, refinement.
pub(crate) fn asking_everything(mut scenario: Scenario) -> Scenario {
    let mut claims = std::mem::take(&mut scenario.claims);
    let others: Vec<&'static Claim> = deathwatch_claims::all_in(&scenario.world).collect();
    for claim in others {
        if claims.iter().all(|(known, _)| known.name != claim.name) {
            claims.push((claim, Expected::Holds));
        }
    }
    scenario.claims = claims;
    scenario.witnesses = Clause::all().collect();
    scenario.refines = scenario.world.detail.any().then_some(Expected::Holds);
    scenario
}

pub(crate) fn options(settings: SearchSettings<'_>) -> VerdictOptions<'_> {
    VerdictOptions { engine: Engine::Own, only: &[], refines: Refines::AsScenariosAsk, settings }
}

/// Everything that has to be equal: counts, each answer with its run, and the printed text.
pub(crate) fn said(scenario: &Scenario, verdict: &Verdict) -> Vec<String> {
    // The memory used is that of one process.
    let report = verdict.report.clone().map(|report| CheckReport { bytes: 0, ..report });
    let answer = answers::of(scenario, verdict, String::new());
    let printed = details(&answer, TextDetail::Violations);
    let data = serde_json::to_string(&answer).expect("answers are data");
    let mut said = vec![format!("{report:?}"), gist(&answer), data];
    said.extend(verdict.judged.iter().map(line));
    said.extend(printed.iter().map(line));
    said
}

fn line(it: &impl Debug) -> String {
    format!("{it:?}")
}
