//! The older unit agent, in worlds with the detail `workflow`: the states of a unit and the
//! transitions between them, each of which runs a hook.
//!
//! Unit Agent startup, "Introduction" and the first steps of "Startup sequence" (D5:5-33). The
//! state is on the unit's disk; the store has a copy of it that may lag behind. A transition that
//! fails is tried again at once, so what is pending stays pending, and an agent that starts goes on
//! from its disk, so a crash leaves no mark. The administrator of the documents is our operator.
//!
//! The success of a hook and its record are two steps with a crash possible in between; a
//! transition of a world with atomic transactions is one step, with its record. An agent that is
//! cut off knows the store as it was before, and its changes reach the store once it is connected
//! again.

use super::watches::{self, Lost};
use crate::{
    action::{Act, Hook, HookAct, Outcome, UnitAct},
    actor::Client,
    agents::{Lister, context::StepContext},
    clause::{Clause, Rule::Workflow as WorkflowRule},
    history::Event,
    ids::UnitId,
    life::{
        Life,
        Life::{Alive, Dead, Dying},
    },
    rows::Transition,
    runtime::{Charm, ClientWork, Startup, UnitWork, UnitWorkflow, Workflow},
    state::State,
    store::Unit,
    txn::{AnyOn, On, Txn, UnitChange},
    variants::{DyingAtStartup, Replicated, StartupInError, StartupState, TriesCounted},
    world::{Transactions, World},
};

pub(crate) fn clause(number: u8) -> Clause {
    Clause { rule: WorkflowRule, number }
}

/// Lists the actions of `me` without a connection: it looks for one, and goes on with its hooks.
pub(crate) fn without_connection(me: UnitId, list: &mut Lister<'_>) {
    let state = list.state;
    list.act(Act::UnitAgent(me, UnitAct::Reconnect));
    if let Some(ClientWork::Hook(..)) = state.runtime.pending(Client::Unit(me)) {
        list.finish(Client::Unit(me));
    } else if state.runtime.pending(Client::Unit(me)).is_none()
        && state.runtime.workflow(me).startup != Startup::Begun
    {
        list_transition(me, state.runtime.workflow(me).known_life(), list);
    }
}

/// Lists the urgent duties of a connected agent; returns whether there are any.
pub(crate) fn list_urgent(me: UnitId, unit: &Unit, list: &mut Lister<'_>) -> bool {
    list.world.detail.workflow && (starts_up(me, list) || list_transition(me, unit.life, list))
}

/// Lists the actions that the agent of `me` takes although its unit is in an error state.
pub(crate) fn in_error(me: UnitId, list: &mut Lister<'_>) {
    let (world, state) = (list.world, list.state);
    if !world.detail.workflow || !state.unit_agent_runs(world, me) {
        return;
    }
    if state.runtime.is_cut_off(me) {
        list.act(Act::UnitAgent(me, UnitAct::Reconnect));
    } else {
        starts_up(me, list);
    }
}

/// Lists the next step of the startup, or the record of the state. Returns whether there is one.
fn starts_up(me: UnitId, list: &mut Lister<'_>) -> bool {
    let workflow = list.state.runtime.workflow(me);
    // `workflow.6`, `workflow.7`, `workflow.8`.
    let due = [
        (6, UnitAct::EstablishPresence, !workflow.present),
        (7, UnitAct::ReadState, workflow.startup == Startup::Begun),
        (8, UnitAct::Replicate, workflow.is_to_be_sent(list.world.variants.replicated)),
    ];
    let is_due =
        |(number, _, due): &(u8, UnitAct, bool)| *due && !list.world.is_off(clause(*number));
    let Some((number, act, _)) = due.into_iter().find(is_due) else { return false };
    list.duty(WorkflowRule, number, Act::UnitAgent(me, act));
    true
}

/// Lists the next transition towards running. Returns whether there is one.
fn list_transition(me: UnitId, life: Life, list: &mut Lister<'_>) -> bool {
    let Some((number, hook)) = due(me, life, list.world, list.state) else { return false };
    list_hook(me, number, hook, list);
    true
}

/// Lists a hook: as one step if it is a transition in an atomic world, or if the charm lacks it.
pub(super) fn list_hook(me: UnitId, number: u8, hook: Hook, list: &mut Lister<'_>) {
    let is_split = list.world.transactions == Transactions::Split || hook.relation().is_some();
    let is_long = is_split && list.world.charm_of(me).has(hook);
    let act = if is_long { HookAct::Begin(hook) } else { HookAct::Run(hook) };
    list.duty(WorkflowRule, number, Act::Hook(me, act));
}

