//! The head of a run: its decision and cause, its world, and the command that makes it again.

use std::collections::BTreeSet;

use deathwatch_claims::diagnosis::{Role, RootKind};
use deathwatch_documents::{
    Run,
    run::{
        ActorKind, Assumption as AssumptionFact, Decision, End, NeverTaken, Origin, RootStep, Step,
    },
    wait_for::{NamedRoot, WaitFor},
};
use deathwatch_model::world::Assumption;
use deathwatch_scenario::listed::few;
use maud::{Markup, html};

use super::{cycle, explained::explained, notes::mark, step, values, why};
use crate::text::capital;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The run has a page of its own.
    Alone,
    /// The run is one of several on a page with a title of its own.
    Among,
    /// The run stands below the answers of its scenario, which have its decision.
    Below,
}

/// The greatest number of roots that are shown before the others are folded.
const MOST_ROOTS: usize = 3;

/// The greatest number of actors, or of actions, that are named.
const MOST_NAMED: usize = 3;

/// The head of a run, which has this number on its page and may be the only one. A run that decides
/// one claim has the claim for its title, any other its scenario.
pub(super) fn head(run: &Run, number: usize, place: Place) -> Markup {
    let header = &run.header;
    let has_one = run.answers.len() == 1;
    html! {
        div.head {
            div {
                @if !has_one { (title(place, &html! { (header.scenario) })) }
                @for answers in alike(&run.answers) {
                    @for answer in &answers {
                        @let heading = claim(answer);
                        @if has_one { (title(place, &heading)) } @else { h2 { (heading) } }
                    }
                    (cause(run, number, &answers))
                }
                @for failure in &run.failures { p.bad { (failure) } }
            }
            div {
                @if place != Place::Below && !header.shows.is_empty() { p.shows { (header.shows) } }
                pre.command { "$ " (header.made_by) }
                dl {
                    @for (term, fact) in facts(run, place) { dt { (term) } dd { (fact) } }
                }
            }
        }
    }
}

/// A claim and its answer, as one sentence.
pub(super) fn claim(answer: &Decision) -> Markup {
    let is_violated = answer.answer == "violated";
    html! {
        span class=(if is_violated { "bad" } else { "good" }) { (answer.answer) ":" }
        " " (answer.claim) (mark(answer.notes)) " "
        @if answer.answer == answer.expected { small { "as expected" } }
        @else { small.bad { "expected is: " (answer.expected) } }
    }
}

/// The answers, those that come from the same roots together.
fn alike(answers: &[Decision]) -> Vec<Vec<&Decision>> {
    let mut groups: Vec<Vec<&Decision>> = Vec::new();
    for answer in answers {
        let same = |one: &Decision| match (&one.wait_for, &answer.wait_for) {
            (Some(one), Some(other)) => one.roots == other.roots,
            (None, _) | (_, None) => false,
        };
        match groups.iter_mut().find(|group| same(group[0])) {
            Some(group) => group.push(answer),
            None => groups.push(vec![answer]),
        }
    }
    groups
}

/// The cause of the answers: each root with the step that made it, the parts of a loop, and the
/// graph of waits.
fn cause(run: &Run, number: usize, answers: &[&Decision]) -> Markup {
    let answer = answers[0];
    let Some(graph) = &answer.wait_for else { return decided(run, number, answer) };
    let roots = graph.roots.iter().enumerate().map(|(index, it)| {
        let made = answer.made.iter().find(|made| made.root == index);
        root(run, number, (it, graph), made)
    });
    let roots: Vec<Markup> = roots.collect();
    let (first, others) = roots.split_at(roots.len().min(MOST_ROOTS));
    let mut graphs = answers.iter().filter_map(|it| it.wait_for.as_ref());
    html! {
        // What goes round is the cause; who is held by it comes after that.
        (around(run, number))
        @for root in first { (root) }
        @if let Some(sentence) = no_return(run, answer) { p.cause { (sentence) } }
        @if !others.is_empty() {
            details { summary { (others.len()) " more roots" } @for root in others { (root) } }
        }
        @if answers.len() == 1 { (chain(graph)) }
        @else if graphs.any(|graph| graph.nodes.len() > 1) {
            details {
                summary { "Who waits for whom" }
                @for answer in answers {
                    @if let Some(graph) = &answer.wait_for {
                        p { (answer.claim) ":" }
                        (why::before_roots(graph))
                    }
                }
            }
        }
    }
}

/// The point of no return, if it is known: from there on the obligation cannot be met any more.
pub(super) fn no_return(run: &Run, answer: &Decision) -> Option<String> {
    let sentence = answer.no_return.as_ref()?.sentence(|state| step::line(run, state));
    Some(format!("{}.", capital(&sentence)))
}

