//! The page of `check --diff`: what is answered differently, and a run of one side beside what the
//! other side makes of it, step by step.

use deathwatch_documents::{
    Differences, Run,
    difference::{Difference, Parting, RunDifference, Side, Sides},
    run::Step,
};
use maud::{Markup, html};

use super::{check::sketch, frame};
use crate::difference::{
    answers, carried_out, changed, common, counts, decides, open, parting, seeds, settings, start,
};

/// The greatest number of seeds of a scenario that are told one by one.
const MOST_SEEDS: usize = 1000;

pub(super) fn page(differences: &Differences) -> String {
    let Sides { a, b } = &differences.compared;
    let body = html! {
        main {
            div.head {
                div {
                    h1 { (verdict(differences)) }
                    dl { dt { "A" } dd { (a) } dt { "B" } dd { (b) } }
                }
            }
            @for difference in &differences.scenarios { (scenario(difference)) }
            (alone(&differences.alone))
            @for sweep in &differences.sweeps {
                section.panel {
                    h2 { (sweep.scenario) }
                    ul { @for line in seeds(sweep, MOST_SEEDS).iter().skip(1) { li { (line.trim()) } } }
                }
            }
        }
    };
    frame::frame("differences", &body)
}

fn verdict(differences: &Differences) -> &'static str {
    match (differences.is_any(), differences.is_open()) {
        (true, _) => "A and B are answered differently",
        (false, true) => "A and B may be answered differently",
        (false, false) => "A and B are answered alike",
    }
}

/// The scenarios of one side only.
fn alone(alone: &Sides<Vec<String>>) -> Markup {
    html! {
        @for (side, names) in [("A", &alone.a), ("B", &alone.b)] {
            @if !names.is_empty() {
                section.panel {
                    h2 { "Only in " (side) small { (names.len()) } }
                    ul { @for name in names { li { (name) } } }
                }
            }
        }
    }
}

fn scenario(difference: &Difference) -> Markup {
    let Sides { a, b } = &difference.scenario;
    let world: Vec<String> = settings(difference).into_iter().chain(start(difference)).collect();
    html! {
        section.panel {
            h2 { (a) @if a != b { small { "and " (b) } } }
            @for line in &world { p { (line) } }
            @for (answer, claims) in answers(difference) {
                h3 { (answer) }
                ul { @for claim in claims { li { (claim.name) " " span.quiet { (claim.kind.name()) } } } }
            }
            @if let Some(failures) = &difference.failures {
                @for (side, failures) in [("A", &failures.a), ("B", &failures.b)] {
                    @for failure in failures { p.bad { "script, in " (side) ": " (failure) } }
                }
            }
            @if let Some(counts) = counts(difference) { p { (counts) } }
            @for (head, clauses) in carried_out(difference) {
                p { (head) @for clause in clauses { " " code { (clause) } } }
            }
            @if let Some(open) = open(difference) { p.bad { (open) } }
        }
        @if let Some(run) = &difference.run { (beside(difference, run)) }
    }
}

/// The run beside what the other side makes of it.
fn beside(difference: &Difference, run: &RunDifference) -> Markup {
    let (first, rest) = parting(run);
    html! {
        section.panel {
            h2 { "The run" small { (decides(difference, run)) } }
            p { strong.bad { (first) } }
            ul.why { @for line in rest { li { (line) } } }
            @if run.parting != Parting::OtherChanges {
                ul.changes { @for line in run.changes.iter().flat_map(changed) { li { (line) } } }
            }
            div.columns {
                @for side in [Side::A, Side::B] {
                    div {
                        h3 { (heading(run, side)) }
                        @match run.runs.of(side) {
                            Some(run) => (sketch(run)),
                            None => p.quiet { "no run" },
                        }
                    }
                }
            }
        }
        section.panel {
            h2 { "Step by step" small { "the clauses that each side carries out" } }
            (table(run))
            (clauses(run))
        }
    }
}

fn heading(run: &RunDifference, side: Side) -> String {
    let steps = run.runs.of(side).as_ref().map_or(0, |it| it.steps.len());
    match (side == run.side, steps.saturating_sub(run.followed)) {
        (true, _) => format!("{}, which {} it", side.name(), run.kind.decides()),
        (false, 0) => side.name().to_owned(),
        (false, _) => format!("{}, and from step {} on by itself", side.name(), run.followed + 1),
    }
}

/// The steps of both sides with their clauses.
fn table(run: &RunDifference) -> Markup {
    let steps = |side: Side| run.runs.of(side).as_ref().map_or(&[][..], |it: &Run| &it.steps);
    let (a, b) = (steps(Side::A), steps(Side::B));
    html! {
        table {
            thead { tr { th {} th { "A" } th { "B" } } }
            tbody {
                @for index in 0..a.len().max(b.len()) {
                    tr {
                        th.number { (index + 1) }
                        @let is_common = index < common(run);
                        @let is_parting = Some(index + 1) == run.step;
                        (cell(a.get(index), is_parting))
                        @if is_common { (again(&a[index], &b[index])) }
                        @else { (cell(b.get(index), is_parting)) }
                    }
                }
            }
        }
    }
}

fn cell(step: Option<&Step>, is_parting: bool) -> Markup {
    html! {
        td {
            @if let Some(step) = step {
                @if is_parting { mark { (step.act.line) } } @else { (step.act.line) }
                @for clause in &step.clauses { " " code { (clause) } }
            }
            @else { span.quiet { "nothing" } }
        }
    }
}

/// A step of B that is also one of A.
fn again(a: &Step, b: &Step) -> Markup {
    html! {
        td {
            span.quiet { "the same" }
            @if a.clauses != b.clauses { @for clause in &b.clauses { " " code { (clause) } } }
        }
    }
}

/// The clauses that the runs carry out, with their texts and passages.
fn clauses(run: &RunDifference) -> Markup {
    let mut all: Vec<(&String, &deathwatch_documents::run::ClauseText)> = Vec::new();
    for run in [&run.runs.a, &run.runs.b].into_iter().flatten() {
        for step in &run.steps {
            for name in &step.clauses {
                if let Some(text) = run.clauses.get(name)
                    && all.iter().all(|(known, _)| *known != name)
                {
                    all.push((name, text));
                }
            }
        }
    }
    html! {
        dl {
            @for (name, text) in all {
                dt { code { (name) } }
                dd { (text.says) " " span.quiet { (text.source) } }
            }
        }
    }
}
