//! Answers of `check`: the document of each scenario, the shards into which scenarios are divided,
//! and the merging of their journals.

mod header;

use std::path::PathBuf;

use deathwatch_claims::{Claim, check::ExchangedPairs};
use deathwatch_documents::{Answer, AnySize, ClaimAnswer, Limit, Run, Warning, WarningOf};
use deathwatch_model::{agents::OwnRules, clause::Clause};
use deathwatch_scenario::{Problem, describe, scenario::Scenario};

pub use self::header::{AnswersHeader, AskedScenario};
use crate::{
    journal, recording,
    verdict::{Judged, Verdict},
};

/// The answers to `scenario`, which `command` gives again.
pub fn of(scenario: &Scenario, verdict: &Verdict, command: String) -> Answer {
    let report = verdict.report.as_ref();
    Answer {
        scenario: verdict.scenario.clone(),
        file: scenario.address.to_string(),
        line: Some(scenario.first_line()),
        shows: scenario.shows.clone(),
        command,
        status: verdict.status,
        answer: verdict.answer.into(),
        steps: verdict.steps,
        states: report.map(|it| it.states),
        representatives: report.and_then(|it| it.representatives),
        exchanged: report.map(|it| named(scenario, &it.exchanges.made)).unwrap_or_default(),
        not_exchanged: report.map(|it| named(scenario, &it.exchanges.left_out)).unwrap_or_default(),
        any_size: any_size(scenario, verdict),
        transitions: report.map(|it| it.transitions),
        depth: report.map(|it| it.depth),
        warnings: [&scenario.idle[..], &idle_rules(scenario, verdict)].concat(),
        claims: claims(scenario, &verdict.judged),
        failures: verdict.failures.clone(),
        miscounts: verdict.miscounts.clone(),
        left_out: verdict.left_out.iter().map(|claim| claim.name.to_owned()).collect(),
        stopped: verdict.stopped().map(Limit::from),
        too_large: verdict.too_large.as_ref().map(|why| why.reason().to_owned()),
        reason: verdict.undecided_because().map(str::to_owned),
        ..Answer::default()
    }
}

/// The answers for every number of units; views that leave a claim open are given as worlds.
fn any_size(scenario: &Scenario, verdict: &Verdict) -> Option<AnySize> {
    let mut any_size = verdict.any_size.clone()?;
    for (open, view) in any_size.undecided.iter_mut().zip(&verdict.open_views) {
        let run = recording::standing(scenario, &view.instance.world, &view.state);
        open.view.run = run.ok().map(Box::new);
    }
    Some(any_size)
}

/// The rules of the scenario's own by which nothing was done in a whole search. A condition of acts
/// is none of them, even if no such act is done: it may be what keeps all from it.
fn idle_rules(scenario: &Scenario, verdict: &Verdict) -> Vec<Warning> {
    let searched = verdict.report.as_ref().filter(|it| it.stopped.is_none());
    let Some(exercised) = searched.and_then(|it| it.exercised.as_ref()) else {
        return Vec::new();
    };
    let own_rules = &scenario.world.own_rules;
    let restricts = |clause: &Clause| {
        let rules = own_rules.says::<OwnRules>();
        rules.is_some_and(|it| it.restrictions.iter().any(|rule| rule.number == clause.number))
    };
    let idle = own_rules.clauses().filter(|(clause, _)| {
        let is_done = exercised.contains(*clause);
        !scenario.world.is_off(*clause) && !is_done && !restricts(clause)
    });
    let why = "no step of any run is done under it";
    idle.map(|(_, name)| Warning::new(WarningOf::Rule, name.to_owned(), why)).collect()
}

/// Pairs that take each other's place, by name.
fn named(scenario: &Scenario, exchanges: &[ExchangedPairs]) -> Vec<Vec<[String; 2]>> {
    let name = |id| describe::name(&scenario.world, id);
    let named = |pairs: &ExchangedPairs| pairs.iter().map(|(a, b)| [name(*a), name(*b)]).collect();
    exchanges.iter().map(named).collect()
}

/// The same answers with a run, or none, for each.
#[must_use]
pub fn with_runs(mut answer: Answer, runs: Vec<Option<Run>>) -> Answer {
    for (claim, run) in answer.claims.iter_mut().zip(runs) {
        claim.run = run.map(Box::new);
    }
    answer
}

/// The answers, each with its line.
fn claims(scenario: &Scenario, judged: &[Judged]) -> Vec<ClaimAnswer> {
    let line = |it: &Judged| it.claim().map(|claim| scenario.line_of_claim(claim.name));
    judged.iter().map(|it| claim(it, line(it))).collect()
}

fn claim(judged: &Judged, line: Option<usize>) -> ClaimAnswer {
    ClaimAnswer {
        name: judged.name(),
        kind: judged.kind(),
        line,
        source: judged.source().map(str::to_owned),
        notes: judged.claim().is_some_and(Claim::reads_notes),
        answer: judged.finding.answer.into(),
        expected: judged.expected,
        known: None,
        reason: judged.open.clone(),
        vacuous: judged.vacuous.clone(),
        trace: judged.rendered.clone(),
        run: None,
    }
}

/// The scenarios in their order, with their answers. Where there is none, it is the name of the
/// shard that lacks it.
pub type MergedAnswers = Vec<(AskedScenario, Result<Answer, String>)>;

/// Merges the journals at `paths`.
///
/// # Errors
/// If one of them cannot be read, if they are about different questions, or if they contradict each
/// other.
pub fn merge(paths: &[PathBuf]) -> Result<MergedAnswers, Problem> {
    let (headers, results) = journal::merge::<AnswersHeader>(paths)?;
    let header = &headers[0];
    let answers = header.scenarios.iter().zip(results).enumerate();
    let answers = answers.map(|(number, (subject, answers))| {
        let missing = || format!("{}/{}", header.shard_of(number), header.shard.of);
        (subject.clone(), answers.into_values().next().ok_or_else(missing))
    });
    Ok(answers.collect())
}
