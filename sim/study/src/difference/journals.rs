//! Differences between two journals, such as those of two commits.
//!
//! A journal has the answers and the runs that show them, and not the worlds. So runs are laid side
//! by side, and none is played.

use std::path::Path;

use deathwatch_documents::{
    Answer, ClaimAnswer, Differences, Run,
    difference::{
        Difference, Parting, RunDifference, SeedDifference, SeedDifferences, Side, Sides,
    },
    run::Table,
};
use deathwatch_model::clause::Clauses;
use deathwatch_scenario::{Problem, scenario::display};

use super::{decided, of_answers, of_runs};
use crate::{
    answers::AnswersHeader,
    journal,
    sweep::{Ended, SeedResult, SweepHeader},
};

/// The differences of two journals.
///
/// # Errors
/// If one of them cannot be read, or if they are of different commands.
pub fn of_journals(a: &Path, b: &Path) -> Result<Differences, Problem> {
    let paths = Sides { a, b };
    let commands = paths.map(|path| journal::command_of(path));
    match (commands.a.as_deref(), commands.b.as_deref()) {
        (Some(a), Some(b)) if a != b => {
            let names = paths.map(|path| display(path));
            let message = format!("{} is a journal of `{a}`, and {} of `{b}`", names.a, names.b);
            Err(Problem::new(message).with_help("compare two journals of the same command"))
        }
        (Some("simulate"), _) | (_, Some("simulate")) => sweeps(&paths),
        _ => checks(&paths),
    }
}

/// The differences between two journals of `check`.
fn checks(paths: &Sides<&Path>) -> Result<Differences, Problem> {
    let mut differences = Differences::of(paths.map(|path| display(path)));
    let read = |path: &Path| -> Result<Table<Answer>, Problem> {
        let journal = journal::load::<AnswersHeader>(path)?;
        let answers = journal.results.into_iter().flatten().map(|(_, (answer, _))| answer);
        Ok(answers.map(|it| (it.scenario.clone(), it)).collect())
    };
    let answers = Sides { a: read(paths.a)?, b: read(paths.b)? };
    differences.alone = alone(&answers);
    for (name, a) in answers.a {
        if let Some(b) = answers.b.get(&name) {
            let both = Sides { a, b: b.clone() };
            let run = shortest(&both);
            differences.add(Difference { run, ..of_answers(&both) });
        }
    }
    Ok(differences)
}

/// The scenarios that only one side has.
fn alone<T>(both: &Sides<Table<T>>) -> Sides<Vec<String>> {
    let only = |of: &Table<T>, other: &Table<T>| {
        of.keys().filter(|name| !other.contains_key(*name)).cloned().collect()
    };
    Sides { a: only(&both.a, &both.b), b: only(&both.b, &both.a) }
}

/// The shortest run that decides a question on one side only, or else by other steps: a claim
/// rather than a witness.
fn shortest(answers: &Sides<Answer>) -> Option<RunDifference> {
    let of = |answer: &Answer, name: &str| -> Option<ClaimAnswer> {
        let mut claims = answer.claims.iter();
        let claim = claims.find(|it| it.name == name)?;
        let is_decided = claim.answer == decided(claim.kind);
        (is_decided && claim.trace.is_some()).then(|| claim.clone())
    };
    let names = of_answers(answers).claims.into_iter().map(|it| it.name);
    let runs = names.filter_map(|name| {
        let both = answers.map(|it| of(it, &name));
        let (side, is_only) = match (&both.a, &both.b) {
            (Some(_), Some(_)) => (Side::A, false),
            (Some(_), None) => (Side::A, true),
            (None, Some(_)) => (Side::B, true),
            (None, None) => return None,
        };
        let claim = both.of(side).as_ref()?;
        let (trace, kind) = (claim.trace.as_ref()?, claim.kind);
        let order = (!is_only, claim.is_witness(), trace.length());
        Some((order, side, (name, kind), both))
    });
    let ((is_other, ..), side, claim, both) = runs.min_by_key(|it| it.0)?;
    let parting = if is_other { Parting::OtherRun } else { Parting::NotPlayed };
    let run = |it: &Option<ClaimAnswer>| -> Option<Run> { it.as_ref()?.run.as_deref().cloned() };
    Some(of_runs(claim, both.map(run), side, parting))
}

