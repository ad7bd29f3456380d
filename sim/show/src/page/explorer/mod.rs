//! A page of the explorer: a run, one of its states, and the next actions.
//!
//! It has the rooms of the page of a run, of one state only, and leads on from it: each action that
//! is possible is a link, and what takes a text is a form.

mod board;
mod claims;
mod every_number;
mod groups;
mod links;
mod next;
mod others;
mod what_if;

use std::sync::Arc;

use deathwatch_documents::{
    Run,
    run::{Entities, Tier},
    wait_for::WaitFor,
};
use deathwatch_scenario::{problem::Problem, scenario::toggles::Toggle, turns};
use maud::{Markup, html};
use miette::{GraphicalReportHandler, GraphicalTheme};

use self::{claims::verdict_text, links::room, others::Folded};
use super::{
    frame, head, moment, run,
    shown::Shown,
    step::{again, label, line},
    why, world,
};

use crate::text::capital;

pub use self::board::{BesideLink, ShownBoard, ShownWorld};
pub use self::every_number::of_every_number;
pub use self::links::Links;

/// The contents of a page of the explorer.
pub struct ExplorerPage<'a> {
    /// The run, of which the state that is looked at is kept.
    pub run: &'a Run,
    pub at: usize,
    pub links: &'a dyn Links,
    /// The outcome of the last search or step, as a note.
    pub note: Option<String>,
    /// The answer to the claim in this world, if a setting was changed just now.
    pub verdict: Option<String>,
    /// The version of the page; an open page compares it to learn that the file has changed.
    pub version: String,
    /// Mistakes in the file, which has changed, if this is the world before.
    pub bad_file: Option<String>,
    /// The mistake in the typed step.
    pub refused: Option<&'a Problem>,
    /// The mistake in the condition of the address.
    pub misread: Option<&'a Problem>,
    /// The settings of the world that a form can change.
    pub toggles: Vec<Toggle>,
    /// The scenarios of the file, if they are several.
    pub beside: Vec<BesideLink>,
    /// The board of verdicts, if it is unfolded.
    pub board: Option<Arc<ShownBoard>>,
    /// The step by which the run parts from the one that it was under other settings, and why that
    /// is not possible any more.
    pub parting: Option<(String, String)>,
    /// Whether the condition of the address holds in this state.
    pub holds: Option<bool>,
    /// The waits of each entity that is owed something, and the number of such entities that were
    /// left out.
    pub wait_for: (Vec<WaitFor>, usize),
    /// The number of the last steps that are repeated for ever, if any are.
    pub cycle_len: Option<usize>,
    /// The turn of each actor that is assumed to act, if the run goes round for ever.
    pub turns: Vec<turns::Turn>,
    /// The claim that the run is about.
    pub claim: Option<&'a str>,
    pub opened: Vec<(Tier, String)>,
}

pub fn of_explored(explored: &ExplorerPage<'_>) -> String {
    let ExplorerPage { run, at, links, .. } = *explored;
    let opened: Vec<_> =
        explored.opened.iter().map(|(tier, name)| (*tier, name.as_str())).collect();
    let shown = Shown::onward(run, at, &opened);
    let title = match line(run, at) {
        None => format!("{}, at the start", run.header.scenario),
        Some(line) => format!("{}, step {at}: {line}", run.header.scenario),
    };
    let find = html! {
        input #find type="search" placeholder="find" aria-label="Find in steps and actions"
            data-keys="f";
    };
    let near = room(links, run.steps.len() + 1);
    let link = |state: usize| {
        let current = (state == at).then_some("step");
        if near <= run.steps.len() && state.abs_diff(at) > near / 2 {
            return html! { span title=[line(run, state)] { (label(run, state)) } };
        }
        html! {
            a href=(links.at(state)) title=[line(run, state)] aria-current=[current] {
                (label(run, state))
            }
        }
    };
    let body = html! {
        main.run {
            h1 { (run.header.scenario) }
            p.shows { (run.header.shows) }
            (board::beside(explored))
            (headline(explored))
            @if let Some(problem) = &explored.bad_file {
                section #bad-file.panel role="alert" {
                    h2 { "The file has changed, and something is wrong with it" }
                    pre.command { (problem) }
                    p { "This is the world as it was before." }
                }
            }
            (board::board(explored))
            (what_if::what_if(explored))
            (tools(explored))
            div.two {
                div.left {
                    (run::steps(run, &find, &link))
                    (claims::cycle(explored))
                    (why(explored))
                    (claims::claims(explored))
                    (about(run))
                }
                div.right {
                    section #world.panel aria-label="The world" {
                        h2 { "The world" small { "after step " (at) " of " (run.steps.len()) } }
                        (step(&shown, at))
                        (world::world(&shown, at, &Folded { links }))
                        @if !shown.is_whole() { (open(links)) }
                    }
                    (moment::owed(run, at))
                    (next::next(explored, &shown))
                }
            }
        }
        footer.quiet {
            span.keys hidden {
                "Keys: ← → or k j step, Home End, [ ] the same actor, 1 to 9 take an action, i until "
                "idle, c type a step, f find, / go to a state, s save, t light or dark. "
            }
            "The address holds the run and the step."
        }
    };
    frame::explorer(&title, &body)
}

