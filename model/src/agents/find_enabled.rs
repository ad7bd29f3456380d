//! Look-up of one enabled action, without listing all.
//!
//! A script says which action comes next. In a large world a line of it must not list all the
//! provisioner's actions on all machines to find its action on one. So each actor maps an act to
//! the tasks that may do it, and only these are listed.

use super::{
    Enabled, Task, can_inject, enabled_for_task, finish_for,
    lifecycle::{cleaner, provisioner},
    lister::finishing,
    tasks, user,
};
use crate::{
    action::{Act, Action, OperatorAct, SupervisorAct, TxnAct},
    actor::{Actor, Client},
    free_ids::{FreeIds, Scan},
    ids::UserId,
    operation::Operation,
    state::State,
    table::RowEnum,
    txn::Txn,
    world::World,
};

/// The enabled action that matches `wanted`, and the transaction that it plans; `None` if its actor
/// cannot do it. A script does not decide whether a pending transaction commits or aborts, so
/// either matches the other. A script's client can do whatever its script says.
pub fn find_enabled(
    world: &World,
    state: &State,
    wanted: Action,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) -> Option<(Action, Option<Txn>)> {
    enabled.clear();
    let finishes = |act: Act| matches!(act.txn(), Some(TxnAct::Commit | TxnAct::Abort));
    match wanted.act {
        Act::Txn(client @ Client::Script(_), act) => {
            let act = script(world, state, client, act)?;
            return Some((Action { act: Act::Txn(client, act), ..wanted }, None));
        }
        Act::Txn(client, TxnAct::Commit | TxnAct::Abort) => {
            finish_for(world, state, client, enabled);
        }
        Act::Faults(fault) => {
            let fault = can_inject(world, state, fault).then_some(Action { duty: None, ..wanted });
            return fault.map(|fault| (fault, None));
        }
        Act::Txn(Client::User(id), TxnAct::Run(operation) | TxnAct::Begin(operation)) => {
            list_user(world, state, id, operation, free_ids, enabled);
        }
        act => {
            for task in tasks_for(world, state, act) {
                enabled_for_task(world, state, task, free_ids, enabled);
            }
        }
    }
    let fits = |it: &Action| it.act == wanted.act || finishes(it.act) && finishes(wanted.act);
    let is_cleaner = is_cleaner(wanted.act);
    let plans = matches!(wanted.act, Act::Txn(..));
    let is_own = plans && !world.own_rules.is_empty() && wanted.actor() == Actor::Provisioner;
    if (is_cleaner || is_own) && !enabled.actions.iter().any(fits) {
        // A list that is not kept both ways can lead the cleaner to it from elsewhere, and a rule
        // of the scenario's own can lead either task of the manager to it.
        for task in tasks(world, wanted.actor()) {
            enabled_for_task(world, state, task, free_ids, enabled);
        }
    }
    let place = enabled.actions.iter().position(fits)?;
    Some((enabled.actions[place], enabled.plans[place].take()))
}

/// Whether a task has an enabled action. An agent can always end what it has begun, so that is not
/// listed; other actions are, with `enabled` as scratch memory.
pub fn has_enabled(
    world: &World,
    state: &State,
    task: Task,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) -> bool {
    let acts_as = match task {
        Task::UnitAgent(me) => state.unit_agent_acts(world, me).then_some(Client::Unit(me)),
        Task::MachineAgent(me) => {
            state.machine_agent_runs(world, me).then_some(Client::Machine(me))
        }
        Task::User(_)
        | Task::Provisioner
        | Task::Provision(_)
        | Task::Cleaner
        | Task::Clean(_)
        | Task::Resolve(_)
        | Task::ResolveStart(_)
        | Task::Terminate(_)
        | Task::Replace(_)
        | Task::Upgrade
        | Task::Restart(_)
        | Task::Faults => None,
    };
    let has_begun = acts_as.is_some_and(|client| state.runtime.pending(client).is_some());
    if has_begun && !cfg!(debug_assertions) {
        return true;
    }
    enabled.clear();
    enabled_for_task(world, state, task, free_ids, enabled);
    debug_assert!(!has_begun || !enabled.actions.is_empty(), "what has begun can end");
    !enabled.actions.is_empty()
}

