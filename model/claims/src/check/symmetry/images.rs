//! What the renamings of a group make of a state, all together.

/// Bits of the images of a state: the places of words among all, and the bits in each.
pub(super) type Bits = Box<[(u32, u64)]>;

/// The images of a packed state under all renamings of a group, in their order: the first words of
/// all images, then their second words, and so on.
#[derive(Clone)]
pub(super) struct Images {
    renamings: usize,
    words: Vec<u64>,
}

/// What a step changes in the images of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::check) struct ImagePatch {
    /// The words in which any image changes, in ascending order.
    words: Box<[u32]>,
    /// For each of these, in each image the bits that become others.
    bits: Box<[u64]>,
}

impl Images {
    /// Of a state of this number of words without a bit.
    pub(super) fn empty(renamings: usize, words: usize) -> Self {
        Self { renamings, words: vec![0; renamings * words] }
    }

    /// The place of a word of an image.
    pub(super) fn place(&self, word: usize, renaming: usize) -> u32 {
        u32::try_from(word * self.renamings + renaming).expect("they are few")
    }

    /// Puts bits that are not there into the images, and takes out those that are.
    #[inline]
    pub(super) fn exchange(&mut self, bits: &[(u32, u64)]) {
        for (place, bits) in bits {
            self.words[*place as usize] ^= bits;
        }
    }

    /// Takes out all bits.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }

    /// What `patch` makes of a word of one image.
    #[inline]
    pub(super) fn word(&self, word: usize, renaming: usize, patch: &ImagePatch) -> u64 {
        let bits = patch.bits_of(word, self.renamings);
        self.words[word * self.renamings + renaming] ^ bits.map_or(0, |bits| bits[renaming])
    }

    /// Adds to `least` the renamings, in ascending order, for which some bits of the first word are
    /// least, as `patch` makes it.
    #[inline]
    pub(super) fn find_least(&self, mask: u64, patch: &ImagePatch, least: &mut Vec<usize>) {
        let words = &self.words[..self.renamings];
        match patch.bits_of(0, self.renamings) {
            None => find_least(words.iter().map(|word| word & mask), least),
            Some(bits) => {
                find_least(words.iter().zip(bits).map(|(word, bits)| (word ^ bits) & mask), least);
            }
        }
    }

    /// One image, as `patch` makes it.
    pub(super) fn image(&self, renaming: usize, patch: &ImagePatch) -> Vec<u64> {
        let mut image = Vec::new();
        self.write_image(renaming, patch, &mut image);
        image
    }

    /// Makes `image` one image, as `patch` makes it.
    #[inline]
    pub(super) fn write_image(&self, renaming: usize, patch: &ImagePatch, image: &mut Vec<u64>) {
        image.clear();
        image.extend(self.words.chunks_exact(self.renamings).map(|word| word[renaming]));
        let bits = patch.bits.chunks_exact(self.renamings);
        for (word, bits) in patch.words.iter().zip(bits) {
            image[*word as usize] ^= bits[renaming];
        }
    }

    /// What makes `other` images of these.
    pub(super) fn patch_to(&self, other: &Self) -> ImagePatch {
        let (mut words, mut bits) = (Vec::new(), Vec::new());
        let both = self.words.chunks(self.renamings).zip(other.words.chunks(self.renamings));
        for (word, (one, other)) in (0..).zip(both) {
            if one != other {
                words.push(word);
                bits.extend(one.iter().zip(other).map(|(one, other)| one ^ other));
            }
        }
        ImagePatch { words: words.into(), bits: bits.into() }
    }
}

impl ImagePatch {
    /// What changes nothing.
    pub(in crate::check) fn none() -> Self {
        Self { words: Box::default(), bits: Box::default() }
    }

    /// The bits of a word that change, by renaming; `None` if none do.
    #[inline]
    fn bits_of(&self, word: usize, renamings: usize) -> Option<&[u64]> {
        let index = self.words.iter().position(|changed| *changed as usize == word)?;
        Some(&self.bits[index * renamings..][..renamings])
    }

    /// How many bytes it takes.
    pub(in crate::check) fn bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.bits)
    }
}

/// Adds the places of the least of some values.
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
