//! Dependencies of an expression: the rows that it reads, and reverse dependencies from a row to
//! the subjects.

mod back;

use deathwatch_model::{
    ids::{EntityId, Placement},
    rows::{FieldSet, Row, RowKind},
    state::State,
    world::World,
};

pub use self::back::Back;
use crate::recount::Recount;

/// A set of kinds of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowKinds(u32);

impl RowKinds {
    pub fn add(&mut self, kind: RowKind) {
        self.0 |= 1 << kind as u32;
    }

    /// Whether the kind is one of them.
    pub fn contains(self, kind: RowKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    pub fn of(rows: impl IntoIterator<Item = Row>) -> Self {
        let mut kinds = Self::default();
        rows.into_iter().for_each(|row| kinds.add(row.kind()));
        kinds
    }

    #[must_use]
    pub fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

/// The rows that a condition may read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Rows of these kinds that belong to the subject.
    pub own: RowKinds,
    /// Rows of the first kind from which a field is derived of the row of the second kind that the
    /// key of the subject names.
    pub linked: Vec<(RowKind, RowKind)>,
    /// Rows of these kinds from which fields of the subject are derived, each with the reverse
    /// dependency.
    pub derived: Vec<(RowKind, Back)>,
    /// Rows of the first kind from which a field is derived of the row of the second kind at the
    /// subject's placement: the machine or the principal of a unit.
    pub placed: Vec<(RowKind, RowKind)>,
    /// Rows of these kinds in a relation that the constants of the subject name.
    pub related: RowKinds,
    pub any: RowKinds,
    pub fixed: Vec<Row>,
    /// The fields of rows of each kind that are read.
    pub fields: [FieldSet; RowKind::ALL.len()],
    /// Whether some field is a note of a unit's agent.
    pub notes: bool,
}

impl Reads {
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.own = self.own.and(other.own);
        self.related = self.related.and(other.related);
        self.any = self.any.and(other.any);
        for row in &other.fixed {
            self.add(*row);
        }
        for (kind, found) in &other.linked {
            self.link(*kind, *found);
        }
        for (kind, back) in &other.derived {
            self.derive(*kind, *back);
        }
        for (kind, found) in &other.placed {
            self.place(*kind, *found);
        }
        for kind in RowKind::ALL {
            self.notice(kind, other.fields[kind as usize]);
        }
        self.notes |= other.notes;
        self
    }

    /// Adds fields of rows of a kind.
    pub fn notice(&mut self, kind: RowKind, fields: FieldSet) {
        let noticed = &mut self.fields[kind as usize];
        *noticed = noticed.and(fields);
    }

    /// The same rows, with the fields whose changes make a step one that a condition is about.
    #[must_use]
    pub fn of_steps(mut self) -> Self {
        self.fields = std::array::from_fn(|number| self.step_fields(RowKind::ALL[number]));
        self
    }

    /// The fields of a row whose changes make a step one that a condition is about: all, but of
    /// history only those that it reads. The others are kept only where another claim reads them,
    /// and no answer depends on what else is asked.
    pub fn step_fields(&self, kind: RowKind) -> FieldSet {
        if kind.is_history() { self.fields[kind as usize] } else { FieldSet::ALL }
    }

    /// Adds rows of a kind from which fields are derived of the row that the key of the subject
    /// names.
    pub fn link(&mut self, kind: RowKind, found: RowKind) {
        if !self.linked.contains(&(kind, found)) {
            self.linked.push((kind, found));
        }
    }

    /// Adds rows of a kind from which a field of the subject is derived.
    pub fn derive(&mut self, kind: RowKind, back: Back) {
        match back {
            Back::Same => self.own.add(kind),
            Back::Pairs => self.link(kind, RowKind::Unit),
            _ if self.derived.contains(&(kind, back)) => {}
            _ => self.derived.push((kind, back)),
        }
    }

    /// Adds rows of a kind from which fields are derived of the row at the subject's placement.
    pub fn place(&mut self, kind: RowKind, found: RowKind) {
        if !self.placed.contains(&(kind, found)) {
            self.placed.push((kind, found));
        }
    }

