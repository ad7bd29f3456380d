//! Lost wake-ups: processes that are parked although they could move.
//!
//! Debug builds look for one after every event of a small world, so every simulation that the tests
//! run compares the notifications with a check of all tasks.

#[cfg(test)]
mod busy_world;
#[cfg(test)]
mod tests;

use deathwatch_model::{
    action::Act,
    agents::{self, Enabled, Task},
    free_ids::Scan,
    ids::EntityId,
    state::State,
    world::World,
};

use crate::{long_way, process::Process, scheduler::Scheduler};

/// The first task that could move and has no event in the queue, with what it could do.
pub(crate) fn find(
    world: &World,
    state: &State,
    scheduler: &mut Scheduler,
    may_act: impl Fn(Process) -> bool,
) -> Option<(Task, Act)> {
    if !long_way::is_taken(world) {
        return None;
    }
    let mut enabled = Enabled::default();
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    for task in tasks {
        let Some((process, about)) = Process::of(task) else { continue };
        enabled.clear();
        agents::enabled_for_task(world, state, task, &Scan, &mut enabled);
        let Some(action) = enabled.actions.first() else { continue };
        if may_act(process) && !has_event(scheduler, process, about) {
            return Some((task, action.act));
        }
    }
    None
}

/// Whether `process` has an event at which it will check the task. A manager task checks only the
/// documents in its work queue; it finishes what it has pending first, whatever that is about.
fn has_event(scheduler: &mut Scheduler, process: Process, about: Option<EntityId>) -> bool {
    let is_queued = match (process, about) {
        (Process::ManagerTask(task), Some(about)) => scheduler.work_queue(task).contains(about),
        _ => true,
    };
    is_queued && scheduler.is_ready(process)
}
