//! An interner: snapshots by number, so that large values with few distinct ones take a few bits.
//!
//! A snapshot is numbered when a thread first meets it, from 1. Until the numbers are committed
//! their order depends on the threads; even then equal snapshots have equal numbers, and different
//! ones different numbers. `commit` makes them final, in an order that the caller gives.
#![expect(
    clippy::disallowed_types,
    reason = "a map that is only looked up: its order reaches nothing"
)]

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, RwLock},
};

/// The known snapshots, shared by all threads.
pub(crate) struct Interner<T> {
    known: RwLock<SnapshotTable<T>>,
}

/// Snapshots and their numbers, which begin with 1.
struct SnapshotTable<T> {
    /// The greatest number there may be.
    most: u32,
    numbers: HashMap<T, u32>,
    snapshots: Vec<T>,
    /// The number of final numbers.
    committed: usize,
    /// A snapshot got no number.
    overflowed: bool,
}

/// One thread's copies of the snapshots with final numbers that it has met. They are its own, so
/// that threads do not contend for reference counts.
pub struct Local<T> {
    numbers: HashMap<Arc<T>, u32>,
    snapshots: Vec<Arc<T>>,
    /// The number of final numbers, as far as this thread knows.
    committed: usize,
}

/// The error that there are too few numbers for all snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl<T> Default for Local<T> {
    fn default() -> Self {
        Self { numbers: HashMap::new(), snapshots: Vec::new(), committed: 0 }
    }
}

impl<T> Local<T> {
    /// Whether it knows that this number is final; 0, which stands for no snapshot, is.
    pub(crate) fn is_final(&self, number: u32) -> bool {
        number as usize <= self.committed
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// An interner whose numbers take at most `bits` bits.
    pub(crate) fn with_bits(bits: u32) -> Self {
        Self {
            known: RwLock::new(SnapshotTable {
                most: u32::MAX >> (u32::BITS - bits),
                numbers: HashMap::new(),
                snapshots: Vec::new(),
                committed: 0,
                overflowed: false,
            }),
        }
    }

    /// The greatest number that is final.
    pub(crate) fn committed(&self) -> u32 {
        let known = self.known.read().expect("nobody panics while holding it");
        u32::try_from(known.committed).expect("they are few")
    }

    /// The number of a snapshot, from 1. If there are too many it is 0, and the next commit fails.
    pub(crate) fn number(&self, snapshot: &T, local: &mut Local<T>) -> u32 {
        if let Some(number) = local.numbers.get(snapshot) {
            return *number;
        }
        let known = self.known.read().expect("nobody panics while holding it");
        let Some(&number) = known.numbers.get(snapshot) else {
            drop(known);
            let mut known = self.known.write().expect("nobody panics while holding it");
            return known.number(snapshot); // another thread may have been faster
        };
        local.committed = known.committed;
        if number as usize <= known.committed {
            local.numbers.insert(Arc::new(snapshot.clone()), number);
        }
        number
    }

    /// The snapshot of this number; `None` for 0.
    pub(crate) fn snapshot(&self, number: u32, local: &mut Local<T>) -> Option<Arc<T>> {
        let index = (number as usize).checked_sub(1)?;
        if index >= local.snapshots.len() {
            let known = self.known.read().expect("nobody panics while holding it");
            local.committed = known.committed;
            if index >= known.committed {
                return Some(Arc::new(known.snapshots[index].clone()));
            }
            let news = &known.snapshots[local.snapshots.len()..known.committed];
            local.snapshots.extend(news.iter().cloned().map(Arc::new));
        }
        Some(Arc::clone(&local.snapshots[index]))
    }

    /// Makes the numbers given since the last commit final. `walk` passes each number that is kept
    /// to its argument, in an order that does not depend on threads, and replaces it by the result;
    /// numbers that it leaves out are forgotten. With each new snapshot its `images` get numbers.
    ///
    /// # Errors
    /// If there were too few numbers.
    pub(crate) fn commit(
        &self,
        walk: impl FnOnce(&mut dyn FnMut(u32) -> u32),
        images: impl Fn(&T) -> Vec<T>,
    ) -> Result<(), Overflow> {
        let known = &mut *self.known.write().expect("nobody panics while holding it");
        if known.overflowed {
            return Err(Overflow);
        }
        let committed = known.committed;
        let given = known.snapshots.split_off(committed);
        if given.is_empty() {
            return Ok(());
        }
        for snapshot in &given {
            known.numbers.remove(snapshot);
        }
        walk(&mut |number| match (number as usize).checked_sub(committed + 1) {
            Some(index) => known.number(&given[index]),
            None => number,
        });
        while known.committed < known.snapshots.len() {
            for image in images(&known.snapshots[known.committed]) {
                known.number(&image);
            }
            known.committed += 1;
        }
        if known.overflowed { Err(Overflow) } else { Ok(()) }
    }
}

impl<T: Clone + Eq + Hash> SnapshotTable<T> {
    /// The number of a snapshot. A new snapshot gets the next number, or 0 if none is left.
    fn number(&mut self, snapshot: &T) -> u32 {
        if let Some(number) = self.numbers.get(snapshot) {
            return *number;
        }
        let next = u32::try_from(self.snapshots.len() + 1).expect("they are few");
        if next > self.most {
            self.overflowed = true;
            return 0;
        }
        self.numbers.insert(snapshot.clone(), next);
        self.snapshots.push(snapshot.clone());
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none<T>(_: &T) -> Vec<T> {
        Vec::new()
    }

    #[test]
    fn images_come_with_what_is_kept() {
        let (interner, mut local) = (Interner::with_bits(8), Local::default());
        assert_eq!([5, 90, 7].map(|value| interner.number(&value, &mut local)), [1, 2, 3]);
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            assert_eq!([3, 1].map(renumber), [1, 2]);
        };
        let images = |value: &i32| vec![-value, *value];
        interner.commit(walk, images).expect("there are enough");
        let numbers = [7, 5, -7, -5].map(|value| interner.number(&value, &mut local));
        assert_eq!(numbers, [1, 2, 3, 4]);
        assert!(numbers.iter().all(|number| local.is_final(*number)));
        assert_eq!(interner.number(&90, &mut local), 5, "it was forgotten");
    }