    pub fn add(&mut self, row: Row) {
        if !self.fixed.contains(&row) {
            self.fixed.push(row);
        }
    }

    /// The kinds of rows that are read.
    pub fn kinds(&self) -> RowKinds {
        let mut kinds = RowKinds::of(self.fixed.iter().copied()).and(self.own);
        kinds = kinds.and(self.related).and(self.any);
        self.linked.iter().for_each(|(read, _)| kinds.add(*read));
        self.derived.iter().for_each(|(read, _)| kinds.add(*read));
        self.placed.iter().for_each(|(read, _)| kinds.add(*read));
        kinds
    }

    /// The reverse dependencies from a row of this kind to the subjects that read it.
    pub fn ways_from(&self, kind: RowKind) -> Vec<Way> {
        if self.any.contains(kind) {
            return vec![Way::All];
        }
        let fixed = self.fixed.iter().filter(|row| row.kind() == kind).map(|row| Way::Fixed(*row));
        let own = self.own.contains(kind).then_some(Way::Own);
        let linked = self.linked.iter().filter(|(read, _)| *read == kind);
        let linked = linked.map(|(_, found)| Way::Linked(*found));
        let derived = self.derived.iter().filter(|(read, _)| *read == kind);
        let derived = derived.map(|(_, back)| Way::Derived(*back));
        let placed = self.placed.iter().filter(|(read, _)| *read == kind);
        let placed = placed.map(|(_, found)| Way::Placed(*found));
        let related = self.related.contains(kind).then_some(Way::Related);
        fixed.chain(own).chain(linked).chain(derived).chain(placed).chain(related).collect()
    }

    /// The row of this kind whose fields are read from `row`, which belongs to the same entities.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn reader_of(row: Row, kind: RowKind) -> Row {
        if row.kind() == kind {
            return row;
        }
        let (relation, actor) = (row.relation(), row.actor());
        let pair = match (relation, actor) {
            (Some(relation), Some(EntityId::Unit(unit))) => kind.of_pair(relation, unit),
            _ => None,
        };
        let of_actor = || actor.and_then(|actor| kind.of_entity(actor));
        let of_relation = || relation.and_then(|it| kind.of_entity(EntityId::Relation(it)));
        let reader = pair.or_else(of_actor).or_else(of_relation);
        reader.expect("a field of a row is read from rows of the same entities, or has a way back")
    }
}

/// The world and the states in which reverse dependencies are followed.
#[derive(Clone, Copy)]
pub struct Trail<'a> {
    pub world: &'a World,
    /// The states before a step and after it.
    pub states: [&'a State; 2],
    /// The recount of the state before, if one is kept.
    pub recount: Option<&'a Recount>,
}

/// A reverse dependency from a row to the subjects that read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the subject that the row belongs to.
    Own,
    /// To the subjects whose constants name the row of this kind that the row belongs to.
    Linked(RowKind),
    /// To the subjects with a field that is derived from the row.
    Derived(Back),
    /// To the units whose placement is the row of this kind that the row belongs to.
    Placed(RowKind),
    /// To the subjects whose constants name the relation that the row is about.
    Related,
    /// To all subjects, if the row is this one.
    Fixed(Row),
    All,
}

impl Way {
    /// Calls `found` with the subjects of this kind that read a row. A client may create rows for a
    /// unit and a relation that does not concern it; these are no subjects.
    #[inline]
    pub fn follow(self, trail: &Trail<'_>, row: Row, kind: RowKind, found: &mut impl FnMut(Row)) {
        let world = trail.world;
        match self {
            Self::Own => {
                let is_same = kind == row.kind();
                let subject = if is_same { row } else { Reads::reader_of(row, kind) };
                let is_there = is_same || kind.count(world) > 0;
                if is_there && (row.relation().is_none() || subject.index(world).is_some()) {
                    found(subject);
                }
            }
            Self::Linked(_) | Self::Related | Self::Derived(_) if kind.count(world) == 0 => {}
            Self::Derived(back) => back.follow(trail, row, kind, found),
            Self::Placed(named) => trail.placed(Reads::reader_of(row, named), found),
            Self::Related => match row.relation() {
                Some(id) => follow_name(world, Row::Relation(id), kind, found),
                None => kind.rows(world).for_each(found),
            },
            Self::Linked(named) => follow_name(world, Reads::reader_of(row, named), kind, found),
            Self::Fixed(fixed) if fixed != row => {}
            Self::Fixed(_) | Self::All => kind.rows(world).for_each(found),
        }
    }

