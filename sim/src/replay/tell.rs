//! Transcripts: each step as it is written, what came of it and by which clauses, and the
//! documents that it changed.

use std::fmt::Write as _;

use deathwatch_model::{
    action::{Act, Outcome},
    clause::Clause,
    protocol,
    state::State,
    txn::{Change, Doc, Txn},
    world::World,
};

use super::perform::Done;
use crate::{describe, scenario::ScriptStep};

/// The step, and all there is to say of it, indented.
pub(super) fn tell(
    world: &World,
    step: &ScriptStep,
    done: &Done,
    clauses: &[Clause],
    (before, after): (&State, &State),
) -> String {
    let clauses: Vec<String> = clauses.iter().map(Clause::to_string).collect();
    let clauses = (!clauses.is_empty()).then(|| format!("[{}]", clauses.join(", ")));
    let outcome: Vec<String> = came(world, step, done, after).into_iter().chain(clauses).collect();
    let mut text = format!("{}\n", step.text);
    if !outcome.is_empty() {
        let _ = writeln!(text, "  {}", outcome.join(" "));
    }
    // Of a transaction the outcome says what became of it; by anything else it can get lost.
    let lines = if done.outcome == Outcome::Done {
        describe::differences(world, before, after)
    } else {
        describe::changed_documents(world, before, after)
    };
    for line in lines {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// What came of a step, unless its line says it already.
fn came(world: &World, step: &ScriptStep, done: &Done, after: &State) -> Option<String> {
    let is_said = step.outcome.is_some() && done.failure.is_none();
    let operation =
        done.operation.map_or_else(String::new, |it| format!(" {}", world.show_operation(it)));
    let because = done.obstacle.as_ref().map_or_else(String::new, |it| format!(": {it}"));
    Some(match done.outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Planned => match protocol::flight(after, done.action.actor) {
            Some(txn) => planned(world, txn),
            None => "planned".to_owned(),
        },
        Outcome::Committed => format!("committed{operation}"),
        Outcome::Aborted => match done.action.act {
            Act::AbortFlight(_) => format!("aborted{operation}, for no reason of its own"),
            _ => format!("aborted{operation}{because}"),
        },
        Outcome::Contended => format!("gave up{operation}, as it aborted too often{because}"),
        Outcome::NoOp | Outcome::Refused(_) if is_said => return None,
        Outcome::NoOp => "nothing to do".to_owned(),
        Outcome::Refused(why) => format!("refused: {}", why.text()),
    })
}

/// The documents that a transaction is to change, in its order.
fn planned(world: &World, txn: &Txn) -> String {
    let changes = txn.ops.iter().filter(|op| op.change != Change::Keep && !world.is_off(op.clause));
    let mut docs: Vec<Doc> = Vec::new();
    for op in changes {
        if !docs.contains(&op.doc) {
            docs.push(op.doc);
        }
    }
    let docs: Vec<String> = docs.into_iter().map(|doc| world.show_doc(doc)).collect();
    match docs.as_slice() {
        [] => "planned to change nothing".to_owned(),
        docs => format!("planned to change {}", docs.join(", ")),
    }
}
