//! Watchers: the tasks that the change of a row concerns.
//!
//! An agent sleeps until a document that it watches or its own runtime changes. Each actor's file
//! names the tasks to wake beside the duties that read the row. A spurious wake-up costs one look.
//! A missing one is a lost wake-up.

use super::{
    Task, actors,
    lifecycle::{cleaner, deployer, machine_agent, provisioner, unit_agent},
    neglect, operator, own_rules, supervisor, tasks,
    watched::{Wake, WatchedStep},
};
use crate::{actor::Actor, rows::Row, state::State, world::World};

impl WatchedStep<'_> {
    /// Names the tasks that watch `row`; a task may be named twice. The order is always the same,
    /// with the widely watched rows' tasks last.
    pub fn watchers(&self, row: Row, wake: Wake<'_>) {
        if own_rules::watchers(self, row, wake) {
            wake_all(self.world, self.after, wake);
        }
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
