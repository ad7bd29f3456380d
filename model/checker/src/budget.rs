//! The memory that a search counts, and how much there may be.
//!
//! Memory is counted by capacity and asked for before it is taken, old and new side by side where
//! something moves. What the operating system sees depends on the machine; this does not, so a
//! search stops at the same state everywhere.

use std::mem::size_of;

use crate::{Stop, graph::MOST_STATES};

/// The memory in use, and how much there may be.
#[derive(Debug)]
pub struct MemoryBudget {
    used: u64,
    /// The bytes in use when the present share was allowed; the share counts from here.
    before: u64,
    peak: u64,
    /// The least bound with which parts would have had as large shares as they needed.
    shared: u64,
    max: u64,
    max_states: u64,
}

impl MemoryBudget {
    /// Any number of bytes.
    pub fn unlimited() -> Self {
        Self::of(None)
    }

    /// A budget of this number of bytes; without a bound for `None`.
    pub fn of(max_bytes: Option<u64>) -> Self {
        Self::new(max_bytes, MOST_STATES.into())
    }

    /// The most bytes that were in use at a time.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// A budget of this number of bytes, without a bound for `None`, and of this number of states.
    pub(crate) fn new(max_bytes: Option<u64>, max_states: u64) -> Self {
        let max = max_bytes.unwrap_or(u64::MAX);
        Self { used: 0, before: 0, peak: 0, shared: 0, max, max_states }
    }

    /// A budget of nothing, until [`Self::allow`] gives it a share.
    pub(crate) fn empty() -> Self {
        Self { used: 0, before: 0, peak: 0, shared: 0, max: 0, max_states: 0 }
    }

    /// Allows `share` more than is used now, and forgets the peak.
    pub(crate) fn allow(&mut self, share: u64) {
        self.before = self.used;
        self.peak = self.used;
        self.max = self.used.saturating_add(share);
    }

    /// The bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The bytes that may still be used.
    pub fn left(&self) -> u64 {
        self.max.saturating_sub(self.used)
    }

    /// An error, unless one state more than `states` may be numbered.
    pub(crate) fn one_more(&self, states: u64) -> Result<(), Stop> {
        if self.states_left(states) > 0 { Ok(()) } else { Err(Stop::States) }
    }

    /// The number of states that may be numbered beside `states`.
    pub(crate) fn states_left(&self, states: u64) -> u64 {
        self.max_states.saturating_sub(states)
    }

    /// Counts memory that is about to be taken.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.left() {
            return Err(Stop::Memory);
        }
        self.used += bytes;
        self.peak = self.peak.max(self.used);
        Ok(())
    }

    /// Counts memory that was given back.
    ///
    /// # Panics
    /// If it was not taken here.
    pub(crate) fn give(&mut self, bytes: u64) {
        self.used = self.used.checked_sub(bytes).expect("what is given back was taken");
    }

    /// Makes room for `more` items, at least doubling what is there so that this is rare.
    #[inline]
    pub(crate) fn reserve<T>(&mut self, items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
        if items.capacity() - items.len() >= more {
            return Ok(());
        }
        self.grow(items, (items.len() + more).max(2 * items.capacity()))
    }

    /// Makes room for this number of items in all: for a power of two, so that it does not matter
    /// how many are added at a time.
    pub(crate) fn reserve_all<T>(&mut self, items: &mut Vec<T>, all: usize) -> Result<(), Stop> {
        if all <= items.capacity() { Ok(()) } else { self.grow(items, all.next_power_of_two()) }
    }

    /// Makes room for `capacity` items in all.
    pub(crate) fn grow<T>(&mut self, items: &mut Vec<T>, capacity: usize) -> Result<(), Stop> {
        let (old, new) = (bytes_of(items), (capacity as u64).saturating_mul(size_of::<T>() as u64));
        self.take(new)?;
        if items.try_reserve_exact(capacity - items.len()).is_err() {
            self.give(new);
            return Err(Stop::Memory);
        }
        self.give(old);
        Ok(())
    }

    /// A list of this length, of the same item again and again.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn filled<T: Copy>(&mut self, item: T, len: usize) -> Result<Vec<T>, Stop> {
        let mut items = Vec::new();
        self.grow(&mut items, len)?;
        items.resize(len, item);
        Ok(items)
    }

    /// Gives back all memory of `items`.
    #[expect(clippy::needless_pass_by_value, reason = "it is given back")]
    pub(crate) fn free<T>(&mut self, items: Vec<T>) {
        self.give(bytes_of(&items));
    }

    /// Gives back the capacity of `items` behind their length.
    pub(crate) fn shrink<T>(&mut self, items: &mut Vec<T>) {
        let old = bytes_of(items);
        items.shrink_to_fit();
        self.give(old - bytes_of(items));
    }

    /// The least bound within which everything so far would have gone the same way.
    pub(crate) fn needed(&self) -> u64 {
        self.peak.max(self.shared)
    }

    /// Whether `states` and `needed` bytes are both within the bounds.
    pub(crate) fn allows(&self, states: u64, needed: u64) -> bool {
        states <= self.max_states && needed <= self.max
    }

    /// Goes on from where another budget was.
    pub(crate) fn resume(&mut self, used: u64, peak: u64, needed: u64) {
        (self.used, self.peak, self.shared) = (used, peak, needed);
    }

    /// Adds the bytes that `parts`, each within its share, have taken side by side since
    /// [`Self::allow`].
    pub(crate) fn absorb<'b>(&mut self, parts: impl Iterator<Item = &'b MemoryBudget>) {
        let before = self.used;
        let (mut peak, mut count, mut largest) = (before, 0, 0);
        for part in parts {
            let share = part.peak - part.before;
            peak += share;
            self.used += part.used - part.before;
            (count, largest) = (count + 1, share.max(largest));
        }
        self.peak = self.peak.max(peak);
        self.shared = self.shared.max(before + count * largest);
    }
}

