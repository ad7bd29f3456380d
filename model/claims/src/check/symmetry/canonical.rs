//! Representatives: of all that the renamings of a group make of a state, the least one.

use std::cmp::Ordering;

use deathwatch_checker::memo::{Memo, ReadTrail};
use deathwatch_model::{
    pack::{Codec, Local, RenamedRows},
    rows::Read,
    txn::Txn,
    world::World,
};

use super::RenamingGroup;

/// What is remembered of a row takes at most these bytes beside its images.
const BYTES: usize = 256;

/// Bits of renamed states: words of all of them, one state after the other, and the bits in each.
type Bits = Box<[(u32, u64)]>;

/// Finds representatives, for one thread. What a renaming makes of a row depends on that row alone,
/// so it is looked up; and from one state to the next only what differs is looked at.
pub(in crate::check) struct Canonicalizer {
    /// For each row the number of what the renamings make of it, by its bits.
    memos: Vec<Memo<u32>>,
    known: Vec<Bits>,
    /// The bytes that `known` takes, and those that it may take.
    bytes: usize,
    most_bytes: usize,
    scratch: RenamedRows,
    /// The bits that are compared first: all but numbers of transactions.
    mask: Vec<u64>,
    /// The state that it is at, and for each row what the renamings make of it.
    state: Vec<u64>,
    rows: Vec<RowImages>,
    /// The rows of which something is not remembered.
    own: Vec<usize>,
    /// What each renaming makes of that state, one after the other.
    images: Vec<u64>,
    /// The same of the state that it looks at.
    present: Vec<u64>,
    /// The renamings that make the representative of that, in ascending order.
    least: Vec<usize>,
    trail: ReadTrail,
    /// A state that differs from each in all bits.
    differing: Vec<u64>,
    /// The rows in which the next state differs; kept for its memory.
    changed: Vec<usize>,
}

/// What renamings make of a row.
#[derive(Clone)]
enum RowImages {
    /// What is known by this number.
    Known(u32),
    /// What is not remembered.
    Own(Bits),
}

impl RowImages {
    /// Puts these bits into the images of a state, or takes them out.
    #[inline]
    fn exchange(&self, known: &[Bits], images: &mut [u64]) {
        let bits = match self {
            Self::Known(number) => &known[*number as usize],
            Self::Own(bits) => bits,
        };
        for (word, bits) in bits {
            images[*word as usize] ^= bits;
        }
    }
}

impl Canonicalizer {
    /// For states of `world`, where what is remembered may take this number of bytes.
    pub(in crate::check) fn new(
        world: &World,
        codec: &Codec,
        group: &RenamingGroup,
        most_bytes: usize,
    ) -> Self {
        let words = codec.words();
        Self {
            memos: vec![Memo::default(); codec.rows()],
            known: Vec::new(),
            bytes: 0,
            most_bytes,
            scratch: RenamedRows::new(world),
            mask: codec.mask_of_txns().into_iter().map(|bits| !bits).collect(),
            state: Vec::new(),
            rows: vec![RowImages::Own(Box::default()); codec.rows()],
            own: Vec::new(),
            images: vec![0; group.len() * words],
            present: Vec::new(),
            least: Vec::new(),
            trail: ReadTrail::default(),
            differing: vec![u64::MAX; words],
            changed: Vec::new(),
        }
    }

    /// Goes to a packed state, and looks at it: makes all that the renamings make of it.
    pub(in crate::check) fn go_to(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        txns: &mut Local<Txn>,
    ) {
        if self.bytes > self.most_bytes {
            self.memos.fill(Memo::default());
            self.known.clear();
            (self.bytes, self.state) = (0, Vec::new());
        }
        self.changed.clear();
        if self.state.is_empty() {
            self.images.fill(0);
            self.rows.fill(RowImages::Own(Box::default()));
            self.own.clear();
            self.changed.extend(0..self.rows.len());
        } else {
            codec.differing_rows(&self.state, state, |row| self.changed.push(row));
            // A number that was not final may have become that of another transaction since.
            self.changed.append(&mut self.own);
            self.changed.sort_unstable();
            self.changed.dedup();
        }
        for at in 0..self.changed.len() {
            let row = self.changed[at];
            let new = self.images_of(codec, group, state, row, txns);
            if matches!(new, RowImages::Own(_)) {
                self.own.push(row);
            }
            let old = std::mem::replace(&mut self.rows[row], new);
            old.exchange(&self.known, &mut self.images);
            self.rows[row].exchange(&self.known, &mut self.images);
        }
        self.state.clear();
        self.state.extend_from_slice(state);
        self.present.clone_from(&self.images);
        self.find_least(codec, group, txns);
    }

