//! Turns: whether a cycle is fair to those who are assumed to act, and why.
//!
//! A run that goes round for ever counts against a claim only if nobody is kept from acting for ever
//! who is assumed to act. Who is weakly fair acts on the cycle, or cannot act in some state of it; who
//! is strongly fair acts on it, or can act in no state of it.

use deathwatch_model::{
    action::Action,
    agents::{self, Enabled, Task},
    free_ids::Scan,
    state::State,
    world::{Obligation, World},
};

use crate::page::Turn;

/// What a cycle means to each task that is assumed to be carried out, unless there is nothing to do
/// about it in any of its states. `states` has one more than there are `steps`, and the first of them
/// has the number `first`.
pub(super) fn turns(world: &World, states: &[State], steps: &[Action], first: usize) -> Vec<Turn> {
    let tasks = agents::assumed_tasks(world).into_iter();
    tasks.filter_map(|task| turn(world, states, steps, (task, first))).collect()
}

fn turn(
    world: &World,
    states: &[State],
    steps: &[Action],
    (task, first): (Task, usize),
) -> Option<Turn> {
    let (mut acts, mut can, mut cannot) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (state, step)) in states.iter().zip(steps).enumerate() {
        let enabled = enabled(world, state, task);
        let number = first + index;
        if enabled.is_empty() {
            cannot.push(number);
        } else {
            can.push(number);
        }
        if enabled.iter().any(|action| action.act == step.act) {
            acts.push(number + 1);
        }
    }
    if can.is_empty() {
        return None;
    }
    let is_strong = task.obligation(world) == Obligation::Strong;
    let (is_fair, says) = match (acts.first(), cannot.first()) {
        (Some(_), _) => (true, format!("acts: {}", numbered("step", &acts))),
        (None, Some(_)) if !is_strong => {
            (true, format!("does not act, and cannot {}", numbered("after step", &cannot)))
        }
        (None, _) => (false, format!("could act {}, and never does", numbered("after step", &can))),
    };
    Some(Turn { actor: about(world, task), says, is_fair })
}

/// What a task can do, the end of what is pending included.
fn enabled(world: &World, state: &State, task: Task) -> Vec<Action> {
    let mut enabled = Enabled::default();
    agents::enabled_for_task(world, state, task, &Scan, &mut enabled);
    let mut actions = enabled.actions.clone();
    if let Some((action, _)) = agents::first_enabled(world, state, task, &Scan, &mut enabled) {
        actions.push(action);
    }
    actions
}

/// The actor of a task, and what of it the task is about.
fn about(world: &World, task: Task) -> String {
    let actor = world.show_actor(task.actor());
    let what = match task {
        Task::Provision(id) | Task::ResolveStart(id) | Task::Terminate(id) | Task::Replace(id) => {
            format!("machine {}", world.machine(id).name)
        }
        Task::Clean(id) => crate::describe::name(world, id),
        Task::Resolve(id) => format!("unit {}", world.unit(id).name),
        Task::Restart(agent) => world.show_actor(agent.client().actor()),
        Task::User(_)
        | Task::UnitAgent(_)
        | Task::MachineAgent(_)
        | Task::Provisioner
        | Task::Cleaner
        | Task::Upgrade
        | Task::Faults => return actor,
    };
    format!("{actor}, about {what}")
}

/// "step 3", "steps 3 and 4", "after steps 1, 2 and 5 more".
fn numbered(what: &str, numbers: &[usize]) -> String {
    const TOLD: usize = 6;
    let told: Vec<String> = numbers.iter().take(TOLD).map(ToString::to_string).collect();
    let plural = if numbers.len() == 1 { "" } else { "s" };
    let more = match numbers.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{what}{plural} {}{more}", told.join(", "))
}
