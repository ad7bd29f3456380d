//! Functions that are all looked up in one state after the other.
//!
//! A state mostly differs from the one before in a few bits, so most functions have the result that
//! they had there. Which functions do is found out for all at once, without a branch for each. The
//! others are looked up: by a hash of all bits that the function may read, among the results that
//! were found before, and otherwise in its tree.

use super::{Memo, ReadTrail, hash_of};

/// Memoised functions of packed states, all looked up in one state after the other.
#[derive(Clone, Debug)]
pub struct Memos<T> {
    functions: Vec<Function<T>>,
    /// The number of words of a state.
    words: usize,
    /// The result of each function in the present state, valid where `is_known`.
    results: Vec<T>,
    is_known: Vec<bool>,
    /// The bits that each function's result was read from, and their values: word by word, and
    /// within a word function by function, so that one loop without branches compares them with a
    /// new state.
    bits: Vec<u64>,
    values: Vec<u64>,
    /// Scratch memory: the bits of each function that differ in a new state; and the functions that
    /// have any, with their shortcuts.
    differs: Vec<u64>,
    missed: Vec<(usize, u32)>,
}

#[derive(Clone, Debug)]
struct Function<T> {
    memo: Memo<T>,
    /// The bits read for each result, a word after the other.
    read: Vec<ReadBits>,
    /// The bits of each word that are read for any result.
    mask: Vec<u64>,
    /// Shortcuts: the places of results that were found before, by a hash of these bits.
    shortcuts: Vec<u32>,
}

/// Bits of a word that were read, and their values.
#[derive(Clone, Copy, Debug)]
struct ReadBits {
    bits: u64,
    value: u64,
}

/// A pair that no state agrees with: its value has a bit outside its bits.
const NOTHING: ReadBits = ReadBits { bits: 0, value: 1 };
/// A place without a shortcut.
const NONE: u32 = u32::MAX;
/// The most shortcuts of a function; their number is a power of two.
const MOST_SHORTCUTS: usize = 1 << 14;

impl<T: Copy + Default> Memos<T> {
    /// This number of functions, of states with this number of words.
    pub fn new(functions: usize, words: usize) -> Self {
        let function = || Function::new(words);
        Self {
            functions: std::iter::repeat_with(function).take(functions).collect(),
            words,
            results: vec![T::default(); functions],
            is_known: vec![false; functions],
            bits: vec![NOTHING.bits; functions * words],
            values: vec![NOTHING.value; functions * words],
            differs: vec![0; functions],
            missed: vec![(0, NONE); functions],
        }
    }

    /// The bytes that this number of functions of states of this number of words take before any
    /// result is known.
    pub fn bytes(functions: usize, words: usize) -> usize {
        let by_word = 3 * size_of::<u64>(); // its bits and values here, and its mask
        functions * (words * by_word + size_of::<Function<T>>() + size_of::<T>())
    }

    #[inline]
    pub fn go_to(&mut self, state: &[u64]) {
        self.differs.fill(0);
        let functions = self.results.len().max(1);
        let words = self.bits.chunks_exact(functions).zip(self.values.chunks_exact(functions));
        for (word, (bits, values)) in state.iter().zip(words) {
            for (differs, (bits, value)) in self.differs.iter_mut().zip(bits.iter().zip(values)) {
                *differs |= (word & bits) ^ value;
            }
        }
        // Each function is written down, and kept if it counts: a branch could not be foreseen.
        let mut count = 0;
        for (function, differs) in self.differs.iter().enumerate() {
            self.missed[count].0 = function;
            count += usize::from(*differs != 0);
        }
        // Asks memory for all shortcuts before it needs one of them.
        for (function, shortcut) in &mut self.missed[..count] {
            *shortcut = self.functions[*function].shortcut(state);
        }
        let mut at = 0;
        while at < count {
            let (function, shortcut) = self.missed[at];
            if self.take(function, shortcut, state) {
                at += 1;
            } else if let Some(found) = self.functions[function].find(state) {
                self.missed[at].1 = found;
            } else {
                self.unset(function);
                at += 1;
            }
        }
    }

    /// The result of a function in the state that it went to, if it is known.
    #[inline]
    pub fn get(&self, function: usize) -> Option<T> {
        self.is_known[function].then(|| self.results[function])
    }

