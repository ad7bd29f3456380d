//! A long list that never moves once it is large.
//!
//! A vector that doubles holds its items twice while it moves, just when memory is short. This one
//! grows by segments of fixed size. Only its first segment doubles, so that small worlds stay
//! small.

use super::budget::MemoryBudget;
use crate::Stop;

/// Items per segment.
const SEGMENT: usize = 1 << 18;
/// Items in the first segment to begin with.
const FIRST: usize = 1 << 8;

/// A list of items of `width` values each.
#[derive(Debug)]
pub(super) struct Segmented<T> {
    width: usize,
    len: usize,
    segments: Vec<Vec<T>>,
}

impl<T: Copy> Segmented<T> {
    pub(super) fn new(width: usize) -> Self {
        assert!(width > 0, "an item has a value");
        Self { width, len: 0, segments: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> &[T] {
        let index = index as usize;
        let at = index % SEGMENT * self.width;
        &self.segments[index / SEGMENT][at..at + self.width]
    }

    /// Makes room for one more item.
    #[inline]
    pub(super) fn reserve(&mut self, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let full = self.segments.len() * SEGMENT;
        match self.segments.last_mut() {
            Some(first) if full == SEGMENT && self.len < SEGMENT => {
                budget.reserve(first, self.width)
            }
            Some(_) if self.len < full => Ok(()),
            last => {
                let items = if last.is_none() { FIRST } else { SEGMENT };
                let mut segment = Vec::new();
                budget.grow(&mut segment, items * self.width)?;
                self.segments.push(segment);
                Ok(())
            }
        }
    }

    /// How many bytes the items take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        self.segments.iter().map(super::budget::bytes_of).sum()
    }

    /// Adds an item, for which there must be room.
    #[inline]
    pub(super) fn push(&mut self, item: &[T]) {
        assert_eq!(item.len(), self.width, "an item is as wide as its list");
        self.segments[self.len / SEGMENT].extend_from_slice(item);
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::SearchLimits;

    #[test]
    fn items_are_found_on_both_sides_of_every_seam() {
        let mut budget = MemoryBudget::new(&SearchLimits::NONE);
        let mut list = Segmented::new(3);
        let items = u32::try_from(2 * SEGMENT + 5).unwrap();
        for i in 0..items {
            list.reserve(&mut budget).unwrap();
            list.push(&[i, i ^ 7, !i]);
        }
        assert_eq!(list.len(), items as usize);
        assert!((0..items).all(|i| list.get(i) == [i, i ^ 7, !i]));
        assert_eq!(budget.used(), 3 * 3 * 4 * SEGMENT as u64);
    }

    #[test]
    fn a_list_refuses_to_grow_beyond_its_budget() {
        let max_bytes = 3 * 8 * FIRST as u64;
        let mut budget =
            MemoryBudget::new(&SearchLimits { max_bytes: Some(max_bytes), ..SearchLimits::NONE });
        let mut list = Segmented::<u64>::new(1);
        let stop = loop {
            if let Err(stop) = list.reserve(&mut budget) {
                break stop;
            }
            list.push(&[0]);
        };
        assert_eq!(stop, Stop::Memory);
        assert_eq!(list.len(), 2 * FIRST);
        assert_eq!(budget.peak(), max_bytes);
    }
}
