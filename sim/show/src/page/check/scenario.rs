//! What a page says of a scenario: its answers, and the runs by which claims are violated.

use deathwatch_model::check::Answer;
use maud::{Markup, html};

use super::{
    super::{head::Place, run},
    brief::{self, Shows},
};
use deathwatch_documents::{Run, run::States};
use deathwatch_scenario::scenario::Scenario;
use deathwatch_study::verdict::{self, Judged, Status, Verdict};

/// The number of runs of which a folded scenario shows the steps.
const MOST_SHOWN: usize = 2;

/// What a page says of `scenario`. `runs` has a run, or none, for each answer: a run with every state is
/// shown whole, and one with its first state in brief.
pub fn scenario(scenario: &Scenario, verdict: &Verdict, runs: &[Option<Run>]) -> String {
    let told = html! {
        p.shows { (scenario.shows) }
        @if let Some(report) = &verdict.report {
            p.quiet {
                (report.states) " states, " (report.transitions) " transitions, depth " (report.depth)
            }
        }
        @for failure in verdict.failures.iter().chain(&verdict.miscounts) { p.bad { (failure) } }
        @if let Some(why) = verdict.undecided_because() { p.bad { "undecided: " (why) } }
        ul.answers { @for judged in verdict.judged.iter().filter(|it| is_told(it)) { (answer(judged)) } }
        (others(verdict))
        (shown(&runs.iter().flatten().collect::<Vec<_>>()))
    };
    told.into_string()
}

/// Whether an answer has a line of its own: it is not as expected, or it is violated.
fn is_told(judged: &Judged) -> bool {
    let is_violated = judged.finding.answer == Answer::Violated && !judged.is_witness();
    is_violated || judged.status() != Status::AsExpected
}

fn answer(judged: &Judged) -> Markup {
    let is_as_expected = judged.status() == Status::AsExpected;
    html! {
        li {
            strong.badge class=(if is_as_expected { "quiet" } else { "bad" }) { (word(judged)) }
            @if is_as_expected { " as expected" } @else { ", and expected is: " (judged.expected) }
            ": " strong { (judged.name()) } " "
            span.quiet {
                (judged.kind())
                @if let Some(claim) = judged.claim() { ", " (claim.source) }
            }
            @if let Some(why) = &judged.open { p { (why) } }
        }
    }
}

/// The answer in a word.
fn word(judged: &Judged) -> &'static str {
    let answer = judged.finding.answer;
    judged.claim().map_or(verdict::answer(answer), |claim| verdict::answer_of(claim.kind(), answer))
}

/// The answers that have no line of their own, by name, folded.
fn others(verdict: &Verdict) -> Markup {
    let quiet = || verdict.judged.iter().filter(|judged| !is_told(judged));
    let claims = |answer: Answer, is_wanted: bool| -> Vec<String> {
        let claims = quiet().filter(|judged| !judged.is_witness());
        let claims = claims.filter(|it| it.finding.answer == answer && it.is_wanted() == is_wanted);
        claims.map(Judged::name).collect()
    };
    let kinds = [
        ("hold", claims(Answer::Holds, false)),
        ("reached", claims(Answer::Holds, true)),
        ("vacuous", [claims(Answer::Vacuous, false), claims(Answer::Vacuous, true)].concat()),
        ("clauses seen", quiet().filter(|it| it.is_witness()).map(Judged::name).collect()),
        ("left out, not for this engine", left_out(verdict)),
    ];
    html! {
        @for (kind, names) in kinds.iter().filter(|(_, names)| !names.is_empty()) {
            details.names {
                summary { (names.len()) " " (kind) }
                p { (names.join("; ")) }
            }
        }
    }
}

fn left_out(verdict: &Verdict) -> Vec<String> {
    verdict.left_out.iter().map(|claim| claim.name.to_owned()).collect()
}

/// The runs, those with the same steps together.
fn shown(runs: &[&Run]) -> Markup {
    let mut groups: Vec<Vec<&Run>> = Vec::new();
    for run in runs {
        match groups.iter_mut().find(|group| is_same(group[0], run)) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
        }
    }
    groups.sort_by_key(|group| group[0].steps.len());
    html! {
        @for (number, group) in groups.iter().enumerate() {
            @if group[0].kept == States::All {
                (run::run(group[0], number, Place::Among))
                (brief::same(&group[1..]))
            } @else {
                (brief::brief(group, if number < MOST_SHOWN { Shows::Steps } else { Shows::Why }))
            }
        }
    }
}

/// Whether two runs have the same steps and end in the same way.
fn is_same(one: &Run, other: &Run) -> bool {
    let lines = |run: &Run| run.steps.iter().map(|it| it.act.line.clone()).collect::<Vec<_>>();
    one.end == other.end && one.steps.len() == other.steps.len() && lines(one) == lines(other)
}
