//! Keys of rows, and their kinds.
//!
//! Rows of a kind are numbered densely, so that a bit for each of them takes no more than a bit.

use super::{ManagerTask, each::each_row};
use crate::{
    ids::{ApplicationId, ClientId, EntityId, Id, MachineId, RelationId, UnitId, UserId},
    world::{HistoryOf, World},
};

/// What is a key of rows of some kinds.
trait RowKey: Copy {
    /// The shape of such keys.
    const SHAPE: Shape;

    /// The number of such keys in a world.
    fn count(world: &World) -> usize;

    /// The key with this index.
    fn nth(world: &World, index: usize) -> Self;

    /// The index of the key; `None` if a relation does not concern a unit.
    fn number(self, world: &World) -> Option<usize>;

    /// Its parts: the entity that acts for the row, and the relation that the row is about.
    fn parts(self) -> KeyParts;

    /// The key that an entity is.
    fn of_entity(_: EntityId) -> Option<Self> {
        None
    }

    /// The key that a relation and a unit are.
    fn of_pair(_: RelationId, _: UnitId) -> Option<Self> {
        None
    }
}

/// The shape of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// An entity.
    Entity,
    /// A relation and a unit.
    Pair,
    /// Something else, or nothing.
    Other,
}

/// The parts of a key.
#[derive(Clone, Copy)]
pub(crate) enum KeyParts {
    /// An entity.
    Entity(EntityId),
    /// A relation and a unit.
    Pair(RelationId, UnitId),
    /// An index among the rows of the kind.
    Other(usize),
}

macro_rules! entity_keys {
    ($($id:ident $entity:ident $table:ident)+) => {$(
        impl RowKey for $id {
            const SHAPE: Shape = Shape::Entity;

            #[inline]
            fn count(world: &World) -> usize {
                world.$table.len()
            }

            #[inline]
            fn nth(_: &World, index: usize) -> Self {
                Id::new(index)
            }

            #[inline]
            fn number(self, _: &World) -> Option<usize> {
                Some(Id::index(self))
            }

            #[inline]
            fn parts(self) -> KeyParts {
                KeyParts::Entity(EntityId::$entity(self))
            }

            #[inline]
            fn of_entity(entity: EntityId) -> Option<Self> {
                if let EntityId::$entity(id) = entity { Some(id) } else { None }
            }
        }
    )+};
}

entity_keys! {
    MachineId Machine machines
    ApplicationId Application applications
    UnitId Unit units
    RelationId Relation relations
}

macro_rules! other_keys {
    ($($id:ident |$world:ident| $count:expr;)+) => {$(
        impl RowKey for $id {
            const SHAPE: Shape = Shape::Other;

            #[inline]
            fn count($world: &World) -> usize {
                $count
            }

            #[inline]
            fn nth(_: &World, index: usize) -> Self {
                Id::new(index)
            }

            #[inline]
            fn number(self, _: &World) -> Option<usize> {
                Some(Id::index(self))
            }

            #[inline]
            fn parts(self) -> KeyParts {
                KeyParts::Other(Id::index(self))
            }
        }
    )+};
}

other_keys! {
    UserId |world| world.user_ids().count();
    ManagerTask |_world| ManagerTask::ALL.len();
    // There are as many as a script names.
    ClientId |_world| 0;
}

impl RowKey for () {
    const SHAPE: Shape = Shape::Other;

    fn count(_: &World) -> usize {
        1
    }

    fn nth(_: &World, _: usize) -> Self {}

    fn number(self, _: &World) -> Option<usize> {
        Some(0)
    }

    #[inline]
    fn parts(self) -> KeyParts {
        KeyParts::Other(0)
    }
}

impl RowKey for (RelationId, UnitId) {
    const SHAPE: Shape = Shape::Pair;

    #[inline]
    fn count(world: &World) -> usize {
        world.pairs()
    }

    #[inline]
    fn nth(world: &World, index: usize) -> Self {
        world.pair(index)
    }

    #[inline]
    fn number(self, world: &World) -> Option<usize> {
        world.pair_index(self.0, self.1)
    }

    #[inline]
    fn parts(self) -> KeyParts {
        KeyParts::Pair(self.0, self.1)
    }

    #[inline]
    fn of_pair(relation: RelationId, unit: UnitId) -> Option<Self> {
        Some((relation, unit))
    }
}

/// The table of a state that has rows of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(non_camel_case_types, reason = "they are the fields of a state")]
enum TableOf {
    store,
    runtime,
    history,
}

