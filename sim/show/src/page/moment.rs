//! A moment of a run: the step that led to it, the world, the obligations, and the next actions.

use std::collections::BTreeMap;

use deathwatch_documents::{
    Run,
    run::{Act, Change, Impossible, Moment, OwedIs, Possible, Step},
};
use maud::{Markup, html};

use super::{
    clause,
    shown::{Shown, is_outside},
    step::{at, id, outcome},
    values, world,
};

/// The greatest number of obligations that a moment lists.
const MOST_OWED: usize = 8;
/// The greatest number of actions that a moment of a large world lists, and of reasons why others
/// are not possible.
const MOST_ACTIONS: usize = 40;

/// The section of the moment after this many steps.
pub(super) fn moment(shown: &Shown<'_>, run: usize, state: usize) -> Markup {
    let recording = shown.run();
    let last = recording.steps.len();
    let moment = recording.moment(state);
    let step = state.checked_sub(1).map(|index| &recording.steps[index]);
    let is_last = if state == last { "moment last" } else { "moment" };
    html! {
        section class=(is_last) id=(id(run, state)) {
            div.panel {
                h2 {
                    "The world" small { "after step " (recording.number(state)) " of " (recording.whole.map_or(last, |it| it.steps)) }
                    (steps_nav(run, state, last))
                }
                @match step {
                    None => p.quiet { "at the start" },
                    Some(step) => (did(step)),
                }
                @if moment.is_some() { (world::world(shown, state, &world::CountedOthers)) }
            }
            @if let Some(step) = step {
                div.panel { (carried_out(shown, step)) }
            }
            (owed(recording, state))
            @if let Some(moment) = moment.filter(|_| !shown.is_brief(state)) { (next(shown, moment)) }
        }
    }
}

/// The links from a moment to others of its run.
pub(super) fn steps_nav(run: usize, state: usize, last: usize) -> Markup {
    html! {
        nav aria-label="Steps" {
            a href=(at(run, 0)) aria-label="first" { "⇤" }
            a href=(at(run, state.saturating_sub(1))) aria-label="previous" { "←" }
            a href=(at(run, (state + 1).min(last))) aria-label="next" { "→" }
            a href=(at(run, last)) aria-label="last" { "⇥" }
        }
    }
}

pub(super) fn did(step: &Step) -> Markup {
    html! {
        p {
            strong { (step.act.actor) } ": " (step.act.action)
            @if let Some(what) = outcome(step.outcome) { " " span.badge { (what) } }
            @if let Some(time) = step.milliseconds {
                span.quiet { " at " (format!("{}.{:03} s", time / 1000, time % 1000)) }
            }
        }
        @if let Some(because) = &step.because { p.bad { (because.text) } }
    }
}

/// The clauses of a step, and its changes.
pub(super) fn carried_out(shown: &Shown<'_>, step: &Step) -> Markup {
    html! {
        div.columns {
            div {
                h3 { "Clauses carried out" }
                @if step.clauses.is_empty() { p.quiet { "none" } }
                @for clause in &step.clauses {
                    @if shown.has_passages() { (clause::folded(shown.run(), clause)) }
                    @else { p { (clause::name_and_text(shown.run(), clause)) } }
                }
            }
            div {
                h3 { "Documents, disks and memories changed" }
                (changes(shown, &step.changes))
            }
        }
    }
}

pub(super) fn changes(shown: &Shown<'_>, changes: &[Change]) -> Markup {
    html! {
        @if changes.is_empty() { p.quiet { "nothing" } }
        ul.changes {
            @for change in changes.iter().filter(|it| shown.is_informative(it)) {
                @let (before, after) = values::change(change);
                @let (kind, name) = (&change.document.kind, &change.document.name);
                li {
                    @if kind != name { span.quiet { (kind) } " " }
                    strong { (name) } " "
                    (change.field.replace('-', " ")) ": " (before) " → " mark { (after) }
                }
            }
        }
    }
}

