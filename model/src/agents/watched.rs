//! Steps for watchers: the states before and after, and what has changed between them.

use super::Task;
use crate::{
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
