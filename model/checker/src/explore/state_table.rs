//! Packed states, one after the other, each word as its number in a dictionary.
//!
//! A word of a packed state takes few values in all states together: in a world with 1.1 million
//! states of two words these are 24,192 and 19,080. So a state is a row of numbers, and a number
//! takes as many bits as its dictionary needs: four bytes for the two words.
//!
//! Rows lie in segments, and each segment says how long its numbers are ([`RowLayout`]). When a
//! dictionary comes to need one bit more, the last segment is written anew, the others are not. A
//! word whose values are nearly as many as the states is written whole from then on.

use super::{
    hash_words,
    rows::{PADDING, RowLayout, UnwrittenRows, WordPlace},
};
use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    index::HashIndex,
};

const SEGMENT: usize = 1 << 18;
/// Rows in the first segment to begin with.
const FIRST: usize = 1 << 8;
/// A dictionary with more values than this must have an eighth as many as there are states at most,
/// or its word is written whole.
const MOST_VALUES: usize = 1 << 16;
/// The number of a value that has none, or that is not looked up.
const UNKNOWN: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct StateTable {
    dictionaries: Vec<Dictionary>,
    /// All but the last are full.
    segments: Vec<Segment>,
    len: usize,
    /// The states for which there are rows, those among them that were not added yet.
    reserved: usize,
    /// The row that is being written; kept for its memory.
    row: Vec<u64>,
}

/// Rows with their words at the same places.
#[derive(Debug)]
struct Segment {
    layout: RowLayout,
    /// The rows, those that are not there yet as zeros.
    bytes: Vec<u8>,
}

/// The different values of a word, in the order in which they were met.
#[derive(Debug)]
struct Dictionary {
    values: Vec<u64>,
    numbers: HashIndex,
    /// Whether rows no longer use it: they have the word itself, as there were too many values.
    is_left: bool,
}

