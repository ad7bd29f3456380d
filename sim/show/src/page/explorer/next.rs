//! Next actions of a state, each a link, and the impossible ones with the reason.

use deathwatch_documents::{
    Run,
    run::{ActorKind, Impossible, Moment, Possible},
};
use deathwatch_scenario::replay::ReasonKind;
use maud::{Markup, html};

use super::{
    ExplorerPage,
    groups::{ActionGroup, groups},
    links::room,
    others::around,
    problem_text,
};
use crate::page::{clause, moment::changes, shown::Shown, step::outcome};

/// The greatest number of actions of a group that are shown unfolded.
const UNFOLDED: usize = 12;
/// The greatest number of actions of a group that are shown at once.
const PART: usize = 40;
/// The greatest number of actions that a page shows, unless one of its lists is unfolded.
const MOST: usize = 300;
/// The greatest number of keys that take an action.
const KEYS: usize = 9;

/// The possible actions, and the impossible ones with their reasons.
pub(super) fn next(explored: &ExplorerPage<'_>, shown: &Shown<'_>) -> Markup {
    let Some(moment) = explored.run.moment(explored.at) else { return html! {} };
    html! {
        section #next.panel aria-label="What can happen next" {
            h2 { "What can happen next" small { "possible: " (moment.possible.iter().filter(|it| it.act.actor_is != ActorKind::Client).count()) } }
            (typed(explored))
            @if moment.quiescent {
                p class=[is_owed(explored.run, explored.at).then_some("bad")] {
                    "Nobody who is assumed to act can do anything."
                }
            }
            (possible(explored, moment, shown))
        }
        section #impossible.panel aria-label="What cannot happen, and why" {
            details open[moment.impossible.len() <= UNFOLDED] {
                summary { h2 { "Not possible, and why" small { (moment.impossible.len()) } } }
                @if !shown.is_whole() {
                    p.quiet { "Of a world as large as this, what is told here is about the machines "
                        "and units that something is owed to, or that are unfolded." }
                }
                @for group in by_reason(explored.run, explored.at, moment) { (reason(explored.run, &group)) }
            }
        }
    }
}

/// The field for a step in the syntax of scenarios, and the mistake in the last one.
fn typed(explored: &ExplorerPage<'_>) -> Markup {
    let links = explored.links;
    html! {
        form #type action="/step" method="get" aria-label="A step as a scenario writes it" {
            @for (key, value) in links.fields() { input type="hidden" name=(key) value=(value); }
            label for="step" { "or a step" }
            input #step type="text" name="step" value=(links.step()) required
                placeholder="client: begin destroy-unit wordpress/0" data-keys="c"
                autocomplete="off" spellcheck="false";
            button type="submit" { "take it" }
        }
        @if let Some(problem) = explored.refused {
            div #refused role="alert" { pre.command { (problem_text(problem)) } }
        }
    }
}

/// The possible actions, by actor.
fn possible(explored: &ExplorerPage<'_>, moment: &Moment, shown: &Shown<'_>) -> Markup {
    let groups = groups(&moment.possible, shown);
    let each = room(explored.links, MOST) / groups.len().max(1);
    html! { @for it in &groups { (group((explored, shown), it, each.clamp(3, PART))) } }
}

/// The actions of a group, `most` of them at once.
fn group(
    (explored, shown): (&ExplorerPage<'_>, &Shown<'_>),
    group: &ActionGroup<'_>,
    most: usize,
) -> Markup {
    let (name, actions) = (group.name.as_str(), &group.actions);
    let is_fault = actions[0].1.act.actor_is == ActorKind::Faults;
    let listed = explored.links.listed().filter(|(list, _)| *list == name);
    let (from, most) = match listed {
        None => (0, most),
        Some((_, from)) => (from.min(actions.len() - 1), room(explored.links, PART)),
    };
    let to = (from + most).min(actions.len());
    html! {
        details.actor open[listed.is_some() || actions.len() <= UNFOLDED] {
            summary {
                h3 class=[is_fault.then_some("bad")] { @if is_fault { "fault here" } @else { (group.title()) } }
                @if actions.len() > UNFOLDED { " " span.quiet { (actions.len()) " actions" } }
            }
            @for (place, possible) in &actions[from..to] {
                (action((explored, shown), *place, possible, group.is_mixed))
            }
            @if listed.is_some() { (around(explored.links, name, from..to, actions.len())) }
            @else if to < actions.len() {
                p { a href=(explored.links.list(Some(name), to)) { (actions.len() - to) " more" } }
            }
        }
    }
}

