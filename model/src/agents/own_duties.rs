//! The duties that a scenario's own rules add.

use super::{
    Lister, Task,
    own_rules::{clause, created, of},
};
use crate::{
    action::{Act, TxnAct},
    clause::Rule,
    operation::Operation,
};

/// Lists the duties that rules add to a task.
pub(super) fn duties(task: Task, list: &mut Lister<'_>) {
    let Some(rules) = of(list.world) else { return };
    let (world, state) = (list.world, list.state);
    for rule in &rules.duties {
        for (subject, act) in rule.acts.get(&task).into_iter().flatten() {
            let duty = clause(rule.number);
            let is_due = list.lists(act.actor(), duty) && rule.is_due(world, state, *subject);
            if !is_due {
                continue;
            }
            match act {
                Act::Txn(client, TxnAct::Run(operation)) => {
                    if is_free(*operation, list) {
                        list.submit(*client, *operation, Some(duty));
                    }
                }
                act => list.duty(Rule::Own, rule.number, *act),
            }
        }
    }
}

/// Whether the unit that an operation creates has the identifier that a new unit takes.
fn is_free(operation: Operation, list: &Lister<'_>) -> bool {
    created(operation, list.world).is_none_or(|(unit, application)| {
        list.free_ids.unit(list.world, list.state, application) == Some(unit)
    })
}
