//! Events: the changes of rows that claims about transitions look at.

use crate::{
    rows::{Placement, Row},
    state::State,
};

/// A change of a row that claims about transitions look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The life of a machine changed; to be created or removed is a change of life, too.
    MachineLife,
    /// The life of an application changed.
    ApplicationLife,
    /// The life of a unit changed.
    UnitLife,
    /// The life of a relation changed.
    RelationLife,
    /// A unit was placed elsewhere.
    Placement,
    /// A unit entered a scope.
    Entry,
}

impl Event {
    /// Every event.
    pub const ALL: [Self; 6] = [
        Event::MachineLife,
        Event::ApplicationLife,
        Event::UnitLife,
        Event::RelationLife,
        Event::Placement,
        Event::Entry,
    ];

    /// The events that a step brought about in a row.
    pub(super) fn of(before: &State, after: &State, row: Row) -> [Option<Self>; 2] {
        let (old, new) = (&before.store, &after.store);
        match row {
            Row::Machine(id) => {
                [is_new(old.machine_life(id), new.machine_life(id), Self::MachineLife), None]
            }
            Row::Application(id) => {
                let life = is_new(
                    old.application_life(id),
                    new.application_life(id),
                    Self::ApplicationLife,
                );
                [life, None]
            }
            Row::Unit(id) => {
                let place = |state: &State| {
                    state.store.unit(id).map_or(Placement::Nowhere, |it| it.placement)
                };
                [
                    is_new(old.unit_life(id), new.unit_life(id), Self::UnitLife),
                    is_new(place(before), place(after), Self::Placement),
                ]
            }
            Row::Relation(id) => {
                [is_new(old.relation_life(id), new.relation_life(id), Self::RelationLife), None]
            }
            Row::Scope(id, unit) => {
                let is_in = new.in_scope(id, unit) && !old.in_scope(id, unit);
                [is_in.then_some(Self::Entry), None]
            }
            Row::MachineRuntime(_)
            | Row::UnitRuntime(_)
            | Row::Membership(..)
            | Row::User(_)
            | Row::Task(_)
            | Row::Client(_)
            | Row::Upgrade => [None, None],
        }
    }
}

/// The event, if what was is not what is.
fn is_new<T: Copy + PartialEq>(old: T, new: T, event: Event) -> Option<Event> {
    (old != new).then_some(event)
}
