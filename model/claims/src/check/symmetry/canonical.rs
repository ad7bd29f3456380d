//! Canonical forms: the representative of a state is the least of its images under a group.

use deathwatch_checker::memo::{Memo, ReadTrail};
use deathwatch_model::{
    pack::{Codec, Local, RenamedRows},
    rows::Read,
    txn::Txn,
    world::World,
};

use super::{
    RenamingGroup,
    images::{ImagePatch, Images},
};

/// The greatest number of bytes that are cached of a row beside its images.
const BYTES: usize = 256;

/// Finds representatives, for one thread. The images of a row depend on that row alone, so they are
/// cached. From one state to the next only the rows that differ are looked at, and the patch of a
/// step is computed once, when the step is learned.
pub(in crate::check) struct Canonicalizer {
    /// For each row a cache from its bits to the index of its images in `known`.
    memos: Vec<Memo<u32>>,
    known: Vec<ImagePatch>,
    /// The bytes that `known` takes, and their limit.
    bytes: usize,
    most_bytes: usize,
    scratch: RenamedRows,
    /// The bits that are compared first: all but numbers of transactions.
    mask: Vec<u64>,
    /// The present state, and for each row its images.
    state: Vec<u64>,
    rows: Vec<RowImages>,
    /// The rows whose images are not cached.
    own: Vec<usize>,
    /// The images of the present state, one for each renaming.
    images: Images,
    /// The renamings to the representative, in ascending order, and the representative.
    least: Vec<usize>,
    representative: Vec<u64>,
    trail: ReadTrail,
    /// The rows in which the next state differs; kept for its memory.
    changed: Vec<usize>,
}

/// The images of a row.
#[derive(Clone)]
enum RowImages {
    Known(u32),
    /// Images that are not cached.
    Own(ImagePatch),
}

impl RowImages {
    #[inline]
    fn bits<'b>(&'b self, known: &'b [ImagePatch]) -> &'b ImagePatch {
        match self {
            Self::Known(number) => &known[*number as usize],
            Self::Own(bits) => bits,
        }
    }
}

impl Canonicalizer {
    /// For states of `world`, with a limit of bytes for its caches.
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
            rows: vec![RowImages::Own(ImagePatch::none()); codec.rows()],
            own: Vec::new(),
            images: Images::empty(group.len(), words),
            least: Vec::new(),
            representative: vec![0; words],
            trail: ReadTrail::default(),
            changed: Vec::new(),
        }
    }

    /// Goes to a packed state, and makes its images.
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
            self.images.clear();
            self.rows.fill(RowImages::Own(ImagePatch::none()));
            self.own.clear();
            self.changed.extend(0..self.rows.len());
        } else {
            codec.differing_rows(&self.state, state, |row| self.changed.push(row));
            // A number that was not final may be that of another transaction by now.
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
            self.images.exchange(new.bits(&self.known));
            let old = std::mem::replace(&mut self.rows[row], new);
            self.images.exchange(old.bits(&self.known));
        }
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    /// The change of the images by a step from one packed state to another. Its end becomes the
    /// present state.
    pub(in crate::check) fn patch(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        [from, to]: [&[u64]; 2],
        txns: &mut Local<Txn>,
    ) -> ImagePatch {
        self.go_to(codec, group, from, txns);
        let before = self.images.clone();
        self.go_to(codec, group, to, txns);
        before.patch_to(&self.images)
    }

    /// Finds the renamings that map the target of a step to its representative.
    fn find_least(&mut self, codec: &Codec, step: &ImagePatch, txns: &mut Local<Txn>) {
        let Self { images, least, mask, .. } = self;
        least.clear();
        images.find_least(mask[0], step, least);
        for (word, mask) in mask.iter().enumerate().skip(1) {
            if least.len() == 1 {
                return;
            }
            let value = |number: &usize| images.word(word, *number, step) & mask;
            let smallest = least.iter().map(value).min();
            least.retain(|number| Some(value(number)) == smallest);
        }
        let mut with_txns = (0..mask.len()).filter(|word| mask[*word] != u64::MAX);
        let is_same = with_txns.all(|word| {
            let first = images.word(word, least[0], step);
            least.iter().all(|number| images.word(word, *number, step) == first)
        });
        if !is_same {
            // The number of a transaction is arbitrary, and may change, so transactions are
            // compared by their contents.
            let mut txns_of = |number| codec.txns_of(&images.image(number, step), txns);
            let smallest = least.iter().map(|number| txns_of(*number)).min();
            least.retain(|number| Some(txns_of(*number)) == smallest);
        }
    }

    /// The images of a row of a state.
    #[inline]
    fn images_of(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> RowImages {
        match self.memos[row].get(state) {
            Some(known) => RowImages::Known(known),
            None => self.learn(codec, group, state, row, txns),
        }
    }

    /// Computes the images of a row of a state, and caches them if they are final.
    fn learn(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> RowImages {
        let images = self.renamed(codec, group, state, row, txns);
        // Whether all transactions in the images have final numbers.
        let mut image = vec![0; state.len()];
        let is_final = (0..group.len()).all(|number| {
            images.write_image(number, &ImagePatch::none(), &mut image);
            codec.is_final(&image, txns)
        });
        let patch = Images::empty(group.len(), state.len()).patch_to(&images);
        if !is_final {
            return RowImages::Own(patch);
        }
        self.trail.clear(state.len());
        let read = Read::Row(codec.row_at(row).expect("it is one"));
        codec.bits_of(read, &mut |word, bits| self.trail.add(word, bits));
        self.trail.end();
        let number = u32::try_from(self.known.len()).expect("they are few");
        self.memos[row].insert(state, &self.trail, number);
        self.bytes += BYTES + patch.bytes();
        self.known.push(patch);
        RowImages::Known(number)
    }

    /// The images of one row of a state, all other bits empty.
    fn renamed(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        state: &[u64],
        row: usize,
        txns: &mut Local<Txn>,
    ) -> Images {
        let mut images = Images::empty(group.len(), state.len());
        let mut image = vec![0; state.len()];
        for number in 0..group.len() {
            image.fill(0);
            let with = (&mut self.scratch, &mut *txns);
            codec.pack_renamed(state, row, group.element(number), with, &mut image);
            images.add(number, &image);
        }
        images
    }

    /// The image of a step's target by this renaming.
    pub(in crate::check) fn image(&self, number: usize, step: &ImagePatch) -> Vec<u64> {
        self.images.image(number, step)
    }

    /// The representative of a step's target, and the renaming from there to the target.
    pub(in crate::check) fn least(
        &mut self,
        codec: &Codec,
        group: &RenamingGroup,
        step: &ImagePatch,
        txns: &mut Local<Txn>,
    ) -> (&[u64], usize) {
        self.find_least(codec, step, txns);
        let Self { images, least, representative, .. } = self;
        images.write_image(least[0], step, representative);
        (representative, group.inverse(least[0]))
    }

    /// The stabilizer of the present state, which must be a representative: the renamings that
    /// leave it as it is, in ascending order.
    pub(in crate::check) fn stabilizer(
        &mut self,
        codec: &Codec,
        txns: &mut Local<Txn>,
    ) -> &[usize] {
        self.find_least(codec, &ImagePatch::none(), txns);
        assert_eq!(self.least[0], 0, "it is a representative");
        &self.least
    }
}