/// What is the same for all rows of a kind.
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

            /// The row of this kind that a relation and a unit have; `None` if it is no kind of
            /// pairs.
            #[inline]
            pub fn of_pair(self, relation: RelationId, unit: UnitId) -> Option<Row> {
                match self {
                    $(Self::$kind => {
                        let ($($($part),+)?) = RowKey::of_pair(relation, unit)?;
                        Some(Row::$kind $(($($part),+))?)
                    })+
                }
            }

            /// The row of this kind that an entity has; `None` if it has none.
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

            /// Its index among the rows of its kind. `None` if it is one of a relation and a unit
            /// that the relation does not concern, as a client may make one where `enter-scope.7`
            /// is switched off.
            pub fn index(self, world: &World) -> Option<usize> {
                match self { $(Self::$kind $(($($part),+))? => RowKey::number(($($($part),+)?), world)),+ }
            }

            /// The parts of its key.
            #[inline]
            pub(crate) fn parts(self) -> KeyParts {
                match self { $(Self::$kind $(($($part),+))? => RowKey::parts(($($($part),+)?))),+ }
            }
        }

        /// The kinds, in the same order.
        #[expect(unused_parens, reason = "a key of several parts is a tuple")]
        const ROWS: &[KindRow] = &[$(KindRow {
            name: $name,
            about: $about,
            per_unit: keys!(@is_there $($unit)?),
            table: TableOf::$table,
            shape: <($($($type),+)?) as RowKey>::SHAPE,
        }),+];
    };
    (@or_true) => { true };
    (@or_true $given:ident, $world:ident, $has:expr) => {{ let $world = $given; $has }};
    (@is_there) => { false };
    (@is_there $there:ident) => { true };
}

each_row! { keys }

/// The number of kinds whose keys have this shape, in a table or in any.
const fn count(shape: Shape, documents: bool) -> usize {
    let (mut found, mut at) = (0, 0);
    while at < ROWS.len() {
        if is_one(&ROWS[at], shape, documents) {
            found += 1;
        }
        at += 1;
    }
    found
}

/// The kinds whose keys have this shape.
const fn select<const N: usize>(shape: Shape, documents: bool) -> [RowKind; N] {
    let (mut kinds, mut found, mut at) = ([RowKind::Machine; N], 0, 0);
    while at < ROWS.len() {
        if is_one(&ROWS[at], shape, documents) {
            kinds[found] = RowKind::ALL[at];
            found += 1;
        }
        at += 1;
    }
    kinds
}

const fn is_one(row: &KindRow, shape: Shape, documents: bool) -> bool {
    row.shape as u8 == shape as u8 && (!documents || matches!(row.table, TableOf::store))
}

impl RowKind {
    /// The kinds of rows that hold an entity's own document.
    pub const ENTITIES: [Self; count(Shape::Entity, true)] = select(Shape::Entity, true);

    /// The kinds of which each row is one of a relation and a unit.
    pub const PAIRS: [Self; count(Shape::Pair, false)] = select(Shape::Pair, false);

    const fn its(self) -> &'static KindRow {
        &ROWS[self as usize]
    }

    /// Its name in scenarios and traces.
    pub fn name(self) -> &'static str {
        self.its().name
    }

    /// What a row of it is about.
    pub fn about(self) -> &'static str {
        self.its().about
    }

    /// Whether there is a row for each unit of a relation, and the rows are described together: of
    /// each field the units that have it set.
    pub fn is_per_unit(self) -> bool {
        self.its().per_unit
    }

    /// Whether it is in the store, and not in the runtime.
    pub fn is_document(self) -> bool {
        self.its().table == TableOf::store
    }

    /// Whether it says what has happened, and is read by claims alone.
    pub fn is_history(self) -> bool {
        self.its().table == TableOf::history
    }

    /// The number of rows of this kind that a world may have. It does not know of scripted clients:
    /// there are as many as a script names.
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
    /// to the relation if it can be told of all units together.
    pub fn entity(self) -> Option<EntityId> {
        match self.parts() {
            KeyParts::Entity(entity) if !self.kind().is_history() => Some(entity),
            KeyParts::Pair(relation, _) if self.kind().is_per_unit() => {
                Some(EntityId::Relation(relation))
            }
            KeyParts::Entity(_) | KeyParts::Pair(..) | KeyParts::Other(_) => None,
        }
    }

    /// The entity that acts for the row, if there is one: the unit of a unit and a relation, and
    /// the entity of an agent.
    pub fn actor(self) -> Option<EntityId> {
        match self.parts() {
            KeyParts::Entity(entity) => Some(entity),
            KeyParts::Pair(_, unit) => Some(EntityId::Unit(unit)),
            KeyParts::Other(_) => None,
        }
    }

    /// The relation that the row is about, if it is about one.
    pub fn relation(self) -> Option<RelationId> {
        match self.parts() {
            KeyParts::Entity(EntityId::Relation(id)) | KeyParts::Pair(id, _) => Some(id),
            KeyParts::Entity(_) | KeyParts::Other(_) => None,
        }
    }

    /// The entities that the row is about: one, or a unit and a relation. None if it is about
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