    /// Looks at a packed state that differs little from the one that it is at, where it stays.
    pub(in crate::check) fn look_at(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        txns: &mut Local<Txn>,
    ) {
        self.present.copy_from_slice(&self.images);
        self.changed.clear();
        codec.differing_rows(&self.state, state, |row| self.changed.push(row));
        for at in 0..self.changed.len() {
            let row = self.changed[at];
            let new = self.images_of(codec, group, state, row, txns);
            self.rows[row].exchange(&self.known, &mut self.present);
            new.exchange(&self.known, &mut self.present);
        }
        self.find_least(codec, group, txns);
    }

    fn find_least(&mut self, codec: &Codec, group: &RenamingGroup, txns: &mut Local<Txn>) {
        self.least.clear();
        self.least.push(0);
        for number in group.others() {
            let order = self.compare(number, self.least[0], codec, txns);
            if order == Ordering::Less {
                self.least.clear();
            }
            if order != Ordering::Greater {
                self.least.push(number);
            }
        }
    }

    /// What the renamings make of a row of a state.
    #[inline]
    fn images_of(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> RowImages {
        match self.memos[row].find(state, &self.differing) {
            Some(known) => RowImages::Known(known),
            None => self.learn(codec, group, state, row, txns),
        }
    }

    /// What the renamings make of a row of a state, which is remembered if it can be.
    fn learn(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> RowImages {
        let bits = self.renamed(codec, group, state, row, txns);
        if !is_final(codec, group, &bits, txns) {
            return RowImages::Own(bits);
        }
        self.trail.clear(state.len());
        let read = Read::Row(codec.row_at(row).expect("it is one"));
        codec.bits_of(read, &mut |word, bits| self.trail.add(word, bits));
        self.trail.end();
        let number = u32::try_from(self.known.len()).expect("they are few");
        self.memos[row].insert(state, &self.trail, number);
        self.bytes += BYTES + size_of_val(&*bits);
        self.known.push(bits);
        RowImages::Known(number)
    }

    /// What each renaming makes of a row of a state.
    fn renamed(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> Bits {
        let mut bits = Vec::new();
        for number in 0..group.len() {
            let mut image = vec![0; state.len()];
            let with = (&mut self.scratch, &mut *txns);
            codec.pack_renamed(state, row, group.element(number), with, &mut image);
            let first = number * state.len();
            let words = (first..).zip(image).filter(|(_, bits)| *bits != 0);
            let narrow = |word| u32::try_from(word).expect("they are few");
            bits.extend(words.map(|(word, bits)| (narrow(word), bits)));
        }
        bits.into()
    }

    /// What this renaming makes of the state that it looks at.
    pub(in crate::check) fn image(&self, number: usize) -> &[u64] {
        let words = self.mask.len();
        &self.present[number * words..(number + 1) * words]
    }

    /// The representative of the state, and the renaming that makes the state of it.
    pub(in crate::check) fn least(&self, group: &RenamingGroup) -> (&[u64], usize) {
        (self.image(self.least[0]), group.inverse(self.least[0]))
    }

    /// The renamings that leave the state as it is, if it is a representative, in ascending order.
    pub(in crate::check) fn stabilizer(&self) -> &[usize] {
        assert_eq!(self.least[0], 0, "it is a representative");
        &self.least
    }

    /// The number of states that the state stands for, if it is a representative.
    pub(in crate::check) fn orbit(&self, group: &RenamingGroup) -> u64 {
        (group.len() / self.stabilizer().len()) as u64
    }

    /// Compares what two renamings make of the state. The number of a transaction says nothing of
    /// it, and may become another one, so transactions are compared as they are.
    fn compare(&self, one: usize, other: usize, codec: &Codec, txns: &mut Local<Txn>) -> Ordering {
        let [mine, theirs] = [one, other].map(|number| self.image(number));
        let mut is_same = true;
        for ((one, other), mask) in mine.iter().zip(theirs).zip(&self.mask) {
            let order = (one & mask).cmp(&(other & mask));
            if order != Ordering::Equal {
                return order;
            }
            is_same &= one == other;
        }
        if is_same {
            return Ordering::Equal;
        }
        codec.txns_of(mine, txns).cmp(&codec.txns_of(theirs, txns))
    }
}

/// Whether the transactions in what the renamings make of a row have final numbers.
fn is_final(codec: &Codec, group: &RenamingGroup, bits: &[(u32, u64)], txns: &Local<Txn>) -> bool {
    let mut images = vec![0; group.len() * codec.words()];
    for (word, bits) in bits {
        images[*word as usize] |= bits;
    }
    images.chunks(codec.words()).all(|image| codec.is_final(image, txns))
}
