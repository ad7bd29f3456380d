//! Differences between the answers to two scenarios, or between two journals.
//!
//! Both scenarios are asked the same claims. Of the runs that decide a claim in one world only,
//! the shortest is played in the other one, until it parts from what can happen there.

mod journals;
mod play;
mod settings;

use deathwatch_claims::Claim;
use deathwatch_documents::{
    Answer, ClaimAnswer, Differences, Outcome, QuestionKind, Run, TraceText,
    difference::{
        ClaimDifference, CountDifference, Counted, Difference, Parting, RunDifference, Side, Sides,
    },
};
use deathwatch_scenario::{Scenario, replay::Replay};

pub use self::journals::of_journals;
use crate::{
    answers,
    verdict::{Judged, Verdict},
};

/// A scenario, and how it is answered.
#[derive(Clone, Copy)]
pub struct ComparedScenario<'a> {
    pub scenario: &'a Scenario,
    pub replay: &'a Replay,
    pub verdict: &'a Verdict,
}

/// The claims that two scenarios are both asked: those that either asks and the other one can be
/// asked. If neither asks any, all that are built in and about both worlds.
pub fn claims(scenarios: &Sides<&Scenario>) -> Sides<Vec<&'static Claim>> {
    let asked = |it: &Scenario| it.claims.iter().map(|(claim, _)| *claim).collect::<Vec<_>>();
    let (a, b) = (asked(scenarios.a), asked(scenarios.b));
    if a.is_empty() && b.is_empty() {
        let all = || deathwatch_claims::all_with(scenarios.a.world.detail);
        let both = all().filter(|it| it.lacks(scenarios.b.world.detail).is_none());
        let both: Vec<&'static Claim> = both.collect();
        return Sides { a: both.clone(), b: both };
    }
    let with = |own: &[&'static Claim], of: &Scenario, others: &[&'static Claim]| {
        let is_new = |it: &&&'static Claim| own.iter().all(|known| known.name != it.name);
        let is_about = |it: &&&'static Claim| {
            deathwatch_claims::named(it.name).is_some() && it.lacks(of.world.detail).is_none()
        };
        let more = others.iter().filter(is_new).filter(is_about);
        own.iter().chain(more).copied().collect()
    };
    Sides { a: with(&a, scenarios.a, &b), b: with(&b, scenarios.b, &a) }
}

/// The differences of two scenarios, which are `compared` by these names.
pub fn of_scenarios(compared: Sides<String>, sides: &Sides<ComparedScenario<'_>>) -> Differences {
    let answers = sides.map(|it| answers::of(it.scenario, it.verdict, String::new()));
    let mut difference = Difference {
        settings: settings::settings(&sides.map(|it| it.scenario)),
        start: settings::start(&sides.map(|it| it.scenario)),
        run: shortest(sides).map(|(side, judged)| play::played(sides, side, judged)),
        ..of_answers(&answers)
    };
    // What is not asked on one side cannot be violated there by another run.
    difference.claims.retain(|it| it.answer.a != it.answer.b);
    if difference.is_of_counts() {
        difference.carried_out = carried_out(sides);
    }
    let mut differences = Differences::of(compared);
    differences.add(difference);
    differences
}

/// The shortest run that decides a claim on one side only: of equally short ones the first of A.
fn shortest<'a>(sides: &Sides<ComparedScenario<'a>>) -> Option<(Side, &'a Judged)> {
    let is_decided = |it: &Judged| {
        let answer = Outcome::from(it.finding.answer);
        it.claim().is_some() && it.rendered.is_some() && answer == decided(it.kind())
    };
    let of = |side: Side| {
        let (here, there) = (sides.of(side).verdict, sides.of(side.other()).verdict);
        let others: Vec<String> =
            there.judged.iter().filter(|it| is_decided(it)).map(Judged::name).collect();
        let here = here.judged.iter().filter(|it| is_decided(it));
        here.filter(move |it| !others.contains(&it.name())).map(move |it| (side, it))
    };
    let length = |(_, judged): &(Side, &Judged)| {
        judged.finding.trace.as_ref().map(|it| it.steps.len() + it.cycle.len())
    };
    of(Side::A).chain(of(Side::B)).min_by_key(length)
}