/// The next transition towards running, with the number of the clause that demands it, for a unit
/// whose agent knows of this life.
pub fn due(me: UnitId, life: Life, world: &World, state: &State) -> Option<(u8, Hook)> {
    let workflow = state.runtime.workflow(me);
    let is_brought = match (life, world.variants.dying_at_startup) {
        (Alive, _) | (Dying, DyingAtStartup::BroughtToRun) => true,
        (Dying, DyingAtStartup::LeftAlone) | (Dead, _) => false,
    };
    if workflow.startup != Startup::Bringing || !is_brought {
        return None;
    }
    let (number, hook) = match workflow.state {
        Workflow::New => (1, Hook::Install),
        Workflow::Ready => (2, Hook::Start),
        Workflow::Running | Workflow::InstallError | Workflow::StartError | Workflow::StopError => {
            return None;
        }
    };
    (!world.is_off(clause(number))).then_some((number, hook))
}

/// Lists the stop of a Dying unit that has left all relations, if it runs. Returns whether it does.
pub(crate) fn stops(me: UnitId, list: &mut Lister<'_>) -> bool {
    let is_due = has_to_stop(me, list.world, list.state);
    if is_due {
        list_hook(me, 3, Hook::Stop, list);
    }
    is_due
}

pub(super) fn has_to_stop(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.workflow
        && state.runtime.workflow(me).state == Workflow::Running
        && !world.is_off(clause(3))
}

/// Begins or ends a transition of `me`.
pub(crate) fn apply(me: UnitId, act: HookAct, step: &mut StepContext<'_>) -> Outcome {
    let (client, touched) = (Client::Unit(me), &mut step.effects.touched);
    let runtime = &mut step.state.runtime;
    match (act, runtime.pending(client)) {
        (HookAct::Run(hook), None) => {
            begins(me, hook, step);
            succeeds(me, hook, step);
            recorded(me, hook, step);
        }
        (HookAct::Begin(hook), None) => {
            runtime.unit_mut(me, touched).pending = Some(UnitWork::Hook(hook));
            if counts_on_disk(hook, step.world) {
                let workflow = runtime.workflow_mut(me, touched);
                workflow.failures = (workflow.failures + 1).min(step.world.retries + 1);
            }
            begins(me, hook, step);
        }
        (HookAct::Exit, Some(ClientWork::Hook(_, hook))) => {
            runtime.workflow_mut(me, touched).exited = true;
            succeeds(me, hook, step);
        }
        (HookAct::End, Some(ClientWork::Hook(_, hook))) => {
            runtime.clear_pending(client, touched);
            if runtime.workflow(me).exited {
                runtime.workflow_mut(me, touched).exited = false;
            } else {
                succeeds(me, hook, step);
            }
            recorded(me, hook, step);
        }
        (HookAct::Decide(_), _)
        | (HookAct::Run(_) | HookAct::Begin(_), Some(_))
        | (HookAct::Exit | HookAct::End, None | Some(ClientWork::Txn(_))) => {
            return Outcome::NotEnabled;
        }
    }
    Outcome::Done
}

/// A hook of `me` begins.
fn begins(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    step.happens(Event::HookBegins(me, hook));
    for hook in watches::all_of(me, hook, step).into_iter().skip(1) {
        if let (Some(other), Some(relation)) = (hook.other(), hook.relation()) {
            step.happens(Event::HookIsFor(me, other, relation));
        }
    }
    watches::begun(me, hook, step);
}

/// A hook of `me` succeeds.
fn succeeds(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    for hook in watches::all_of(me, hook, step) {
        step.happens(Event::HookSucceeds(me, hook));
    }
    watches::exited(me, hook, step);
}

/// Whether the disk counts the tries of this hook.
fn counts_on_disk(hook: Hook, world: &World) -> bool {
    Transition::by(hook).is_some() && world.variants.tries_counted == TriesCounted::OnDisk
}

/// The act that continues a running hook of `me`.
pub(crate) fn going_on(me: UnitId, world: &World, state: &State) -> HookAct {
    let exits = world.hooks_exit() && !state.runtime.workflow(me).exited;
    if exits { HookAct::Exit } else { HookAct::End }
}

/// Records that a hook of `me` has run, or counts as run.
pub(super) fn recorded(me: UnitId, hook: Hook, step: &mut StepContext<'_>) {
    let Some(transition) = Transition::by(hook) else { return watches::recorded(me, hook, step) };
    let workflow = step.state.runtime.workflow_mut(me, &mut step.effects.touched);
    (workflow.state, workflow.failures) = (transition.to, 0);
    workflow.changed(step.world.variants.replicated);
    if workflow.state == Workflow::Running && workflow.startup == Startup::Bringing {
        (workflow.startup, workflow.known_dying) = (Startup::Done, false);
    }
}

/// Does an act of the agent of `me` that is about its workflow.
pub(crate) fn establish_presence(me: UnitId, step: &mut StepContext<'_>) {
    step.state.runtime.workflow_mut(me, &mut step.effects.touched).present = true;
}

