//! The layout of packed states: where each row sits, and the slots of its fields.

use std::ops::Range;

use crate::{
    ids::{ClientId, Id, RelationId, UnitId},
    rows::{KeyParts, Read, Row, RowKind, Slot, TXN_BITS, WorldBounds},
    state::{RowVisitor, Stored},
    world::World,
};

/// The greatest number of bits of a packed state, which are 128 KiB.
const MOST_BITS: u64 = 1 << 20;

/// The error that a packed state would take more than 128 KiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateTooLarge;

/// The layout of the packed states of one world.
#[derive(Default)]
pub(super) struct Layout {
    /// The rows, in the order of their bits.
    pub(super) rows: Vec<RowPlace>,
    /// The slots of all rows, one row after the other.
    slots: Vec<Slot>,
    /// For each kind the index of its first row.
    first: [usize; RowKind::ALL.len()],
    /// For each relation the units of its ends: the number of pairs of all relations before it, and
    /// of each end the first unit and the number of units.
    members: Vec<(usize, [(usize, usize); 2])>,
    /// For each application its units.
    units: Vec<Range<usize>>,
    /// For each bit of a packed state the index of the row that it belongs to.
    pub(super) row_at: Vec<u32>,
    /// The first bits of the numbers of transactions, in ascending order.
    pub(super) numbers: Vec<u32>,
}

pub(super) struct RowPlace {
    pub(super) row: Row,
    /// The first of its bits, and the one behind the last.
    pub(super) bits: (u32, u32),
    /// The first of its slots, and the one behind the last.
    slots: (u32, u32),
}

impl Layout {
    /// The layout of a world with these bounds, and with this number of scripted clients.
    ///
    /// # Errors
    /// If a state is too large.
    pub(super) fn new(
        world: &World,
        clients: usize,
        bounds: &WorldBounds<'_>,
    ) -> Result<Self, StateTooLarge> {
        let mut pairs = 0;
        let members = world.relation_ids().map(|id| {
            let [one, other] = world.members(id).map(|units| (units.start, units.len()));
            pairs += one.1 + other.1;
            (pairs - one.1 - other.1, [one, other])
        });
        let mut layout = Self {
            members: members.collect(),
            units: world.applications.iter().map(|it| it.units.clone()).collect(),
            ..Self::default()
        };
        for kind in RowKind::ALL {
            layout.first[kind as usize] = layout.rows.len();
            let scripted = (0..clients).map(|index| Row::Client(ClientId::new(index)));
            let scripted = scripted.filter(|_| kind == RowKind::Client);
            for row in kind.rows(world).chain(scripted) {
                layout.add(bounds, row)?;
            }
        }
        Ok(layout)
    }

    fn add(&mut self, bounds: &WorldBounds<'_>, row: Row) -> Result<(), StateTooLarge> {
        struct LayOut<'a>(&'a WorldBounds<'a>, &'a mut Vec<Slot>);

        impl RowVisitor for LayOut<'_> {
            type Out = u64;