/// A claim that a state or a step decides.
fn decided(run: &Run, number: usize, answer: &Decision) -> Markup {
    let step = answer.state.checked_sub(1).and_then(|index| run.steps.get(index));
    html! {
        p.cause {
            @match step {
                Some(it) => { "By " (step_link(run, number, it)) },
                None => "At the start",
            }
            @if let Some(subject) = &answer.subject {
                ", of " strong { (subject.kind) " " (subject.name) }
            }
            "."
        }
        @if let Some(sentence) = no_return(run, answer) { p.cause { (sentence) } }
        @if let Some(diagnosis) = &answer.diagnosis { p.why { (explained(diagnosis)) } }
        @if let Some(source) = &answer.source { p.quiet { (explained(source)) } }
    }
}

/// A root in one sentence, and the steps between the plan and the commit that made it. If no other
/// entity is waited for, the sentence has the root's condition, too.
fn root(
    run: &Run,
    number: usize,
    (root, graph): (&NamedRoot, &WaitFor),
    made: Option<&RootStep>,
) -> Markup {
    let more = root.count.saturating_sub(root.entities.len() as u64);
    let step = made.map(|made| &run.steps[made.step - 1]);
    let pending = made.and_then(|made| made.commits).map(|index| &run.pending[index]);
    html! {
        p.cause {
            "Held by " strong { (root.entities.join(", ")) }
            @if more > 0 { " and " (more) " more" }
            @if let Some(condition) = condition(graph, root) { " (" (explained(&condition)) ")" }
            @if let Some(step) = step { " since " (step_link(run, number, step)) }
            ": "
            @match busy(run, root) {
                Some(actors) => (actors),
                None => (explained(&root.text)),
            }
            ". " span.quiet { (explained(&root.passage)) }
        }
        @if let (Some(made), Some(pending)) = (made, pending) {
            @if !made.meanwhile.is_empty() {
                p.cause {
                    "That commit was planned in " (number_link(run, number, pending.from)) ", before "
                    @for (place, other) in made.meanwhile.iter().enumerate() {
                        @if place > 0 { ", " }
                        (step_link(run, number, &run.steps[other - 1]))
                    }
                    ", changed " (root.entities.join(", ")) "."
                }
            }
        }
    }
}

/// A root in one sentence, of a run whose steps stand elsewhere.
pub(super) fn held_by(named: &NamedRoot, graph: &WaitFor) -> Markup {
    html! {
        p.cause {
            "Held by " strong { (named.entities.join(", ")) }
            @if let Some(condition) = condition(graph, named) { " (" (explained(&condition)) ")" }
            ": " (explained(&named.text)) ". " span.quiet { (explained(&named.passage)) }
        }
    }
}

/// The condition of the only entity of a graph, without the words of its root; `None`, if others
/// are waited for.
fn condition(graph: &WaitFor, root: &NamedRoot) -> Option<String> {
    let [only] = graph.nodes.as_slice() else { return None };
    let is_said = |but: &str| root.text.starts_with(but);
    let condition = only.condition.split_once(", but ").filter(|(_, but)| is_said(but));
    let condition = condition.map_or(only.condition.as_str(), |(first, _)| first);
    let facts = graph.edges.iter().filter(|edge| edge.role == Role::Fact);
    let mut texts = vec![condition];
    for fact in facts {
        if !texts.contains(&fact.text.as_str()) {
            texts.push(&fact.text);
        }
    }
    Some(texts.join("; "))
}

/// The actors of the loop, if that is the root: those who never take the step that would help, or
/// else those whose steps fail.
fn busy(run: &Run, root: &NamedRoot) -> Option<String> {
    let End::Cycle { from, to } = run.end else { return None };
    let helping = run.never_taken.iter().filter(|it| it.would_help);
    let mut names: BTreeSet<&str> = helping.map(|it| it.act.actor.as_str()).collect();
    if names.is_empty() {
        let failing = run.steps[from..to].iter().filter(|step| step.because.is_some());
        names = failing.map(|step| step.act.actor.as_str()).collect();
    }
    if root.kind != RootKind::KeptBusy || names.is_empty() {
        return None;
    }
    let (is, names) = (if names.len() == 1 { "is" } else { "are" }, few(names, MOST_NAMED));
    Some(format!("{names} could act, and {is} kept busy for ever by the steps of the loop"))
}

