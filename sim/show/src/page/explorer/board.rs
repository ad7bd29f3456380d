//! The board of verdicts: claims as rows, worlds as columns. A cell leads to the run that decides
//! it.

use deathwatch_claims::check::CheckAnswer;
use maud::{Markup, html};

use super::{ExplorerPage, links::BoardAddress};
use crate::text::{number, plural};

/// A scenario of the file.
pub struct BesideLink {
    /// Its name in the file.
    pub name: String,
    /// Whether the world is the one that is explored.
    pub is_here: bool,
}

/// The board.
#[derive(Debug)]
pub struct ShownBoard {
    /// The claims, and whether each is that something is to be reached.
    pub claims: Vec<(&'static str, bool)>,
    /// The worlds, each with its answers; none if the script is not possible there.
    pub columns: Vec<(ShownWorld, Option<Vec<Option<CheckAnswer>>>)>,
    /// The fixes that leave the world as it is, if that is known.
    pub without_effect: Option<Vec<(&'static str, &'static str)>>,
    /// The greatest number of states of a world.
    pub most_states: u64,
}

/// A world of the board.
#[derive(Debug)]
pub enum ShownWorld {
    /// The one that is explored.
    AsItIs,
    /// The world of another scenario of the file.
    Beside(String),
    /// The one that is explored, with this variant at this value.
    Fixed(&'static str, &'static str),
}

/// The other scenarios of the file.
pub(super) fn beside(explored: &ExplorerPage<'_>) -> Markup {
    html! {
        @if !explored.beside.is_empty() {
            nav #beside aria-label="Scenarios of this file" {
                span.quiet { "in this file: " }
                @for it in &explored.beside {
                    @let shown = if it.name == "#" { "the first" } else { it.name.as_str() };
                    @if it.is_here { strong aria-current="page" { (shown) } }
                    @else { a href=(explored.links.beside(&it.name)) { (shown) } }
                    " "
                }
            }
        }
    }
}

/// The panel. As long as it is folded nothing is decided.
pub(super) fn board(explored: &ExplorerPage<'_>) -> Markup {
    let links = explored.links;
    let Some(board) = &explored.board else {
        return html! {
            p #board {
                a href=(links.board(true)) { "board of verdicts" } " "
                small { "each claim in this world, in the others of the file, and with each fix that makes a difference" }
            }
        };
    };
    let (shown, hidden): (Vec<usize>, Vec<usize>) =
        (0..board.claims.len()).partition(|row| board.has_row(*row));
    html! {
        section #board.panel aria-label="Board of verdicts" {
            h2 {
                "Board of verdicts"
                small { "from the end of the script on, in worlds of up to " (number(board.most_states, "state")) }
                nav { a href=(links.board(false)) { "fold" } }
            }
            div.scroll tabindex="0" role="region" aria-label="Verdicts" {
                table.board {
                    thead {
                        tr {
                            th { "claim" }
                            @for (world, _) in &board.columns { th scope="col" { (title(explored, world)) } }
                        }
                    }
                    tbody {
                        @for row in shown {
                            tr {
                                th scope="row" { (board.claims[row].0) }
                                @for column in 0..board.columns.len() { (cell(explored, board, (row, column))) }
                            }
                        }
                    }
                    tfoot {
                        tr {
                            th scope="row" { "for every number of units" }
                            @for (world, answers) in &board.columns {
                                td { @if answers.is_some() { a href=(address_in(explored, world, &|it| links.every_number(it))) { "ask" } } }
                            }
                        }
                    }
                }
            }
            @if !hidden.is_empty() {
                details {
                    summary { (plural(hidden.len(), "claim")) " violated in none of these worlds" }
                    ul.changes { @for row in hidden { li { (board.claims[row].0) } } }
                }
            }
            @match &board.without_effect {
                None => p.quiet { "Which fix makes a difference is not known: the world is too large." },
                Some(fixes) if !fixes.is_empty() => details {
                    summary { (plural(fixes.len(), "fix")) " without effect here" }
                    p.quiet { @for (name, value) in fixes { (name) " = " (value) "; " } }
                },
                Some(_) => {},
            }
        }
    }
}

impl ShownBoard {
    /// Whether a claim is violated or undecided in some world, so that it has a row.
    fn has_row(&self, row: usize) -> bool {
        let answers = self.columns.iter().filter_map(|(_, answers)| answers.as_ref()?[row]);
        answers.into_iter().any(|it| matches!(it, CheckAnswer::Violated | CheckAnswer::Undecided))
    }

    /// Whether a fix has a column.
    pub(super) fn has(&self, name: &str, value: &str) -> bool {
        let is_it = |world: &ShownWorld| match world {
            ShownWorld::Fixed(fixed, at) => *fixed == name && *at == value,
            ShownWorld::AsItIs | ShownWorld::Beside(_) => false,
        };
        self.columns.iter().any(|(world, _)| is_it(world))
    }
}

/// The head of a column, which leads to its world.
fn title(explored: &ExplorerPage<'_>, world: &ShownWorld) -> Markup {
    let links = explored.links;
    match world {
        ShownWorld::AsItIs => html! { "as it is" },
        ShownWorld::Beside(name) => {
            html! { a href=(links.beside(name)) { "#" (name.trim_start_matches('#')) } }
        }
        ShownWorld::Fixed(name, value) => html! {
            a href=(links.what_if(&super::what_if::with(links.set(), name, value))) { (name) " = " (value) }
        },
    }
}

/// The address of something about a world.
fn address_in(
    explored: &ExplorerPage<'_>,
    world: &ShownWorld,
    link: &dyn Fn(BoardAddress<'_>) -> String,
) -> String {
    match world {
        ShownWorld::AsItIs => link((None, &[])),
        ShownWorld::Beside(name) => link((Some(name), &[])),
        ShownWorld::Fixed(name, value) => {
            link((None, &super::what_if::with(explored.links.set(), name, value)))
        }
    }
}

/// A verdict. One that a run shows leads to that run.
fn cell(explored: &ExplorerPage<'_>, board: &ShownBoard, (row, column): (usize, usize)) -> Markup {
    let (claim, is_wanted) = board.claims[row];
    let (world, answers) = &board.columns[column];
    let Some(answers) = answers else {
        return html! { td.quiet title="the script is not possible in this world" { "not possible" } };
    };
    let Some(answer) = answers[row] else { return html! { td.quiet { "not asked" } } };
    let (class, verdict) = match (answer, is_wanted) {
        (CheckAnswer::Holds, false) => ("holds", "holds"),
        (CheckAnswer::Holds, true) => ("holds", "reached"),
        (CheckAnswer::Violated, false) => ("violated", "violated"),
        (CheckAnswer::Violated, true) => ("violated", "not reached"),
        (CheckAnswer::Vacuous, _) => ("vacuous", "vacuous"),
        (CheckAnswer::Undecided, _) => ("open", "undecided"),
    };
    let has_run =
        matches!((answer, is_wanted), (CheckAnswer::Violated, false) | (CheckAnswer::Holds, true));
    let href = || address_in(explored, world, &|world| explored.links.verdict(claim, world));
    html! {
        td class=(class) {
            @if has_run { a href=(href()) { (verdict) } } @else { (verdict) }
        }
    }
}
