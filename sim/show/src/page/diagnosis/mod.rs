//! The page of `diagnose`: holders and waits in a real model, the runs that free it, and the
//! outcomes of steps that an operator might take.

mod freeing;
mod holders;
mod what_if;

use deathwatch_documents::{
    ModelDiagnosis,
    diagnosis::{Case, FreeingRun, NextStep, StuckGroup, StuckVerdict},
};
use maud::{Markup, html};

use super::{frame, run};
use crate::diagnosis::{headline, letter, outlook, shown_verdict, simulated, without_groups};

/// The page of a diagnosis. `runs` has the freeing run of each case, by group and case; a missing
/// one is not shown.
pub fn of_diagnosis(diagnosis: &ModelDiagnosis, runs: &[Vec<Option<FreeingRun>>]) -> String {
    let title = format!("model {}", diagnosis.model);
    let mut number = 0;
    let mut next = || {
        number += 1;
        number - 1
    };
    let body = html! {
        main.diagnosis {
            (head(diagnosis))
            @for (place, group) in diagnosis.groups.iter().enumerate() {
                @let runs = runs.get(place).map_or(&[][..], |it| it);
                @if diagnosis.groups.len() > 1 { h2.group { (headline(diagnosis, group)) } }
                (open(group))
                @for (place, case) in group.cases.iter().enumerate() {
                    @if group.cases.len() > 1 { (when(place, case)) }
                    @let run = runs.get(place).and_then(Option::as_ref);
                    (holders::panel(case, &answer(case, group)))
                    (what_if::panel(case))
                    @if let Some(run) = run { (holders::world(case, run)) }
                    @if let Some(run) = run { (freeing::panel(run, next())) }
                }
                (hidden(group))
            }
            (notes(diagnosis))
        }
        (run::keys())
    };
    frame::diagnosis(&title, &body)
}

/// The answer, and of which model.
fn head(diagnosis: &ModelDiagnosis) -> Markup {
    let said = match &diagnosis.groups[..] {
        [] => without_groups(diagnosis).to_owned(),
        [group] => headline(diagnosis, group),
        groups => {
            let worst = groups.iter().find(|it| shown_verdict(diagnosis, it) == diagnosis.verdict);
            let worst = worst.map_or_else(String::new, |it| headline(diagnosis, it));
            let count = groups.len();
            format!("{worst} {count} groups in all, which hold nothing of each other.")
        }
    };
    let (first, rest) = said.split_at(said.find([':', '.']).unwrap_or(said.len()));
    html! {
        div.head {
            div {
                h1 { span.(colour(diagnosis.verdict)) { (first) } (rest) }
                @if diagnosis.destroying {
                    p.cause { "The model is being destroyed, and waits for all of this." }
                }
            }
            dl {
                dt { "model" } dd { (diagnosis.model) }
                dt { "Juju" } dd { (diagnosis.juju) }
            }
        }
    }
}

fn colour(verdict: StuckVerdict) -> &'static str {
    match verdict {
        StuckVerdict::GoesByItself => "good",
        StuckVerdict::Depends | StuckVerdict::Undecided => "open",
        StuckVerdict::UntilYouAct | StuckVerdict::ForEver | StuckVerdict::Inconsistent => "bad",
    }
}

/// Why a group was not decided.
fn open(group: &StuckGroup) -> Markup {
    html! {
        @if let Some(why) = &group.undecided {
            section.panel aria-label="Not decided" {
                h2 { "Not decided" small { "the tree is of what Juju has printed alone" } }
                p { (why) }
                p { "Not Alive: " (group.things.join(", ")) }
                @for line in group.simulated.iter().flat_map(simulated) { p { (line) } }
            }
        }
    }
}

/// The value of the hidden facts for which a case is the answer.
fn when(place: usize, case: &Case) -> Markup {
    html! {
        h2.case {
            (letter(place)) " If " (case.when.join("; and ")) ":"
        }
    }
}

/// The steps that a case needs, and whether they are possible.
fn answer(case: &Case, group: &StuckGroup) -> Markup {
    let next = |step: &NextStep| {
        let colon = if step.who == "you" { ":" } else { "" };
        format!("{}{colon} {}", step.who, step.what)
    };
    html! {
        dl.answer {
            @for broken in &case.broken {
                dt { "broken" } dd { "Juju's own steps never lead here: " (broken) }
            }
            @for step in &case.next { dt { "next" } dd { strong { (next(step)) } } }
            @if case.verdict != StuckVerdict::Undecided {
                @if !case.then.is_empty() { dt { "then" } dd { (case.then.join("; ")) } }
                dt { "does it go?" } dd { (outlook(case, group)) }
            }
            @for like in &case.like { dt { "like" } dd { (like) } }
        }
    }
}

/// The facts that Juju does not print, with the command that does, and the parts of the model that
/// were left out.
fn hidden(group: &StuckGroup) -> Markup {
    let is_empty = group.tell.is_empty() && group.alike.is_empty() && group.outside.is_empty();
    html! {
        @if !is_empty || group.settled {
            section.panel aria-label="What is not known" {
                h2 { "What is not known" }
                @if !group.tell.is_empty() {
                    p { "Which of these answers is yours depends on what Juju did not print:" }
                    ul {
                        @for (place, case) in group.cases.iter().enumerate() {
                            li { (letter(place)) " " (case.when.join("; and ")) }
                        }
                    }
                    p { "This tells:" }
                    @for tell in &group.tell { pre.command { (tell) } }
                }
                @if !group.alike.is_empty() {
                    p {
                        "The same is expected of what is like these, and was not searched: "
                        (group.alike.join(", "))
                    }
                }
                @for outside in &group.outside {
                    p { "Also held, perhaps, by " (outside) ", which is not modelled." }
                }
                @if group.settled {
                    p { "Too many states fit; what seldom matters was taken to be as usual." }
                }
            }
        }
    }
}

fn notes(diagnosis: &ModelDiagnosis) -> Markup {
    html! {
        @if !diagnosis.notes.is_empty() {
            section.panel aria-label="Notes" {
                h2 { "Notes" }
                ul { @for note in &diagnosis.notes { li { (note) } } }
            }
        }
    }
}
