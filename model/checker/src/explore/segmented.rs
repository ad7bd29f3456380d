//! A long list that never moves once it is large.
//!
//! A vector that doubles holds its items twice while it moves, just when memory is short. This one
//! grows by segments of fixed size. Only its first segment doubles, so that small worlds stay
//! small.

use crate::Stop;
use crate::budget::MemoryBudget;

const SEGMENT: usize = 1 << 18;
/// Items in the first segment to begin with.
const FIRST: usize = 1 << 8;

#[derive(Debug, Default)]
pub(super) struct Segmented<T> {
    segments: Vec<Vec<T>>,
}

impl<T: Copy> Segmented<T> {
    #[inline]
    pub(super) fn get(&self, index: usize) -> T {
        self.segments[index / SEGMENT][index % SEGMENT]
    }

    /// Makes room for one more item.
    #[inline]
    pub(super) fn reserve(&mut self, budget: &mut MemoryBudget) -> Result<(), Stop> {
        match self.segments.last_mut() {
            Some(last) if last.len() < SEGMENT => budget.reserve(last, 1),
            last => {
                let items = if last.is_none() { FIRST } else { SEGMENT };
                let mut segment = Vec::new();
                budget.grow(&mut segment, items)?;
                self.segments.push(segment);
                Ok(())
            }
        }
    }

    /// The bytes of the items.
    pub(super) fn bytes(&self) -> u64 {
        self.segments.iter().map(crate::budget::bytes_of).sum()
    }

    /// Adds an item, for which there must be room.
    #[inline]
    pub(super) fn push(&mut self, item: T) {
        self.segments.last_mut().expect("there is room").push(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_on_both_sides_of_every_seam() {
        let mut budget = MemoryBudget::unlimited();
        let mut list = Segmented::default();
        let items = 2 * SEGMENT + 5;
        for item in 0..items {
            list.reserve(&mut budget).unwrap();
            list.push(item ^ 7);
        }
        assert!((0..items).all(|item| list.get(item) == item ^ 7));
        assert_eq!(budget.used(), 3 * 8 * SEGMENT as u64);
        assert_eq!(budget.used(), list.bytes());
    }

    #[test]
    fn a_list_refuses_to_grow_beyond_its_budget() {
        let max_bytes = 3 * 8 * FIRST as u64;
        let mut budget = MemoryBudget::of(Some(max_bytes));
        let mut list = Segmented::<u64>::default();
        let mut items = 0;
        let stop = loop {
            if let Err(stop) = list.reserve(&mut budget) {
                break stop;
            }
            list.push(0);
            items += 1;
        };
        assert_eq!((stop, items), (Stop::Memory, 2 * FIRST));
        assert_eq!(budget.peak(), max_bytes);
    }
}
