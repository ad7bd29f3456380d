//! The protocol: what can happen next, and what it does.
//!
//! `enabled` and `step` are all that explorers, replay and reports know of the protocol. `step`
//! is total and deterministic: a protocol mistake shows as a state that a claim rejects, never as
//! a panic.

use std::sync::Arc;

use crate::{
    action::{Act, Action, Actor, Agent, Outcome},
    agents,
    clause::Clause,
    free_ids::{FreeIds, Scan},
    ids::{ClientId, Id, MachineId, RelationId, UnitId, UserId},
    operation::Operation,
    runtime::{Hardware, ManagerTask, Membership, PendingTxn, UserState},
    state::State,
    store::{Placement, Touched},
    txn::{Change, Doc, Plan, Txn},
    variants::RelationTracking,
    world::World,
};

pub use crate::agents::pending;

/// What a step touched and which sentences it carried out. Reused from step to step.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The entries of the state that may have changed.
    pub touched: Touched,
    /// The clauses that were carried out, the duty first.
    pub clauses: Vec<Clause>,
}

impl Effects {
    fn clear(&mut self) {
        self.touched.clear();
        self.clauses.clear();
    }
}

/// Lists everything that can happen next, always in the same order.
pub fn enabled(world: &World, state: &State, actions: &mut Vec<Action>) {
    for actor in agents::actors(world) {
        agents::enabled_for(world, state, actor, actions);
    }
}

/// Does `action`. An action that is not enabled does nothing harmful, and mostly nothing.
pub fn step(world: &World, state: &mut State, action: Action, effects: &mut Effects) -> Outcome {
    step_as_planned(world, state, action, None, &Scan, effects)
}

/// As [`step`], for a caller who knows the places for new units in the state before, and who may
/// have kept what the action plans when it was listed in this very state. What the step touched is
/// for the caller to tell the places afterwards.
pub fn step_as_planned(
    world: &World,
    state: &mut State,
    action: Action,
    planned: Option<Txn>,
    free_ids: &dyn FreeIds,
    effects: &mut Effects,
) -> Outcome {
    effects.clear();
    effects.clauses.extend(action.duty);
    let Action { actor, act, .. } = action;
    match act {
        Act::Run(operation) => {
            let planning = || agents::plan_for(world, state, actor, operation, free_ids);
            let plan = planned.map_or_else(planning, Plan::Submit);
            run(world, state, actor, plan, effects)
        }
        Act::Begin(operation) => {
            let planning = || agents::plan_for(world, state, actor, operation, free_ids);
            let plan = planned.map_or_else(planning, Plan::Submit);
            begin(state, actor, plan, effects)
        }
        Act::Commit | Act::Abort => finish(world, state, actor, effects),
        Act::AbortTxn(victim) => abort(world, state, victim, effects),
        _ => {
            act_locally(world, state, actor, act, &mut effects.touched);
            Outcome::Done
        }
    }
}

fn run(
    world: &World,
    state: &mut State,
    actor: Actor,
    plan: Plan,
    effects: &mut Effects,
) -> Outcome {
    match plan {
        Plan::NoOp => Outcome::NoOp,
        Plan::Refuse(why) => Outcome::Refused(why),
        Plan::Submit(txn) if txn.obstacle(&state.store, world).is_some() => Outcome::Aborted,
        Plan::Submit(txn) => {
            commit(world, state, actor, &txn, effects);
            Outcome::Committed
        }
    }
}

fn begin(state: &mut State, actor: Actor, plan: Plan, effects: &mut Effects) -> Outcome {
    let touched = &mut effects.touched;
    if actor == Actor::User && !matches!(plan, Plan::Submit(_)) {
        clear_pending(state, actor, touched);
    }
    match plan {
        Plan::NoOp => Outcome::NoOp,
        Plan::Refuse(why) => Outcome::Refused(why),
        Plan::Submit(txn) => {
            set_pending(state, actor, Arc::new(txn), touched);
            Outcome::Planned
        }
    }
}

fn finish(world: &World, state: &mut State, actor: Actor, effects: &mut Effects) -> Outcome {
    let Some(txn) = agents::planned(state, actor).cloned() else { return Outcome::NoOp };
    if txn.obstacle(&state.store, world).is_some() {
        return abort(world, state, actor, effects);
    }
    clear_pending(state, actor, &mut effects.touched);
    commit(world, state, actor, &txn, effects);
    Outcome::Committed
}

/// The transaction pending comes to nothing. The user's is planned again, up to a limit; an
/// agent starts over, which is planning again if there still is something to plan.
fn abort(world: &World, state: &mut State, actor: Actor, effects: &mut Effects) -> Outcome {
    if agents::planned(state, actor).is_none() {
        return Outcome::NoOp;
    }
    if actor == Actor::User {
        let user = state.runtime.user_mut(UserId::FIRST, &mut effects.touched);
        return if user.abort(world.tries) { Outcome::Aborted } else { Outcome::Contended };
    }
    clear_pending(state, actor, &mut effects.touched);
    Outcome::Aborted
}

