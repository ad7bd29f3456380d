//! Memoised functions of packed states that read a part of their bits.
//!
//! A state space often has few different parts: what an actor can do next depends on some bits of
//! the state, and these take few values in all states together. A [`Memo`] knows the results of a
//! function by the bits that it reads. Which bits these are, it learns on the way: with a result
//! comes what was read for it, in order ([`ReadTrail`]).
//!
//! It is a decision tree. What a function reads first is always the same, and what it reads next
//! depends on the values read so far and on nothing else. So a node has the bits that are read in
//! any case once a state has agreed with the nodes above, and a table from their values to the next
//! node or to a result. A state that ends at a result agrees with the state for which it was
//! computed in every bit that was read for it.
//!
//! ```text
//! get(state):
//!     node = the root
//!     while node is no result:
//!         node = the child of node for the bits of state that node reads, or else unknown
//! insert(state, trail, result):                  // the trail: what was read, in order
//!     node = the root
//!     loop:
//!         if the trail leaves the reads of node before their end:
//!             split node there: what is common stays, a new child reads the rest
//!         take the reads of node from the trail
//!         if node has a child for the bits of state:  node = that child
//!         else if the trail is at its end:            the child is the result
//!         else:                                       the child is a node that reads the rest of
//!                                                     the trail, and the result is below it
//! ```
//!
//! The tables are our own: a look-up takes some dozen instructions, dozens of times for each state,
//! as a key is compared where it lies in the state, without being put together first. Where several
//! functions are looked up in one state after the other, [`Memos`] finds most results without them.

mod memos;
mod read_trail;

pub use memos::Memos;
pub use read_trail::ReadTrail;

/// Bits of a state: words, and the bits in each.
type Bits = Vec<(usize, u64)>;

/// The results of a function of packed states, by the bits that it reads.
#[derive(Clone, Debug)]
pub struct Memo<T> {
    /// The nodes, the root first.
    nodes: Vec<MemoNode>,
    results: Vec<T>,
}

/// A node: the bits that are read in any case, and the children by their values.
#[derive(Clone, Debug)]
struct MemoNode {
    /// The bits of each read, in order.
    reads: Vec<Bits>,
    /// The bits of all of them, each word once.
    mask: Bits,
    /// An open-addressing table, at most half full. A slot is the child, and then a word of the key
    /// for each one of the mask. The number of slots is a power of two.
    slots: Vec<u64>,
    /// The number of slots less one: the bits of a hash that count.
    hash_mask: usize,
    len: usize,
}

/// A child of a node: another node, or a result.
#[derive(Clone, Copy, Debug)]
enum Child {
    Node(usize),
    Result(usize),
}

/// A slot without a child.
const EMPTY: u64 = 0;
const FIRST: usize = 4;
impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { nodes: Vec::new(), results: Vec::new() }
    }
}

impl<T: Clone> Memo<T> {
    /// The result for a state, if it is known.
    #[inline]
    pub fn get(&self, state: &[u64]) -> Option<T> {
        self.find(state).map(|result| self.results[result].clone())
    }

    /// The place of the result for a state, if it is known.
    #[inline]
    fn find(&self, state: &[u64]) -> Option<usize> {
        let mut node = self.nodes.first()?;
        loop {
            match node.find(state)? {
                Child::Result(result) => return Some(result),
                Child::Node(next) => node = &self.nodes[next],
            }
        }
    }