/// The differences between two journals of `simulate`.
fn sweeps(paths: &Sides<&Path>) -> Result<Differences, Problem> {
    let mut differences = Differences::of(paths.map(|path| display(path)));
    let read = |path: &Path| -> Result<Table<Vec<SeedResult>>, Problem> {
        let journal = journal::load::<SweepHeader>(path)?;
        let named = journal.results.into_iter().enumerate().map(|(at, results)| {
            let results = results.into_values().map(|(result, _)| result).collect();
            (journal.header.scenarios[at].scenario.clone(), results)
        });
        Ok(named.collect())
    };
    let results = Sides { a: read(paths.a)?, b: read(paths.b)? };
    differences.alone = alone(&results);
    for (name, a) in &results.a {
        let Some(b) = results.b.get(name) else { continue };
        let difference = of_seeds(name, &Sides { a: a.as_slice(), b: b.as_slice() });
        if difference.is_any() {
            differences.sweeps.push(difference);
        }
    }
    Ok(differences)
}

/// The differences between the seeds of a scenario. The results are ordered by seed.
fn of_seeds(scenario: &str, results: &Sides<&[SeedResult]>) -> SeedDifferences {
    let find = |of: &[SeedResult], seed: u64| of.binary_search_by_key(&seed, |it| it.seed).ok();
    let alone = |of: &[SeedResult], other: &[SeedResult]| {
        of.iter().filter(|it| find(other, it.seed).is_none()).count() as u64
    };
    let mut difference = SeedDifferences {
        scenario: scenario.to_owned(),
        seeds: 0,
        alone: Sides { a: alone(results.a, results.b), b: alone(results.b, results.a) },
        other_runs: 0,
        claims: Table::new(),
        other_ends: Vec::new(),
        carried_out: Sides::default(),
    };
    let mut clauses = Sides { a: Clauses::default(), b: Clauses::default() };
    for a in results.a {
        let Some(at) = find(results.b, a.seed) else { continue };
        let b = &results.b[at];
        difference.seeds += 1;
        clauses.a.extend(&a.stats.clauses);
        clauses.b.extend(&b.stats.clauses);
        let both = Sides { a: comes_to(a), b: comes_to(b) };
        for (claim, side) in violated(a, Side::A).chain(violated(b, Side::B)) {
            let count = difference.claims.entry(claim.to_owned()).or_default();
            match side {
                Side::A => count.a += 1,
                Side::B => count.b += 1,
            }
        }
        if both.a != both.b {
            difference.other_ends.push(SeedDifference { seed: a.seed, comes_to: both });
        } else if a != b {
            difference.other_runs += 1;
        }
    }
    difference.claims.retain(|_, count| count.a != count.b);
    let only = |side: Side| {
        let other = clauses.of(side.other());
        let only = clauses.of(side).iter().filter(|it| !other.contains(*it));
        only.map(|it| it.to_string()).collect()
    };
    difference.carried_out = Sides { a: only(Side::A), b: only(Side::B) };
    difference
}

fn violated(result: &SeedResult, side: Side) -> impl Iterator<Item = (&str, Side)> {
    result.violations.iter().map(move |it| (it.claim.as_str(), side))
}

/// The result of a seed in words: its ending, unless it settles, and the claims that it violates.
fn comes_to(result: &SeedResult) -> Vec<String> {
    let end = match &result.end {
        Ended::Settled => None,
        Ended::Unsettled(_) => Some("does not settle".to_owned()),
        Ended::Diverged(_) => Some("is not the same twice".to_owned()),
    };
    let violated = result.violations.iter().map(|it| format!("violates \"{}\"", it.claim));
    end.into_iter().chain(violated).collect()
}
