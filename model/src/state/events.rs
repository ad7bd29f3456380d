//! Events of steps and of transactions, which history follows.

use super::State;
use crate::{
    history::Event,
    life::Life,
    operation::Operation,
    rows::Touched,
    txn::{AnyOn, ApplicationChange, MachineChange, Marker, MarkerChange, On, Txn, UnitChange},
    world::World,
};

impl State {
    /// Has history follow an event, as far as it is kept.
    #[inline]
    pub(crate) fn happens(&mut self, world: &World, event: Event, touched: &mut Touched) {
        if !world.history.is_empty() {
            self.history.follow(world, event, touched);
        }
    }

    /// Has history follow the changes of a transaction.
    #[inline]
    pub(crate) fn committed(&mut self, world: &World, txn: &Txn, touched: &mut Touched) {
        if !world.history.is_empty() {
            for op in &txn.ops {
                if let Some(event) = event_of(txn.operation, op.on, self) {
                    self.history.follow(world, event, touched);
                }
            }
        }
    }
}

/// The event that reports a change of a document, if there is one.
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
