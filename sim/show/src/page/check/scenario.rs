//! A scenario on a page: its answers, and the runs that violate claims.

use deathwatch_documents::{
    Answer, ClaimAnswer, OpenClaim, Outcome, QuestionKind, Run, Status, run::States,
};
use maud::{Markup, html};

use super::{
    super::{
        explained::{explained, plain},
        head::Place,
        notes::mark,
        run,
        shown::Shown,
        world,
    },
    brief::{self, Shows},
};
use crate::{
    answers::{any_size, explored, otherwise},
    text::number,
};

/// The number of runs of which a folded scenario shows the steps.
const MOST_SHOWN: usize = 2;

/// A scenario: a run with every state is shown whole, and any other in brief.
pub(super) fn scenario(answer: &Answer) -> Markup {
    let runs: Vec<&Run> = answer.claims.iter().filter_map(|it| it.run.as_deref()).collect();
    html! {
        p.shows { (answer.shows) }
        @if let (Some(transitions), Some(depth)) = (answer.transitions, answer.depth) {
            p.quiet {
                (number(transitions, "transition")) ", depth " (depth)
                @if let Some(representatives) = answer.representatives {
                    ", " (explored(representatives))
                }
            }
        }
        @for told in answer.any_size.iter().flat_map(any_size::lines) { p.quiet { (told) } }
        @for failure in answer.failures.iter().chain(&answer.miscounts) { p.bad { (failure) } }
        @if let Some(why) = &answer.reason { p.bad { "undecided: " (why) } }
        ul.answers { @for claim in answer.claims.iter().filter(|it| has_line(it)) { (line(claim)) } }
        (others(answer))
        @for it in answer.any_size.iter().flat_map(|it| &it.undecided) { (open_view(it)) }
        (shown(&runs, answer.status))
    }
}

/// Whether an answer has a line of its own, as it is unexpected or a violation.
fn has_line(claim: &ClaimAnswer) -> bool {
    let is_violated = claim.answer == Outcome::Violated && !claim.is_witness();
    is_violated || claim.status() != Status::AsExpected
}

fn line(claim: &ClaimAnswer) -> Markup {
    let is_as_expected = claim.status() == Status::AsExpected;
    html! {
        li {
            strong.badge class=(if is_as_expected { "quiet" } else { "bad" }) { (claim.word()) }
            (otherwise(claim))
            @if claim.known == Some(true) { ", known by the baseline" }
            ": " strong { (claim.name) } (mark(claim.notes)) " "
            span.quiet {
                (explained(claim.kind.name()))
                @if let Some(source) = claim.source.as_ref().filter(|_| claim.is_claim()) {
                    ", " (explained(source))
                }
            }
            @if let Some(why) = &claim.reason { p { (why) } }
            @if let Some(why) = &claim.vacuous { p { "vacuous, as " (why) } }
        }
    }
}

/// A view that leaves a claim open for every number of units, as a world and who else there may be.
pub(in crate::page) fn open_view(OpenClaim { claim, may_be_stuck, view }: &OpenClaim) -> Markup {
    html! {
        section.panel {
            h2 { "Undecided for every number of units" }
            p { strong { (claim) } ": " (any_size::heading(*may_be_stuck)) }
            @match &view.run {
                Some(run) => (world::world(&Shown::of(run), 0, &world::CountedOthers)),
                None => ul { @for line in &view.world { li { (line) } } },
            }
            p { strong { (any_size::others(view)) } "." }
        }
    }
}

/// The answers that have no line of their own, by name, folded.
fn others(answer: &Answer) -> Markup {
    let quiet = || answer.claims.iter().filter(|it| !has_line(it));
    let claims = |given: Outcome, is_wanted: bool| -> Vec<Markup> {
        let claims = quiet().filter(|it| !it.is_witness() && it.answer == given);
        let claims = claims.filter(|it| (it.kind == QuestionKind::Reachable) == is_wanted);
        claims.map(|it| html! { (it.name) (mark(it.notes)) }).collect()
    };
    let seen = quiet().filter(|it| it.is_witness()).map(|it| plain(&it.name));
    let kinds = [
        ("hold", claims(Outcome::Holds, false)),
        ("reached", claims(Outcome::Holds, true)),
        ("vacuous", [claims(Outcome::Vacuous, false), claims(Outcome::Vacuous, true)].concat()),
        ("clauses seen", seen.collect()),
        ("left out, not for this engine", answer.left_out.iter().map(|it| plain(it)).collect()),
    ];
    html! {
        @for (kind, names) in kinds.iter().filter(|(_, names)| !names.is_empty()) {
            details.names {
                summary { (names.len()) " " (kind) }
                p { @for (at, name) in names.iter().enumerate() { @if at > 0 { "; " } (name) } }
            }
        }
    }
}

/// The runs, those with the same steps together. What is not as expected has the world of the
/// shortest.
fn shown(runs: &[&Run], status: Status) -> Markup {
    let shows = |number| match number {
        0 if status != Status::AsExpected => Shows::World,
        _ if number < MOST_SHOWN => Shows::Steps,
        _ => Shows::Why,
    };
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
                (run::run(group[0], number, Place::Below))
                (brief::same(&group[1..]))
            } @else {
                (brief::brief(group, shows(number)))
            }
        }
    }
}

/// Whether two runs have the same steps and end in the same way.
fn is_same(one: &Run, other: &Run) -> bool {
    let lines = |run: &Run| run.steps.iter().map(|it| it.act.line.clone()).collect::<Vec<_>>();
    one.end == other.end && one.steps.len() == other.steps.len() && lines(one) == lines(other)
}