impl StateTable {
    /// An empty table of states of this number of words.
    pub(super) fn new(words: usize) -> Self {
        assert!(words > 0, "a state has a word");
        Self {
            dictionaries: std::iter::repeat_with(Dictionary::new).take(words).collect(),
            segments: Vec::new(),
            len: 0,
            reserved: 0,
            row: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number of words of a state.
    #[inline]
    pub(super) fn words(&self) -> usize {
        self.dictionaries.len()
    }

    /// Writes the state with this number to `state`.
    #[inline]
    pub(super) fn read(&self, id: u32, state: &mut [u64]) {
        let (Segment { layout, bytes }, first) = self.row(id);
        for ((place, dictionary), word) in layout.places.iter().zip(&self.dictionaries).zip(state) {
            *word = dictionary.value(*place, place.read(bytes, first));
        }
    }

    /// Whether the state with this number is `state`.
    #[inline]
    pub(super) fn is(&self, id: u32, state: &[u64]) -> bool {
        let (Segment { layout, bytes }, first) = self.row(id);
        let places = layout.places.iter().zip(&self.dictionaries);
        places.zip(state).all(|((place, dictionary), word)| {
            dictionary.value(*place, place.read(bytes, first)) == *word
        })
    }

    /// Reads some of the state with this number, so that a later [`Self::is`] need not wait for it.
    #[inline]
    pub(super) fn touch(&self, id: u32) -> u64 {
        let (Segment { bytes, .. }, first) = self.row(id);
        u64::from(bytes[first])
    }

    #[inline]
    fn row(&self, id: u32) -> (&Segment, usize) {
        let id = id as usize;
        let segment = &self.segments[id / SEGMENT];
        (segment, id % SEGMENT * segment.layout.row)
    }

    /// Adds the numbers of the words of `state` to `numbers`, as far as they are known, and says
    /// whether they all are; if not, [`Self::learn`] has to be told of the state.
    pub(super) fn numbers_of(&self, state: &[u64], numbers: &mut Vec<u32>) -> bool {
        let (words, mut is_known) = (self.dictionaries.iter().zip(state), true);
        numbers.extend(words.map(|(dictionary, value)| {
            let number = dictionary.number(*value);
            is_known &= number.is_some() || dictionary.is_left;
            number.unwrap_or(UNKNOWN)
        }));
        is_known
    }

    /// Gives numbers to the words of `state` that have none.
    pub(super) fn learn(
        &mut self,
        state: &[u64],
        numbers: &mut [u32],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        for ((dictionary, value), number) in self.dictionaries.iter_mut().zip(state).zip(numbers) {
            if dictionary.find(*value).is_none() {
                dictionary.add(*value, self.len, budget)?;
            }
            *number = dictionary.number(*value).unwrap_or(UNKNOWN);
        }
        Ok(())
    }

    /// The number of rows that still fit in this segment.
    pub(super) fn rows_left(&self) -> usize {
        SEGMENT - self.reserved % SEGMENT
    }

    /// Makes room for the rows of the next `count` states, which all lie in one segment.
    pub(super) fn reserve_rows(
        &mut self,
        count: usize,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let layout = layout_by(&self.dictionaries);
        let is_wider = self.segments.last().is_none_or(|last| last.layout != layout);
        self.make_room(count, is_wider, budget)?;
        self.reserved += count;
        Ok(())
    }

    /// The rows that are reserved, segment by segment. They have to be written before they are
    /// [added](Self::add_reserved).
    pub(super) fn reserved_rows(&mut self) -> Vec<UnwrittenRows<'_>> {
        let (first, len) = (self.len, self.reserved);
        let segments = self.segments.iter_mut().zip((0..).step_by(SEGMENT));
        let rows = segments.skip(first / SEGMENT).map(|(Segment { layout, bytes }, before)| {
            let range = first.max(before) - before..(len - before).min(SEGMENT);
            let bytes = &mut bytes[range.start * layout.row..range.end * layout.row];
            UnwrittenRows::new(layout, bytes, range.len())
        });
        rows.collect()
    }

    /// Adds the states whose rows are reserved.
    pub(super) fn add_reserved(&mut self) {
        self.len = self.reserved;
    }

    /// Makes room for `state`, so that it can be [pushed](Self::push) next.
    pub(super) fn reserve(&mut self, state: &[u64], budget: &mut MemoryBudget) -> Result<(), Stop> {
        assert_eq!(state.len(), self.words(), "a state is as wide as its table");
        self.row.clear();
        let mut is_wider = self.segments.is_empty();
        for (dictionary, value) in self.dictionaries.iter_mut().zip(state) {
            let number = if let Some(number) = dictionary.find(*value) {
                number
            } else {
                let (bits, is_left) = (dictionary.bits(), dictionary.is_left);
                let number = dictionary.add(*value, self.len, budget)?;
                is_wider |= (bits, is_left) != (dictionary.bits(), dictionary.is_left);
                number
            };
            self.row.push(number);
        }
        self.make_room(1, is_wider, budget)
    }

    /// Makes room for this number of rows in the last segment, or in the next if that is full. Its
    /// layout has changed if it `is_wider`.
    fn make_room(
        &mut self,
        count: usize,
        is_wider: bool,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let in_last = self.reserved - self.segments.len().saturating_sub(1) * SEGMENT;
        // A segment but the first is as large as it gets.
        let is_first = self.segments.len() <= usize::from(in_last < SEGMENT);
        let rows = if is_first { (in_last + count).max(FIRST) } else { SEGMENT };
        let rows = rows.next_power_of_two();
        if self.segments.is_empty() || in_last == SEGMENT {
            let segment = Segment::new(layout_by(&self.dictionaries), rows, budget)?;
            self.segments.push(segment);
            return Ok(());
        }
        let last = self.segments.last_mut().expect("there is one by now");
        if is_wider {
            let new = last.rewritten(&self.dictionaries, in_last, rows, budget)?;
            let old = std::mem::replace(last, new);
            budget.give(old.bytes.len() as u64);
        } else if !last.has_room(in_last + count) {
            last.extend(rows, budget)?;
        }
        Ok(())
    }

    /// Adds the state for which [`Self::reserve`] made room.
    pub(super) fn push(&mut self) {
        let last = self.segments.last_mut().expect("a table reserves before it adds");
        for (word, number) in self.row.iter().enumerate() {
            last.write(self.len % SEGMENT, word, *number);
        }
        self.len += 1;
        self.reserved = self.len;
    }

    /// The bytes of the states.
    pub(super) fn bytes(&self) -> u64 {
        let segments: u64 = self.segments.iter().map(|it| it.bytes.len() as u64).sum();
        let dictionaries = self.dictionaries.iter();
        segments + dictionaries.map(Dictionary::bytes).sum::<u64>()
    }
}

impl Segment {
    fn new(layout: RowLayout, rows: usize, budget: &mut MemoryBudget) -> Result<Self, Stop> {
        let bytes = rows * layout.row + PADDING;
        budget.take(bytes as u64)?;
        Ok(Self { layout, bytes: vec![0; bytes] })
    }