            fn visit<R: Stored>(self, key: R::Key) -> u64 {
                R::lay_out(self.0, key, self.1)
            }
        }

        let (slots, begin) = (self.slots.len(), self.row_at.len() as u64);
        let end = begin + row.visit(LayOut(bounds, &mut self.slots));
        if end > MOST_BITS {
            return Err(StateTooLarge);
        }
        let narrow = |value: u64| u32::try_from(value).expect("it is below the limit");
        let mut offset = narrow(begin);
        for slot in &self.slots[slots..] {
            if slot.is_txn() {
                self.numbers.push(offset);
            }
            offset += slot.width();
        }
        assert!(u64::from(offset) == end, "the slots of a row are as wide as the row");
        let index = narrow(self.rows.len() as u64);
        self.row_at.extend((begin..end).map(|_| index));
        let slots = (narrow(slots as u64), narrow(self.slots.len() as u64));
        self.rows.push(RowPlace { row, bits: (narrow(begin), narrow(end)), slots });
        Ok(())
    }

    /// Calls `each` with the bits that a read value is packed in: the index of a word, and a mask
    /// of bits in it. A value without bits, as the world has no such row, is constant.
    pub(super) fn bits_of(&self, read: Read, each: &mut impl FnMut(usize, u64)) {
        match read {
            Read::Row(row) => {
                if let Some(place) = self.place(row) {
                    split_bits(place.bits, each);
                }
            }
            Read::Broadcast(id) => self.bits_of(Read::Relation(RowKind::Membership, id), each),
            Read::Relation(kind, id) => {
                let (before, [(_, count), (_, others)]) = self.members[id.index()];
                let rows = self.rows_of(kind).skip(before).take(count + others);
                rows.for_each(|place| split_bits(place.bits, each));
            }
            Read::AnyAlive(id, _) => {
                let units = &self.units[id.index()];
                let rows = self.rows_of(RowKind::Unit).skip(units.start).take(units.len());
                rows.for_each(|place| split_bits(place.bits, each));
            }
            Read::All(kind) => self.rows_of(kind).for_each(|place| split_bits(place.bits, each)),
            // A unit's agent names its deployer in its first slot.
            Read::Deployers => {
                for place in self.rows_of(RowKind::UnitRuntime) {
                    let deployer = self.slots(place)[0].width();
                    split_bits((place.bits.0, place.bits.0 + deployer), each);
                }
            }
            // The row that the count is in was read, too.
            Read::Count(_) => {}
            Read::Pending => {
                for offset in &self.numbers {
                    split_bits((*offset, offset + TXN_BITS), each);
                }
            }
        }
    }

    fn rows_of(&self, kind: RowKind) -> impl Iterator<Item = &RowPlace> {
        let rows = self.rows[self.first[kind as usize]..].iter();
        rows.take_while(move |place| place.row.kind() == kind)
    }

    /// The place of a row; `None` if the world has no such row.
    fn place(&self, row: Row) -> Option<&RowPlace> {
        if let KeyParts::Pair(relation, unit) = row.parts()
            && !self.concerns(relation, unit)
        {
            return None;
        }
        self.rows.get(self.index(row)).filter(|place| place.row == row)
    }

    /// Whether a unit is one of a relation's ends.
    fn concerns(&self, relation: RelationId, unit: UnitId) -> bool {
        let (_, ends) = &self.members[relation.index()];
        ends.iter().any(|(first, count)| (*first..first + count).contains(&unit.index()))
    }

    pub(super) fn index(&self, row: Row) -> usize {
        let first = self.first[row.kind() as usize];
        match row.parts() {
            KeyParts::Entity(entity) => first + entity.index(),
            KeyParts::Pair(relation, unit) => first + self.pair(relation, unit),
            KeyParts::Other(index) => first + index,
        }
    }

    /// The number of a relation and a unit of its ends among all pairs.
    fn pair(&self, relation: RelationId, unit: UnitId) -> usize {
        let (before, [(first, count), (second, others)]) = self.members[relation.index()];
        let (at, behind) = (unit.index().wrapping_sub(first), unit.index().wrapping_sub(second));
        assert!(at < count || behind < others, "a relation does not concern this unit");
        before + if at < count { at } else { count + behind }
    }

    #[inline]
    pub(super) fn slots(&self, place: &RowPlace) -> &[Slot] {
        let (first, end) = place.slots;
        &self.slots[first as usize..end as usize]
    }
}

/// Calls `each` with a range of bits word by word: the index of the word, and a mask of bits in it.
fn split_bits((first, end): (u32, u32), each: &mut impl FnMut(usize, u64)) {
    let mut bit = first;
    while bit < end {
        let width = (64 - bit % 64).min(end - bit);
        each((bit / 64) as usize, u64::MAX >> (64 - width) << (bit % 64));
        bit += width;
    }
}