/// Makes the changes of `txn`, and what follows from its commit for the runtime.
fn commit(world: &World, state: &mut State, actor: Actor, txn: &Txn, effects: &mut Effects) {
    let carried_out =
        txn.ops.iter().filter(|op| op.carries_out && !world.is_off(op.clause)).map(|op| op.clause);
    for clause in carried_out {
        if effects.clauses.last() != Some(&clause) {
            effects.clauses.push(clause);
        }
    }
    let (touched, active_manager) = (&mut effects.touched, state.active_manager(world));
    txn.apply(&mut state.store, world, touched);
    for op in &txn.ops {
        if let (Doc::Relation(id), Change::Remove) = (op.doc, op.change) {
            state.runtime.forget(id, touched);
        }
    }
    terminate(world, state, active_manager, txn.operation, touched);
    match (actor, txn.operation) {
        (Actor::UnitAgent(me), Operation::EnterScope(unit, relation)) if me == unit => {
            set_membership(world, state, me, relation, touched);
        }
        (Actor::UnitAgent(me), Operation::LeaveScope(unit, relation)) if me == unit => {
            let known = state.runtime.membership(relation, me);
            if known.directory || known.departed {
                let known = Membership { directory: false, departed: false, ..known };
                state.runtime.set_membership(relation, me, known, touched);
            }
        }
        (Actor::User, operation) => {
            let (session, begun) = agents::progress(world, state, operation);
            let user = state.runtime.user_mut(UserId::FIRST, touched);
            user.session = session;
            if let Some(index) = begun.filter(|index| world.commands[*index].most.is_some()) {
                user.given[index] += 1;
            }
        }
        _ => {}
    }
}

/// The agent of what has become Dead terminates itself, and forgets what it was about to commit;
/// so do the tasks that ran in it (D1:71, D1:100).
fn terminate(
    world: &World,
    state: &mut State,
    active_manager: Option<MachineId>,
    operation: Operation,
    touched: &mut Touched,
) {
    match operation {
        Operation::SetUnitDead(unit) if state.runtime.unit(unit).pending.is_some() => {
            state.runtime.unit_mut(unit, touched).pending = None;
        }
        Operation::SetMachineDead(machine) => {
            if state.runtime.machine(machine).pending.is_some() {
                state.runtime.machine_mut(machine, touched).pending = None;
            }
            if active_manager != state.active_manager(world) {
                forget_tasks(state, touched);
            }
        }
        _ => {}
    }
}

/// The tasks that ran in a lost manager's agent lose what they were about to commit.
fn forget_tasks(state: &mut State, touched: &mut Touched) {
    for task in ManagerTask::ALL {
        if state.runtime.task(task).pending.is_some() {
            state.runtime.task_mut(task, touched).pending = None;
        }
    }
}

/// The agent has entered a scope and is about to write its directory. Only a crash can come
/// between the two, so where there is none they are one.
fn set_membership(
    world: &World,
    state: &mut State,
    me: UnitId,
    relation: RelationId,
    touched: &mut Touched,
) {
    if world.variants.relation_tracking == RelationTracking::RemoteScope {
        return; // the scope document is the memory
    }
    let mut known = state.runtime.membership(relation, me);
    if world.faults.crash {
        known.unwritten = true;
    } else {
        known.directory = true;
    }
    state.runtime.set_membership(relation, me, known, touched);
}