    /// The first `count` rows, as these dictionaries have them by now, with room for `rows`.
    fn rewritten(
        &self,
        dictionaries: &[Dictionary],
        count: usize,
        rows: usize,
        budget: &mut MemoryBudget,
    ) -> Result<Self, Stop> {
        let mut new = Self::new(layout_by(dictionaries), rows, budget)?;
        for (word, dictionary) in dictionaries.iter().enumerate() {
            let (old, place) = (self.layout.places[word], new.layout.places[word]);
            for row in 0..count {
                let number = old.read(&self.bytes, row * self.layout.row);
                new.write(
                    row,
                    word,
                    if place.is_whole { dictionary.value(old, number) } else { number },
                );
            }
        }
        Ok(new)
    }

    /// Makes room for this number of rows.
    fn extend(&mut self, rows: usize, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let old = self.bytes.len();
        budget.grow(&mut self.bytes, rows * self.layout.row + PADDING)?;
        self.bytes.resize(self.bytes.capacity(), 0);
        debug_assert!(old < self.bytes.len(), "it grows");
        Ok(())
    }

    /// Whether there is room for this number of rows.
    fn has_room(&self, rows: usize) -> bool {
        rows * self.layout.row + PADDING <= self.bytes.len()
    }

    fn write(&mut self, row: usize, word: usize, number: u64) {
        self.layout.places[word].write(&mut self.bytes, row * self.layout.row, number);
    }
}

fn layout_by(dictionaries: &[Dictionary]) -> RowLayout {
    RowLayout::of(dictionaries.iter().map(|it| (!it.is_left).then(|| it.bits())))
}

impl Dictionary {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: HashIndex::new(1), is_left: false }
    }

    /// The bits that a number takes: at most 31, as there are no more values than states.
    fn bits(&self) -> u32 {
        usize::BITS - self.values.len().saturating_sub(1).leading_zeros()
    }

    /// The value that a place stands for.
    #[inline]
    fn value(&self, place: WordPlace, number: u64) -> u64 {
        #[expect(clippy::cast_possible_truncation, reason = "a number is below that of values")]
        if place.is_whole { number } else { self.values[number as usize] }
    }

    #[inline]
    fn number(&self, value: u64) -> Option<u32> {
        let is_same = |number: u32| self.values[number as usize] == value;
        self.numbers.find(hash_words(&[value]), is_same)
    }

    /// The number to write for `value`, or `value` itself where the dictionary is left; `None` if
    /// it has no number yet.
    #[inline]
    fn find(&self, value: u64) -> Option<u64> {
        if self.is_left { Some(value) } else { self.number(value).map(u64::from) }
    }

    /// The number given to a new `value`; or `value` itself, if there are too many values for
    /// `states`, and the dictionary is left.
    #[cold]
    fn add(&mut self, value: u64, states: usize, budget: &mut MemoryBudget) -> Result<u64, Stop> {
        let Self { values, numbers, is_left } = self;
        if values.len() >= MOST_VALUES && values.len() > states / 8 {
            budget.give(numbers.bytes());
            (*numbers, *is_left) = (HashIndex::new(1), true);
            return Ok(value);
        }
        budget.reserve(values, 1)?;
        let hash = hash_words(&[value]);
        numbers.reserve(hash, budget, |number| hash_words(&[values[number as usize]]))?;
        let number = u32::try_from(values.len()).expect("states have numbers");
        numbers.insert(hash, number);
        values.push(value);
        Ok(u64::from(number))
    }

    /// The bytes of the dictionary.
    fn bytes(&self) -> u64 {
        bytes_of(&self.values) + self.numbers.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::MemoryBudget;

    fn filled(words: usize, states: usize, state: impl Fn(usize) -> Vec<u64>) -> StateTable {
        let mut budget = MemoryBudget::unlimited();
        let mut table = StateTable::new(words);
        for id in 0..states {
            table.reserve(&state(id), &mut budget).unwrap();
            table.push();
        }
        assert_eq!(budget.used(), table.bytes());
        table
    }

    fn assert_kept(table: &StateTable, state: impl Fn(usize) -> Vec<u64>) {
        let mut read = vec![0; table.words()];
        for id in 0..table.len() {
            let number = u32::try_from(id).unwrap();
            table.read(number, &mut read);
            assert_eq!(read, state(id), "state {id}");
            assert!(table.is(number, &read), "state {id}");
            for word in 0..read.len() {
                read[word] ^= 1 << (id % 64);
                assert!(!table.is(number, &read), "state {id} differs in word {word}");
                read[word] ^= 1 << (id % 64);
            }
        }
    }

    #[test]
    fn states_are_kept_while_their_dictionaries_grow() {
        let states = [
            |id: usize| vec![7, id as u64 % 3, (id as u64 / 100) << 40, u64::MAX - id as u64 / 2],
            |id: usize| vec![0, 0, 0, id as u64],
            |_| vec![u64::MAX; 4],
        ];
        for state in states {
            for len in [0, 1, 2, FIRST, FIRST + 1, 5000] {
                assert_kept(&filled(4, len, state), state);
            }
        }
    }

    #[test]
    fn a_word_with_many_values_is_written_whole() {
        let states = 2 * SEGMENT + 70_000;
        // The second word has a value for every state, the first one for every sixteen.
        let state = |id: usize| vec![id as u64 / 16, (id as u64).wrapping_mul(0x9e37_79b9_7f4a)];
        let table = filled(2, states, state);
        assert_kept(&table, state);
        let are_left = table.dictionaries.iter().map(|it| it.is_left);
        assert!(are_left.eq([false, true]));
        assert_eq!(table.dictionaries[1].values.len(), MOST_VALUES);
        let rows: Vec<usize> = table.segments.iter().map(|it| it.layout.row).collect();
        assert_eq!(rows, [10, 10, 10], "8 bytes, and at most 16 bits");
    }

    #[test]
    fn few_values_take_few_bytes() {
        let states = 2 * SEGMENT;
        let table = filled(2, states, |id| vec![id as u64 % 30_000, (id as u64 % 17_000) << 30]);
        let dictionaries = table.dictionaries.iter().map(Dictionary::bytes).sum::<u64>();
        assert_eq!(table.bytes(), 4 * states as u64 + 2 * 8 + dictionaries);
        assert!(dictionaries < 24 * (30_000 + 17_000), "{dictionaries}");
    }

    #[test]
    fn a_table_refuses_to_grow_beyond_its_budget() {
        let mut budget = MemoryBudget::of(Some(10_000));
        let mut table = StateTable::new(1);
        let state = |id: usize| [id as u64 / 5];
        let stop = loop {
            if let Err(stop) = table.reserve(&state(table.len()), &mut budget) {
                break stop;
            }
            table.push();
        };
        assert_eq!(stop, Stop::Memory);
        assert!(table.len() > FIRST && budget.used() <= 10_000);
        assert_eq!(budget.used(), table.bytes());
        assert_kept(&table, |id| state(id).to_vec());
    }
}