/// Whether `action` can happen next.
pub fn is_enabled(world: &World, state: &State, action: Action) -> bool {
    find_enabled(world, state, action, &Scan, &mut Enabled::default()).is_some()
}

/// The act of a script's client for `act`: anything, but one transaction at a time.
fn script(world: &World, state: &State, client: Client, act: TxnAct) -> Option<TxnAct> {
    let pending = state.runtime.pending_txn(client);
    match (act, pending) {
        (TxnAct::Run(_), _) | (TxnAct::Begin(_), None) => Some(act),
        (TxnAct::Commit | TxnAct::Abort, Some(txn)) => Some(finishing(world, state, txn)),
        (TxnAct::Begin(_), Some(_)) | (TxnAct::Commit | TxnAct::Abort, None) => None,
    }
}

/// Lists actions that finish a user's command in progress, or commands that `operation` may begin.
fn list_user(
    world: &World,
    state: &State,
    id: UserId,
    operation: Operation,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) {
    if user::user_goes_on(world, state, id, free_ids, enabled) {
        return;
    }
    for place in world.begun_by(operation) {
        user::user_gives(world, state, id, place, free_ids, enabled);
    }
}

fn is_cleaner(act: Act) -> bool {
    matches!(act, Act::Cleaner(_) | Act::Txn(Client::Cleaner, TxnAct::Run(_) | TxnAct::Begin(_)))
}

/// The tasks in which `act` may be done, in the order in which they are listed.
fn tasks_for(world: &World, state: &State, act: Act) -> Vec<Task> {
    match act {
        Act::Txn(Client::User(id), _) => vec![Task::User(id)],
        Act::Txn(Client::Script(_), _) => Vec::new(), // it does what the script says
        Act::Txn(Client::Unit(me), _) | Act::Hook(me, _) | Act::UnitAgent(me, _) => {
            vec![Task::UnitAgent(me)]
        }
        Act::Txn(Client::Machine(me), _) | Act::MachineAgent(me, _) => vec![Task::MachineAgent(me)],
        Act::Txn(Client::Provisioner, act) => {
            let arguments = act.plans().map(Operation::arguments);
            arguments.map_or_else(Vec::new, provisioner::tasks_for)
        }
        // The provisioner does these about a machine, or goes on with what it has begun.
        Act::Provisioner(act) => {
            let about = provisioner::tasks_for(act.arguments()).into_iter();
            std::iter::once(Task::Provisioner).chain(about).collect()
        }
        Act::Txn(Client::Cleaner, act) => {
            let arguments = act.plans().map(Operation::arguments);
            arguments.map_or_else(Vec::new, |all| cleaner::tasks_for(all, world, state))
        }
        Act::Cleaner(act) => cleaner::tasks_for(act.arguments(), world, state),
        Act::Operator(OperatorAct::Resolve(unit) | OperatorAct::Retry(unit)) => {
            vec![Task::Resolve(unit)]
        }
        Act::Operator(
            OperatorAct::ResolveStart(machine) | OperatorAct::ResolveStartWith(machine, _),
        ) => vec![Task::ResolveStart(machine)],
        Act::Operator(OperatorAct::Terminate(machine)) => vec![Task::Terminate(machine)],
        Act::Operator(OperatorAct::Replace(machine)) => vec![Task::Replace(machine)],
        Act::Operator(OperatorAct::Upgrade) => vec![Task::Upgrade],
        Act::Supervisor(SupervisorAct::Restart(agent)) => vec![Task::Restart(agent)],
        Act::Faults(_) => vec![Task::Faults],
    }
}
