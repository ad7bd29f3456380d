//! Quiescence: no actor that is assumed to act can move.

use super::{Enabled, Task};
use crate::{
    action::Action,
    actor::Client,
    agents,
    free_ids::{FreeIds, Scan},
    state::State,
    txn::Txn,
    world::World,
};

/// Whether none of the tasks that are assumed to be carried out has an enabled action.
pub fn is_quiescent(world: &World, state: &State) -> bool {
    let mut enabled = Enabled::default();
    let tasks = assumed_tasks(world).into_iter();
    tasks.map(|task| first_enabled(world, state, task, &Scan, &mut enabled)).all(|it| it.is_none())
}

/// The tasks that are assumed to be carried out, in the order of their turns.
pub fn assumed_tasks(world: &World) -> Vec<Task> {
    let tasks = agents::actors(world).flat_map(|actor| agents::tasks(world, actor));
    tasks.filter(|task| task.is_owed(world)).collect()
}

/// The first enabled action of `task`, and the transaction that it plans. A pending transaction is
/// finished first.
pub fn first_enabled(
    world: &World,
    state: &State,
    task: Task,
    free_ids: &dyn FreeIds,
    enabled: &mut Enabled,
) -> Option<(Action, Option<Txn>)> {
    enabled.clear();
    match task {
        Task::User(id) => {
            agents::user_goes_on(world, state, id, free_ids, enabled);
        }
        Task::Provision(_) => agents::finish_for(world, state, Client::Provisioner, enabled),
        Task::Clean(_) => agents::finish_for(world, state, Client::Cleaner, enabled),
        Task::UnitAgent(_)
        | Task::MachineAgent(_)
        | Task::Provisioner
        | Task::Cleaner
        | Task::Resolve(_)
        | Task::ResolveStart(_)
        | Task::Terminate(_)
        | Task::Replace(_)
        | Task::Upgrade
        | Task::Restart(_)
        | Task::Faults => {}
    }
    if !matches!(task, Task::User(_)) {
        agents::enabled_for_task(world, state, task, free_ids, enabled);
    }
    let action = *enabled.actions.first()?;
    Some((action, enabled.plans[0].take()))
}