/// The open obligations in this state, and their fates.
pub(super) fn owed(run: &Run, state: usize) -> Markup {
    let is_last = state == run.steps.len();
    let open = run.claims.iter().flat_map(|strip| strip.owed.iter().map(move |owed| (strip, owed)));
    let open: Vec<_> = open
        .filter(|(_, owed)| owed.since <= state && owed.until.is_none_or(|until| state <= until))
        .collect();
    html! {
        @if !open.is_empty() {
            div.panel {
                h3 { "Owed" }
                @for (strip, owed) in open.iter().take(MOST_OWED) {
                    p {
                        @match owed.is {
                            OwedIs::Violated if is_last => strong.badge.bad { "never done" },
                            _ if owed.until == Some(state) => strong.badge.good { "done" },
                            OwedIs::Violated | OwedIs::Open | OwedIs::Done => strong.badge { "owed" },
                        }
                        " " (strip.claim)
                        @if let Some(subject) = &owed.subject { ": " strong { (subject.name) } }
                        span.quiet { ", since step " (run.number(owed.since)) }
                    }
                }
                @if open.len() > MOST_OWED { p.quiet { (open.len() - MOST_OWED) " more" } }
            }
        }
    }
}

/// The possible actions, and the impossible ones with their reasons.
fn next(shown: &Shown<'_>, moment: &Moment) -> Markup {
    let (possible, impossible) = (&moment.possible, &moment.impossible);
    let most = if shown.is_whole() { usize::MAX } else { MOST_ACTIONS };
    // What agents can do comes first where not all is told.
    let (agents, outside): (Vec<&Possible>, Vec<&Possible>) =
        possible.iter().partition(|it| shown.is_whole() || !is_outside(it.act.actor_is));
    let reasons = by_reason(impossible);
    let more = |all: usize| html! { @if all > most { p.quiet { "and " (all - most) " more" } } };
    html! {
        div.panel {
            details open[possible.len() + impossible.len() <= 8] {
                summary {
                    h3 { "Possible: " (possible.len()) "; not possible, and why: " (impossible.len()) }
                }
                @if moment.quiescent { p.bad { "Nobody who is assumed to act can do anything." } }
                div.columns {
                    div {
                        h3 { "Possible" }
                        @for it in agents.into_iter().chain(outside).take(most) {
                            p { (act(&it.act)) }
                            @if !names_its_changes(it) { (changes(shown, &it.changes)) }
                        }
                        (more(possible.len()))
                    }
                    div {
                        h3 { "Not possible" }
                        @for (it, acts) in reasons.iter().take(most) {
                            p {
                                @for it in acts.iter().take(most) { (act(it)) br; }
                                @if acts.len() > most { "and " (acts.len() - most) " more" br; }
                                (it.text)
                                @for clause in &it.clauses { " " code { (clause) } }
                            }
                        }
                        (more(reasons.len()))
                    }
                }
            }
        }
    }
}

/// Whether an action needs no list of changes: it begins a transaction, which it names.
fn names_its_changes(possible: &Possible) -> bool {
    let begun = possible.act.action.strip_prefix("begin ");
    match possible.changes.as_slice() {
        [only] => only.field == "pending" && begun == Some(&*values::value(only.after.as_ref())),
        _ => false,
    }
}

/// The impossible actions, each first one with all that are impossible for the same reason.
fn by_reason(impossible: &[Impossible]) -> Vec<(&Impossible, Vec<&Act>)> {
    let mut places = BTreeMap::new();
    let mut grouped: Vec<(&Impossible, Vec<&Act>)> = Vec::new();
    for it in impossible {
        let place = *places.entry((&it.text, &it.clauses)).or_insert(grouped.len());
        if place == grouped.len() {
            grouped.push((it, Vec::new()));
        }
        grouped[place].1.push(&it.act);
    }
    grouped
}

fn act(act: &Act) -> Markup {
    html! { (act.actor) ": " strong { (act.action) } }
}