    #[test]
    fn too_many_images_are_noticed_at_once() {
        let (interner, mut local) = (Interner::with_bits(2), Local::default());
        assert_eq!([1, 2].map(|value| interner.number(&value, &mut local)), [1, 2]);
        let keep = |renumber: &mut dyn FnMut(u32) -> u32| {
            assert_eq!([1, 2].map(renumber), [1, 2]);
        };
        assert_eq!(interner.commit(keep, |value| vec![-value]), Err(Overflow));
    }

    #[test]
    fn snapshots_are_told_apart_by_their_numbers() {
        let (interner, mut local) = (Interner::with_bits(8), Local::default());
        let words = ["one", "two", "one", "three", "two"];
        let numbers = words.map(|word| interner.number(&word, &mut local));
        assert_eq!(numbers, [1, 2, 1, 3, 2]);
        for (word, number) in words.iter().zip(numbers) {
            assert_eq!(interner.snapshot(number, &mut local).as_deref(), Some(word));
        }
        assert_eq!(interner.snapshot(0, &mut local), None);
    }

    #[test]
    fn committed_numbers_do_not_depend_on_who_was_first() {
        for first in [3, 500, 999] {
            let interner = Interner::with_bits(10);
            let mut early = Local::default();
            assert_eq!(interner.number(&7, &mut early), 1);
            interner.commit(|renumber| assert_eq!(renumber(1), 1), none).expect("there are enough");
            let meet = |thread: u32| {
                let (mut local, mut numbers) = (Local::default(), vec![0; 1000]);
                for step in 0..1000 {
                    let value = (step * 7 + thread * first) % 1000;
                    numbers[value as usize] = interner.number(&value, &mut local);
                }
                for (value, number) in (0..).zip(&numbers) {
                    let snapshot = interner.snapshot(*number, &mut local);
                    assert_eq!(snapshot.as_deref(), Some(&value), "before the commit");
                }
                numbers
            };
            let all: Vec<Vec<u32>> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|it| scope.spawn(move || meet(it))).collect();
                threads.into_iter().map(|it| it.join().expect("it does not panic")).collect()
            });
            assert!(all.iter().all(|numbers| numbers == &all[0]));
            let mut kept: Vec<u32> = all[0].iter().copied().step_by(3).collect();
            let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
                for number in &mut kept {
                    *number = renumber(*number);
                }
            };
            interner.commit(walk, none).expect("there are enough");
            assert!(kept.iter().copied().eq(2..=335), "in the order of the walk");
            let values = (0..1000).step_by(3);
            for (value, number) in values.zip(kept) {
                assert_eq!(interner.number(&value, &mut early), number);
                assert_eq!(interner.snapshot(number, &mut early).as_deref(), Some(&value));
            }
            assert_eq!(interner.number(&1, &mut early), 336, "it was forgotten");
        }
    }

    #[test]
    fn a_number_that_is_not_final_is_not_remembered() {
        let (interner, mut local) = (Interner::with_bits(8), Local::default());
        assert_eq!(["one", "two"].map(|word| interner.number(&word, &mut local)), [1, 2]);
        assert_eq!(["one", "two"].map(|word| interner.number(&word, &mut local)), [1, 2]);
        let walk = |renumber: &mut dyn FnMut(u32) -> u32| {
            assert_eq!([2, 1].map(renumber), [1, 2]);
        };
        interner.commit(walk, none).expect("there are enough");
        assert_eq!(["one", "two"].map(|word| interner.number(&word, &mut local)), [2, 1]);
    }

    #[test]
    fn too_many_are_noticed() {
        let (interner, mut local) = (Interner::with_bits(2), Local::default());
        assert_eq!([1, 2, 3].map(|value| interner.number(&value, &mut local)), [1, 2, 3]);
        let keep = |renumber: &mut dyn FnMut(u32) -> u32| {
            assert_eq!([1, 2, 3].map(renumber), [1, 2, 3]);
        };
        assert_eq!(interner.commit(keep, none), Ok(()));
        assert_eq!(interner.number(&4, &mut local), 0);
        assert_eq!(interner.number(&2, &mut local), 2, "those that have one keep it");
        assert_eq!(interner.commit(|_| unreachable!("nothing is final"), none), Err(Overflow));
    }
}
