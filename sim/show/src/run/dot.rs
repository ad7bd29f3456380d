//! A run as a graph, in the language of Graphviz: a node for each state, an edge for each step. On
//! a cycle the last step leads back to the state that equals the one it led to. If an entity is
//! stuck at the end, the graph of waits stands beside it.

use std::fmt::Write as _;

use deathwatch_claims::diagnosis::Role;
use deathwatch_documents::{
    WaitFor,
    run::{End, Run, StepOutcome},
};
use deathwatch_scenario::escape::escape;

/// The run as a DOT graph.
pub fn dot(run: &Run) -> String {
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
            StepOutcome::Aborted | StepOutcome::Contended | StepOutcome::Refused => {
                ", style = dashed"
            }
            StepOutcome::Done
            | StepOutcome::Planned
            | StepOutcome::Committed
            | StepOutcome::NoOp
            | StepOutcome::NotEnabled => "",
        };
        let (from, line) = (step.number - 1, escaped(&step.act.line));
        let _ = writeln!(text, "    s{from} -> s{to} [label = \"{line}\"{style}]");
    }
    for (number, answer) in run.answers.iter().enumerate() {
        if let Some(waits) = &answer.wait_for {
            wait_for(&mut text, number, &answer.claim, waits);
        }
    }
    text.push_str("}\n");
    text
}

/// The graph of waits at the end: an edge for each reason. Entities that hold no other up are nodes
/// of their own; roots have two lines around them.
fn wait_for(text: &mut String, number: usize, claim: &str, waits: &WaitFor) {
    let node = |entity: &str| waits.nodes.iter().position(|it| it.entity == entity);
    let is_root = |entity: &str| {
        waits.roots.iter().any(|root| root.entities.iter().any(|known| known == entity))
    };
    let _ = writeln!(text, "    subgraph cluster_{number} {{");
    let _ = writeln!(text, "        label = \"at the end: {}\"", escaped(claim));
    let _ = writeln!(text, "        node [shape = ellipse]");
    for (index, it) in waits.nodes.iter().enumerate() {
        let (entity, condition) = (escaped(&it.entity), escaped(&it.condition));
        let root = if is_root(&it.entity) { ", peripheries = 2" } else { "" };
        let _ =
            writeln!(text, "        w{number}_{index} [label = \"{entity}\\n{condition}\"{root}]");
    }
    for (index, edge) in waits.edges.iter().enumerate() {
        let from = node(&edge.from).unwrap_or_default();
        let reason = escaped(&edge.text);
        if let Some(to) = edge.to.as_deref().and_then(node).filter(|_| edge.role == Role::Waits) {
            let _ =
                writeln!(text, "        w{number}_{from} -> w{number}_{to} [label = \"{reason}\"]");
        } else {
            let cause = format!("c{number}_{index}");
            let _ = writeln!(text, "        {cause} [shape = note, label = \"{reason}\"]");
            let _ = writeln!(text, "        w{number}_{from} -> {cause} [style = dashed]");
        }
    }
    text.push_str("    }\n");
}

/// A text between the quotes of a DOT file. It comes from a file, and must not end the line, the
/// label or the diagram that it stands in, nor be read as a command.
fn escaped(text: &str) -> String {
    escape(text).replace('\\', "\\\\").replace('"', "\\\"")
}
