//! A run as a graph, in the language of Graphviz: a node for each state, an edge for each step. On a
//! cycle the last step leads back to the state that equals the one it led to.

use std::fmt::Write as _;

use super::{
    data::{End, Recording, What},
    escaped::dot as escaped,
};

/// The run as a DOT graph.
pub fn dot(run: &Recording) -> String {
    let mut text = String::from("digraph run {\n    rankdir = TB\n    node [shape = box]\n");
    let _ = writeln!(text, "    label = \"{}\"", escaped(&run.header.scenario));
    let (last, back) = match run.end {
        End::Cycle { from, to } => (to.saturating_sub(1), Some((to, from))),
        End::Quiescent | End::Open => (run.steps.len(), None),
    };
    for number in 0..=last {
        let said = match number.checked_sub(1).map(|at| &run.steps[at]) {
            Some(step) => {
                step.said.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\\l")
            }
            None => "start".to_owned(),
        };
        let shape = match (run.end, number == last) {
            (End::Quiescent, true) => ", peripheries = 2",
            (End::Quiescent | End::Open | End::Cycle { .. }, _) => "",
        };
        let _ = writeln!(text, "    s{number} [label = \"{number}\\n{said}\\l\"{shape}]");
    }
    for step in &run.steps {
        let to = match back {
            Some((to, from)) if to == step.number => from,
            Some(_) | None => step.number,
        };
        let style = match step.outcome {
            What::Aborted | What::Contended | What::Refused => ", style = dashed",
            What::Done | What::Planned | What::Committed | What::NoOp | What::NotEnabled => "",
        };
        let (from, line) = (step.number - 1, escaped(&step.act.line));
        let _ = writeln!(text, "    s{from} -> s{to} [label = \"{line}\"{style}]");
    }
    text.push_str("}\n");
    text
}
