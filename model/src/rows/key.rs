//! Keys of rows, and their kinds.
//!
//! Rows of a kind are numbered densely, so that a set of them takes a bit for each.

use super::{
    ManagerTask,
    each::each_row,
    row_key::{KeyParts, RowKey, Shape},
};
use crate::{
    ids::{
        ApplicationId, ClientId, EntityId, Id, MachineId, RelationId, Rename, Renaming, UnitId,
        UserId,
    },
    world::{HistoryOf, World},
};

/// The table of a state that has rows of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TableOf {
    Store,
    Runtime,
    History,
}

/// Facts that are the same for all rows of a kind.
struct KindRow {
    name: &'static str,
    about: &'static str,
    per_unit: bool,
    table: TableOf,
    shape: Shape,
}

macro_rules! keys {
    ($($kind:ident $(($($part:ident: $type:ident),+))? $record:ident in $table:ident
        $name:literal $about:literal $(per $unit:ident)? $(where |$world:ident| $has:expr)?;)+) => {
        /// The key of a row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Row {
            $(#[doc = $about] $kind $(($($type),+))?),+
        }

        /// A kind of row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RowKind {
            $(#[doc = $about] $kind),+
        }

        #[expect(unused_parens, reason = "a key of several parts is a tuple")]
        impl RowKind {
            /// Every kind, in the order of the rows.
            pub const ALL: [Self; ROWS.len()] = [$(Self::$kind),+];

            /// Whether a world has rows of this kind.
            #[inline]
            fn is_in(self, world: &World) -> bool {
                match self {
                    $(Self::$kind => keys!(@or_true $(world, $world, $has)?)),+
                }
            }

            /// The number of keys that rows of this kind can have in a world.
            #[inline]
            fn keys(self, world: &World) -> usize {
                match self { $(Self::$kind => <($($($type),+)?) as RowKey>::count(world)),+ }
            }

            /// The row with this index among those of its kind.
            ///
            /// # Panics
            /// If there is none.
            #[inline]
            pub fn row(self, world: &World, index: usize) -> Row {
                match self {
                    $(Self::$kind => {
                        let ($($($part),+)?) = RowKey::nth(world, index);
                        Row::$kind $(($($part),+))?
                    })+
                }
            }

            /// The row of this kind for a relation and a unit; `None` if its keys are no pairs.
            #[inline]
            pub fn of_pair(self, relation: RelationId, unit: UnitId) -> Option<Row> {
                match self {
                    $(Self::$kind => {
                        let ($($($part),+)?) = RowKey::of_pair(relation, unit)?;
                        Some(Row::$kind $(($($part),+))?)
                    })+
                }
            }

            /// The row of this kind for an entity; `None` if there is none.
            pub fn of_entity(self, entity: EntityId) -> Option<Row> {
                match self {
                    $(Self::$kind => {
                        let ($($($part),+)?) = RowKey::of_entity(entity)?;
                        Some(Row::$kind $(($($part),+))?)
                    })+
                }
            }
        }

        impl Row {
            /// Its kind.
            #[inline]
            pub fn kind(self) -> RowKind {
                match self { $(Self::$kind { .. } => RowKind::$kind),+ }
            }

            /// Its index among the rows of its kind. `None` if it is of a unit and a relation that
            /// does not concern it; a client can make such a row where `enter-scope.7` is switched
            /// off.
            pub fn index(self, world: &World) -> Option<usize> {
                match self { $(Self::$kind $(($($part),+))? => RowKey::number(($($($part),+)?), world)),+ }
            }

            /// The entity whose agent the row belongs to, if there is one: the unit of a pair, or
            /// the entity itself.
            #[inline]
            pub fn actor(self) -> Option<EntityId> {
                match self {
                    $(Self::$kind $(($($part),+))? => RowKey::actor(($($($part),+)?))),+
                }
            }

            /// The relation that the row is about, if it is about one.
            #[inline]
            pub fn relation(self) -> Option<RelationId> {
                match self {
                    $(Self::$kind $(($($part),+))? => RowKey::relation(($($($part),+)?))),+
                }
            }

            /// The parts of its key.
            #[inline]
            pub(crate) fn parts(self) -> KeyParts {
                match self { $(Self::$kind $(($($part),+))? => RowKey::parts(($($($part),+)?))),+ }
            }
        }

        #[expect(unused_parens, reason = "a key of several parts is a tuple")]
        impl Rename for Row {
            fn renamed(&self, by: &Renaming) -> Self {
                match *self {
                    $(Self::$kind $(($($part),+))? => {
                        let ($($($part),+)?) = ($($($part),+)?).renamed(by);
                        Self::$kind $(($($part),+))?
                    })+
                }
            }
        }

        /// The kinds, in the same order.
        #[expect(unused_parens, reason = "a key of several parts is a tuple")]
        const ROWS: &[KindRow] = &[$(KindRow {
            name: $name,
            about: $about,
            per_unit: keys!(@is_there $($unit)?),
            table: keys!(@table $table),
            shape: <($($($type),+)?) as RowKey>::SHAPE,
        }),+];
    };
    (@table store) => { TableOf::Store };
    (@table runtime) => { TableOf::Runtime };
    (@table history) => { TableOf::History };
    (@or_true) => { true };
    (@or_true $given:ident, $world:ident, $has:expr) => {{ let $world = $given; $has }};
    (@is_there) => { false };
    (@is_there $there:ident) => { true };
}

