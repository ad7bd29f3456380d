//! Steps and other actions as data.

use std::collections::BTreeSet;

use deathwatch_documents::run::{Act, ActorKind, Because, ClauseText, StepOutcome, Table};
use deathwatch_model::{
    action::{Act as ModelAct, Action, Fault, Outcome, TxnAct},
    actor::Actor,
    clause::{Clause, Rule},
    operation::Operation,
    world::World,
};
use deathwatch_scenario::replay::{Interpreter, PerformedStep};

pub(super) fn act(world: &World, action: Action) -> Act {
    Act {
        actor: world.show_actor(action.actor()),
        actor_is: actor_kind(action.actor()),
        action: world.show_act(action.act),
        line: world.show(&action),
        duty: action.duty.map(|clause| world.clause_name(clause).into_owned()),
    }
}

pub(super) fn actor_kind(actor: Actor) -> ActorKind {
    match actor {
        Actor::User(_) => ActorKind::User,
        Actor::Client(_) => ActorKind::Client,
        Actor::UnitAgent(_) => ActorKind::UnitAgent,
        Actor::MachineAgent(_) => ActorKind::MachineAgent,
        Actor::Provisioner => ActorKind::Provisioner,
        Actor::Cleaner => ActorKind::Cleaner,
        Actor::Faults => ActorKind::Faults,
        Actor::Operator => ActorKind::Operator,
        Actor::Supervisor => ActorKind::Supervisor,
    }
}

pub(super) fn what(outcome: Outcome) -> StepOutcome {
    match outcome {
        Outcome::Done => StepOutcome::Done,
        Outcome::Planned => StepOutcome::Planned,
        Outcome::Committed => StepOutcome::Committed,
        Outcome::Aborted => StepOutcome::Aborted,
        Outcome::Contended => StepOutcome::Contended,
        Outcome::NoOp => StepOutcome::NoOp,
        Outcome::Refused(_) => StepOutcome::Refused,
        Outcome::NotEnabled => StepOutcome::NotEnabled,
    }
}

/// Why a step aborted or was refused.
pub(super) fn because(interpreter: &Interpreter<'_>, done: &PerformedStep) -> Option<Because> {
    if let Outcome::Refused(why) = done.outcome {
        let rule = done.action.act.txn().and_then(TxnAct::plans).map(Operation::rule);
        let clauses = why.clauses().iter().filter(|clause| Some(clause.rule) == rule);
        return Some(Because {
            clauses: clauses.map(Clause::to_string).collect(),
            document: None,
            expects: None,
            changes: false,
            text: why.text().to_owned(),
        });
    }
    // A fault aborts a transaction for no reason of its own.
    let is_fault = matches!(done.action.act, ModelAct::Faults(Fault::AbortTxn(_)));
    let (op, text) = done.op.as_ref().zip(done.failing_assert.clone()).filter(|_| !is_fault)?;
    Some(Because {
        clauses: vec![op.clause.to_string()],
        document: Some(interpreter.world.show_doc(op.doc())),
        expects: Some(op.expected(interpreter.world)),
        changes: op.changes(),
        text,
    })
}

pub(super) fn names(world: &World, clauses: &[Clause]) -> Vec<String> {
    clauses.iter().map(|it| world.clause_name(*it).into_owned()).collect()
}

/// The texts of clauses by name.
pub(super) fn texts(cited: &BTreeSet<String>) -> Table<ClauseText> {
    let cited = cited.iter().filter_map(|name| {
        // What the protocol does not have is a rule of the scenario's own.
        let clause = Clause::named(name).unwrap_or(Clause { rule: Rule::Own, number: 1 });
        let info = clause.info()?;
        let (says, source) = (info.says.to_owned(), info.source.to_owned());
        Some((name.clone(), ClauseText { says, source }))
    });
    cited.collect()
}
