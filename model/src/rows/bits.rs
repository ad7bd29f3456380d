//! Fields of bits, one after the other, in words shared with other rows.
#![expect(clippy::inline_always, reason = "a writer that stays in registers packs twice as fast")]

use super::slot::Slot;
use crate::{
    interner::{Interner, Local},
    txn::Txn,
};

/// Writes the fields of one row, each in its slot.
pub(crate) struct RowWriter<'a> {
    words: &'a mut [u64],
    slots: std::slice::Iter<'a, Slot>,
    txns: (&'a Interner<Txn>, &'a mut Local<Txn>),
    /// The word that is being filled, its bits so far, and their number.
    word: usize,
    bits: u64,
    filled: u32,
}

impl<'a> RowWriter<'a> {
    /// Writes from bit `offset` of `words`.
    #[inline(always)]
    pub(crate) fn new(
        words: &'a mut [u64],
        offset: u32,
        slots: &'a [Slot],
        txns: (&'a Interner<Txn>, &'a mut Local<Txn>),
    ) -> Self {
        let (word, filled) = ((offset / 64) as usize, offset % 64);
        let bits = if filled == 0 { 0 } else { words[word] & low_bits(filled) };
        Self { words, slots: slots.iter(), txns, word, bits, filled }
    }

    /// The slot of the next field.
    #[inline(always)]
    pub(super) fn slot(&mut self) -> &'a Slot {
        self.slots.next().expect("each field has a slot")
    }

    /// Skips the slots of missing fields, and writes zeros for them.
    #[inline(always)]
    pub(super) fn skip(&mut self, slots: u32, mut bits: u32) {
        self.slots = self.slots.as_slice()[slots as usize..].iter();
        while bits > 0 {
            let width = bits.min(64);
            self.put(0, width);
            bits -= width;
        }
    }

    /// Writes a number that is below the bound of its slot.
    #[inline(always)]
    pub(super) fn number(&mut self, value: u64, slot: &Slot) {
        if value >= u64::from(slot.below) {
            does_not_fit(value, slot);
        }
        self.put(value, slot.width);
    }

    /// Writes the number of a transaction; 0 if there is none.
    #[inline(always)]
    pub(super) fn txn(&mut self, txn: Option<&Txn>, slot: &Slot) {
        let number = txn.map_or(0, |txn| self.txns.0.number(txn, self.txns.1));
        self.number(number.into(), slot);
    }

    /// Writes the low `width` bits of a value, whose other bits are 0.
    #[inline(always)]
    pub(super) fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width == 64 || value >> width == 0, "the caller has looked");
        if width == 0 {
            return;
        }
        self.bits |= value << self.filled;
        let end = self.filled + width;
        if end < 64 {
            self.filled = end;
            return;
        }
        self.words[self.word] = self.bits;
        self.word += 1;
        self.bits = if self.filled == 0 { 0 } else { value >> (64 - self.filled) };
        self.filled = end - 64;
    }

    /// Ends the row, and leaves the bits behind it unchanged.
    #[inline(always)]
    pub(crate) fn finish(self) {
        if self.filled > 0 {
            let word = &mut self.words[self.word];
            *word = *word & !low_bits(self.filled) | self.bits;
        }
    }
}

/// Reads the fields of one row.
pub(crate) struct RowReader<'a> {
    words: &'a [u64],
    slots: std::slice::Iter<'a, Slot>,
    txns: (&'a Interner<Txn>, &'a mut Local<Txn>),
    offset: u32,
}

impl<'a> RowReader<'a> {
    /// Reads from bit `offset` of `words`.
    pub(crate) fn new(
        words: &'a [u64],
        offset: u32,
        slots: &'a [Slot],
        txns: (&'a Interner<Txn>, &'a mut Local<Txn>),
    ) -> Self {
        Self { words, slots: slots.iter(), txns, offset }
    }

    /// The slot of the next field.
    #[inline]
    pub(super) fn slot(&mut self) -> &'a Slot {
        self.slots.next().expect("each field has a slot")
    }

    /// Skips the slots of missing fields, and the bits that they take.
    pub(super) fn skip(&mut self, slots: u32, bits: u32) {
        self.slots = self.slots.as_slice()[slots as usize..].iter();
        self.offset += bits;
    }

    /// Reads a transaction by its number.
    pub(super) fn txn(&mut self, slot: &Slot) -> Option<std::sync::Arc<Txn>> {
        let number = u32::try_from(self.take(slot.width)).expect("as it was put");
        self.txns.0.snapshot(number, self.txns.1)
    }

    /// Reads `width` bits, at most 64.
    #[inline]
    pub(super) fn take(&mut self, width: u32) -> u64 {
        let bits = read_bits(self.words, self.offset, width);
        self.offset += width;
        bits
    }
}

/// `width` bits from `offset`, at most 64.
#[inline]
pub(crate) fn read_bits(words: &[u64], offset: u32, width: u32) -> u64 {
    if width == 0 {
        return 0;
    }
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    let low = words[word] >> shift;
    let has = 64 - shift;
    let bits = if width <= has { low } else { low | words[word + 1] << has };
    bits & low_bits(width)
}

/// Writes `width` bits at `offset`, at most 64, over those that are there.
pub(crate) fn write_bits(words: &mut [u64], offset: u32, width: u32, value: u64) {
    let (mut offset, mut value, mut left) = (offset, value, width);
    while left > 0 {
        let (word, shift) = ((offset / 64) as usize, offset % 64);
        let here = left.min(64 - shift);
        let mask = low_bits(here) << shift;
        words[word] = words[word] & !mask | value << shift & mask;
        value = value.checked_shr(here).unwrap_or(0);
        (offset, left) = (offset + here, left - here);
    }
}

/// Panics, as truncating a value that does not fit would make two states equal.
#[cold]
#[inline(never)]
fn does_not_fit(value: u64, slot: &Slot) -> ! {
    panic!("a field has the value {value}, which is not below its bound, {}", slot.below)
}

/// A word whose `count` low bits are set.
#[inline]
pub(crate) fn low_bits(count: u32) -> u64 {
    if count == 64 { u64::MAX } else { (1 << count) - 1 }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_changes() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (interner, mut local) = (Interner::with_bits(14), Local::default());
        for _ in 0..5_000 {
            let mut words: Vec<u64> = (0..8).map(|_| rng.random()).collect();
            let before = words.clone();
            let mut field = |_| {
                let width = rng.random_range(0..=64);
                (rng.random::<u64>() & low_bits(width), width)
            };
            let fields: Vec<(u64, u32)> = (0..6).map(&mut field).collect();
            let width: u32 = fields.iter().map(|(_, width)| width).sum();
            let offset = rng.random_range(0..=512 - width);
            let mut writer = RowWriter::new(&mut words, offset, &[], (&interner, &mut local));
            for (value, width) in &fields {
                writer.put(*value, *width);
            }
            writer.finish();
            let mut reader = RowReader::new(&words, offset, &[], (&interner, &mut local));
            for (value, width) in &fields {
                assert_eq!(reader.take(*width), *value);
            }
            let (mut again, mut at) = (before.clone(), offset);
            for (value, width) in fields {
                write_bits(&mut again, at, width, value);
                at += width;
            }
            assert_eq!(again, words, "field by field");
            for bit in (0..offset).chain(offset + width..512) {
                let at = |words: &[u64]| words[bit as usize / 64] >> (bit % 64) & 1;
                assert_eq!(at(&words), at(&before), "bit {bit} beside {offset}+{width}");
            }
        }
    }
}
