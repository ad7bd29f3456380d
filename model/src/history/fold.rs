//! The fold: which rows an event concerns, and what a committed transaction means in events.

use super::{Event, MachineHistory, RelationHistory, UnitHistory, kept::HistoryRow};
use crate::{
    action::Hook,
    ids::{MachineId, RelationId, UnitId},
    life::Life,
    operation::Operation,
    rows::{Stored, Touched},
    state::State,
    txn::{AnyOn, ApplicationChange, MachineChange, Marker, MarkerChange, On, Txn, UnitChange},
    world::{HistoryOf, World},
};

/// Follows an event in the rows that it concerns, as far as they are kept.
#[inline]
pub(crate) fn happens(world: &World, state: &mut State, event: Event, touched: &mut Touched) {
    if !world.history.is_empty() {
        Fold { world, state, touched }.follow(event);
    }
}

/// Follows what a transaction has changed.
#[inline]
pub(crate) fn committed(world: &World, state: &mut State, txn: &Txn, touched: &mut Touched) {
    if !world.history.is_empty() {
        let mut fold = Fold { world, state, touched };
        for op in &txn.ops {
            if let Some(event) = event_of(txn.operation, op.on, fold.state) {
                fold.follow(event);
            }
        }
    }
}

/// The event that a change of a document is.
fn event_of(operation: Operation, on: AnyOn, state: &State) -> Option<Event> {
    let acts_by_itself = |unit| state.runtime.is_deployed(unit) && !state.store.is_forced(unit);
    Some(match on {
        AnyOn::Application(On { doc, change: Some(ApplicationChange::Upgrade), .. }) => {
            Event::CharmUpgraded(doc)
        }
        AnyOn::Application(On { doc, change: Some(ApplicationChange::ForceUpgrade), .. }) => {
            Event::CharmForced(doc)
        }
        AnyOn::Unit(On { doc, change: Some(UnitChange::SetLife(Life::Dead)), .. })
            if acts_by_itself(doc) =>
        {
            Event::UnitEnds(doc)
        }
        AnyOn::Application(On { doc, change: Some(ApplicationChange::SetConfig), .. }) => {
            Event::ConfigChanges(doc)
        }
        AnyOn::Unit(On { doc, change: Some(UnitChange::Create(_)), .. }) => Event::UnitCreated(doc),
        AnyOn::Unit(On { doc, change: Some(UnitChange::SetLife(_)), .. }) => Event::Dies(doc),
        AnyOn::Marker(On { doc: Marker::Scope(relation, unit), change: Some(change), .. }) => {
            match change {
                MarkerChange::Create => Event::Enters(unit, relation),
                MarkerChange::Remove if acts_by_itself(unit) => {
                    Event::LeavesByItself(unit, relation)
                }
                MarkerChange::Remove => Event::Leaves(unit, relation),
            }
        }
        AnyOn::Machine(On { doc, change: Some(change), .. }) => match (operation, change) {
            (Operation::FailStart(_), _) => Event::ErrorWritten(doc),
            (Operation::Resolved(_) | Operation::ResolvedConstraints(..), _) => {
                Event::ErrorResolved(doc)
            }
            (_, MachineChange::Remove) => Event::MachineRemoved(doc),
            _ => return None,
        },
        AnyOn::Application(_)
        | AnyOn::Unit(_)
        | AnyOn::Marker(_)
        | AnyOn::Machine(_)
        | AnyOn::Relation(_)
        | AnyOn::Model(_) => return None,
    })
}

/// The history of a state, as it follows a step.
struct Fold<'a> {
    world: &'a World,
    state: &'a mut State,
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
            | Event::HookEnds(unit)
            | Event::ResolutionAsked(unit)
            | Event::HookResolved(unit)
            | Event::CharmInstalled(unit)
            | Event::CharmWritten(unit)
            | Event::UnitEnds(unit)
            | Event::HookRetries(unit, _)
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

    /// A hook of a relation, in the row of its unit.
    fn hook(&mut self, unit: UnitId, hook: Hook, event: Event) {
        if let Some(relation) = hook.relation() {
            self.pair(relation, unit, event);
        }
    }

    /// A unit comes or goes, in the rows of all units that know of any; one that leaves knows of
    /// nobody.
    fn relation(&mut self, unit: UnitId, relation: RelationId, event: Event) {
        let world = self.world;
        if !world.history.has_rows(HistoryOf::Relation) {
            return;
        }
        for other in self.state.history.units_concerned(world, relation, unit) {
            if other != unit {
                self.pair(relation, other, event);
            } else if matches!(event, Event::Leaves(..) | Event::LeavesByItself(..)) {
                let leave = |row: &mut RelationHistory| row.leave(world, event);
                self.change((relation, other), leave);
            }
        }
    }

    /// An event about a hook of a unit, whatever relation that is of, in the rows of all its
    /// relations.
    fn sandbox(&mut self, unit: UnitId, event: Event) {
        for &relation in self.world.relations_of(unit) {
            self.own(relation, unit, event);
        }
    }

    /// An event about a unit's own settings, or what its hooks do with those of others.
    fn own(&mut self, relation: RelationId, unit: UnitId, event: Event) {
        let key = (relation, unit);
        let is_concerned = |row: &RelationHistory| row.is_concerned(event);
        if self.world.detail.settings && RelationHistory::look(self.state, key, is_concerned) {
            self.change(key, |row: &mut RelationHistory| row.follow_hook(event));
        }
    }

    fn pair(&mut self, relation: RelationId, unit: UnitId, event: Event) {
        let world = self.world;
        self.change((relation, unit), |row: &mut RelationHistory| row.follow(world, event));
    }

    /// Has a row follow an event, if something of it is kept, and touches it only if it differs
    /// afterwards.
    fn change<R: HistoryRow>(&mut self, key: R::Key, follow: impl FnOnce(&mut R)) {
        let kept = self.world.history;
        if !kept.has_rows(R::OF) {
            return;
        }
        let mut row = R::look(self.state, key, R::clone);
        follow(&mut row);
        row.keep_only(kept);
        if !R::look(self.state, key, |old| *old == row) {
            R::change(self.state, key, self.touched, |old| *old = row);
        }
    }
}
