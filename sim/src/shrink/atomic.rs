//! Atomic transactions: the steps of a run with plan and commit of each transaction in one step.

use std::collections::BTreeMap;

use deathwatch_model::{
    action::{Act, Action, Client, Fault, TxnAct},
    clause::Clause,
    operation::Operation,
};

/// The steps with each transaction as one step where it is committed; at the end, if it is still
/// pending there.
pub(super) fn at_commit(steps: &[Action]) -> Vec<Action> {
    let mut begun = BTreeMap::new();
    let mut joined = Vec::new();
    for action in steps {
        match action.act {
            Act::Txn(client, TxnAct::Begin(operation)) => {
                begun.insert(client, operation);
            }
            Act::Txn(client, TxnAct::Commit) => {
                let operation = begun.remove(&client);
                joined.extend(operation.map(|it| run(client, it, action.duty)));
            }
            Act::Txn(client, TxnAct::Abort) | Act::Faults(Fault::AbortTxn(client)) => {
                begun.remove(&client);
            }
            _ => joined.push(*action),
        }
    }
    let late = begun.into_iter();
    joined.extend(late.map(|(client, it)| run(client, it, None)));
    joined
}

/// A transaction as one step.
fn run(client: Client, operation: Operation, duty: Option<Clause>) -> Action {
    Action { act: Act::Txn(client, TxnAct::Run(operation)), duty }
}

/// The steps with each transaction as one step where it is planned.
pub(super) fn at_begin(steps: &[Action]) -> Vec<Action> {
    let joined = steps.iter().filter_map(|action| match action.act {
        Act::Txn(client, TxnAct::Begin(operation)) => Some(run(client, operation, action.duty)),
        Act::Txn(_, TxnAct::Commit | TxnAct::Abort) | Act::Faults(Fault::AbortTxn(_)) => None,
        _ => Some(*action),
    });
    joined.collect()
}
