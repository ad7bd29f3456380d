//! The schedule: who moves when, in virtual time.
//!
//! A wheel of milliseconds: what is due soon stands in the row of its time, what is due later
//! waits in an ordered map until the wheel comes near it. Putting somebody on it and taking the
//! next one cost the same however many are on it. Those of one millisecond move in the order in
//! which they were put there.

use std::collections::BTreeMap;

/// The span of the wheel, in milliseconds.
const SPAN: usize = 1 << 12;

/// How far ahead `soon` looks.
const AHEAD: usize = 1;

/// Who moves when.
#[derive(Debug)]
pub(super) struct Schedule<T> {
    now: u64,
    /// Those due in the millisecond that has begun, and how many of them have moved.
    current: Vec<T>,
    moved: usize,
    wheel: Vec<Vec<T>>,
    /// A bit for each row of the wheel that is not empty.
    occupied: Vec<u64>,
    later: BTreeMap<u64, Vec<T>>,
}

impl<T: Copy> Schedule<T> {
    /// Nobody is on it.
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            current: Vec::new(),
            moved: 0,
            wheel: (0..SPAN).map(|_| Vec::new()).collect(),
            occupied: vec![0; SPAN / 64],
            later: BTreeMap::new(),
        }
    }

    /// The virtual time, in milliseconds.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// Puts `who` on it, `delay` milliseconds from now; at least one, so that time goes on.
    pub(super) fn after(&mut self, delay: u64, who: T) {
        let time = self.now + delay.max(1);
        if time < self.now + SPAN as u64 {
            self.put(time, who);
        } else {
            self.later.entry(time).or_default().push(who);
        }
    }

    fn put(&mut self, time: u64, who: T) {
        let row = slot_of(time);
        self.wheel[row].push(who);
        self.occupied[row / 64] |= 1 << (row % 64);
    }

    /// The next one, whose time it is now; `None` if nobody is left.
    pub(super) fn next(&mut self) -> Option<T> {
        while self.moved == self.current.len() {
            self.turn()?;
        }
        self.moved += 1;
        Some(self.current[self.moved - 1])
    }

    /// Who comes soon after the one whose time it is, if it is in the same millisecond.
    pub(super) fn soon(&self) -> Option<T> {
        self.current.get(self.moved + AHEAD).copied()
    }

    /// Goes on to the next time at which anybody moves.
    fn turn(&mut self) -> Option<()> {
        let near = self.next_on_wheel();
        let far = self.later.first_key_value().map(|(time, _)| *time);
        self.now = match (near, far) {
            (Some(near), Some(far)) => near.min(far),
            (near, far) => near.or(far)?,
        };
        let horizon = self.now + SPAN as u64;
        while let Some(entry) = self.later.first_entry().filter(|entry| *entry.key() < horizon) {
            let (time, all) = entry.remove_entry();
            for who in all {
                self.put(time, who);
            }
        }
        let row = slot_of(self.now);
        self.current.clear();
        self.moved = 0;
        std::mem::swap(&mut self.current, &mut self.wheel[row]);
        self.occupied[row / 64] &= !(1 << (row % 64));
        Some(())
    }

    /// The first time after now whose row is not empty.
    fn next_on_wheel(&self) -> Option<u64> {
        let first = slot_of(self.now + 1);
        let words = self.occupied.len();
        for turn in 0..=words {
            let index = (first / 64 + turn) % words;
            let mut word = self.occupied[index];
            if turn == 0 {
                word &= u64::MAX << (first % 64);
            } else if turn == words {
                word &= !(u64::MAX << (first % 64));
            }
            if word != 0 {
                let row = index * 64 + word.trailing_zeros() as usize;
                let ahead = (row + SPAN - first) % SPAN;
                return Some(self.now + 1 + ahead as u64);
            }
        }
        None
    }
}

fn slot_of(time: u64) -> usize {
    usize::try_from(time % SPAN as u64).expect("the wheel is small")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Concern, Dice};

    /// Against a plain ordered map, with delays below, around and beyond the span of the wheel.
    #[test]
    fn everybody_moves_at_their_time_and_in_order() {
        let mut dice = Dice::new(3, Concern::Schedule);
        let (mut schedule, mut oracle) = (Schedule::new(), BTreeMap::<u64, Vec<u32>>::new());
        let mut put = |schedule: &mut Schedule<u32>, oracle: &mut BTreeMap<_, Vec<u32>>, who| {
            let delay = u64::from(match dice.below(4) {
                0 => 1 + dice.below(3),
                1 => dice.below(200),
                2 => 4000 + dice.below(200),
                _ => dice.below(20_000),
            });
            oracle.entry(schedule.now() + delay.max(1)).or_default().push(who);
            schedule.after(delay, who);
        };
        (0..50).for_each(|who| put(&mut schedule, &mut oracle, who));
        for who in 50..5000 {
            let next = schedule.next().expect("somebody is left");
            let mut due = oracle.first_entry().expect("somebody is left");
            assert_eq!(*due.key(), schedule.now());
            let place = due.get().iter().position(|other| *other == next).expect("it is due");
            due.get_mut().remove(place);
            if due.get().is_empty() {
                due.remove();
            }
            put(&mut schedule, &mut oracle, who);
        }
    }

    #[test]
    fn an_empty_schedule_is_over() {
        let mut schedule = Schedule::new();
        schedule.after(5, 'a');
        schedule.after(100_000, 'b');
        assert_eq!((schedule.next(), schedule.now()), (Some('a'), 5));
        assert_eq!((schedule.next(), schedule.now()), (Some('b'), 100_000));
        assert_eq!((schedule.next(), schedule.now()), (None, 100_000));
    }
}
