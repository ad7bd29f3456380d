//! Watchers: the tasks that the change of a row concerns.
//!
//! An agent sleeps until a document that it watches or its own runtime changes. Each actor's file
//! names the tasks to wake beside the duties that read the row. A spurious wake-up costs one look.
//! A missing one is a lost wake-up.

use super::{
    Task, actors,
    lifecycle::{cleaner, deployer, machine_agent, provisioner, unit_agent},
    neglect, operator, own_rules, supervisor, tasks,
};
use crate::{
    actor::Actor,
    ids::{MachineId, Placement, UnitId},
    rows::{Record as _, Row},
    state::State,
    world::World,
};

/// A step, whose touched rows are looked at one by one.
#[derive(Clone, Copy)]
pub struct WatchedStep<'a> {
    pub world: &'a World,
    /// The state before the step.
    pub before: &'a State,
    /// The state after the step.
    pub after: &'a State,
}

/// Receives the tasks that a change concerns.
pub type Wake<'a> = &'a mut dyn FnMut(Task);

impl<'a> WatchedStep<'a> {
    /// Names the tasks that watch `row`; a task may be named twice. The order is always the same,
    /// with the widely watched rows' tasks last.
    pub fn watchers(&self, row: Row, wake: Wake<'_>) {
        own_rules::watchers(self, row, wake);
        if !self.world.has_versions() {
            return self.agents(row, wake);
        }
        // The operator watches the agents whose hardware it may have to replace.
        self.agents(row, &mut |task| {
            wake(task);
            let machine = neglect::replaced_with(task, self.world, self.after);
            machine.map(Task::Replace).into_iter().for_each(&mut *wake);
        });
        // A manager with the new version does duties that the last one neglected.
        let version = |state| neglect::runs_new_version(self.world, state, Actor::Provisioner);
        if self.is_of_manager(row) && self.is_new(version) {
            wake_all(self.world, self.after, wake);
        }
    }

    /// Names the tasks that watch `row` for their own sake.
    fn agents(&self, row: Row, wake: Wake<'_>) {
        match row {
            Row::UnitRuntime(id) if self.is_only_pending(row) => wake(Task::UnitAgent(id)),
            Row::MachineRuntime(id) if self.is_only_pending(row) => wake(Task::MachineAgent(id)),
            Row::Application(_) | Row::Relation(_) => {
                cleaner::watchers(self, row, wake);
                unit_agent::watchers(self, row, wake);
                deployer::watchers(self, row, wake);
            }
            // Agents watch machines, which have their constraints by then.
            Row::Model => {}
            // No agent reads history.
            _ if row.kind().is_history() => {}
            // Agents may do duties that they neglected before.
            Row::Upgrade => wake_all(self.world, self.after, wake),
            _ => {
                unit_agent::watchers(self, row, wake);
                machine_agent::watchers(self, row, wake);
                provisioner::watchers(self, row, wake);
                operator::watchers(self, row, wake);
                supervisor::watchers(self, row, wake);
                cleaner::watchers(self, row, wake);
            }
        }
    }

    /// Whether nothing has changed in the row but what an agent has begun. Agents begin and end
    /// things all the time, which concerns no other agent.
    pub fn is_only_pending(&self, row: Row) -> bool {
        let (before, after) = (&self.before.runtime, &self.after.runtime);
        match row {
            Row::UnitRuntime(id) => before.unit(id).is_same_beside_pending(after.unit(id)),
            Row::MachineRuntime(id) => before.machine(id).is_same_beside_pending(after.machine(id)),
            _ => false,
        }
    }

    /// The states before and after.
    pub fn both(&self) -> [&'a State; 2] {
        [self.before, self.after]
    }

    /// Whether the value of `of` differs between the states before and after.
    pub fn is_new<T: PartialEq>(&self, of: impl Fn(&'a State) -> T) -> bool {
        of(self.before) != of(self.after)
    }

    /// The placements of the unit before and after.
    pub fn placements(&self, id: UnitId) -> [Placement; 2] {
        self.both()
            .map(|state| state.store.unit(id).map_or(Placement::Nowhere, |unit| unit.placement))
    }

    /// Whether `row` is of a manager machine, so that a change may concern its tasks and the other
    /// managers: the tasks run in a manager's agent, and whether a manager may go depends on the
    /// others.
    pub(super) fn is_of_manager(&self, row: Row) -> bool {
        let is_manager = |id: MachineId| self.world.machine(id).manages_model;
        match row {
            Row::Machine(id) => is_manager(id),
            Row::MachineRuntime(id) => {
                is_manager(id)
                    && self.is_new(|state| {
                        let runtime = state.runtime.machine(id);
                        (runtime.hardware, runtime.down)
                    })
            }
            _ => false,
        }
    }
}

/// Names every task that may have an action, whatever has changed.
pub fn wake_all(world: &World, state: &State, wake: Wake<'_>) {
    for actor in actors(world) {
        tasks(world, actor)
            .into_iter()
            .filter(|task| task.may_have_work(state) || own_rules::has_duty(world, *task))
            .for_each(&mut *wake);
    }
}