/// The field that unfolds an entity by its name.
fn open(links: &dyn Links) -> Markup {
    html! {
        form #open action="/" method="get" aria-label="Unfold an entity" {
            @for (key, value) in links.fields() { input type="hidden" name=(key) value=(value); }
            label for="entity" { "unfold" }
            input #entity type="text" name="open" required placeholder="unit wordpress/0"
                autocomplete="off" spellcheck="false";
            button type="submit" { "go" }
        }
    }
}

/// The entities of these names.
///
/// # Errors
/// If the world has no such entity.
pub fn opened(names: &[String], world: &Entities) -> Result<Vec<(Tier, String)>, Problem> {
    let entity = |name: &String| {
        world.entity(name).ok_or_else(|| {
            Problem::new(format!("this world has no {name}")).with_help(
                "an entity is named as in: unit wordpress/0, machine 1, application mysql",
            )
        })
    };
    names.iter().map(entity).collect()
}

/// The graph of waits: at an end where an entity waits for ever; on the way, only on demand.
fn why(explored: &ExplorerPage<'_>) -> Markup {
    let ExplorerPage { run, at, wait_for: (shown, left_out), .. } = explored;
    let is_quiescent = run.moment(*at).is_some_and(|moment| moment.quiescent);
    let graphs = html! {
        @for graph in shown { (why::why(graph)) }
        @match left_out {
            0 => {}
            1 => p.quiet { "Something is owed to one entity more." }
            more => p.quiet { "Something is owed to " (more) " entities more." }
        }
    };
    html! {
        @if is_quiescent || explored.cycle_len.is_some() { (graphs) }
        @else if !shown.is_empty() {
            details.panel { summary { "who waits for whom now" } (graphs) }
        }
    }
}

/// The page for a request with a mistake.
pub fn of_problem(scenario: &str, problem: &Problem) -> String {
    let body = html! {
        main {
            section.panel role="alert" {
                h1 { "This leads nowhere" }
                pre.command { (problem_text(problem)) }
                p { a href="/" { "to the start of " (scenario) } }
            }
        }
    };
    frame::explorer("nowhere", &body)
}

/// A problem with its place in the text, as the command line tells it.
pub fn problem_text(problem: &Problem) -> String {
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
    let mut told = String::new();
    match handler.with_links(false).render_report(&mut told, problem) {
        Ok(()) => told,
        Err(_) => problem.to_string(),
    }
}