    /// The number of results that are known.
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether no result is known.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// Remembers the result for a state for which none is known.
    ///
    /// # Panics
    /// If the trail cannot be that of a function of what it reads: then something was read that it
    /// does not name.
    pub fn insert(&mut self, state: &[u64], trail: &ReadTrail, result: T) {
        let place = self.results.len();
        self.results.push(result);
        let (mut at, mut done) = (0, 0);
        if self.nodes.is_empty() {
            self.nodes.push(MemoNode::new(trail.reads_from(0)));
        }
        loop {
            let known = &self.nodes[at].reads;
            let same = known.iter().zip(done..trail.len());
            let common = same.take_while(|(known, read)| **known == trail.read(*read)).count();
            if common < known.len() {
                assert!(common > 0, "what is read first depends on something that is not read");
                self.split(at, common, state.len());
            }
            done += common;
            match self.nodes[at].find(state) {
                Some(Child::Node(next)) => at = next,
                Some(Child::Result(_)) => panic!("something was read that the trail does not name"),
                None if done == trail.len() => {
                    return self.nodes[at].put(state, Child::Result(place));
                }
                None => {
                    let next = self.nodes.len();
                    self.nodes[at].put(state, Child::Node(next));
                    self.nodes.push(MemoNode::new(trail.reads_from(done)));
                    return self.nodes[next].put(state, Child::Result(place));
                }
            }
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Leaves the first `common` reads to a node, and the others to new nodes below it.
    fn split(&mut self, at: usize, common: usize, words: usize) {
        let mut reads = std::mem::take(&mut self.nodes[at].reads);
        let others = reads.split_off(common);
        let old = std::mem::replace(&mut self.nodes[at], MemoNode::new(reads));
        let mut state = vec![0; words];
        for slot in old.slots.chunks_exact(old.stride()) {
            let Some(child) = child_of(slot[0]) else { continue };
            for ((word, _), part) in old.mask.iter().zip(&slot[1..]) {
                state[*word] = *part;
            }
            let next = match self.nodes[at].find(&state) {
                Some(Child::Node(next)) => next,
                Some(Child::Result(_)) => unreachable!("what was put below it are nodes"),
                None => {
                    let next = self.nodes.len();
                    self.nodes.push(MemoNode::new(others.clone()));
                    self.nodes[at].put(&state, Child::Node(next));
                    next
                }
            };
            self.nodes[next].put(&state, child);
        }
    }
}

impl MemoNode {
    fn new(reads: Vec<Bits>) -> Self {
        let mask = joined(&reads);
        let slots = vec![EMPTY; FIRST * (1 + mask.len())];
        Self { reads, mask, slots, hash_mask: FIRST - 1, len: 0 }
    }

    /// The number of words of a slot.
    #[inline]
    fn stride(&self) -> usize {
        1 + self.mask.len()
    }

    #[inline]
    fn find(&self, state: &[u64]) -> Option<Child> {
        let stride = self.stride();
        let mut at = self.home(state) * stride;
        loop {
            let slot = &self.slots[at..at + stride];
            let child = child_of(slot[0])?;
            let is_same = match (&self.mask[..], &slot[1..]) {
                ([(word, bits)], [part]) => state[*word] & bits == *part,
                (mask, parts) => {
                    let mut both = mask.iter().zip(parts);
                    both.all(|((word, bits), part)| state[*word] & bits == *part)
                }
            };
            if is_same {
                return Some(child);
            }
            at += stride;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    /// Adds a child for a state for which there is none.
    fn put(&mut self, state: &[u64], child: Child) {
        let stride = self.stride();
        if 2 * (self.len + 1) * stride > self.slots.len() {
            let wider = vec![EMPTY; 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, wider);
            self.hash_mask = 2 * self.hash_mask + 1;
            for slot in old.chunks_exact(stride).filter(|slot| slot[0] != EMPTY) {
                let home = self.home_of(slot[1..].iter().copied());
                let at = self.free(home);
                self.slots[at..at + stride].copy_from_slice(slot);
            }
        }
        let at = self.free(self.home(state));
        let slot = &mut self.slots[at..at + stride];
        slot[0] = match child {
            Child::Node(index) => 2 * index as u64 + 2,
            Child::Result(index) => 2 * index as u64 + 3,
        };
        for ((word, bits), part) in self.mask.iter().zip(&mut slot[1..]) {
            *part = state[*word] & bits;
        }
        self.len += 1;
    }

    /// The first word of the first empty slot from this one on.
    fn free(&self, home: usize) -> usize {
        let mut at = home * self.stride();
        while self.slots[at] != EMPTY {
            at += self.stride();
            if at == self.slots.len() {
                at = 0;
            }
        }
        at
    }

    #[inline]
    fn home(&self, state: &[u64]) -> usize {
        self.home_of(key(&self.mask, state))
    }

    /// The slot where the probe for a key begins.
    #[inline]
    fn home_of(&self, key: impl Iterator<Item = u64>) -> usize {
        hash_of(key) & self.hash_mask
    }
}

#[inline]
fn key<'k>(mask: &'k [(usize, u64)], state: &'k [u64]) -> impl Iterator<Item = u64> + 'k {
    mask.iter().map(|(word, bits)| state[*word] & bits)
}

/// A hash of which any bits will do.
#[inline]
fn hash_of(key: impl Iterator<Item = u64>) -> usize {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    #[expect(clippy::cast_possible_truncation, reason = "both halves are mixed")]
    let mix = |hash: u64, part: u64| {
        let product = u128::from(hash ^ part) * u128::from(MULTIPLIER);
        product as u64 ^ (product >> 64) as u64
    };
    #[expect(clippy::cast_possible_truncation, reason = "any bits will do")]
    let hash = key.fold(0, mix) as usize;
    hash
}

#[inline]
fn child_of(slot: u64) -> Option<Child> {
    let index = (slot.checked_sub(2)? / 2) as usize;
    Some(if slot.is_multiple_of(2) { Child::Node(index) } else { Child::Result(index) })
}

/// The bits of several reads, each word once, in order.
fn joined(reads: &[Bits]) -> Bits {
    let mut all: Bits = reads.concat();
    all.sort_unstable_by_key(|(word, _)| *word);
    all.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 |= next.1;
        }
        is_same
    });
    all
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const WORDS: usize = 3;

    /// A random function of states: each value of the first read leads to the next read.
    struct Program {
        read: Vec<(usize, u64)>,
        next: Vec<Program>,
    }

    impl Program {
        fn random(random: &mut ChaCha8Rng, depth: u32) -> Self {
            let part = |random: &mut ChaCha8Rng| {
                (random.random_range(0..WORDS), 3 << random.random_range(0..63))
            };
            let read = (0..random.random_range(1..3)).map(|_| part(random)).collect();
            let next = if depth == 0 { 0 } else { random.random_range(0..4) };
            let next = (0..next).map(|_| Self::random(random, depth - 1)).collect();
            Self { read, next }
        }

        /// Its result: a digest of all that it reads.
        fn run(&self, state: &[u64], trail: &mut ReadTrail) -> u64 {
            let mut value = 0;
            for (word, bits) in &self.read {
                trail.add(*word, *bits);
                value = value * 31 + (state[*word] & bits) % 1021;
            }
            trail.end();
            match self.next.len() {
                0 => value,
                ways => {
                    let way = usize::try_from(value).unwrap() % ways;
                    value + 7 * self.next[way].run(state, trail)
                }
            }
        }
    }

    #[test]
    fn what_is_found_is_what_is_computed() {
        const FUNCTIONS: usize = 3;
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..200 {
            let programs = [0; FUNCTIONS].map(|_| Program::random(&mut random, 4));
            let (mut memos, mut memo) = (Memos::new(FUNCTIONS, WORDS), Memo::default());
            let (mut state, mut trail, mut found) = ([0; WORDS], ReadTrail::default(), 0);
            for _ in 0..400 {
                // Neighbours differ in a few bits, now and then in all.
                if random.random_range(0..20) == 0 {
                    state = [random.random(), random.random(), random.random()];
                } else {
                    state[random.random_range(0..WORDS)] ^= 1 << random.random_range(0..64);
                }
                memos.go_to(&state);
                for (function, program) in programs.iter().enumerate() {
                    trail.clear(WORDS);
                    let result = program.run(&state, &mut trail);
                    match memos.get(function) {
                        Some(known) => {
                            assert_eq!(known, result);
                            found += 1;
                        }
                        // An entry that is not remembered is not known in the next state.
                        None if random.random_range(0..9) == 0 => {}
                        None => {
                            memos.insert(function, &state, &trail, result);
                            assert_eq!(memos.get(function), Some(result));
                        }
                    }
                    if function == 0 {
                        match memo.get(&state) {
                            Some(known) => assert_eq!(known, result),
                            None => memo.insert(&state, &trail, result),
                        }
                        assert_eq!(memo.get(&state), Some(result));
                    }
                }
                if random.random_range(0..300) == 0 {
                    memos.clear_one(1);
                    assert_eq!((memos.get(1), memos.len_of(1)), (None, 0));
                }
            }
            assert!(found > 0 && !memo.is_empty());
            memos.clear();
            assert_eq!([0, 1, 2].map(|it| memos.get(it)), [None; FUNCTIONS]);
        }
    }

    #[test]
    fn a_function_that_reads_nothing_has_one_result() {
        let (mut memos, mut trail) = (Memos::new(1, 1), ReadTrail::default());
        trail.clear(1);
        memos.go_to(&[3]);
        memos.insert(0, &[3], &trail, 'a');
        memos.go_to(&[9]);
        assert_eq!((memos.get(0), memos.len_of(0)), (Some('a'), 1));
    }

    #[test]
    fn a_memo_that_is_cleared_knows_nothing() {
        let (mut memo, mut trail) = (Memo::default(), ReadTrail::default());
        trail.clear(1);
        memo.insert(&[3], &trail, 'a');
        memo.clear();
        assert_eq!((memo.get(&[3]), memo.is_empty()), (None, true));
    }

    /// A function whose trail leaves a read out: two states that agree in the trail lead to
    /// different reads.
    #[test]
    fn a_trail_that_leaves_a_read_out_is_noticed() {
        let insert = |memo: &mut Memo<char>, state: u64, reads: &[u64]| {
            let mut trail = ReadTrail::default();
            trail.clear(1);
            for bits in reads {
                trail.add(0, *bits);
                trail.end();
            }
            memo.insert(&[state], &trail, 'x');
        };
        for (first, second) in [(&[1, 2][..], &[1, 4][..]), (&[1, 2], &[4]), (&[1], &[1, 2])] {
            let mut memo = Memo::default();
            insert(&mut memo, 0, first);
            let noticed = std::panic::catch_unwind(move || insert(&mut memo, 8, second));
            assert!(noticed.is_err(), "{first:?} and {second:?}");
        }
    }
}
