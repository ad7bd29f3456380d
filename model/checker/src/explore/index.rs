//! Which item has which hash: a table of item numbers with open addressing.
//!
//! It is our own because of four things that a general table does not have. A slot holds the number
//! and the whole 32-bit hash in one word, so that a probe is one cache miss and hardly ever leads
//! to a wrong item. Slots lie in the order of hashes, so that growing is a walk from front to back
//! which looks at no item. It grows by half and in shards, so that old and new slots coexist for a
//! small part of the table only. And a probe can be split in two ([`HashIndex::touch`]), so that
//! many cache misses are waited for at once.
//!
//! The hash only says where to look: whether an item is the right one, the caller decides.

use super::budget::MemoryBudget;
use crate::Stop;

/// A slot with no item. An item `i` with hash `h` is `h << 32 | i + 1`.
const EMPTY: u64 = 0;
/// Slots of a shard to begin with.
const FIRST: usize = 16;

/// A table from hashes to item numbers.
#[derive(Debug)]
pub(super) struct HashIndex {
    shards: Vec<IndexShard>,
}

#[derive(Debug, Default)]
struct IndexShard {
    slots: Vec<u64>,
    len: usize,
}

impl HashIndex {
    pub(super) fn new(shards: usize) -> Self {
        let shards = std::iter::repeat_with(IndexShard::default).take(shards).collect();
        Self { shards }
    }

    /// Reads the slot where `hash` belongs, so that [`Self::find`] need not wait for it. The caller
    /// uses the result in some way, or nothing is read.
    #[inline]
    pub(super) fn touch(&self, hash: u32) -> u64 {
        let (shard, at) = self.home(hash);
        self.shards[shard].slots.get(at).copied().unwrap_or(EMPTY)
    }

    /// The first item with this hash that `is` the right one.
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (shard, mut at) = self.home(hash);
        let slots = &self.shards[shard].slots[..];
        loop {
            // There is always an empty slot, unless there are no slots at all.
            let slot = *slots.get(at)?;
            if slot == EMPTY {
                return None;
            }
            if high(slot) == hash && is(low(slot) - 1) {
                return Some(low(slot) - 1);
            }
            at = next(at, slots.len());
        }
    }

    /// Makes room for one more item with this hash.
    #[inline]
    pub(super) fn reserve(&mut self, hash: u32, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let (shard, _) = self.home(hash);
        let IndexShard { slots, len } = &self.shards[shard];
        // At most seven tenths full: more would make probes of absent items long.
        if (len + 1) * 10 <= slots.len() * 7 { Ok(()) } else { self.grow(shard, budget) }
    }

    /// Adds an item that is not there, for which there must be room.
    #[inline]
    pub(super) fn insert(&mut self, hash: u32, item: u32) {
        let (shard, at) = self.home(hash);
        let shard = &mut self.shards[shard];
        put(&mut shard.slots, at, u64::from(hash) << 32 | u64::from(item + 1));
        shard.len += 1;
    }

    /// Forgets all items but keeps the memory.
    pub(super) fn clear(&mut self) {
        for shard in &mut self.shards {
            shard.slots.fill(EMPTY);
            shard.len = 0;
        }
    }

    /// How many bytes the slots take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| super::budget::bytes_of(&shard.slots)).sum()
    }

    #[cold]
    fn grow(&mut self, shard: usize, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let slots = (self.shards[shard].slots.len() / 2 * 3).max(FIRST);
        budget.take(8 * slots as u64)?;
        let old = std::mem::replace(&mut self.shards[shard].slots, vec![EMPTY; slots]);
        for slot in old.iter().copied().filter(|slot| *slot != EMPTY) {
            let (_, at) = self.home(high(slot));
            put(&mut self.shards[shard].slots, at, slot);
        }
        budget.give(8 * old.len() as u64);
        Ok(())
    }

    /// The shard of `hash`, and the slot there where probing begins: both grow with the hash.
    #[inline]
    fn home(&self, hash: u32) -> (usize, usize) {
        let wide = u64::from(hash) * self.shards.len() as u64;
        let shard = high(wide) as usize;
        let slots = self.shards[shard].slots.len() as u64;
        (shard, high(u64::from(low(wide)) * slots) as usize)
    }
}

/// Puts `slot` into the first empty slot from `at` on.
#[inline]
fn put(slots: &mut [u64], mut at: usize, slot: u64) {
    while slots[at] != EMPTY {
        at = next(at, slots.len());
    }
    slots[at] = slot;
}

#[inline]
fn next(at: usize, slots: usize) -> usize {
    if at + 1 == slots { 0 } else { at + 1 }
}

#[inline]
fn high(word: u64) -> u32 {
    (word >> 32) as u32
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
fn low(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::SearchLimits;

    fn filled(shards: usize, hashes: &[u32]) -> HashIndex {
        let mut budget = MemoryBudget::new(&SearchLimits::NONE);
        let mut index = HashIndex::new(shards);
        for (item, hash) in (0..).zip(hashes) {
            assert_eq!(index.find(*hash, |found| found == item), None);
            index.reserve(*hash, &mut budget).unwrap();
            index.insert(*hash, item);
        }
        let slots: usize = index.shards.iter().map(|shard| shard.slots.len()).sum();
        assert_eq!(budget.used(), 8 * slots as u64);
        index
    }

    #[test]
    fn every_item_is_found_again_wherever_its_hash_lies() {
        let spread: Vec<u32> = (0..5000_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        let ends = [0, u32::MAX].repeat(300);
        for hashes in [spread, ends, vec![77; 500]] {
            for shards in [1, 3, 64] {
                let index = filled(shards, &hashes);
                for (item, hash) in (0..).zip(&hashes) {
                    assert_eq!(index.find(*hash, |found| found == item), Some(item));
                    assert_eq!(index.find(*hash, |_| false), None);
                }
            }
        }
    }

    #[test]
    fn a_shard_is_neither_too_full_nor_too_empty() {
        for items in [1_u32, 11, 12, 100, 5000] {
            let hashes: Vec<u32> = (0..items).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let IndexShard { slots, len } = &filled(1, &hashes).shards[0];
            assert_eq!(*len, hashes.len());
            assert!(len * 10 <= slots.len() * 7, "{len} items in {} slots", slots.len());
            assert!(slots.len() <= FIRST || slots.len() * 7 <= len * 16, "{len}: {}", slots.len());
        }
    }

    #[test]
    fn items_lie_in_the_order_of_their_hashes() {
        let hashes: Vec<u32> = (0..200_u32).map(|i| i << 24 | i).collect();
        let index = filled(4, &hashes);
        for (number, shard) in (0_u32..).zip(&index.shards) {
            let held = shard.slots.iter().filter(|slot| **slot != EMPTY).map(|slot| high(*slot));
            let held: Vec<u32> = held.collect();
            assert!(held.is_sorted() && held.iter().all(|hash| hash >> 30 == number), "{held:?}");
        }
    }

    #[test]
    fn a_cleared_index_has_no_item() {
        let mut index = filled(1, &[1, 2, 3]);
        index.clear();
        assert_eq!(index.find(2, |_| true), None);
    }
}