/// The loop: its steps, the reasons why some of them fail, and the possible steps that are never
/// taken.
fn around(run: &Run, number: usize) -> Markup {
    let End::Cycle { from, to } = run.end else { return html! {} };
    let failing =
        run.steps[from..to].iter().filter_map(|step| Some((step, step.because.as_ref()?)));
    let (helping, others): (Vec<_>, Vec<_>) = run.never_taken.iter().partition(|it| it.would_help);
    let never = if helping.is_empty() { &others } else { &helping };
    html! {
        @for (step, because) in failing {
            p.cause { "Again and again " (step_link(run, number, step)) " fails: " (because.text) "." }
        }
        @if !never.is_empty() {
            p.cause { "Possible on the way round, and never done: " (never_taken(never)) "." }
        }
    }
}

/// Actions that are possible and never taken, each with the states of the cycle.
fn never_taken(never: &[&NeverTaken]) -> Markup {
    html! {
        @for (place, it) in never.iter().take(MOST_NAMED).enumerate() {
            @if place > 0 { "; " }
            strong { (it.act.action) } " by " (it.act.actor) ", " (cycle::possible(it))
        }
        @if never.len() > MOST_NAMED { "; " (never.len() - MOST_NAMED) " more" }
    }
}

/// The graph of waits, unless it has no edge.
fn chain(graph: &WaitFor) -> Markup {
    const UNFOLDED: usize = 5;
    html! {
        @if graph.nodes.len() == 1 {}
        @else if graph.nodes.len() <= UNFOLDED { (why::before_roots(graph)) }
        @else {
            details { summary { "Who waits for whom: " (graph.nodes.len()) " entities" } (why::before_roots(graph)) }
        }
    }
}

/// A step, which leads to the state after it.
fn step_link(run: &Run, number: usize, step: &Step) -> Markup {
    html! {
        (number_link(run, number, step.number)) ", "
        strong { (step::action(run, step)) }
        @if step.act.actor_is != ActorKind::Faults { " by " (step.act.actor) }
    }
}

fn number_link(run: &Run, number: usize, state: usize) -> Markup {
    html! { a href=(step::at(number, state)) { "step " (run.number(state)) } }
}

/// The title of a run. A page has one heading of the first level.
pub(super) fn title(place: Place, heading: &Markup) -> Markup {
    match place {
        Place::Alone => html! { h1 { (heading) } },
        Place::Among | Place::Below => html! { h2 { (heading) } },
    }
}

/// The facts about a run, each with its term. Defaults are left out, and the figures of the search
/// stand once on the page of a check.
pub(super) fn facts(run: &Run, place: Place) -> Vec<(&'static str, String)> {
    let header = &run.header;
    let mut facts = Vec::new();
    match header.origin {
        Origin::Script => facts.push(("run", "the script of the scenario".to_owned())),
        Origin::Search => facts.push(("run", format!("the shortest: {} steps", run.steps.len()))),
        Origin::Seed { seed } => facts.push(("run", format!("of seed {seed}"))),
    }
    if let Some(counts) = header.counts.filter(|_| place != Place::Below) {
        let (states, transitions) = (counts.states, counts.transitions);
        let sizes = format!("{states} states, {transitions} transitions, depth {}", counts.depth);
        facts.push(("searched", sizes));
    }
    let faults: Vec<String> =
        header.faults.iter().filter(|(_, fault)| fault.on).map(named).collect();
    let variants = header.variants.iter().map(|(name, it)| format!("{name} = {}", it.value));
    let off = &header.switched_off;
    let usual = |key: &str| Assumption::ALL.iter().any(|it| it.row().key == key && it.is_usual());
    let unusual = header.assumptions.iter().filter(|(key, it)| it.made != usual(key));
    let (more, missing): (Vec<_>, Vec<_>) = unusual.partition(|(_, it)| it.made);
    let says = |them: &[(&String, &AssumptionFact)]| -> Vec<String> {
        them.iter().map(|(_, it)| it.says.clone()).collect()
    };
    let per_duty =
        (header.fairness_per == "duty").then(|| "agents are fair to each duty".to_owned());
    for (term, parts) in [
        ("may go wrong", faults),
        ("variants", variants.collect()),
        ("details", header.details.clone()),
        ("switched off", off.clauses.clone()),
        ("without asserts", off.asserts.clone()),
        ("neglected", off.neglected.clone()),
        ("not assumed", says(&missing)),
        ("assumed", says(&more).into_iter().chain(per_duty).collect()),
    ] {
        if !parts.is_empty() {
            facts.push((term, parts.join("; ")));
        }
    }
    facts
}

/// A fault that may happen, and where.
fn named((name, fault): (&String, &deathwatch_documents::run::Fault)) -> String {
    match &fault.machines {
        Some(machines) => format!("{name} of {}", values::names(machines)),
        None => name.clone(),
    }
}