/// Reads the state of the unit from its disk.
pub(crate) fn read_state(me: UnitId, step: &mut StepContext<'_>) {
    let (runtime, touched) = (&mut step.state.runtime, &mut step.effects.touched);
    let workflow = runtime.workflow_mut(me, touched);
    let before = workflow.state;
    workflow.state = match step.world.variants.startup_state {
        StartupState::Disk => workflow.state,
        StartupState::Store => workflow.replica,
    };
    if step.world.variants.startup_in_error == StartupInError::RunsTransitions
        && let Some(failed) = Transition::failed(workflow.state)
    {
        workflow.state = failed.from;
    }
    if let Some(failed) = Transition::ALL.into_iter().find(|it| it.from == workflow.state)
        && workflow.failures > step.world.retries
        && !step.world.is_off(clause(5))
    {
        // The last try was cut short.
        (workflow.state, workflow.failures) = (failed.error, 0);
    }
    if workflow.state != before {
        workflow.changed(step.world.variants.replicated);
    }
    let (is_running, is_error) = (workflow.state == Workflow::Running, workflow.state.is_error());
    workflow.startup = if is_running { Startup::Done } else { Startup::Bringing };
    let charm = if is_error { Charm::Failed } else { Charm::Started };
    if runtime.unit(me).charm != charm {
        runtime.unit_mut(me, touched).charm = charm;
    }
}

/// Records the state of the unit in the store.
pub(crate) fn replicate(me: UnitId, step: &mut StepContext<'_>) {
    let workflow = step.state.runtime.workflow_mut(me, &mut step.effects.touched);
    (workflow.replica, workflow.unsent) = (workflow.state, false);
}

/// Connects the agent of `me` again: it sends its hooks' writes, or learns that its unit is Dead.
pub(crate) fn reconnect(me: UnitId, step: &mut StepContext<'_>) {
    step.happens(Event::Connected(me));
    let workflow = step.state.runtime.workflow_mut(me, &mut step.effects.touched);
    (workflow.cut_off, workflow.known_dying) = (false, false);
    if step.state.unit_agent_runs(step.world, me) {
        watches::send(me, step);
    } else {
        step.state.runtime.clear_pending(Client::Unit(me), &mut step.effects.touched);
        end(me, step);
    }
}

/// Whether the agent of `me` can lose its connection.
pub(crate) fn can_lose_connection(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.workflow && state.unit_agent_runs(world, me) && !state.runtime.is_cut_off(me)
}

/// Cuts the connection of `me`, and with it the presence node, which lasts as long. The agent's
/// knowledge of its unit matters only while it brings the unit to run.
pub(crate) fn lose_connection(me: UnitId, step: &mut StepContext<'_>) {
    step.happens(Event::Disconnected(me));
    let life = step.state.store.unit_life(me);
    let workflow = step.state.runtime.workflow_mut(me, &mut step.effects.touched);
    (workflow.cut_off, workflow.present) = (true, false);
    workflow.unsent &= step.world.variants.replicated == Replicated::AtReconnection;
    workflow.known_dying = life != Some(Alive) && workflow.startup == Startup::Bringing;
    watches::lose(me, Lost::Connection, step);
}

/// Whether a crash of the agent of `me` would lose some of its workflow.
pub(crate) fn has_memory(me: UnitId, world: &World, state: &State) -> bool {
    world.detail.workflow && {
        let workflow = state.runtime.workflow(me);
        *workflow != workflow.without_process(world.variants.tries_counted)
    }
}

/// Ends the agent of `me`: its memory is lost, and its presence node is gone.
pub(crate) fn end(me: UnitId, step: &mut StepContext<'_>) {
    if has_memory(me, step.world, step.state) {
        let workflow = step.state.runtime.workflow_mut(me, &mut step.effects.touched);
        *workflow = workflow.without_process(step.world.variants.tries_counted);
    }
    watches::lose(me, Lost::Process, step);
}

/// Whether the process of a crashed agent is down until it is started again. An older agent need
/// not start again if its unit is Dead, even if it never learned this.
pub(crate) fn stays_down(me: UnitId, world: &World, state: &State) -> bool {
    let is_over = || state.store.unit_life(me).is_none_or(|life| life == Dead);
    world.faults.downtime && !(world.detail.workflow && is_over())
}

/// The process of the agent of `me` crashes.
pub(crate) fn crash(me: UnitId, step: &mut StepContext<'_>) {
    let stays_down = stays_down(me, step.world, step.state);
    if let Some(hook) = step.state.runtime.pending_hook(Client::Unit(me)) {
        watches::cut_short(me, hook, step);
    }
    let agent = step.state.runtime.unit_mut(me, &mut step.effects.touched);
    (agent.pending, agent.down) = (None, stays_down);
    end(me, step);
}

/// Deletes the copy of a unit's state with the unit's document.
pub(crate) fn committed(txn: &Txn, step: &mut StepContext<'_>) {
    if !step.world.detail.workflow {
        return;
    }
    for op in &txn.ops {
        if let AnyOn::Unit(On { doc, change: Some(UnitChange::Remove), .. }) = op.on {
            let workflow = step.state.runtime.workflow(doc);
            if workflow.replica != UnitWorkflow::default().replica {
                let touched = &mut step.effects.touched;
                step.state.runtime.workflow_mut(doc, touched).replica = Workflow::New;
            }
        }
    }
}