fn act_locally(world: &World, state: &mut State, actor: Actor, act: Act, touched: &mut Touched) {
    let runtime = &mut state.runtime;
    match act {
        Act::DeployUnit(unit) => {
            let by = match actor {
                Actor::MachineAgent(machine) => Placement::Machine(machine),
                Actor::UnitAgent(principal) => Placement::Principal(principal),
                _ => Placement::Nowhere,
            };
            runtime.deploy(unit, by, touched);
        }
        Act::Recall(unit) => runtime.recall(world, unit, touched),
        Act::WriteDirectory(relation) => {
            if let Actor::UnitAgent(me) = actor {
                let exists = state.store.relation(relation).is_some();
                let mut known = runtime.membership(relation, me);
                known.unwritten = false;
                known.directory |= exists;
                runtime.set_membership(relation, me, known, touched);
            }
        }
        Act::DropDirectory(relation) => {
            if let Actor::UnitAgent(me) = actor {
                let known = runtime.membership(relation, me);
                let known = Membership { directory: false, departed: false, ..known };
                runtime.set_membership(relation, me, known, touched);
            }
        }
        Act::RunHooks(relation) => {
            if let Actor::UnitAgent(me) = actor {
                let known = runtime.membership(relation, me);
                let known = Membership { departed: true, ..known };
                runtime.set_membership(relation, me, known, touched);
            }
        }
        Act::StartInstance(machine) => state.start_instance(machine, touched),
        Act::DeleteSettings(relation) => {
            let docs = state.store.relation_docs_mut(relation, touched);
            (docs.leftovers, docs.cleanup) = (false, false);
        }
        Act::FinishUnitsCleanup(application) => {
            state.store.application_docs_mut(application, touched).units_cleanup = false;
        }
        Act::Crash(_)
        | Act::FailHardware(_)
        | Act::FailHardwareUnnoticed(_)
        | Act::FailHooks(..)
        | Act::LoseConnection => strike(world, state, act, touched),
        Act::Restart(Agent::Unit(unit)) => runtime.unit_mut(unit, touched).down = false,
        Act::Restart(Agent::Machine(machine)) => runtime.machine_mut(machine, touched).down = false,
        Act::Resolve(unit) => {
            if let Some(relation) = runtime.unit_mut(unit, touched).hook_error.take() {
                let known = runtime.membership(relation, unit);
                let known = Membership { departed: true, ..known };
                runtime.set_membership(relation, unit, known, touched);
            }
        }
        Act::Decommission(machine) | Act::Terminate(machine) => {
            state.lose_instance(world, machine, Hardware::Absent, touched);
        }
        Act::Upgrade => runtime.upgrade_mut(touched).done = true,
        Act::Run(_) | Act::Begin(_) | Act::Commit | Act::Abort | Act::AbortTxn(_) => {
            unreachable!("the caller has dealt with transactions")
        }
    }
}

/// What faults do.
fn strike(world: &World, state: &mut State, act: Act, touched: &mut Touched) {
    let active_manager = state.active_manager(world);
    let runtime = &mut state.runtime;
    match act {
        Act::Crash(Agent::Unit(unit)) => {
            for &relation in world.relations_of(unit) {
                let known = runtime.membership(relation, unit);
                if known.unwritten {
                    let known = Membership { unwritten: false, ..known };
                    runtime.set_membership(relation, unit, known, touched);
                }
            }
            let agent = runtime.unit_mut(unit, touched);
            (agent.pending, agent.down) = (None, world.faults.downtime);
        }
        Act::Crash(Agent::Machine(machine)) => {
            let agent = runtime.machine_mut(machine, touched);
            (agent.pending, agent.down) = (None, world.faults.downtime);
        }
        Act::FailHardware(machine) => {
            state.lose_instance(world, machine, Hardware::Absent, touched);
        }
        Act::FailHardwareUnnoticed(machine) => {
            state.lose_instance(world, machine, Hardware::Silent, touched);
        }
        Act::FailHooks(unit, relation) => {
            runtime.unit_mut(unit, touched).hook_error = Some(relation);
        }
        Act::LoseConnection => {
            runtime.user_mut(UserId::FIRST, touched).give_up();
        }
        _ => {}
    }
    let is_lost = match act {
        Act::Crash(Agent::Machine(machine)) => active_manager == Some(machine),
        _ => active_manager != state.active_manager(world),
    };
    if is_lost {
        forget_tasks(state, touched);
    }
}

/// `actor` plans `txn`, to be committed later.
fn set_pending(state: &mut State, actor: Actor, txn: Arc<Txn>, touched: &mut Touched) {
    if actor == Actor::User {
        state.runtime.user_mut(UserId::FIRST, touched).plan(txn);
    } else if let Some(pending) = pending_mut(state, actor, touched) {
        *pending = Some(txn);
    }
}

/// `actor` has no transaction pending any more.
fn clear_pending(state: &mut State, actor: Actor, touched: &mut Touched) {
    if actor == Actor::User {
        state.runtime.user_mut(UserId::FIRST, touched).state = UserState::Idle;
    } else if let Some(pending) = pending_mut(state, actor, touched) {
        *pending = None;
    }
}

/// Where `actor` keeps its transaction pending, if it is neither a user nor without transactions.
fn pending_mut<'a>(
    state: &'a mut State,
    actor: Actor,
    touched: &mut Touched,
) -> Option<&'a mut PendingTxn> {
    let runtime = &mut state.runtime;
    Some(match actor {
        Actor::UnitAgent(unit) => &mut runtime.unit_mut(unit, touched).pending,
        Actor::MachineAgent(machine) => &mut runtime.machine_mut(machine, touched).pending,
        Actor::Provisioner => &mut runtime.task_mut(ManagerTask::Provisioner, touched).pending,
        Actor::Cleaner => &mut runtime.task_mut(ManagerTask::Cleaner, touched).pending,
        Actor::Client(number) => {
            &mut runtime.client_mut(ClientId::new(number.into()), touched).pending
        }
        Actor::User | Actor::Faults | Actor::Operator | Actor::Supervisor => return None,
    })
}