/// The bytes of the capacity of `items`, used or not.
pub(crate) fn bytes_of<T>(items: &Vec<T>) -> u64 {
    (items.capacity() * size_of::<T>()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::SearchLimits;

    fn of_bytes(max_bytes: u64) -> MemoryBudget {
        MemoryBudget::of(Some(max_bytes))
    }

    #[test]
    fn no_more_is_taken_than_there_may_be() {
        let mut budget = of_bytes(100);
        assert_eq!((budget.take(60), budget.left()), (Ok(()), 40));
        assert_eq!((budget.take(41), budget.used(), budget.peak()), (Err(Stop::Memory), 60, 60));
        assert_eq!((budget.take(40), budget.left()), (Ok(()), 0));
        budget.give(70);
        assert_eq!((budget.used(), budget.peak(), budget.left()), (30, 100, 70));
    }

    #[test]
    fn states_are_numbered_up_to_the_bound() {
        let bounded =
            |max_states| SearchLimits { max_states, ..SearchLimits::NONE }.budget(1 << 40);
        let (most, all) = (u64::from(MOST_STATES), 1 << 40);
        let budgets = [
            (bounded(Some(3)), 3),
            (bounded(None), all),
            (bounded(Some(u64::MAX)), all),
            (MemoryBudget::unlimited(), most),
        ];
        for (budget, most) in budgets {
            assert_eq!(budget.one_more(most - 1), Ok(()));
            assert_eq!(budget.one_more(most), Err(Stop::States));
        }
    }

    #[test]
    fn what_grows_is_there_twice_while_it_moves() {
        let mut budget = of_bytes(8 * (4 + 10));
        let mut items: Vec<u64> = Vec::new();
        assert_eq!(budget.reserve(&mut items, 4), Ok(()));
        items.extend([0; 3]);
        assert_eq!((budget.reserve(&mut items, 1), items.capacity()), (Ok(()), 4));
        // Twice as many is enough for three more, and ten are needed for seven.
        assert_eq!((budget.reserve(&mut items, 7), items.capacity()), (Ok(()), 10));
        assert_eq!((budget.used(), budget.peak()), (8 * 10, 8 * 14));
        assert_eq!(budget.reserve(&mut items, 8), Err(Stop::Memory));
        assert_eq!((budget.used(), items.capacity(), items.len()), (8 * 10, 10, 3));
        budget.shrink(&mut items);
        assert_eq!((budget.used(), items.capacity()), (8 * 3, 3));
        let mut budget = of_bytes(u64::MAX);
        let mut items: Vec<u16> = Vec::new();
        budget.reserve(&mut items, 4).unwrap();
        items.extend([0; 4]);
        budget.reserve(&mut items, 1).unwrap();
        assert_eq!((items.capacity(), budget.used(), bytes_of(&items)), (8, 16, 16));
    }

    #[test]
    fn parts_take_side_by_side() {
        let mut budget = of_bytes(1000);
        budget.take(300).unwrap();
        let mut parts = [MemoryBudget::empty(), MemoryBudget::empty()];
        for round in 1..=2 {
            let peaks = [70, 50];
            for (part, peak) in parts.iter_mut().zip(peaks) {
                part.allow(budget.left() / 2);
                part.take(peak).unwrap();
                part.give(peak - 10);
            }
            let used = budget.used();
            budget.absorb(parts.iter());
            assert_eq!(budget.peak(), used + 120);
            assert_eq!(budget.used(), 300 + 20 * round);
        }
        let used = parts[0].used();
        parts[0].allow(5);
        assert_eq!((parts[0].left(), parts[0].peak()), (5, used));
        assert_eq!(parts[0].take(6), Err(Stop::Memory));
        budget.give(200);
        budget.absorb(parts[..1].iter());
        assert_eq!(budget.peak(), 320 + 120, "it was more before");
        assert_eq!(MemoryBudget::empty().take(1), Err(Stop::Memory));
    }
}
