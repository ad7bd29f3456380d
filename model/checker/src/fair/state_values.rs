//! A table with a value for each state, for values of which few are distinct.
//!
//! Masks and pending claims are bits of 64 claims at once, but most of millions of states share
//! theirs: a world with 1.1 million states has 3,633 distinct pairs of masks. So each distinct
//! value is stored once, and a state has its number: two bytes while there are at most 65,536
//! values, then four.

use std::mem::take;

use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    explore::hash_words,
    index::HashIndex,
};

/// The number of distinct values that two bytes can number.
const NARROW: usize = 1 << 16;

/// A value of `WORDS` words for each of the states `0..len`.
#[derive(Debug)]
pub(super) struct StateValues<const WORDS: usize> {
    values: Vec<[u64; WORDS]>,
    index: HashIndex,
    /// The number of the value set last: consecutive states mostly share one.
    last: u32,
    numbers: ValueNumbers,
}

/// For each state the number of its value.
#[derive(Debug)]
enum ValueNumbers {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl<const WORDS: usize> StateValues<WORDS> {
    /// Zeros for this number of states.
    pub(super) fn new(states: u32, budget: &mut MemoryBudget) -> Result<Self, Stop> {
        let numbers = budget.filled(0, states as usize)?;
        let mut new = Self {
            values: Vec::new(),
            index: HashIndex::new(1),
            last: 0,
            numbers: ValueNumbers::Narrow(numbers),
        };
        let zero = new.number([0; WORDS], budget)?;
        assert_eq!(zero, 0, "it is the first");
        Ok(new)
    }

    pub(super) fn len(&self) -> usize {
        match &self.numbers {
            ValueNumbers::Narrow(numbers) => numbers.len(),
            ValueNumbers::Wide(numbers) => numbers.len(),
        }
    }

    #[inline]
    pub(super) fn get(&self, state: u32) -> [u64; WORDS] {
        self.values[self.number_of(state)]
    }

    /// The number of the value of a state.
    #[inline]
    pub(super) fn number_of(&self, state: u32) -> usize {
        match &self.numbers {
            ValueNumbers::Narrow(numbers) => usize::from(numbers[state as usize]),
            ValueNumbers::Wide(numbers) => numbers[state as usize] as usize,
        }
    }

    /// The distinct values that states have or had, by their numbers.
    pub(super) fn values(&self) -> &[[u64; WORDS]] {
        &self.values
    }

    pub(super) fn set(
        &mut self,
        state: u32,
        value: [u64; WORDS],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        if self.values[self.last as usize] != value {
            self.last = self.number(value, budget)?;
        }
        self.put(state, self.last, budget)
    }

    /// Copies the values of `part` to the states from `first` on.
    pub(super) fn set_all(
        &mut self,
        first: u32,
        part: &Self,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let numbers = part.values.iter().map(|value| self.number(*value, budget));
        let numbers = numbers.collect::<Result<Vec<u32>, Stop>>()?;
        (0..part.len()).zip(first..).try_for_each(|(at, state)| {
            let at = u32::try_from(at).expect("states have numbers");
            self.put(state, numbers[part.number_of(at)], budget)
        })
    }

    /// Gives a state the value with this number; widens all numbers when two bytes do not suffice.
    fn put(&mut self, state: u32, number: u32, budget: &mut MemoryBudget) -> Result<(), Stop> {
        if number as usize >= NARROW
            && let ValueNumbers::Narrow(narrow) = &mut self.numbers
        {
            let mut wide = Vec::new();
            budget.grow(&mut wide, narrow.len())?;
            wide.extend(narrow.iter().map(|number| u32::from(*number)));
            budget.free(take(narrow));
            self.numbers = ValueNumbers::Wide(wide);
        }
        match &mut self.numbers {
            ValueNumbers::Narrow(numbers) => {
                numbers[state as usize] = u16::try_from(number).expect("the others are wide");
            }
            ValueNumbers::Wide(numbers) => numbers[state as usize] = number,
        }
        Ok(())
    }

    /// The number of a value; a new value is added.
    fn number(&mut self, value: [u64; WORDS], budget: &mut MemoryBudget) -> Result<u32, Stop> {
        let Self { values, index, .. } = self;
        let hash = hash_words(&value);
        if let Some(number) = index.find(hash, |number| values[number as usize] == value) {
            return Ok(number);
        }
        index.reserve(hash, budget, |number| hash_words(&values[number as usize]))?;
        budget.reserve(values, 1)?;
        let number = u32::try_from(values.len()).expect("there are no more than are set");
        index.insert(hash, number);
        values.push(value);
        Ok(number)
    }

    /// The memory of the table, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = match &self.numbers {
            ValueNumbers::Narrow(numbers) => bytes_of(numbers),
            ValueNumbers::Wide(numbers) => bytes_of(numbers),
        };
        bytes_of(&self.values) + self.index.bytes() + numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_keeps_its_value_however_many_there_are() {
        let states = 3 << 16;
        let mut budget = MemoryBudget::unlimited();
        let mut values = StateValues::<2>::new(states, &mut budget).unwrap();
        let value = |state: u32| [u64::from(state / 2), u64::from(state % 5) << 40];
        // The values of early states are written twice, the last ones never.
        for state in (0..1000).chain(0..states - 10) {
            values.set(state, value(state), &mut budget).unwrap();
            assert_eq!(budget.used(), values.bytes());
        }
        assert!(matches!(values.numbers, ValueNumbers::Wide(_)));
        for state in 0..states {
            let expected = if state < states - 10 { value(state) } else { [0; 2] };
            assert_eq!(values.get(state), expected, "state {state}");
        }
    }

    #[test]
    fn values_do_not_exceed_their_budget() {
        let states = 3 << 16;
        for max_bytes in [0, 300_000, 2_000_000] {
            let mut budget = MemoryBudget::of(Some(max_bytes));
            let mut fill = || {
                let mut values = StateValues::<1>::new(states, &mut budget)?;
                (0..states).try_for_each(|it| values.set(it, [it.into()], &mut budget))
            };
            assert_eq!(fill(), Err(Stop::Memory));
            assert!(budget.peak() <= max_bytes);
        }
    }
}
