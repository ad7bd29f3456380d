//! The images of a state under a group of renamings, all together.

use indexmap::IndexSet;

/// The images of a packed state under all renamings of a group, in their order: the first words of
/// all images, then their second words, and so on.
#[derive(Clone)]
pub(super) struct Images {
    renamings: usize,
    words: Vec<u64>,
}

/// The change of the images of a state: by a step, or by the value of a row.
///
/// A renaming exchanges a few entities among many, so images mostly change alike, and each word has
/// few distinct changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::check) struct ImagePatch {
    /// The words in which any image changes, in ascending order, each with the index of its first
    /// change.
    words: Box<[(u32, u32)]>,
    /// The changed bits, each pattern once for a word.
    changes: Box<[u64]>,
    /// For each of the words and each image, the index of its change among those of the word.
    by_renaming: Box<[u16]>,
}

/// The change of one word of all images.
#[derive(Clone, Copy)]
struct WordPatch<'p> {
    changes: &'p [u64],
    by_renaming: &'p [u16],
}

impl WordPatch<'_> {
    #[inline]
    fn of(self, renaming: usize) -> u64 {
        self.changes[usize::from(self.by_renaming[renaming])]
    }

    #[inline]
    fn each(self) -> impl Iterator<Item = u64> {
        self.by_renaming.iter().map(move |change| self.changes[usize::from(*change)])
    }
}

impl Images {
    /// The images of a state of this number of words with no bit set.
    pub(super) fn empty(renamings: usize, words: usize) -> Self {
        Self { renamings, words: vec![0; renamings * words] }
    }

    /// Applies a patch: flips its bits in the images.
    #[inline]
    pub(super) fn exchange(&mut self, patch: &ImagePatch) {
        for (word, patch) in patch.words(self.renamings) {
            let images = &mut self.words[word * self.renamings..][..self.renamings];
            images.iter_mut().zip(patch.each()).for_each(|(image, bits)| *image ^= bits);
        }
    }

    pub(super) fn add(&mut self, renaming: usize, bits: &[u64]) {
        for (word, bits) in bits.iter().enumerate() {
            self.words[word * self.renamings + renaming] |= bits;
        }
    }

    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// A word of one image after `patch`.
    #[inline]
    pub(super) fn word(&self, word: usize, renaming: usize, patch: &ImagePatch) -> u64 {
        let bits = patch.word(word, self.renamings);
        self.words[word * self.renamings + renaming] ^ bits.map_or(0, |bits| bits.of(renaming))
    }

    /// Replaces `least` by the renamings, in ascending order, whose image after `patch` has the
    /// least masked first word.
    #[inline]
    pub(super) fn find_least(&self, mask: u64, patch: &ImagePatch, least: &mut Vec<usize>) {
        let words = &self.words[..self.renamings];
        match patch.word(0, self.renamings) {
            None => find_least(words.iter().map(|word| word & mask), least),
            Some(bits) => {
                let words = words.iter().zip(bits.each());
                find_least(words.map(|(word, bits)| (word ^ bits) & mask), least);
            }
        }
    }

    /// One image after `patch`.
    pub(super) fn image(&self, renaming: usize, patch: &ImagePatch) -> Vec<u64> {
        let mut image = vec![0; self.words.len() / self.renamings];
        self.write_image(renaming, patch, &mut image);
        image
    }

    /// Writes one image after `patch` to `image`.
    #[inline]
    pub(super) fn write_image(&self, renaming: usize, patch: &ImagePatch, image: &mut [u64]) {
        for (word, value) in image.iter_mut().enumerate() {
            *value = self.words[word * self.renamings + renaming];
        }
        for (word, patch) in patch.words(self.renamings) {
            image[word] ^= patch.of(renaming);
        }
    }

    /// The patch from these images to `other`.
    pub(super) fn patch_to(&self, other: &Self) -> ImagePatch {
        let (mut words, mut changes, mut by_renaming) = (Vec::new(), Vec::new(), Vec::new());
        let both = self.words.chunks(self.renamings).zip(other.words.chunks(self.renamings));
        for (word, (one, other)) in (0..).zip(both).filter(|(_, (one, other))| one != other) {
            let different: IndexSet<u64> =
                one.iter().zip(other).map(|(one, it)| one ^ it).collect();
            let number = |bits| different.get_index_of(&bits).expect("it is one of them");
            let numbers = one.iter().zip(other).map(|(one, other)| number(one ^ other));
            let narrow = |number| u16::try_from(number).expect("as many as renamings at most");
            by_renaming.extend(numbers.map(narrow));
            words.push((word, u32::try_from(changes.len()).expect("they are few")));
            changes.extend(different);
        }
        ImagePatch { words: words.into(), changes: changes.into(), by_renaming: by_renaming.into() }
    }
}

impl ImagePatch {
    pub(in crate::check) fn none() -> Self {
        Self::default()
    }

    /// The words that change, each with its patch.
    #[inline]
    fn words(&self, renamings: usize) -> impl Iterator<Item = (usize, WordPatch<'_>)> {
        // A product instead of a division, which chunks of the list would take.
        self.words.iter().enumerate().map(move |(place, (word, first))| {
            let by_renaming = &self.by_renaming[place * renamings..][..renamings];
            let changes = &self.changes[*first as usize..];
            (*word as usize, WordPatch { changes, by_renaming })
        })
    }

    /// The change of a word, if it changes.
    #[inline]
    fn word(&self, word: usize, renamings: usize) -> Option<WordPatch<'_>> {
        self.words(renamings).find(|(changed, _)| *changed == word).map(|(_, patch)| patch)
    }

    /// The memory of the patch, in bytes.
    pub(in crate::check) fn bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.changes) + size_of_val(&*self.by_renaming)
    }
}

/// Replaces `least` by the indices of the least of some values.
#[inline]
fn find_least(values: impl Iterator<Item = u64>, least: &mut Vec<usize>) {
    let mut smallest = u64::MAX;
    for (place, value) in values.enumerate() {
        if value < smallest {
            least.clear();
            smallest = value;
        }
        if value == smallest {
            least.push(place);
        }
    }
}