/// The clauses that one side carries out and the other one does not, if both were searched.
fn carried_out(sides: &Sides<ComparedScenario<'_>>) -> Option<Sides<Vec<String>>> {
    let names = |it: &ComparedScenario<'_>| -> Option<Vec<String>> {
        let (world, report) = (&it.scenario.world, it.verdict.report.as_ref()?);
        Some(report.exercised.iter().map(|it| world.clause_name(it).into_owned()).collect())
    };
    let (a, b) = (names(&sides.a)?, names(&sides.b)?);
    let only = |here: &[String], there: &[String]| {
        here.iter().filter(|it| !there.contains(it)).cloned().collect()
    };
    Some(Sides { a: only(&a, &b), b: only(&b, &a) })
}

/// The differences between two answers to a scenario, without those of their worlds.
fn of_answers(answers: &Sides<Answer>) -> Difference {
    let counts = [
        (Counted::States, answers.map(|it| it.states)),
        (Counted::Transitions, answers.map(|it| it.transitions)),
        (Counted::Depth, answers.map(|it| it.depth.map(u64::from))),
    ];
    // Where a search was cut off, its size says how far it got.
    let is_cut = answers.a.stopped.is_some() || answers.b.stopped.is_some();
    let counts = counts.into_iter().filter(|(_, count)| !is_cut && count.a != count.b);
    let names = |it: &ClaimAnswer| it.name.clone();
    let mut all: Vec<String> = answers.a.claims.iter().map(names).collect();
    all.extend(answers.b.claims.iter().map(names));
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|name| seen.insert(name.clone()));
    let (mut claims, mut open) = (Vec::new(), Vec::new());
    for name in all {
        let both = answers.map(|it| it.claims.iter().find(|claim| claim.name == name));
        let is_open =
            |it: Option<&ClaimAnswer>| it.is_some_and(|it| it.answer == Outcome::Inconclusive);
        if is_open(both.a) || is_open(both.b) {
            open.push(name);
        } else {
            claims.extend(of_claim(&both));
        }
    }
    Difference {
        scenario: answers.map(|it| it.scenario.clone()),
        settings: Vec::new(),
        start: Vec::new(),
        counts: counts.map(|(of, count)| CountDifference { of, count }).collect(),
        carried_out: None,
        claims,
        open,
        failures: (answers.a.failures != answers.b.failures)
            .then(|| answers.map(|it| it.failures.clone())),
        run: None,
    }
}

/// The difference between two answers to a claim, one of which may be missing.
fn of_claim(both: &Sides<Option<&ClaimAnswer>>) -> Option<ClaimDifference> {
    let answer = both.map(|it| it.map(|it| it.answer));
    let first = both.a.or(both.b)?;
    let traces = both.map(|it| it.and_then(|it| it.trace.as_ref()).map(|it| &it.steps));
    let is_alike = traces.a == traces.b || !first.is_claim();
    let length = |it: &ClaimAnswer| it.trace.as_ref().map(TraceText::length);
    (answer.a != answer.b || !is_alike).then(|| ClaimDifference {
        name: first.name.clone(),
        kind: first.kind,
        answer,
        steps: both.map(|it| it.and_then(length)),
    })
}

/// The answer that a run gives to a claim of this kind.
fn decided(kind: QuestionKind) -> Outcome {
    if kind == QuestionKind::Reachable { Outcome::Holds } else { Outcome::Violated }
}

/// Two runs that decide a claim, of which one may be missing, and where they part.
fn of_runs(
    (claim, kind): (String, QuestionKind),
    runs: Sides<Option<Run>>,
    side: Side,
    parting: Parting,
) -> RunDifference {
    let alike = match (&runs.a, &runs.b) {
        (Some(a), Some(b)) => {
            let pairs = a.steps.iter().zip(&b.steps);
            pairs.take_while(|(a, b)| a.act.line == b.act.line && play::is_alike(a, b)).count()
        }
        _ => 0,
    };
    let is_longer = |run: &Option<Run>| run.as_ref().is_some_and(|it| it.steps.len() > alike);
    let step = (is_longer(&runs.a) && is_longer(&runs.b)).then_some(alike + 1);
    let (changes, followed) = (Vec::new(), 0);
    RunDifference { claim, kind, side, alike, changes, step, parting, runs, followed }
}
