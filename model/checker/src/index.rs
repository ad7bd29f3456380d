//! An index from hashes to items: a table of item numbers with open addressing.
//!
//! It is our own because of four things that a general table does not have. A slot takes five
//! bytes: the number, and eight bits of the hash, so that a probe hardly ever leads to a wrong
//! item. Slots lie in the order of hashes, so growing fills the new ones from front to back; the
//! hash of an item is computed anew then. The table grows by half and in shards, so that old and
//! new slots coexist for a small part of it only. And a probe can be split in two
//! ([`HashIndex::touch`]), so that many cache misses are waited for at once.
//!
//! The hash only says where to look: whether an item is the right one, the caller decides.

use std::hint::black_box;

use crate::{Stop, budget::MemoryBudget};

/// A slot with no item. An item `i` with hash `h` is `i + 1` above the lowest byte of `h`.
const EMPTY: u64 = 0;
/// Bytes of a slot.
const SLOT: usize = 5;
/// Bytes behind the slots, so that eight bytes can be read from the beginning of each.
const PADDING: usize = 3;
/// The number of slots that are moved at once where a shard grows.
const GROUP: usize = 64;
/// Slots of a shard to begin with.
const FIRST: usize = 16;

/// A table from hashes to item numbers.
#[derive(Debug)]
pub(crate) struct HashIndex {
    shards: Vec<IndexShard>,
}

/// The slot where probing for a hash begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Home {
    shard: usize,
    slot: usize,
}

/// A part of a table: the items whose hashes begin alike.
#[derive(Debug, Default)]
pub(crate) struct IndexShard {
    slots: Slots,
    /// The items, those that are [expected](HashIndex::expect) among them.
    len: usize,
    /// The slots that it needs for them. At first it has none.
    needed: usize,
}

/// Slots, one after the other.
#[derive(Debug, Default)]
struct Slots {
    bytes: Vec<u8>,
    len: usize,
}

impl Slots {
    fn new(len: usize) -> Self {
        let mut bytes = vec![0; Self::bytes_of(len)];
        // Where a page is read before it is written, the operating system maps it twice and stops
        // all threads in between, so all are written first.
        black_box(&mut bytes).fill(0);
        Self { bytes, len }
    }

    /// The bytes of this number of slots.
    fn bytes_of(len: usize) -> usize {
        if len == 0 { 0 } else { len.saturating_mul(SLOT).saturating_add(PADDING) }
    }

    /// The slot at this place, or `None` if there are no slots.
    #[inline]
    fn get(&self, at: usize) -> Option<u64> {
        let bytes = self.bytes.get(at * SLOT..at * SLOT + 8)?;
        let around = u64::from_le_bytes(bytes.try_into().expect("these are eight"));
        Some(around & ((1 << (8 * SLOT)) - 1))
    }

    /// Puts an item that is not there into the first empty slot from `at` on.
    #[inline]
    fn put(&mut self, mut at: usize, slot: u64) {
        while self.get(at).is_some_and(|there| there != EMPTY) {
            at = next(at, self.len);
        }
        self.bytes[at * SLOT..][..SLOT].copy_from_slice(&slot.to_le_bytes()[..SLOT]);
    }
}

impl HashIndex {
    pub(crate) fn new(shards: usize) -> Self {
        let shards = std::iter::repeat_with(IndexShard::default).take(shards).collect();
        Self { shards }
    }

