//! Counts: numbers of processes that documents have, and whether a shared actor is at work on one.

use deathwatch_model::{
    ids::{ApplicationId, RelationId},
    life::Life::Alive,
    rows::{Count, Row, Touched},
    state::State,
    world::World,
};

use super::{family::Instance, pointer::Pointer};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CountOf {
    /// The document of an application counts its units.
    Units(ApplicationId),
    /// The document of a relation counts the units in its scope.
    InScope(RelationId),
    /// The units of an application that are Alive. No document has this count.
    Alive(ApplicationId),
    /// Whether a shared actor is at work on a process: 0 or 1.
    Busy(Pointer),
}

/// The kind of units that a count counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// The units of an application.
    Units,
    /// The units in the scope of a relation.
    InScope,
    /// The units of an application that are Alive.
    Alive,
    /// The units about which something is pending.
    Pending,
}

impl CountOf {
    /// The row that it is about, and the kind of units that it counts.
    pub(super) fn counts(self) -> (Row, CountKind) {
        match self {
            Self::Units(id) => (Row::Application(id), CountKind::Units),
            Self::InScope(id) => (Row::Relation(id), CountKind::InScope),
            Self::Alive(id) => (Row::Application(id), CountKind::Alive),
            Self::Busy(pointer) => (pointer.row(), CountKind::Pending),
        }
    }

    /// The count in a state of an instance; 0 if the document is missing.
    pub(super) fn number(self, instance: &Instance, state: &State) -> u32 {
        let number = |count: Option<Count>| count.map_or(0, Count::number);
        match self {
            Self::Units(id) => number(state.store.application(id).map(|it| it.units)),
            Self::InScope(id) => number(state.store.relation(id).map(|it| it.in_scope)),
            Self::Alive(_) => u32::try_from(self.found(&instance.world, state)).unwrap_or(u32::MAX),
            Self::Busy(pointer) => u32::from(pointer.target(instance, state) != Ok(None)),
        }
    }

    /// Sets the count in its document, unless that is missing.
    pub(super) fn set(self, state: &mut State, number: u32) {
        let touched = &mut Touched::new();
        match self {
            Self::Units(id) => {
                if let Some(it) = &mut state.store.application_docs_mut(id, touched).application {
                    it.units = Count::of(number);
                }
            }
            Self::InScope(id) => {
                if let Some(it) = &mut state.store.relation_docs_mut(id, touched).relation {
                    it.in_scope = Count::of(number);
                }
            }
            Self::Alive(_) | Self::Busy(_) => {}
        }
    }

    /// The amount that the rows of a process add.
    pub(super) fn found(self, world: &World, local: &State) -> usize {
        match self {
            Self::Units(id) => {
                world.application(id).units().filter(|it| local.store.unit(*it).is_some()).count()
            }
            Self::InScope(id) => local.store.scope(id).len(),
            Self::Alive(id) => {
                let units = world.application(id).units();
                units.filter(|it| local.store.unit_life(*it) == Some(Alive)).count()
            }
            Self::Busy(pointer) => usize::from(pointer.txn(local).is_some()),
        }
    }

    /// The amount that the shared part of a state adds by itself.
    pub(super) fn fixed(self, world: &World, shared: &State) -> u32 {
        match self {
            Self::Units(_) | Self::InScope(_) | Self::Alive(_) => {
                u32::try_from(self.found(world, shared)).expect("a world has fewer units")
            }
            Self::Busy(_) => 0, // that counts what is about a process
        }
    }

    /// The row of the document that has the count.
    pub(super) fn row(self) -> Option<Row> {
        match self {
            Self::Units(id) => Some(Row::Application(id)),
            Self::InScope(id) => Some(Row::Relation(id)),
            Self::Alive(_) | Self::Busy(_) => None,
        }
    }
}
