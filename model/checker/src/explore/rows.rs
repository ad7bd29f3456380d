//! Rows of numbers, a number for each word of a state, that take as few bytes as they need.

/// Bytes behind the last row, so that eight bytes can be read at any place in a row.
pub(super) const PADDING: usize = 8;

/// Rows of one segment that are to be written, one after the other.
#[derive(Debug)]
pub(super) struct UnwrittenRows<'t> {
    layout: &'t RowLayout,
    bytes: &'t mut [u8],
    count: usize,
}

/// The place of each word in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowLayout {
    pub(super) places: Vec<WordPlace>,
    /// The length of a row in bytes.
    pub(super) row: usize,
}

/// The place of a word in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordPlace {
    /// The byte in which it begins, and the bit there.
    byte: usize,
    shift: usize,
    mask: u64,
    /// Whether the row has the word itself and not its number.
    pub(super) is_whole: bool,
}

impl<'t> UnwrittenRows<'t> {
    /// The next `count` rows, which are written to `bytes`.
    pub(super) fn new(layout: &'t RowLayout, bytes: &'t mut [u8], count: usize) -> Self {
        Self { layout, bytes, count }
    }

    /// Takes off the first rows, `most` of them at most.
    pub(super) fn take_first(&mut self, most: usize) -> Self {
        let count = most.min(self.count);
        let (first, rest) = std::mem::take(&mut self.bytes).split_at_mut(count * self.layout.row);
        (self.bytes, self.count) = (rest, self.count - count);
        Self { layout: self.layout, bytes: first, count }
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Writes the first row, which is that of `state`, whose words have these numbers, and goes on
    /// to the next one. `row` is scratch memory.
    pub(super) fn write(&mut self, state: &[u64], numbers: &[u32], row: &mut Vec<u8>) {
        row.clear();
        row.resize(self.layout.row + PADDING, 0);
        for ((place, value), number) in self.layout.places.iter().zip(state).zip(numbers) {
            place.write(row, 0, if place.is_whole { *value } else { (*number).into() });
        }
        let written = self.take_first(1);
        assert_eq!(written.count, 1, "there is a row for it");
        written.bytes.copy_from_slice(&row[..self.layout.row]);
    }
}

impl RowLayout {
    /// Words whose numbers have this many bits, or that are written whole. These come first, as
    /// they begin with a byte.
    pub(super) fn of(words: impl Iterator<Item = Option<u32>> + Clone) -> Self {
        let whole = words.clone().filter(Option::is_none).count();
        let (mut whole_before, mut bits) = (0, 64 * whole);
        let place = |width: Option<u32>| match width {
            None => {
                whole_before += 1;
                let byte = 8 * (whole_before - 1);
                WordPlace { byte, shift: 0, mask: u64::MAX, is_whole: true }
            }
            Some(width) => {
                let (byte, shift) = (bits / 8, bits % 8);
                bits += width as usize;
                WordPlace { byte, shift, mask: (1 << width) - 1, is_whole: false }
            }
        };
        let places = words.map(place).collect();
        Self { places, row: bits.div_ceil(8) }
    }
}

impl WordPlace {
    /// The number at this place of the row that begins at `first`.
    #[inline]
    pub(super) fn read(self, bytes: &[u8], first: usize) -> u64 {
        let at = first + self.byte;
        let around = bytes[at..at + 8].try_into().expect("these are eight");
        u64::from_le_bytes(around) >> self.shift & self.mask
    }

    /// Writes a number into the row that begins at `first`, where there are zeros.
    #[inline]
    pub(super) fn write(self, bytes: &mut [u8], first: usize, number: u64) {
        assert!(number <= self.mask, "a number has room in its place");
        let at = first + self.byte;
        let bytes = &mut bytes[at..at + 8];
        let around = u64::from_le_bytes((&*bytes).try_into().expect("these are eight"));
        bytes.copy_from_slice(&(around | number << self.shift).to_le_bytes());
    }
}