    /// The shards in the order of the hashes of their items.
    pub(crate) fn shards_mut(&mut self) -> &mut [IndexShard] {
        &mut self.shards
    }

    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.shards.iter().map(|shard| shard.slots.len)
    }

    /// Makes room for this number of slots in the first shard of an empty table.
    pub(crate) fn resume(&mut self, slots: usize, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let shard = &mut self.shards[0];
        if slots > shard.slots.len {
            budget.take(Slots::bytes_of(slots) as u64)?;
            budget.give(shard.slots.bytes.len() as u64);
            *shard = IndexShard { slots: Slots::new(slots), len: 0, needed: slots };
        }
        Ok(())
    }

    /// Reads a slot, so that [`Self::find_from`] need not wait for it. The caller uses the result
    /// in some way, or nothing is read.
    #[inline]
    pub(crate) fn touch(&self, home: Home) -> u64 {
        self.shards[home.shard].slots.get(home.slot).unwrap_or(EMPTY)
    }

    /// The first item with this hash that `is` the right one.
    #[inline]
    pub(crate) fn find(&self, hash: u32, is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.find_from(self.home(hash), hash, is)
    }

    /// Finds an item as [`Self::find`] does, from the home of its hash on.
    #[inline]
    pub(crate) fn find_from(
        &self,
        home: Home,
        hash: u32,
        mut is: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let slots = &self.shards[home.shard].slots;
        let mut at = home.slot;
        loop {
            // There is always an empty slot, unless there are no slots at all.
            let slot = slots.get(at)?;
            if slot == EMPTY {
                return None;
            }
            if (slot ^ u64::from(hash)).trailing_zeros() >= 8 && is(item(slot)) {
                return Some(item(slot));
            }
            at = next(at, slots.len);
        }
    }

    /// Makes room for one more item with this hash. The items that are there have these hashes.
    #[inline]
    pub(crate) fn reserve(
        &mut self,
        hash: u32,
        budget: &mut MemoryBudget,
        hash_of: impl FnMut(u32) -> u32,
    ) -> Result<(), Stop> {
        let Home { shard, .. } = self.home(hash);
        if self.shards[shard].is_full() { self.grow(shard, budget, hash_of) } else { Ok(()) }
    }

    /// Counts this number of items for each shard, and the room for them.
    /// [`IndexShard::make_room`] makes it, and [`IndexShard::add_expected`] adds an item; until
    /// then [`Self::outgrown`] is in use as well. Changes nothing if there is no room.
    pub(crate) fn expect(
        &mut self,
        items: &[usize],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let needed = |shard: &IndexShard, items| {
            let mut slots = shard.needed;
            while is_full(shard.len + items, slots) {
                slots = larger(slots);
            }
            slots
        };
        let grown = self.shards.iter().zip(items).map(|(shard, items)| needed(shard, *items));
        let grown = grown.zip(&self.shards).filter(|(slots, shard)| *slots > shard.needed);
        budget.take(grown.map(|(slots, _)| Slots::bytes_of(slots) as u64).sum())?;
        for (shard, items) in self.shards.iter_mut().zip(items) {
            (shard.needed, shard.len) = (needed(shard, *items), shard.len + items);
        }
        Ok(())
    }

    /// The bytes of slots that are too few for the items that are expected.
    pub(crate) fn outgrown(&self) -> u64 {
        let outgrown = self.shards.iter().filter(|shard| shard.needed > shard.slots.len);
        outgrown.map(|shard| shard.slots.bytes.len() as u64).sum()
    }

    /// Adds an item that is not there, for which there must be room.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, item: u32) {
        let home = self.home(hash);
        let shard = &mut self.shards[home.shard];
        shard.slots.put(home.slot, slot_of(hash, item));
        shard.len += 1;
    }

    /// Forgets all items but keeps the memory.
    pub(crate) fn clear(&mut self) {
        for shard in &mut self.shards {
            shard.slots.bytes.fill(0);
            shard.len = 0;
        }
    }

    /// The bytes of the slots.
    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.slots.bytes.len() as u64).sum()
    }

    #[cold]
    fn grow(
        &mut self,
        shard: usize,
        budget: &mut MemoryBudget,
        hash_of: impl FnMut(u32) -> u32,
    ) -> Result<(), Stop> {
        let shards = self.shards.len();
        let shard = &mut self.shards[shard];
        let (old, slots) = (shard.slots.bytes.len() as u64, larger(shard.slots.len));
        budget.take(Slots::bytes_of(slots) as u64)?;
        shard.needed = slots;
        shard.grow(shards, hash_of);
        budget.give(old);
        Ok(())
    }

    /// The slot at which probing for `hash` begins. It grows with the hash.
    #[inline]
    pub(crate) fn home(&self, hash: u32) -> Home {
        let (shard, _) = split(hash, self.shards.len());
        Home { shard, slot: self.shards[shard].slot(hash, self.shards.len()) }
    }
}

impl IndexShard {
    /// Whether the index lacks room for one item more than it has and expects.
    #[inline]
    fn is_full(&self) -> bool {
        is_full(self.len + 1, self.needed)
    }

    /// Makes room for the items that are expected. Those that are there have these hashes, and
    /// there are as many shards as this.
    pub(crate) fn make_room(&mut self, shards: usize, hash_of: impl FnMut(u32) -> u32) {
        if self.needed > self.slots.len {
            self.grow(shards, hash_of);
        }
    }

    /// Reads the slot where probing for this hash begins, as [`HashIndex::touch`] does.
    #[inline]
    pub(crate) fn touch(&self, shards: usize, hash: u32) -> u64 {
        self.slots.get(self.slot(hash, shards)).unwrap_or(EMPTY)
    }

    /// Adds an item that is expected, for which there must be room.
    #[inline]
    pub(crate) fn add_expected(&mut self, shards: usize, hash: u32, item: u32) {
        self.slots.put(self.slot(hash, shards), slot_of(hash, item));
    }

    /// Moves all items to as many slots as are needed.
    #[cold]
    fn grow(&mut self, shards: usize, mut hash_of: impl FnMut(u32) -> u32) {
        let old = std::mem::replace(&mut self.slots, Slots::new(self.needed));
        // A step at a time for many slots: a processor that need not guess which of them are empty
        // reads what the hashes are computed from side by side.
        let (mut group, mut hashes) = ([EMPTY; GROUP], [0; GROUP]);
        for first in (0..old.len).step_by(GROUP) {
            let mut filled = 0;
            for at in first..old.len.min(first + GROUP) {
                group[filled] = old.get(at).unwrap_or(EMPTY);
                filled += usize::from(group[filled] != EMPTY);
            }
            for (hash, slot) in hashes.iter_mut().zip(&group[..filled]) {
                *hash = hash_of(item(*slot));
            }
            for (hash, slot) in hashes.iter().zip(&group[..filled]) {
                self.slots.put(self.slot(*hash, shards), *slot);
            }
        }
    }