    /// The results of all functions in the state that it went to, if all are known.
    #[inline]
    pub fn all(&self) -> Option<&[T]> {
        let all_known = self.is_known.iter().fold(true, |all, is_known| all & is_known);
        all_known.then_some(&self.results)
    }

    /// The number of results of a function.
    pub fn len_of(&self, function: usize) -> usize {
        self.functions[function].memo.len()
    }

    /// Notes that the result of a function is not known.
    fn unset(&mut self, function: usize) {
        self.is_known[function] = false;
        for at in (function..self.bits.len()).step_by(self.results.len()) {
            (self.bits[at], self.values[at]) = (NOTHING.bits, NOTHING.value);
        }
    }

    /// Takes the result at this place, if there is one that the present state agrees with; says
    /// whether it did.
    #[inline]
    fn take(&mut self, function: usize, place: u32, state: &[u64]) -> bool {
        let Function { memo, read, .. } = &self.functions[function];
        let place = place as usize;
        let Some(read) = read.get(place * self.words..) else { return false };
        if !read.iter().zip(state).all(|(it, word)| word & it.bits == it.value) {
            return false;
        }
        (self.results[function], self.is_known[function]) = (memo.results[place], true);
        let mut at = function;
        for read in &read[..self.words] {
            (self.bits[at], self.values[at]) = (read.bits, read.value);
            at += self.results.len();
        }
        true
    }

    /// Remembers the result of a function for the state that it went to, for which none is known.
    ///
    /// # Panics
    /// As [`Memo::insert`] does.
    pub fn insert(&mut self, function: usize, state: &[u64], trail: &ReadTrail, result: T) {
        let place = self.functions[function].memo.len();
        self.functions[function].insert(state, trail, result);
        // The other functions are where they were: to look all up again would take as long as to
        // go to a state, once for each of them.
        let place = u32::try_from(place).expect("results are fewer than they have bytes");
        let is_taken = self.take(function, place, state);
        debug_assert!(is_taken, "a state agrees with what was read in it");
    }

    /// Forgets all results of a function.
    pub fn clear_one(&mut self, function: usize) {
        self.functions[function] = Function::new(self.words);
        self.unset(function);
    }

    pub fn clear(&mut self) {
        *self = Self::new(self.functions.len(), self.words);
    }
}

impl<T: Copy> Function<T> {
    fn new(words: usize) -> Self {
        let memo = Memo::default();
        Self { memo, read: Vec::new(), mask: vec![0; words], shortcuts: Vec::new() }
    }

    /// The place of the shortcut for a state; `None` if there are no shortcuts.
    #[inline]
    fn place(&self, state: &[u64]) -> Option<usize> {
        let key = self.mask.iter().zip(state).map(|(bits, word)| word & bits);
        Some(hash_of(key) & self.shortcuts.len().checked_sub(1)?)
    }

    /// The shortcut for a state, or [`NONE`]. It need not lead to the right result.
    #[inline]
    fn shortcut(&self, state: &[u64]) -> u32 {
        self.place(state).map_or(NONE, |place| self.shortcuts[place])
    }

    /// The place of the result for a state, if it is known: the shortcut from now on.
    #[inline(never)]
    fn find(&mut self, state: &[u64]) -> Option<u32> {
        let place = self.place(state)?;
        let found = u32::try_from(self.memo.find(state)?).ok()?;
        self.shortcuts[place] = found;
        Some(found)
    }

    fn insert(&mut self, state: &[u64], trail: &ReadTrail, result: T) {
        self.memo.insert(state, trail, result);
        let (mut is_wider, shortcuts) = (false, self.shortcuts.len());
        for ((mask, bits), word) in self.mask.iter_mut().zip(trail.bits()).zip(state) {
            is_wider |= bits & !*mask != 0;
            *mask |= bits;
            self.read.push(ReadBits { bits: *bits, value: word & bits });
        }
        // Shortcuts are forgotten if they get other places.
        let wanted = (4 * self.memo.len()).next_power_of_two().min(MOST_SHORTCUTS);
        if is_wider || wanted != shortcuts {
            self.shortcuts.clear();
            self.shortcuts.resize(wanted, NONE);
        }
    }
}