/// The tools for the run as a whole.
fn tools(explored: &ExplorerPage<'_>) -> Markup {
    let ExplorerPage { run, at, links, .. } = *explored;
    let last = run.steps.len();
    let go = |state: usize, keys: &str, label: &str, sign: &str| {
        html! {
            a href=(links.at(state)) data-keys=(keys) aria-label=(label) title=(label) { (sign) }
        }
    };
    let mine = at.checked_sub(1).map(|index| run.steps[index].act.actor.as_str());
    let is_mine = |step: &&deathwatch_documents::run::Step| Some(step.act.actor.as_str()) == mine;
    let before = run.steps.iter().take(at.saturating_sub(1)).rfind(is_mine);
    let after = run.steps.iter().skip(at).find(is_mine);
    html! {
        nav #tools.tools.panel aria-label="Steps" {
            span.steps {
                (go(0, "Home", "first step", "⇤"))
                (go(at.saturating_sub(1), "ArrowLeft ArrowUp k", "a step back", "←"))
                (go(forward(run, at), "ArrowRight ArrowDown j", "a step forward", "→"))
                (go(last, "End", "last step", "⇥"))
                @if let Some(step) = before {
                    (go(step.number, "[", "this actor's step before", "↖"))
                }
                @if let Some(step) = after {
                    (go(step.number, "]", "this actor's next step", "↘"))
                }
            }
            p #changed role="status" data-version=(explored.version) hidden {
                strong { "The scenario has changed: " a href=(links.at(at)) { "reload" } }
            }
            span #position aria-live="polite" { "step " (at) " of " (last) }
            a #idle href=(links.to("/idle")) data-keys="i" { "run until idle" }
            a #every-number href=(links.to("/every-number")) { "every number of units" }
            a #save href=(links.to("/scenario.toml")) data-keys="s" { "save as scenario" }
            a #json href=(links.to("/run.json")) { "as JSON" }
            a #again href="/" { "start again" }
            form #nearest action="/nearest" method="get" aria-label="Nearest state" {
                @for (key, value) in links.fields() {
                    input type="hidden" name=(key) value=(value);
                }
                label for="where" { "nearest state where" }
                input #where type="text" name="where" value=(links.condition()) required
                    placeholder="units.exists(u, u.life == \"dead\")" data-keys="/"
                    autocomplete="off" spellcheck="false";
                button type="submit" { "go" }
                @match explored.holds {
                    Some(true) => span #holds.good { "holds here" },
                    Some(false) => span #holds.bad { "does not hold here" },
                    None => {},
                }
            }
            @if let Some(problem) = explored.misread {
                div #misread role="alert" { pre.command { (problem_text(problem)) } }
            }
            @if let Some(note) = &explored.note { p #note role="status" { (note) } }
        }
    }
}

/// The state after this one; at the end of a run that goes round, the one after that which is
/// equal.
fn forward(run: &Run, at: usize) -> usize {
    let last = run.steps.len();
    match again(run) {
        Some(again) if at == last => again + 1,
        _ => (at + 1).min(last),
    }
}

/// The step that led to a state.
fn step(shown: &Shown<'_>, at: usize) -> Markup {
    let run = shown.run();
    let Some(step) = at.checked_sub(1).map(|index| &run.steps[index]) else {
        return html! { p.quiet { "at the start" } };
    };
    html! {
        (moment::did(step))
        details { summary { "its clauses and changes" } (moment::carried_out(shown, step)) }
    }
}

fn about(run: &Run) -> Markup {
    html! {
        section #about.panel aria-label="The scenario" {
            h2 { "The scenario" }
            details {
                summary { "what can happen in its world" }
                dl { @for (term, said) in head::facts(run, head::Place::Alone) { dt { (term) } dd { (said) } } }
                pre.command { "$ " (run.header.made_by) }
            }
        }
    }
}

/// The headline, at the end of such a run.
fn headline(explored: &ExplorerPage<'_>) -> Markup {
    let run = explored.run;
    let strip = run.claims.iter().find(|strip| explored.claim == Some(strip.claim.as_str()));
    let said = strip.and_then(|strip| Some((strip, verdict_text(run, strip)?)));
    let Some((strip, (false, said))) = said else { return html! {} };
    let is_end = explored.at == run.steps.len();
    let decided = strip.decided.as_ref().and_then(|it| it.state.checked_sub(1));
    let by = decided.and_then(|index| run.steps.get(index));
    html! {
        section #headline aria-label="What this run shows" {
            h2.cause { span { span.bad { "violated: " } (strip.claim) } }
            @if let Some(step) = by {
                p.cause {
                    "By " a href=(explored.links.at(step.number)) { "step " (step.number) } ", "
                    strong { (step.act.action) } " by " (step.act.actor) "."
                }
            } @else {
                p.cause { (capital(said.strip_prefix("violated: ").unwrap_or(&said))) "." }
                @if is_end {
                    @for graph in &explored.wait_for.0 {
                        @for root in &graph.roots { (head::held_by(root, graph)) }
                    }
                }
            }
        }
    }
}
