//! Transcripts: each step as it is written, what came of it and by which clauses, and the
//! documents that it changed.

use std::fmt::Write as _;

use deathwatch_model::{
    action::{Act, Outcome},
    clause::Clause,
    protocol,
    txn::{Change, Doc, Txn},
    world::World,
};

use super::{perform::Done, stage::Stage};

/// A step that was done on `stage`, and all there is to say of it, indented; `text` is its line,
/// which may say already what came of it.
pub(super) fn tell(stage: &Stage<'_>, text: &str, is_said: bool, done: &Done) -> String {
    let clauses = clauses(stage);
    let outcome: Vec<String> = came(stage, is_said, done).into_iter().chain(clauses).collect();
    let mut told = format!("{text}\n");
    if !outcome.is_empty() {
        let _ = writeln!(told, "  {}", outcome.join(" "));
    }
    for line in stage.changes(done.outcome) {
        let _ = writeln!(told, "    {line}");
    }
    told
}

/// The clauses that the last step carried out.
pub(super) fn clauses(stage: &Stage<'_>) -> Option<String> {
    let clauses: Vec<String> = stage.effects.clauses.iter().map(Clause::to_string).collect();
    (!clauses.is_empty()).then(|| format!("[{}]", clauses.join(", ")))
}

/// What came of a step, unless its line says it already.
fn came(stage: &Stage<'_>, is_said: bool, done: &Done) -> Option<String> {
    let world = stage.world;
    let operation =
        done.operation.map_or_else(String::new, |it| format!(" {}", world.show_operation(it)));
    let because = done.obstacle.as_ref().map_or_else(String::new, |it| format!(": {it}"));
    Some(match done.outcome {
        Outcome::Done => "done".to_owned(),
        Outcome::Planned => match protocol::pending(&stage.state, done.action.actor) {
            Some(txn) => planned(world, txn),
            None => "planned".to_owned(),
        },
        Outcome::Committed => format!("committed{operation}"),
        Outcome::Aborted => match done.action.act {
            Act::AbortTxn(_) => format!("aborted{operation}, for no reason of its own"),
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