each_row! { keys }

/// The number of kinds with keys of this shape, in these tables.
const fn count(shape: Shape, tables: &[TableOf]) -> usize {
    let (mut found, mut at) = (0, 0);
    while at < ROWS.len() {
        found += ROWS[at].is_one(shape, tables) as usize;
        at += 1;
    }
    found
}

/// The kinds with keys of this shape, in these tables.
const fn select<const N: usize>(shape: Shape, tables: &[TableOf]) -> [RowKind; N] {
    let (mut kinds, mut found, mut at) = ([RowKind::Machine; N], 0, 0);
    while at < ROWS.len() {
        if ROWS[at].is_one(shape, tables) {
            kinds[found] = RowKind::ALL[at];
            found += 1;
        }
        at += 1;
    }
    kinds
}

impl KindRow {
    const fn is_one(&self, shape: Shape, tables: &[TableOf]) -> bool {
        let mut at = 0;
        while at < tables.len() {
            if tables[at] as u8 == self.table as u8 {
                return self.shape as u8 == shape as u8;
            }
            at += 1;
        }
        false
    }
}

const DOCUMENTS: &[TableOf] = &[TableOf::Store];

const TABLES: &[TableOf] = &[TableOf::Store, TableOf::Runtime, TableOf::History];

impl RowKind {
    /// The kinds of rows that hold an entity's own document.
    pub const ENTITIES: [Self; count(Shape::Entity, DOCUMENTS)] = select(Shape::Entity, DOCUMENTS);

    /// The kinds whose rows are each of a relation and a unit.
    pub const PAIRS: [Self; count(Shape::Pair, TABLES)] = select(Shape::Pair, TABLES);

    const fn its(self) -> &'static KindRow {
        &ROWS[self as usize]
    }

    /// Its name in scenarios and traces.
    pub fn name(self) -> &'static str {
        self.its().name
    }

    /// The entity, or the kind of it, that a row is about.
    pub fn about(self) -> &'static str {
        self.its().about
    }

    /// Whether there is a row for each unit of a relation, and these are described together, each
    /// field by the set of units that have it.
    pub fn is_per_unit(self) -> bool {
        self.its().per_unit
    }

    /// Whether it is in the store, and not in the runtime.
    pub fn is_document(self) -> bool {
        self.its().table == TableOf::Store
    }

    /// Whether it is history, which only claims read.
    pub fn is_history(self) -> bool {
        self.its().table == TableOf::History
    }

    /// The number of rows of this kind that a world may have, without scripted clients, which the
    /// script determines.
    #[inline]
    pub fn count(self, world: &World) -> usize {
        if self.is_in(world) { self.keys(world) } else { 0 }
    }

    /// The rows of this kind that a world may have, in order.
    #[inline]
    pub fn rows(self, world: &World) -> impl Iterator<Item = Row> + '_ {
        (0..self.count(world)).map(move |index| self.row(world, index))
    }
}

impl Row {
    /// The entity whose own document is in the row, if there is one.
    #[inline]
    pub fn own_entity(self) -> Option<EntityId> {
        match self {
            Self::Machine(id) => Some(EntityId::Machine(id)),
            Self::Application(id) => Some(EntityId::Application(id)),
            Self::Unit(id) => Some(EntityId::Unit(id)),
            Self::Relation(id) => Some(EntityId::Relation(id)),
            _ => None,
        }
    }

    /// The entity that the row belongs to, if there is one. A row of a unit and a relation belongs
    /// to the relation if its kind is described for all units together.
    pub fn entity(self) -> Option<EntityId> {
        match self.parts() {
            KeyParts::Entity(entity) if !self.kind().is_history() => Some(entity),
            KeyParts::Pair(relation, _) if self.kind().is_per_unit() => {
                Some(EntityId::Relation(relation))
            }
            KeyParts::Entity(_) | KeyParts::Pair(..) | KeyParts::Other(_) => None,
        }
    }

    /// The entities that the row is about: one, or a unit and a relation; none if it is about
    /// users, tasks of the manager, clients or the whole model.
    pub fn about(self) -> impl Iterator<Item = EntityId> {
        let actor = self.actor();
        let relation = self.relation().map(EntityId::Relation).filter(|it| actor != Some(*it));
        actor.into_iter().chain(relation)
    }
}

impl From<EntityId> for Row {
    fn from(entity: EntityId) -> Self {
        match entity {
            EntityId::Machine(id) => Self::Machine(id),
            EntityId::Application(id) => Self::Application(id),
            EntityId::Unit(id) => Self::Unit(id),
            EntityId::Relation(id) => Self::Relation(id),
        }
    }
}

impl EntityId {
    /// Every entity that may exist in `world`, in the order of the kinds.
    pub fn all(world: &World) -> impl Iterator<Item = Self> {
        let rows = RowKind::ENTITIES.into_iter().flat_map(|kind| kind.rows(world));
        rows.filter_map(Row::own_entity)
    }

    /// The index among the entities of its kind.
    pub fn index(self) -> usize {
        match self {
            Self::Machine(id) => id.index(),
            Self::Application(id) => id.index(),
            Self::Unit(id) => id.index(),
            Self::Relation(id) => id.index(),
        }
    }
}
