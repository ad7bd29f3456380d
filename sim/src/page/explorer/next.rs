//! What can be done in a state, each action a link, and what cannot, with the reason.

use maud::{Markup, html};

use super::Explored;
use crate::{
    page::{
        moment::{changes, clause_text},
        run::outcome,
    },
    recording::{ActorKind, Impossible, Moment, Owed, Possible, Recording},
    replay::ReasonKind,
};

/// The greatest number of actions of an actor that are shown unfolded.
const UNFOLDED: usize = 12;
/// The greatest number of actions that are told with their changes.
const TOLD: usize = 200;
/// The greatest number of keys that take an action.
const KEYS: usize = 9;

/// What can follow, and what cannot, and why.
pub(super) fn next(explored: &Explored<'_>) -> Markup {
    let Some(moment) = explored.run.moment(explored.at) else { return html! {} };
    html! {
        section #next.panel aria-label="What can happen next" {
            h2 { "What can happen next" small { "possible: " (moment.possible.len()) } }
            @if moment.quiescent {
                p class=[is_owed(explored.run, explored.at).then_some("bad")] {
                    "Nobody who is assumed to act can do anything."
                }
            }
            @for (actor, actions) in by_actor(moment) {
                (group(explored, actor, &actions))
            }
        }
        section #impossible.panel aria-label="What cannot happen, and why" {
            details open[moment.impossible.len() <= UNFOLDED] {
                summary { h2 { "Not possible, and why" small { (moment.impossible.len()) } } }
                @for group in by_reason(explored.run, explored.at, moment) { (reason(explored.run, &group)) }
            }
        }
    }
}

/// Whether something is owed in a state.
fn is_owed(run: &Recording, at: usize) -> bool {
    run.claims.iter().flat_map(|strip| &strip.owed).any(|owed| is_open(owed, at))
}

fn is_open(owed: &Owed, at: usize) -> bool {
    owed.since <= at && owed.until.is_none_or(|until| at < until)
}

/// The actions of each actor with their places, faults last.
fn by_actor(moment: &Moment) -> Vec<(&str, Vec<(usize, &Possible)>)> {
    let mut groups: Vec<(&str, Vec<(usize, &Possible)>)> = Vec::new();
    for (place, possible) in moment.possible.iter().enumerate() {
        let actor = possible.act.actor.as_str();
        match groups.iter_mut().find(|(known, _)| *known == actor) {
            Some((_, actions)) => actions.push((place, possible)),
            None => groups.push((actor, vec![(place, possible)])),
        }
    }
    groups.sort_by_key(|(_, actions)| match actions[0].1.act.actor_is {
        ActorKind::Faults => 2,
        ActorKind::User => 1,
        ActorKind::Client
        | ActorKind::UnitAgent
        | ActorKind::MachineAgent
        | ActorKind::Provisioner
        | ActorKind::Cleaner
        | ActorKind::Operator
        | ActorKind::Supervisor => 0,
    });
    groups
}

fn group(explored: &Explored<'_>, actor: &str, actions: &[(usize, &Possible)]) -> Markup {
    let is_fault = actions[0].1.act.actor_is == ActorKind::Faults;
    html! {
        details.actor open[actions.len() <= UNFOLDED] {
            summary {
                h3 class=[is_fault.then_some("bad")] { @if is_fault { "fault here" } @else { (actor) } }
                @if actions.len() > UNFOLDED { " " span.quiet { (actions.len()) " actions" } }
            }
            @for (place, possible) in actions {
                div.act {
                    @let key = (*place < KEYS).then(|| (place + 1).to_string());
                    p {
                        a.take href=(explored.links.take(*place)) title=(possible.act.line)
                            data-action=(place) data-keys=[key.as_deref()] {
                            (possible.act.action)
                        }
                        @if let Some(what) = outcome(possible.outcome) { " " span.badge { (what) } }
                        @if let Some(key) = &key { " " kbd.quiet { (key) } }
                        @for clause in clauses(possible) {
                            " " code title=[says(explored.run, clause)] { (clause) }
                        }
                    }
                    @if *place < TOLD { (changes(&possible.changes)) }
                }
            }
        }
    }
}

/// The clauses that an action carries out, that which obliges to it included.
fn clauses(possible: &Possible) -> Vec<&str> {
    let duty = possible.act.duty.iter().filter(|duty| !possible.clauses.contains(duty));
    duty.chain(&possible.clauses).map(String::as_str).collect()
}

fn says(run: &Recording, clause: &str) -> Option<String> {
    let text = run.clauses.get(clause)?;
    Some(format!("{} ({})", text.says, text.source))
}

/// The actions that are not possible for one reason. What something is owed about comes first, then
/// what more is known of than that nobody asks for it.
fn by_reason<'a>(run: &Recording, at: usize, moment: &'a Moment) -> Vec<Vec<&'a Impossible>> {
    let owed = run.claims.iter().flat_map(|strip| &strip.owed);
    let owed = owed.filter(|it| is_open(it, at));
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

fn reason(run: &Recording, group: &[&Impossible]) -> Markup {
    const NAMED: usize = 6;
    html! {
        div.act.cannot {
            @for it in group.iter().take(NAMED) {
                p { span.quiet { (it.act.actor) ": " } strong { (it.act.action) } }
            }
            @if group.len() > NAMED { p.quiet { "and " (group.len() - NAMED) " more" } }
            p { (group[0].text) }
            @if let Some(advice) = &group[0].advice { p.quiet { (advice) } }
            @for clause in &group[0].clauses { (clause_text(run, clause)) }
        }
    }
}
