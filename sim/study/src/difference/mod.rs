//! Differences between the answers to two scenarios, or between two journals.
//!
//! Both scenarios are asked the same questions. Of the runs that decide a claim in one world only,
//! the shortest is played in the other one, until it parts from what can happen there.

mod journals;
mod play;
mod questions;
mod settings;

use deathwatch_documents::{
    Answer, AnySize, ClaimAnswer, Differences, Outcome, QuestionKind, Run, TraceText,
    difference::{
        ClaimDifference, CountDifference, Counted, Difference, Parting, RunDifference, Side, Sides,
    },
};
use deathwatch_scenario::{Scenario, replay::Replay};

pub use self::{
    journals::of_journals,
    questions::{ask_alike, keep_alike},
};
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
    note_other_claims(&mut difference, &answers, &sides.map(|it| it.scenario));
    if difference.is_of_counts() {
        difference.carried_out = carried_out(sides);
    }
    let mut differences = Differences::of(compared);
    differences.add(difference);
    differences
}

/// Notes which claims are other ones of the same name. Such a claim is a difference, however it is
/// answered.
fn note_other_claims(
    difference: &mut Difference,
    answers: &Sides<Answer>,
    scenarios: &Sides<&Scenario>,
) {
    let others = questions::other_claims(scenarios);
    for a in answers.a.claims.iter().filter(|it| others.contains(&it.name)) {
        let b = answers.b.claims.iter().find(|it| it.name == a.name);
        let is_told = difference.open.contains(&a.name)
            || difference.claims.iter().any(|it| it.name == a.name);
        if let Some(b) = b.filter(|_| !is_told) {
            let answer = Sides { a: Some(a.answer), b: Some(b.answer) };
            let (name, kind, steps) = (a.name.clone(), a.kind, Sides::default());
            difference.claims.push(ClaimDifference { name, kind, answer, is_other: true, steps });
        }
    }
    for claim in difference.claims.iter_mut().chain(&mut difference.every_number) {
        claim.is_other = others.contains(&claim.name);
    }
}

/// The shortest run that decides a question on one side only: a claim rather than a witness, and of
/// equally short ones the first of A.
fn shortest<'a>(sides: &Sides<ComparedScenario<'a>>) -> Option<(Side, &'a Judged)> {
    let is_decided = |it: &&Judged| Outcome::from(it.finding.answer) == decided(it.kind());
    // A run of an instance with more units is none of its world.
    let is_of_its_world = |it: &&Judged| it.rendered.is_some() && it.finding.trace.is_some();
    let of = |side: Side| {
        let (here, there) = (sides.of(side).verdict, sides.of(side.other()).verdict);
        let others: Vec<String> =
            there.judged.iter().filter(is_decided).map(Judged::name).collect();
        let here = here.judged.iter().filter(is_decided).filter(is_of_its_world);
        here.filter(move |it| !others.contains(&it.name())).map(move |it| (side, it))
    };
    let order = |(_, judged): &(Side, &Judged)| {
        let length = judged.finding.trace.as_ref().map(|it| it.steps.len() + it.cycle.len());
        (judged.is_witness(), length)
    };
    of(Side::A).chain(of(Side::B)).min_by_key(order)
}

/// The clauses that one side carries out and the other one does not, if both were searched.
fn carried_out(sides: &Sides<ComparedScenario<'_>>) -> Option<Sides<Vec<String>>> {
    let names = |it: &ComparedScenario<'_>| -> Option<Vec<String>> {
        let (world, report) = (&it.scenario.world, it.verdict.report.as_ref()?);
        let exercised = report.exercised.as_ref()?;
        Some(exercised.iter().map(|it| world.clause_name(it).into_owned()).collect())
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
        (Counted::Views, answers.map(|it| it.any_size.as_ref().map(|it| it.views))),
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
    for name in &all {
        let both = answers.map(|it| it.claims.iter().find(|claim| claim.name == *name));
        let is_open =
            |it: Option<&ClaimAnswer>| it.is_some_and(|it| it.answer == Outcome::Undecided);
        if is_open(both.a) || is_open(both.b) {
            open.push(name.clone());
        } else {
            claims.extend(of_claim(&both));
        }
    }
    let every_number = every_number(answers, &all, &mut open);
    // The script of one file may stand a line lower.
    let failures =
        answers.map(|it| it.failures.iter().map(|it| without_line(it)).collect::<Vec<_>>());
    Difference {
        scenario: answers.map(|it| it.scenario.clone()),
        settings: Vec::new(),
        start: Vec::new(),
        counts: counts.map(|(of, count)| CountDifference { of, count }).collect(),
        carried_out: None,
        claims,
        every_number,
        open,
        failures: (failures.a != failures.b).then(|| answers.map(|it| it.failures.clone())),
        run: None,
    }
}

/// A failure without the line of its step.
fn without_line(failure: &str) -> &str {
    let rest = failure.strip_prefix("line ").and_then(|it| it.split_once(": "));
    rest.map_or(failure, |(_, rest)| rest)
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
        is_other: false,
        steps: both.map(|it| it.and_then(length)),
    })
}

/// The claims among these that are answered differently for every number of units. Those of which
/// views decide nothing are `open`.
fn every_number(
    answers: &Sides<Answer>,
    names: &[String],
    open: &mut Vec<String>,
) -> Vec<ClaimDifference> {
    let mut differences = Vec::new();
    for name in names {
        let own = answers.map(|it| it.claims.iter().find(|it| it.name == *name));
        let Some(ClaimAnswer { kind, .. }) = own.a.or(own.b) else { continue };
        let of =
            |it: &Answer, own: Option<&ClaimAnswer>| for_every_number(it.any_size.as_ref()?, own?);
        let answer = Sides { a: of(&answers.a, own.a), b: of(&answers.b, own.b) };
        if answer.a == Some(Outcome::Undecided) || answer.b == Some(Outcome::Undecided) {
            if !open.contains(name) {
                open.push(name.clone());
            }
        } else if answer.a != answer.b {
            let (name, kind, steps) = (name.clone(), *kind, Sides::default());
            differences.push(ClaimDifference { name, kind, answer, is_other: false, steps });
        }
    }
    differences
}

/// The answer to a claim for every number of units, unless it is not asked. One that is in no list
/// is answered by the scenario's own world.
fn for_every_number(any_size: &AnySize, own: &ClaimAnswer) -> Option<Outcome> {
    let AnySize { hold, violated, reached, never_reached, undecided, not_asked, .. } = any_size;
    let is_own = |claim: &String| *claim == own.name;
    if !own.is_claim() || not_asked.iter().any(|it| is_own(&it.claim)) {
        None
    } else if hold.iter().any(is_own) || reached.iter().any(|it| is_own(&it.claim)) {
        Some(Outcome::Holds)
    } else if never_reached.iter().any(is_own) || violated.iter().any(|it| is_own(&it.claim)) {
        Some(Outcome::Violated)
    } else if undecided.iter().any(|it| is_own(&it.claim)) {
        Some(Outcome::Undecided)
    } else {
        Some(own.answer)
    }
}

/// The answer that a run gives to a question of this kind.
fn decided(kind: QuestionKind) -> Outcome {
    if kind.is_shown() { Outcome::Holds } else { Outcome::Violated }
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
    let step = (is_longer(&runs.a) || is_longer(&runs.b)).then_some(alike + 1);
    let (changes, followed) = (Vec::new(), 0);
    RunDifference { claim, kind, side, alike, changes, step, parting, runs, followed }
}
