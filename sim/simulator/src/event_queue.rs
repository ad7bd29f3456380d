//! The event queue: which process has its next event when, in virtual time.
//!
//! A timing wheel of milliseconds. An event that is due within the span of the wheel is in the
//! bucket of its time; a later one waits in an ordered map until the wheel comes near it. To
//! insert an event and to take the next one cost the same whatever the length of the queue. Events
//! of one millisecond are taken in the order of their insertion.

use std::collections::BTreeMap;

/// The span of the wheel, in milliseconds.
const SPAN: usize = 1 << 12;

#[derive(Debug)]
pub(crate) struct EventQueue<T> {
    now: u64,
    /// The events of the millisecond that has begun, and how many of them are taken.
    current: Vec<T>,
    taken: usize,
    wheel: Vec<Vec<T>>,
    /// A bit for each bucket of the wheel that is not empty.
    occupied: Vec<u64>,
    later: BTreeMap<u64, Vec<T>>,
}

impl<T: Copy> EventQueue<T> {
    /// An empty queue at time 0.
    pub(crate) fn new() -> Self {
        Self {
            now: 0,
            current: Vec::new(),
            taken: 0,
            wheel: (0..SPAN).map(|_| Vec::new()).collect(),
            occupied: vec![0; SPAN / 64],
            later: BTreeMap::new(),
        }
    }

    /// The virtual time, in milliseconds.
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Inserts `event`, due in `delay` milliseconds; at least one, so that time goes on.
    pub(crate) fn insert_after(&mut self, delay: u64, event: T) {
        let time = self.now + delay.max(1);
        if time < self.now + SPAN as u64 {
            self.put(time, event);
        } else {
            self.later.entry(time).or_default().push(event);
        }
    }

    fn put(&mut self, time: u64, event: T) {
        let bucket = bucket_of(time);
        self.wheel[bucket].push(event);
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
    }

    /// Takes the next event, and goes on to its time; `None` if the queue is empty.
    pub(crate) fn next(&mut self) -> Option<T> {
        while self.taken == self.current.len() {
            self.advance()?;
        }
        self.taken += 1;
        Some(self.current[self.taken - 1])
    }

    /// The event that follows `others` others, if it is due in the same millisecond.
    pub(crate) fn peek(&self, others: usize) -> Option<T> {
        self.current.get(self.taken + others).copied()
    }

    /// Goes on to the time of the next event.
    fn advance(&mut self) -> Option<()> {
        let near = self.next_on_wheel();
        let far = self.later.first_key_value().map(|(time, _)| *time);
        self.now = match (near, far) {
            (Some(near), Some(far)) => near.min(far),
            (near, far) => near.or(far)?,
        };
        let horizon = self.now + SPAN as u64;
        while let Some(entry) = self.later.first_entry().filter(|entry| *entry.key() < horizon) {
            let (time, events) = entry.remove_entry();
            for event in events {
                self.put(time, event);
            }
        }
        let bucket = bucket_of(self.now);
        self.current.clear();
        self.taken = 0;
        std::mem::swap(&mut self.current, &mut self.wheel[bucket]);
        self.occupied[bucket / 64] &= !(1 << (bucket % 64));
        Some(())
    }

    /// The first time after now whose bucket is not empty.
    fn next_on_wheel(&self) -> Option<u64> {
        let first = bucket_of(self.now + 1);
        let words = self.occupied.len();
        for offset in 0..=words {
            let index = (first / 64 + offset) % words;
            let mut word = self.occupied[index];
            if offset == 0 {
                word &= u64::MAX << (first % 64);
            } else if offset == words {
                word &= !(u64::MAX << (first % 64));
            }
            if word != 0 {
                let bucket = index * 64 + word.trailing_zeros() as usize;
                let ahead = (bucket + SPAN - first) % SPAN;
                return Some(self.now + 1 + ahead as u64);
            }
        }
        None
    }
}

fn bucket_of(time: u64) -> usize {
    usize::try_from(time % SPAN as u64).expect("the wheel is small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Stream};

    /// Against a plain ordered map, with delays below, around and beyond the span of the wheel.
    #[test]
    fn every_event_is_taken_at_its_time() {
        let mut dice = Dice::new(3, Stream::Schedule);
        let (mut queue, mut oracle) = (EventQueue::new(), BTreeMap::<u64, Vec<u32>>::new());
        let mut put = |queue: &mut EventQueue<u32>, oracle: &mut BTreeMap<_, Vec<u32>>, event| {
            let delay = u64::from(match dice.below(4) {
                0 => 1 + dice.below(3),
                1 => dice.below(200),
                2 => 4000 + dice.below(200),
                _ => dice.below(20_000),
            });
            oracle.entry(queue.now() + delay.max(1)).or_default().push(event);
            queue.insert_after(delay, event);
        };
        (0..50).for_each(|event| put(&mut queue, &mut oracle, event));
        for event in 50..5000 {
            let next = queue.next().expect("an event is left");
            let mut due = oracle.first_entry().expect("an event is left");
            assert_eq!(*due.key(), queue.now());
            let index = due.get().iter().position(|other| *other == next).expect("it is due");
            due.get_mut().remove(index);
            if due.get().is_empty() {
                due.remove();
            }
            put(&mut queue, &mut oracle, event);
        }
    }

    #[test]
    fn an_empty_queue_has_no_next_event() {
        let mut queue = EventQueue::new();
        queue.insert_after(5, 'a');
        queue.insert_after(100_000, 'b');
        assert_eq!((queue.next(), queue.now()), (Some('a'), 5));
        assert_eq!((queue.next(), queue.now()), (Some('b'), 100_000));
        assert_eq!((queue.next(), queue.now()), (None, 100_000));
    }
}