/// The action with this place; its actor is named where others are beside it.
fn action(
    (explored, shown): (&ExplorerPage<'_>, &Shown<'_>),
    place: usize,
    possible: &Possible,
    is_mixed: bool,
) -> Markup {
    let key = (place < KEYS).then(|| (place + 1).to_string());
    html! {
        div.act {
            p {
                @if is_mixed { span.quiet { (possible.act.actor) ": " } }
                @let href = if possible.act.actor_is == ActorKind::Client {
                    explored.links.say(&possible.act.line)
                } else {
                    explored.links.take(place)
                };
                a.take href=(href) title=(possible.act.line)
                    data-action=(place) data-keys=[key.as_deref()] {
                    (possible.act.action)
                }
                @if let Some(what) = outcome(possible.outcome) { " " span.badge { (what) } }
                @if let Some(key) = &key { " " kbd.quiet { (key) } }
                @for clause in clauses(possible) {
                    " " code title=[says(explored.run, clause)] { (clause) }
                }
            }
            (changes(shown, &possible.changes))
        }
    }
}

/// Whether something is owed in a state.
fn is_owed(run: &Run, at: usize) -> bool {
    run.claims.iter().flat_map(|strip| &strip.owed).any(|owed| owed.is_open_at(at))
}

/// The clauses that an action carries out, that which obliges to it included.
fn clauses(possible: &Possible) -> Vec<&str> {
    let duty = possible.act.duty.iter().filter(|duty| !possible.clauses.contains(duty));
    duty.chain(&possible.clauses).map(String::as_str).collect()
}

fn says(run: &Run, clause: &str) -> Option<String> {
    let text = run.clauses.get(clause)?;
    Some(format!("{} ({})", text.says, text.source))
}

/// The impossible actions by reason. Those about an obligation come first, then those with a reason
/// beyond "no task asks for it".
fn by_reason<'a>(run: &Run, at: usize, moment: &'a Moment) -> Vec<Vec<&'a Impossible>> {
    let owed = run.claims.iter().flat_map(|strip| &strip.owed);
    let owed = owed.filter(|it| it.is_open_at(at));
    let names: Vec<&str> =
        owed.filter_map(|it| it.subject.as_ref()).map(|it| it.name.as_str()).collect();
    let mut groups: Vec<Vec<&Impossible>> = Vec::new();
    for it in &moment.impossible {
        let same = |group: &&mut Vec<&Impossible>| {
            group[0].text == it.text && group[0].clauses == it.clauses
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(it),
            None => groups.push(vec![it]),
        }
    }
    groups.sort_by_key(|group| {
        let is_owed = group.iter().any(|it| names.iter().any(|name| it.act.line.contains(name)));
        let is_told = !matches!(group[0].reason, ReasonKind::NotAsked | ReasonKind::Absent);
        (!(is_owed && is_told), !is_told, !is_owed)
    });
    groups
}

fn reason(run: &Run, group: &[&Impossible]) -> Markup {
    const NAMED: usize = 6;
    html! {
        div.act.cannot {
            @for it in group.iter().take(NAMED) {
                p { span.quiet { (it.act.actor) ": " } strong { (it.act.action) } }
            }
            @if group.len() > NAMED { p.quiet { "and " (group.len() - NAMED) " more" } }
            p { (group[0].text) }
            @if let Some(advice) = &group[0].advice { p.quiet { (advice) } }
            @for clause in &group[0].clauses { (clause::folded(run, clause)) }
        }
    }
}
