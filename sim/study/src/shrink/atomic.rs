//! Atomic transactions and hooks: the steps of a run with plan and commit of each transaction, and
//! begin and end of each hook, in one step.

use std::collections::BTreeMap;

use deathwatch_model::{
    action::{Act, Action, Fault, Hook, HookAct, TxnAct},
    actor::Client,
    clause::Clause,
    ids::UnitId,
    operation::Operation,
};

/// The steps with each transaction as one step where it is committed; at the end, if it is still
/// pending there.
pub(super) fn at_commit(steps: &[Action]) -> Vec<Action> {
    let (mut begun, mut running) = (BTreeMap::new(), BTreeMap::new());
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
            Act::Hook(unit, HookAct::Begin(hook)) => {
                running.insert(unit, hook);
            }
            Act::Faults(
                Fault::FailHooks(unit, _) | Fault::FailStopHook(unit) | Fault::FailUnitHook(unit),
            ) => {
                running.remove(&unit);
                joined.push(*action);
            }
            Act::Hook(unit, HookAct::End) => {
                let hook = running.remove(&unit);
                joined.extend(hook.map(|it| run_hook(unit, it, action.duty)));
            }
            _ => joined.push(*action),
        }
    }
    let late = begun.into_iter();
    joined.extend(late.map(|(client, it)| run(client, it, None)));
    joined
}

fn run(client: Client, operation: Operation, duty: Option<Clause>) -> Action {
    Action { act: Act::Txn(client, TxnAct::Run(operation)), duty }
}

fn run_hook(unit: UnitId, hook: Hook, duty: Option<Clause>) -> Action {
    Action { act: Act::Hook(unit, HookAct::Run(hook)), duty }
}

/// The steps with each transaction as one step where it is planned.
pub(super) fn at_begin(steps: &[Action]) -> Vec<Action> {
    let joined = steps.iter().filter_map(|action| match action.act {
        Act::Txn(client, TxnAct::Begin(operation)) => Some(run(client, operation, action.duty)),
        Act::Hook(unit, HookAct::Begin(hook)) => Some(run_hook(unit, hook, action.duty)),
        Act::Txn(_, TxnAct::Commit | TxnAct::Abort)
        | Act::Hook(_, HookAct::End)
        | Act::Faults(Fault::AbortTxn(_)) => None,
        _ => Some(*action),
    });
    joined.collect()
}
