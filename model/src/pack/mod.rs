//! Packed states: every field of a state in as few bits as its world needs.
//!
//! The packed form is the state, whole: two states are equal if and only if their words are. Each
//! row has fixed bits of its own, so a step packs only the rows that it touched, and a move from
//! one state to another unpacks only the rows that differ.

mod layout;
mod renaming;
#[cfg(test)]
mod tests;

use crate::{
    interner::Interner,
    rows::{
        AtStart, Read, Row, RowReader, RowWriter, TXN_BITS, Touched, WorldBounds, read_bits,
        txn_interner, write_bits,
    },
    state::{RowVisitor, State, Stored},
    txn::Txn,
    world::World,
};
use layout::Layout;

pub use crate::interner::{Local, Overflow};
pub use layout::StateTooLarge;
pub use renaming::RenamedRows;

/// The packing of the states of one world.
pub struct Codec {
    layout: Layout,
    words: usize,
    txns: Interner<Txn>,
}

impl Codec {
    /// The codec for a world. `start` has the scripted clients, and facts on which bounds depend.
    ///
    /// # Errors
    /// If a state is too large.
    pub fn new(world: &World, start: &State) -> Result<Self, StateTooLarge> {
        let bounds = WorldBounds::of(world, at_start(world, start));
        let layout = Layout::new(world, start.runtime.clients().len(), &bounds)?;
        let words = layout.row_at.len().div_ceil(64).max(1);
        let codec = Self { layout, words, txns: txn_interner() };
        codec.number_what_is_pending(start);
        Ok(codec)
    }

    /// Gives final numbers to the transactions pending at the start, before any threads do.
    fn number_what_is_pending(&self, start: &State) {
        let words = self.pack(start, &mut Local::default());
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            for &offset in &self.layout.numbers {
                renumber(number_at(&words, offset));
            }
        };
        self.txns.commit(walk, |_| Vec::new()).expect("there are fewer actors than numbers");
    }

    /// Makes the numbers of transactions given since the last commit final, in the order of the new
    /// states. `each` calls its argument with each new state. With each new transaction its
    /// `images` get numbers.
    ///
    /// # Errors
    /// If there were too few numbers.
    pub fn commit(
        &self,
        each: impl FnOnce(&mut dyn FnMut(&mut [u64])),
        images: impl Fn(&Txn) -> Vec<Txn>,
    ) -> Result<(), Overflow> {
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            each(&mut |state| {
                for &offset in &self.layout.numbers {
                    let number = number_at(state, offset);
                    write_bits(state, offset, TXN_BITS, renumber(number).into());
                }
            });
        };
        self.txns.commit(walk, images)
    }

    pub fn greatest_final_number(&self) -> u32 {
        self.txns.committed()
    }

    /// The numbers of the transactions of a packed state, in its order; 0 where none is pending.
    pub fn numbers(&self, words: &[u64]) -> impl Iterator<Item = u32> {
        self.layout.numbers.iter().map(|offset| number_at(words, *offset))
    }

    /// The greatest number that a transaction of a packed state has; 0 if none is pending.
    pub fn greatest_number(&self, words: &[u64]) -> u32 {
        self.numbers(words).max().unwrap_or(0)
    }

    /// The index of a row among all rows, which is the same in every process.
    pub fn index_of(&self, row: Row) -> usize {
        self.layout.index(row)
    }

    pub fn row_at(&self, index: usize) -> Option<Row> {
        self.layout.rows.get(index).map(|place| place.row)
    }

    /// Whether all transactions of a state have final numbers, as far as this thread knows.
    pub fn is_final(&self, words: &[u64], txns: &Local<Txn>) -> bool {
        self.layout.numbers.iter().all(|offset| txns.is_final(number_at(words, *offset)))
    }

    /// Calls `each` with the bits of a packed state that a read value is packed in: the index of a
    /// word, and a mask of bits in it. A value without bits, as the world has no such row, is
    /// constant.
    pub fn bits_of(&self, read: Read, each: &mut impl FnMut(usize, u64)) {
        self.layout.bits_of(read, each);
    }

    /// The number of words of a packed state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Packs all of `state`.
    pub fn pack(&self, state: &State, txns: &mut Local<Txn>) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for index in 0..self.layout.rows.len() {
            self.pack_place(state, index, txns, &mut words);
        }
        words
    }

    /// Packs one row of `state` into `words`.
    pub fn pack_row(&self, state: &State, row: Row, txns: &mut Local<Txn>, words: &mut [u64]) {
        self.pack_place(state, self.layout.index(row), txns, words);
    }

    #[inline]
    fn pack_place(&self, state: &State, index: usize, txns: &mut Local<Txn>, words: &mut [u64]) {
        struct Pack<'a>(&'a State, RowWriter<'a>);

        impl RowVisitor for Pack<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                let Self(state, mut writer) = self;
                R::look(state, key, |row| row.put(&mut writer));
                writer.finish();
            }
        }

        let place = &self.layout.rows[index];
        let writer =
            RowWriter::new(words, place.bits.0, self.layout.slots(place), (&self.txns, txns));
        place.row.visit(Pack(state, writer));
    }

    /// Moves `state` from the packed state `here` to `words`, and sets `here` to `words`. Only the
    /// rows that differ are unpacked, and recorded as touched.
    pub fn unpack(
        &self,
        here: &mut [u64],
        words: &[u64],
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        self.differing_rows(here, words, |index| {
            self.unpack_place(words, index, txns, state, touched);
        });
        here.copy_from_slice(words);
    }

    /// Calls `each` with the index of each row in which two packed states differ, in order.
    #[inline]
    pub fn differing_rows(&self, here: &[u64], there: &[u64], mut each: impl FnMut(usize)) {
        let mut done = 0;
        for (start, (before, after)) in (0..).step_by(64).zip(here.iter().zip(there)) {
            let mut different = before ^ after;
            while different != 0 {
                let bit = start + different.trailing_zeros();
                if bit >= done {
                    let index = self.layout.row_at[bit as usize] as usize;
                    each(index);
                    done = self.layout.rows[index].bits.1;
                }
                different &= u64::MAX.checked_shl(done - start).unwrap_or(0);
            }
        }
    }

    fn unpack_place(
        &self,
        words: &[u64],
        index: usize,
        txns: &mut Local<Txn>,
        state: &mut State,
        touched: &mut Touched,
    ) {
        struct Unpack<'a>(&'a mut State, &'a mut Touched, RowReader<'a>);

        impl RowVisitor for Unpack<'_> {
            type Out = ();

            #[inline]
            fn visit<R: Stored>(self, key: R::Key) {
                let Self(state, touched, mut reader) = self;
                R::change(state, key, touched, |row| row.take(&mut reader));
            }
        }

        let place = &self.layout.rows[index];
        let reader =
            RowReader::new(words, place.bits.0, self.layout.slots(place), (&self.txns, txns));
        place.row.visit(Unpack(state, touched, reader));
    }
}

/// The number of a transaction that is packed at `offset`.
fn number_at(words: &[u64], offset: u32) -> u32 {
    u32::try_from(read_bits(words, offset, TXN_BITS)).expect("a number is short")
}

/// The facts of the start on which bounds depend.
fn at_start(world: &World, start: &State) -> AtStart {
    let store = &start.store;
    let is_forced = world.unit_ids().any(|id| store.unit_docs(id).force)
        || world.machine_ids().any(|id| store.machine_docs(id).force);
    AtStart {
        forced: is_forced || start.runtime.pending_txns().next().is_some(),
        units_cleanup: world.application_ids().any(|id| store.application_docs(id).units_cleanup),
    }
}
