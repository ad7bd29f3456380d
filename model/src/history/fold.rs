//! The fold of events into the rows of history that they concern.

use super::{Event, History, MachineHistory, RelationHistory, UnitHistory, kept::HistoryRow};
use crate::{
    action::Hook,
    ids::{MachineId, RelationId, UnitId},
    rows::{RowTable, Touched},
    world::{HistoryOf, World},
};

impl History {
    /// Follows an event in the rows that it concerns, as far as they are kept.
    pub(crate) fn follow(&mut self, world: &World, event: Event, touched: &mut Touched) {
        Fold { world, history: self, touched }.follow(event);
    }
}

/// History, as it follows a step.
struct Fold<'a> {
    world: &'a World,
    history: &'a mut History,
    touched: &'a mut Touched,
}

impl Fold<'_> {
    fn follow(&mut self, event: Event) {
        match event {
            Event::HookBegins(unit, hook) | Event::HookSucceeds(unit, hook) => {
                self.unit(unit, event);
                self.hook(unit, hook, event);
                self.sandbox(unit, event);
            }
            Event::HookFails(unit) => {
                self.unit(unit, event);
                self.sandbox(unit, event);
            }
            Event::HookCutShort(unit, hook) => self.hook(unit, hook, event),
            Event::HookIsLate(unit, _, relation) | Event::HookIsFor(unit, _, relation) => {
                self.pair(relation, unit, event);
            }
            Event::HookReads(unit, _, relation) | Event::HookWrites(unit, relation) => {
                self.own(relation, unit, event);
            }
            Event::SettingsChange(unit, relation) => {
                self.unit(unit, event);
                self.relation(unit, relation, event);
                self.own(relation, unit, event);
            }
            Event::HookRetried(unit) | Event::AgentDeployed(unit) => {
                self.unit(unit, event);
                self.sandbox(unit, event);
                for &relation in self.world.relations_of(unit) {
                    self.pair(relation, unit, event);
                }
            }
            Event::ConfigChanges(application)
            | Event::CharmUpgraded(application)
            | Event::CharmForced(application) => {
                for unit in self.world.application(application).units() {
                    self.unit(unit, event);
                }
            }
            Event::Enters(unit, relation)
            | Event::Leaves(unit, relation)
            | Event::LeavesByItself(unit, relation) => {
                self.unit(unit, event);
                self.relation(unit, relation, event);
            }
            Event::UnitCreated(unit)
            | Event::AgentEnds(unit)
            | Event::HookEnds(unit)
            | Event::ResolutionAsked(unit)
            | Event::HookResolved(unit)
            | Event::CharmInstalled(unit)
            | Event::CharmWritten(unit)
            | Event::ForcedCharmWritten(unit)
            | Event::UnitEnds(unit)
            | Event::HookRetries(unit, _)
            | Event::AgentCrashes(unit)
            | Event::Disconnected(unit)
            | Event::Connected(unit)
            | Event::Dies(unit) => self.unit(unit, event),
            Event::InstanceAsked(machine)
            | Event::InstanceRuns(machine)
            | Event::InstanceNamed(machine)
            | Event::InstanceEnds(machine)
            | Event::InstancesEnd(machine)
            | Event::ErrorWritten(machine)
            | Event::ErrorResolved(machine)
            | Event::MachineRemoved(machine) => self.machine(machine, event),
        }
    }

    fn unit(&mut self, id: UnitId, event: Event) {
        let world = self.world;
        self.change(id, |row: &mut UnitHistory| row.follow(world, event));
    }

    fn machine(&mut self, id: MachineId, event: Event) {
        let world = self.world;
        self.change(id, |row: &mut MachineHistory| row.follow(world, event));
    }

    /// Follows an event about a hook in the row of the hook's relation, if it has one.
    fn hook(&mut self, unit: UnitId, hook: Hook, event: Event) {
        if let Some(relation) = hook.relation() {
            self.pair(relation, unit, event);
        }
    }

    /// Follows an event about a unit of a relation, in the rows of all units that know of any; the
    /// row of a unit that leaves forgets all.
    fn relation(&mut self, unit: UnitId, relation: RelationId, event: Event) {
        let world = self.world;
        if !world.history.has_rows(HistoryOf::Relation) {
            return;
        }
        for other in self.history.units_concerned(world, relation, unit) {
            if other != unit {
                self.pair(relation, other, event);
            } else if matches!(event, Event::Leaves(..) | Event::LeavesByItself(..)) {
                let leave = |row: &mut RelationHistory| row.leave(world, event);
                self.change((relation, other), leave);
            }
        }
    }

    /// Follows an event about a unit's sandbox in the rows of all its relations.
    fn sandbox(&mut self, unit: UnitId, event: Event) {
        for &relation in self.world.relations_of(unit) {
            self.own(relation, unit, event);
        }
    }

    /// Follows an event about a unit's own settings, or its hooks' use of others' settings.
    fn own(&mut self, relation: RelationId, unit: UnitId, event: Event) {
        let key = (relation, unit);
        if self.world.detail.workflow {
            return self.change(key, |row: &mut RelationHistory| row.follow_sent(event));
        }
        let is_concerned = |row: &RelationHistory| row.is_concerned(event);
        if self.world.detail.settings && self.history.look(key, is_concerned) {
            self.change(key, |row: &mut RelationHistory| row.follow_hook(event));
        }
    }

    fn pair(&mut self, relation: RelationId, unit: UnitId, event: Event) {
        let world = self.world;
        self.change((relation, unit), |row: &mut RelationHistory| row.follow(world, event));
    }

    /// Has a row follow an event, if some field of it is kept. Touches the row only if it changes.
    fn change<R: HistoryRow>(&mut self, key: R::Key, follow: impl FnOnce(&mut R))
    where
        History: RowTable<R>,
    {
        let kept = self.world.history;
        if !kept.has_rows(R::OF) {
            return;
        }
        let mut row = self.history.look(key, R::clone);
        follow(&mut row);
        row.keep_only(kept);
        if !self.history.look(key, |old: &R| *old == row) {
            self.history.change(key, self.touched, |old| *old = row);
        }
    }
}