    /// Whether `subject` may read the row in some state. Where that depends on the state, it may.
    pub fn may_find(self, trail: &Trail<'_>, row: Row, subject: Row) -> bool {
        let mut is_found = matches!(self, Self::Derived(_) | Self::Placed(_));
        if !is_found {
            self.follow(trail, row, subject.kind(), &mut |it| is_found |= it == subject);
        }
        is_found
    }
}

impl Trail<'_> {
    /// Calls `found` with the units whose placement is this machine or principal. Usually the row
    /// lists them. If the recount shows others, or none is kept, all units are examined. A unit
    /// that leaves this placement by a step has itself changed.
    fn placed(&self, row: Row, found: &mut impl FnMut(Row)) {
        let placement = match row.actor() {
            Some(EntityId::Machine(id)) => Placement::Machine(id),
            Some(EntityId::Unit(id)) => Placement::Principal(id),
            Some(EntityId::Application(_) | EntityId::Relation(_)) | None => return,
        };
        let [before, after] = self.states;
        let names = |state: &State, unit| {
            state.store.unit(unit).is_some_and(|unit| unit.placement == placement)
        };
        let listed = match placement {
            Placement::Machine(id) => before.store.machine(id).map(|it| &it.principals),
            Placement::Principal(id) => before.store.unit(id).map(|it| &it.subordinates),
            Placement::Nowhere => None,
        };
        if let Some(recount) = self.recount {
            let all = || listed.iter().flat_map(|units| units.iter());
            let known = all().filter(|unit| names(before, *unit)).count();
            if known == recount.naming(placement) as usize {
                all().for_each(|unit| found(Row::Unit(unit)));
                return;
            }
        }
        let all = self.world.unit_ids().filter(|unit| names(before, *unit) || names(after, *unit));
        all.for_each(|unit| found(Row::Unit(unit)));
    }
}

/// Calls `found` with the subjects of this kind whose constants name the entities of a row.
fn follow_name(world: &World, named: Row, kind: RowKind, found: &mut impl FnMut(Row)) {
    let is_pair = RowKind::PAIRS.contains(&kind);
    let mut pair = |relation, unit| kind.of_pair(relation, unit).into_iter().for_each(&mut *found);
    match (named.relation(), named.actor()) {
        (Some(relation), Some(EntityId::Unit(unit))) if is_pair => {
            // A client may create rows for a unit and a relation that does not concern it.
            if world.pair_index(relation, unit).is_some() {
                pair(relation, unit);
            }
        }
        (None, Some(EntityId::Unit(unit))) if is_pair => {
            world.relations_of(unit).iter().for_each(|relation| pair(*relation, unit));
        }
        (Some(relation), _) if is_pair => {
            let ends = world.relation(relation).applications();
            let units = ends.flat_map(|end| world.application(end).units());
            units.for_each(|unit| pair(relation, unit));
        }
        (_, Some(EntityId::Application(id))) if kind == RowKind::Unit => {
            world.application(id).units().for_each(|unit| found(Row::Unit(unit)));
        }
        (_, Some(EntityId::Application(id))) if kind == RowKind::Relation => {
            world.application(id).relations.iter().for_each(|it| found(Row::Relation(*it)));
        }
        (_, Some(entity)) if kind.of_entity(entity).is_some() => {
            kind.of_entity(entity).into_iter().for_each(found);
        }
        (_, _) => kind.rows(world).for_each(found),
    }
}
