//! A run as a sequence diagram, in the language of Mermaid: the actors that take part, the store,
//! and an arrow for each step.

use std::fmt::Write as _;

use deathwatch_documents::run::{Act, ActorKind, End, Run, Step, StepOutcome};
use deathwatch_scenario::escape::escape;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Steps with their clauses and changes, and decisions.
    All,
    Steps,
}

/// The run as a Mermaid diagram.
pub fn mermaid(run: &Run) -> String {
    drawn(run, Says::All)
}

/// The steps of the run as a Mermaid diagram, for a page that has the rest in words.
pub fn sketch(run: &Run) -> String {
    drawn(run, Says::Steps)
}

fn drawn(run: &Run, says: Says) -> String {
    let actors = actors(run);
    let mut text = String::from("sequenceDiagram\n");
    for (number, act) in actors.iter().enumerate() {
        let kind = if act.actor_is == ActorKind::User { "actor" } else { "participant" };
        let _ = writeln!(text, "    {kind} a{number} as {}", escaped(&act.actor));
    }
    text.push_str("    participant store as store\n");
    let begins = match run.end {
        End::Cycle { from, .. } => Some(from),
        End::Quiescent | End::Open => None,
    };
    let mut indent = "    ";
    for step in &run.steps {
        if says == Says::Steps && run.header.script > 0 && step.number == run.header.script + 1 {
            text.push_str("    Note over store: so far the script\n");
        }
        if begins == Some(step.number - 1) {
            text.push_str("    loop again and again\n");
            indent = "        ";
        }
        let number = actors.iter().position(|it| it.actor == step.act.actor).unwrap_or_default();
        arrow(&mut text, indent, number, step, says);
    }
    match run.end {
        End::Cycle { .. } => text.push_str("    end\n"),
        End::Quiescent => text.push_str("    Note over store: and nothing more happens\n"),
        End::Open => {}
    }
    for answer in run.answers.iter().filter(|_| says == Says::All) {
        let said = format!("{}: {}", answer.answer, answer.claim);
        let _ = writeln!(text, "    Note over store: {}", escaped(&said));
    }
    text
}

/// The first act of each actor that takes part, in the order of the steps.
fn actors(run: &Run) -> Vec<&Act> {
    let mut actors: Vec<&Act> = Vec::new();
    for step in &run.steps {
        if !actors.iter().any(|it| it.actor == step.act.actor) {
            actors.push(&step.act);
        }
    }
    actors
}

/// The arrow of a step: to the store if it is about a transaction, else to the actor itself.
fn arrow(text: &mut String, indent: &str, number: usize, step: &Step, says: Says) {
    let (arrow, to) = match step.outcome {
        StepOutcome::Planned => ("-->>", "store".to_owned()),
        StepOutcome::Committed => ("->>", "store".to_owned()),
        StepOutcome::Aborted | StepOutcome::Contended | StepOutcome::Refused => {
            ("-x", "store".to_owned())
        }
        StepOutcome::Done | StepOutcome::NoOp | StepOutcome::NotEnabled => {
            ("->>", format!("a{number}"))
        }
    };
    if says == Says::Steps {
        let _ = writeln!(text, "{indent}a{number}{arrow}{to}: {}", escaped(&step.act.action));
        return;
    }
    let clauses = match step.clauses.as_slice() {
        [] => String::new(),
        clauses => format!(" ({})", clauses.join(", ")),
    };
    let said = escaped(&format!("{}. {}{clauses}", step.number, step.act.action));
    let _ = writeln!(text, "{indent}a{number}{arrow}{to}: {said}");
    if !step.said.is_empty() {
        let lines: Vec<String> = step.said.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(text, "{indent}Note over {to}: {}", lines.join("<br/>"));
    }
}

/// A text in a diagram. It comes from a file, and must not end the line, the label or the diagram
/// that it stands in, nor be read as a command. All but letters, digits and a few harmless signs
/// are written as numbers, which Mermaid shows as the characters that they stand for.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in escape(text).chars() {
        if letter.is_alphanumeric() || " /._,:()=+'-".contains(letter) {
            written.push(letter);
        } else {
            write!(written, "#{};", u32::from(letter)).expect("a string takes any text");
        }
    }
    written
}
