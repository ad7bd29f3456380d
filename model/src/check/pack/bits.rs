//! Fields of bits, one after the other.

/// Writes fields one after the other.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) value: u128,
    pub(super) width: u32,
    /// The bits at which a number of a transaction begins.
    pub(super) numbers: u128,
}

impl Writer {
    pub(super) fn put_number(&mut self, number: u64, width: u32) {
        self.numbers |= 1_u128.checked_shl(self.width).unwrap_or(0);
        self.put(number, width);
    }

    pub(super) fn put(&mut self, value: u64, width: u32) {
        // A value that spilled into the next field would make one state of two.
        assert!(width >= 64 || value >> width == 0, "{value} does not fit in {width} bits");
        if self.width < 128 {
            self.value |= u128::from(value) << self.width;
        }
        self.width += width;
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.put(u64::from(value), 1);
    }
}

/// Reads them back.
pub(super) struct Reader(pub(super) u128);

impl Reader {
    pub(super) fn take(&mut self, width: u32) -> u64 {
        let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
        #[expect(clippy::cast_possible_truncation, reason = "the low word is what is wanted")]
        let value = self.0 as u64 & mask;
        self.0 >>= width;
        value
    }

    pub(super) fn index(&mut self, width: u32) -> usize {
        usize::try_from(self.take(width)).expect("indices are small")
    }

    pub(super) fn count(&mut self, width: u32) -> u32 {
        u32::try_from(self.take(width)).expect("counts are small")
    }

    pub(super) fn flag(&mut self) -> bool {
        self.take(1) == 1
    }
}

/// How many bits tell `values` values apart.
pub(super) fn bits_for(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

/// A word whose `count` low bits are set.
pub(super) fn low_bits(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

/// `width` bits from `offset`.
pub(super) fn read_bits(words: &[u64], offset: u32, width: u32) -> u128 {
    let (first, shift) = ((offset / 64) as usize, offset % 64);
    let (mut value, mut have) = (0, 0);
    for (word, skipped) in words[first.min(words.len())..].iter().zip([shift, 0, 0]) {
        if have >= width {
            break;
        }
        value |= u128::from(word >> skipped) << have;
        have += 64 - skipped;
    }
    if width == 128 { value } else { value & ((1 << width) - 1) }
}

/// Writes `width` bits at `offset`.
pub(super) fn write_bits(words: &mut [u64], offset: u32, width: u32, value: u128) {
    let (mut word, mut shift) = ((offset / 64) as usize, offset % 64);
    let (mut value, mut width) = (value, width);
    while width > 0 {
        let here = width.min(64 - shift);
        let mask = low_bits(here) << shift;
        #[expect(clippy::cast_possible_truncation, reason = "the low word is what is wanted")]
        let low = value as u64;
        words[word] = words[word] & !mask | low << shift & mask;
        value >>= here;
        (word, shift, width) = (word + 1, 0, width - here);
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn a_value_that_does_not_fit_never_spills_into_the_next_field() {
        for (value, width) in [(1, 0), (2, 1), (4, 2), (1 << 63, 63)] {
            let mut writer = Writer::default();
            writer.put(value - 1, width);
            assert!(std::panic::catch_unwind(move || writer.put(value, width)).is_err());
        }
        let mut writer = Writer::default();
        writer.put(u64::MAX, 64);
        assert_eq!((writer.value, writer.width), (u128::from(u64::MAX), 64));
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else_changes() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20_000 {
            let mut words: Vec<u64> = (0..4).map(|_| rng.random()).collect();
            let before = words.clone();
            let width = rng.random_range(0..=128);
            let offset = rng.random_range(0..=256 - width);
            let value: u128 = rng.random();
            let value = if width == 128 { value } else { value & ((1 << width) - 1) };
            write_bits(&mut words, offset, width, value);
            assert_eq!(read_bits(&words, offset, width), value);
            for bit in (0..offset).chain(offset + width..256) {
                let at = |words: &[u64]| words[bit as usize / 64] >> (bit % 64) & 1;
                assert_eq!(at(&words), at(&before), "bit {bit} beside {offset}+{width}");
            }
        }
    }
}
