//! A run in brief: its lanes, its steps with their clauses and changes, and its cause.

use deathwatch_documents::{
    Answer, Run,
    run::{Decision, Step},
};
use maud::{Markup, html};

use super::{
    super::{
        head,
        lanes::Lanes,
        shown::Shown,
        step::{end, label},
        values, why, world,
    },
    clauses, is_bad,
};

/// The greatest number of steps of a run whose steps are shown.
const MOST_STEPS: usize = 40;

/// The part of a run that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// The steps, the world at the end, and the cause as a graph and in words.
    World,
    /// The same without the world.
    Steps,
    Why,
}

/// Runs with the same steps: each violates claims of its own.
pub(super) fn brief(runs: &[&Run], shows: Shows) -> Markup {
    let run = runs[0];
    let is_shown = shows != Shows::Why && run.steps.len() <= MOST_STEPS;
    html! {
        section.brief {
            (decisions(runs))
            @if is_shown { (steps(run)) } @else {
                p.quiet { "by a run of " (run.steps.len()) " steps, which is shown by" }
            }
            @if shows == Shows::World { (world_at_the_end(run, "The world")) }
            pre.command { "$ " (run.header.made_by) " --format html --output run.html" }
        }
    }
}

/// The world that a run leads to, below this heading.
pub(in crate::page) fn world_at_the_end(run: &Run, heading: &str) -> Markup {
    html! {
        @if let Some(run) = run.at_its_end() {
            section.panel aria-label=(heading) {
                h2 { (heading) small { "after the last step" } }
                (world::world(&Shown::of(&run), run.steps.len(), &world::CountedOthers))
            }
        }
    }
}

/// The shortest run that violates a claim of a scenario, as text.
pub(super) fn shortest(answer: &Answer) -> Markup {
    let traces = answer.claims.iter().filter(|it| is_bad(it)).filter_map(|it| it.trace.as_ref());
    let shortest = traces.min_by_key(|trace| trace.length());
    html! {
        @if let Some(trace) = shortest {
            @let lines = trace.numbered();
            details {
                summary { "a run of " (trace.length()) " steps" }
                p { (trace.told().join("; ")) }
                pre {
                    (lines[..lines.len().min(MOST_STEPS)].join("\n"))
                    @if lines.len() > MOST_STEPS { "\n…" }
                }
            }
        }
    }
}

/// The other violations of a run that is shown whole.
pub(super) fn same(runs: &[&Run]) -> Markup {
    html! {
        @if !runs.is_empty() {
            section.panel {
                h2 { "The same run violates" }
                (decisions(runs))
            }
        }
    }
}

/// The claims that runs with the same steps decide, and the stuck entities, the roots first. Causes
/// that several runs share stand once.
fn decisions(runs: &[&Run]) -> Markup {
    let mut told: Vec<(Vec<&Decision>, Vec<String>)> = Vec::new();
    for answer in runs.iter().flat_map(|run| &run.answers) {
        let why = match &answer.wait_for {
            Some(graph) => graph.sentences(),
            None => answer.diagnosis.iter().cloned().collect(),
        };
        match told.iter_mut().find(|(_, said)| *said == why) {
            Some((answers, _)) => answers.push(answer),
            None => told.push((vec![answer], why)),
        }
    }
    html! {
        @for (answers, why) in &told {
            @for answer in answers {
                h3 { (head::claim(answer)) @if let Some(subject) = &answer.subject { ", of " (subject.name) } }
            }
            ul.why { @for sentence in why { li { (sentence) } } }
        }
    }
}

fn steps(run: &Run) -> Markup {
    let graph = run.answers.iter().find_map(|answer| answer.wait_for.as_ref());
    let shown = Shown::of(run);
    html! {
        div.two {
            (sketch(run))
            ol.carried { @for step in &run.steps { (carried_out(&shown, step)) } }
        }
        @if let Some(graph) = graph { (why::chain(graph)) }
    }
}

/// The steps of a run beside its lanes.
pub(in crate::page) fn sketch(run: &Run) -> Markup {
    let row = |state| html! { span.said { (label(run, state)) } };
    Lanes::of(run).rows(&row, &end(run))
}

/// The clauses of a step, and its changes.
fn carried_out(shown: &Shown<'_>, step: &Step) -> Markup {
    html! {
        li {
            @for clause in &step.clauses { (clauses::link(clause)) " " }
            @if let Some(because) = &step.because { span.bad { (because.text) } " " }
            @for change in step.changes.iter().filter(|it| shown.is_informative(it)) {
                @let (before, after) = values::change(change);
                span.change {
                    @let (kind, name) = (&change.document.kind, &change.document.name);
                    @if kind != name { span.quiet { (kind) } " " }
                    (name) " "
                    (change.field.replace('-', " ")) ": " (before) " → " mark { (after) }
                }
            }
            @if step.clauses.is_empty() && step.changes.is_empty() { span.quiet { "nothing" } }
        }
    }
}
