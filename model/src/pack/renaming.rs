//! Packed states, renamed row by row.

use std::sync::Arc;

use super::{Codec, Local, number_at};
use crate::{
    ids::{Id as _, Rename as _, Renaming, UnitId},
    rows::{RowReader, Slot, TXN_BITS, Touched, write_bits},
    state::{RowVisitor, State, Stored},
    txn::Txn,
    world::World,
};

/// Scratch memory for the renaming of rows.
pub struct RenamedRows {
    from: State,
    to: State,
    touched: Touched,
}

impl RenamedRows {
    /// For the states of a world.
    pub fn new(world: &World) -> Self {
        Self { from: State::empty(world), to: State::empty(world), touched: Touched::new() }
    }
}

impl Codec {
    /// The number of rows of a state.
    pub fn rows(&self) -> usize {
        self.layout.rows.len()
    }

    /// Whether each row has the same layout of bits as its image under a renaming, so that both can
    /// hold the same values, renamed.
    pub fn fits(&self, by: &Renaming) -> bool {
        self.layout.rows.iter().all(|place| {
            let target = &self.layout.rows[self.layout.index(place.row.renamed(by))];
            held(self.layout.slots(place), Some(by)) == held(self.layout.slots(target), None)
        })
    }

    /// Packs the image of the row with this index into `words`, in the bits of that row.
    pub fn pack_renamed(
        &self,
        state: &[u64],
        index: usize,
        by: &Renaming,
        (scratch, txns): (&mut RenamedRows, &mut Local<Txn>),
        words: &mut [u64],
    ) {
        struct Renames<'a> {
            reader: RowReader<'a>,
            by: &'a Renaming,
            scratch: &'a mut RenamedRows,
        }

        impl RowVisitor for Renames<'_> {
            type Out = ();

            fn visit<R: Stored>(mut self, key: R::Key) {
                let RenamedRows { from, to, touched } = self.scratch;
                R::change(from, key, touched, |row| row.take(&mut self.reader));
                R::look(from, key, |row| {
                    let take = |renamed: &mut R| renamed.take_renamed(row, self.by);
                    R::change(to, key.renamed(self.by), touched, take);
                });
            }
        }

        let place = &self.layout.rows[index];
        scratch.touched.clear();
        let slots = self.layout.slots(place);
        let reader = RowReader::new(state, place.bits.0, slots, (&self.txns, txns));
        place.row.visit(Renames { reader, by, scratch });
        let target = self.layout.index(place.row.renamed(by));
        self.pack_place(&scratch.to, target, txns, words);
    }

    /// A mask of the bits that hold numbers of transactions. Numbers depend on the order in which
    /// the transactions were met, so they must not decide an order of states.
    pub fn mask_of_txns(&self) -> Vec<u64> {
        let (mut mask, all) = (vec![0; self.words], u64::MAX >> (64 - TXN_BITS));
        self.layout.numbers.iter().for_each(|it| write_bits(&mut mask, *it, TXN_BITS, all));
        mask
    }

    /// The transactions that are pending in a packed state, in the order of their places.
    pub fn txns_of(&self, state: &[u64], txns: &mut Local<Txn>) -> Vec<Option<Arc<Txn>>> {
        let numbers = self.layout.numbers.iter();
        numbers.map(|offset| self.txns.snapshot(number_at(state, *offset), txns)).collect()
    }
}

/// The kind of the values of a slot, or of a few slots together.
#[derive(PartialEq, Eq)]
enum Held {
    Nothing,
    /// A number below the first one, with the second one standing for 0.
    Number(u32, u32),
    /// A set of some of these units, in ascending order.
    Units(Vec<UnitId>),
}

/// The kinds of the values in a row's slots, renamed. Sets are taken for sets of units, as no
/// machine is a container here.
fn held(slots: &[Slot], by: Option<&Renaming>) -> Vec<Held> {
    let mut all = Vec::new();
    for slot in slots {
        if let Some(units) = slot.members() {
            let units = units.map(UnitId::new);
            let units = units.map(|unit| by.map_or(unit, |by| unit.renamed(by)));
            match all.last_mut() {
                Some(Held::Units(known)) => known.extend(units),
                _ => all.push(Held::Units(units.collect())),
            }
        } else if slot.width() == 0 {
            all.push(Held::Nothing);
        } else {
            let (below, base) = slot.numbers();
            all.push(Held::Number(below, base));
        }
    }
    for held in &mut all {
        if let Held::Units(units) = held {
            units.sort_unstable();
        }
    }
    all
}
