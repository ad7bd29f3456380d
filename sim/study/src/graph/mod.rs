//! The reachable graph of a world as a file: for Graphviz, or for other checkers.
//!
//! DOT and Aldebaran's form have a node for each state, by its number, and an edge for each
//! transition, with the step that it is. State 0 is the one after the script. The third form has
//! the part of it that decides a claim. A small graph becomes data for a page, too.

mod data;
mod hoa;

use deathwatch_claims::check::LabelledGraph;
use deathwatch_model::actor::Actor;

pub use self::{
    data::{GraphData, MOST_STATES},
    hoa::AutomatonSubject,
};
use deathwatch_scenario::{escape::escape, scenario::Scenario};

/// The form of a graph file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// The Hanoi Omega-Automata format, which Spot, Owl and others read.
    Automata,
    Dot,
    /// Aldebaran's, which CADP, mCRL2 and others read.
    Aldebaran,
}

impl GraphFormat {
    /// The form that the extension of a file's name stands for.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "dot" => Some(Self::Dot),
            "aut" => Some(Self::Aldebaran),
            "hoa" => Some(Self::Automata),
            _ => None,
        }
    }
}

/// The part of a graph that is written.
#[derive(Clone)]
pub enum GraphContent {
    Dot,
    /// All of it, in Aldebaran's form.
    Aldebaran,
    /// The automata that decide a claim, in the Hanoi Omega-Automata format.
    Automata(AutomatonSubject),
}

/// Writes a graph, piece by piece. A call of `write` says whether to go on.
pub fn write(
    scenario: &Scenario,
    graph: &LabelledGraph<'_>,
    what: &GraphContent,
    write: &mut dyn FnMut(&str) -> bool,
) {
    let world = &scenario.world;
    match what {
        GraphContent::Automata(asked) => hoa::write(scenario, graph, asked, write),
        GraphContent::Dot => dot(scenario, graph, write),
        GraphContent::Aldebaran => {
            let (transitions, states) = (graph.transitions(), graph.states());
            if write(&format!("des (0, {transitions}, {states})\n")) {
                graph.each(|from, action, to| {
                    write(&format!("({from}, \"{}\", {to})\n", label(&world.show(&action))))
                });
            }
        }
    }
}

fn dot(scenario: &Scenario, graph: &LabelledGraph<'_>, write: &mut dyn FnMut(&str) -> bool) {
    let name = escape(&scenario.name).replace('\\', "\\\\").replace('"', "\\\"");
    let mut goes_on = write(&format!("digraph states {{\n    label = \"{name}\"\n"));
    for state in 0..graph.states() {
        let shape = if state == 0 { " [peripheries = 2]" } else { "" };
        goes_on = goes_on && write(&format!("    {state}{shape}\n"));
    }
    if goes_on {
        let world = &scenario.world;
        graph.each(|from, action, to| {
            let style = if action.actor() == Actor::Faults { ", style = dashed" } else { "" };
            let label = label(&world.show(&action)).replace('\\', "\\\\");
            goes_on = write(&format!("    {from} -> {to} [label = \"{label}\"{style}]\n"));
            goes_on
        });
    }
    if goes_on {
        write("}\n");
    }
}

/// A step between quotes, which it must not end: the forms differ in how they would write one.
fn label(line: &str) -> String {
    escape(line).replace('"', "'")
}