    /// The slot where probing for a hash of this shard begins, where there are as many as `shards`.
    #[inline]
    fn slot(&self, hash: u32, shards: usize) -> usize {
        let (_, rest) = split(hash, shards);
        high(u64::from(rest) * self.slots.len as u64) as usize
    }
}

/// The shard that has a hash, and how far it lies behind the first hash of that shard, as a part of
/// 2^32.
#[inline]
pub(crate) fn split(hash: u32, shards: usize) -> (usize, u32) {
    let wide = u64::from(hash) * shards as u64;
    (high(wide) as usize, low(wide))
}

/// Whether `items` need more slots than there are. At most seven tenths are filled, as in
/// [`slots_for`]: more would make probes for absent items long.
#[inline]
fn is_full(items: usize, slots: usize) -> bool {
    items * 10 > slots * 7
}

/// The slots that a shard needs for this number of items.
pub(crate) fn slots_for(items: usize) -> usize {
    items * 10 / 7 + 1
}

/// The number of slots of a shard to which this number is not enough.
fn larger(slots: usize) -> usize {
    (slots / 2 * 3).max(FIRST)
}

#[inline]
fn slot_of(hash: u32, item: u32) -> u64 {
    u64::from(item + 1) << 8 | u64::from(hash & 0xff)
}

/// The item in a slot that is not empty.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a slot has a number of 32 bits")]
fn item(slot: u64) -> u32 {
    (slot >> 8) as u32 - 1
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

    fn filled(shards: usize, hashes: &[u32]) -> HashIndex {
        let mut budget = MemoryBudget::unlimited();
        let mut index = HashIndex::new(shards);
        for (item, hash) in (0..).zip(hashes) {
            assert_eq!(index.find(*hash, |found| found == item), None);
            index.reserve(*hash, &mut budget, |item| hashes[item as usize]).unwrap();
            index.insert(*hash, item);
        }
        assert_eq!(budget.used(), index.bytes());
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
    fn items_that_are_expected_lie_where_they_would_if_they_were_added_one_by_one() {
        let hashes: Vec<u32> = (0..5000_u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        for (shards, batch) in [(1, 1), (3, 7), (64, 900), (64, 5000)] {
            let mut budget = MemoryBudget::unlimited();
            let mut index = HashIndex::new(shards);
            for expected in (0..).zip(&hashes).collect::<Vec<_>>().chunks(batch) {
                let mut counts = vec![0; shards];
                for (_, hash) in expected {
                    counts[split(**hash, shards).0] += 1;
                }
                index.expect(&counts, &mut budget).unwrap();
                let outgrown = index.outgrown();
                assert!(index.bytes() <= budget.used());
                for shard in index.shards_mut() {
                    shard.make_room(shards, |item| hashes[item as usize]);
                }
                budget.give(outgrown);
                for (item, hash) in expected {
                    let shard = split(**hash, shards).0;
                    index.shards_mut()[shard].add_expected(shards, **hash, *item);
                }
                assert_eq!((budget.used(), index.outgrown()), (index.bytes(), 0));
            }
            let one_by_one = filled(shards, &hashes);
            assert!(index.slots().eq(one_by_one.slots()), "{shards} shards, {batch} at once");
            let lens = |index: &HashIndex| index.shards.iter().map(|it| it.len).collect::<Vec<_>>();
            assert_eq!(lens(&index), lens(&one_by_one));
            for (item, hash) in (0..).zip(&hashes) {
                assert_eq!(index.find(*hash, |found| found == item), Some(item));
            }
        }
    }

    #[test]
    fn a_shard_is_neither_too_full_nor_too_empty() {
        for items in [1_u32, 11, 12, 100, 5000] {
            let hashes: Vec<u32> = (0..items).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let IndexShard { slots, len, .. } = &filled(1, &hashes).shards[0];
            assert_eq!(*len, hashes.len());
            let slots = slots.len;
            assert!(len * 10 <= slots * 7, "{len} items in {slots} slots");
            assert!(slots <= FIRST || slots * 7 <= len * 16, "{len}: {slots}");
        }
    }

    #[test]
    fn items_lie_in_the_order_of_their_hashes() {
        let hashes: Vec<u32> = (0..200_u32).map(|i| i << 24 | i).collect();
        let index = filled(4, &hashes);
        for (number, shard) in (0_u32..).zip(&index.shards) {
            let slots = (0..shard.slots.len).filter_map(|at| shard.slots.get(at));
            let items = slots.filter(|slot| *slot != EMPTY).map(item);
            let held: Vec<u32> = items.map(|item| hashes[item as usize]).collect();
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
