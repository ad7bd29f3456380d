//! Who owes what where.
//!
//! A state owes a claim if some path that ends in it leaves the obligation open. Faults count
//! here: they may strike on the way. Explorers number states breadth first, so one sweep in
//! order carries nearly everything, and later sweeps only follow what an edge carried back.

use super::{Cancel, Question, is_end};
use crate::graph::Graph;

/// The claims each state owes, and in how many reachable states each claim has its `from`.
pub(super) fn open<G: Graph>(
    question: &Question<'_, G>,
    patience: &mut Cancel<'_>,
) -> Option<(Vec<u64>, [u64; 64])> {
    let size = question.graph.len();
    let mut owed = vec![0; size as usize];
    let mut from_states = [0; 64];
    let mut reached = Flags::new(size);
    let mut dirty = Dirty::new(size);
    for &start in question.graph.starts() {
        if reached.set(start) {
            count(&mut from_states, question.from(start));
            owed[start as usize] = question.after(0, start);
            dirty.insert(start);
        }
    }
    while let Some(state) = dirty.next() {
        patience.tick()?;
        let open = owed[state as usize];
        for (next, _) in question.graph.edges(state) {
            let first = reached.set(next);
            if first {
                count(&mut from_states, question.from(next));
            }
            let more = question.after(open, next) & !owed[next as usize];
            if first || more != 0 {
                owed[next as usize] |= more;
                dirty.insert(next);
            }
        }
    }
    Some((owed, from_states))
}

/// The claims that some end owes: there the run may stop, and nothing more happens.
pub(super) fn at_ends<G: Graph>(
    question: &Question<'_, G>,
    owed: &[u64],
    patience: &mut Cancel<'_>,
) -> Option<u64> {
    let mut ended = 0;
    for (state, &mask) in (0..).zip(owed) {
        patience.tick()?;
        if mask & !ended != 0 && is_end(question.graph, question.fairness, state) {
            ended |= mask;
        }
    }
    Some(ended)
}

/// Takes from `owed` what cannot be owed for ever, because every way on closes it or ends.
///
/// This is much cheaper than finding cycles, and often leaves none to be found. It need not be
/// complete, so it stops as soon as a sweep hardly pays.
pub(super) fn trim<G: Graph>(
    question: &Question<'_, G>,
    owed: &mut [u64],
    patience: &mut Cancel<'_>,
) -> Option<()> {
    loop {
        let (mut kept, mut dropped) = (0_u64, 0_u64);
        for state in (0..question.graph.len()).rev() {
            let mask = owed[state as usize];
            if mask != 0 {
                patience.tick()?;
                let lasting = goes_on(question, owed, state);
                owed[state as usize] = lasting;
                *(if lasting == 0 { &mut dropped } else { &mut kept }) += 1;
            }
        }
        if dropped * 8 <= kept || kept == 0 {
            return Some(());
        }
    }
}

/// What `state` owes and a successor owes as well.
fn goes_on<G: Graph>(question: &Question<'_, G>, owed: &[u64], state: u32) -> u64 {
    let mask = owed[state as usize];
    let mut lasting = 0;
    for (next, _) in question.lasting(state) {
        lasting |= mask & owed[next as usize];
        if lasting == mask {
            break;
        }
    }
    lasting
}

/// Counts each claim of `mask` once.
fn count(counts: &mut [u64; 64], mut mask: u64) {
    while mask != 0 {
        counts[mask.trailing_zeros() as usize] += 1;
        mask &= mask - 1;
    }
}

/// A set of states, a bit each.
struct Flags(Vec<u64>);

impl Flags {
    fn new(size: u32) -> Self {
        Self(vec![0; size.div_ceil(64) as usize])
    }

    /// Adds `state`, and says whether it is new.
    fn set(&mut self, state: u32) -> bool {
        let (word, bit) = (&mut self.0[state as usize / 64], 1 << (state % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

/// The states to look at again, handed out in sweeps of rising order.
///
/// A sweep ends at the last state that needs it, and the next begins at the first that fell
/// behind, so that a long way back costs what it is long and not what the graph is large.
struct Dirty {
    flags: Flags,
    sweep: (usize, usize),
    behind: (usize, usize),
}

/// The bounds of no words at all.
const NOTHING: (usize, usize) = (usize::MAX, 0);

impl Dirty {
    fn new(size: u32) -> Self {
        Self { flags: Flags::new(size), sweep: (0, 0), behind: NOTHING }
    }

    fn insert(&mut self, state: u32) {
        let word = state as usize / 64;
        self.flags.set(state);
        if word < self.sweep.0 {
            self.behind = (self.behind.0.min(word), self.behind.1.max(word));
        } else {
            self.sweep.1 = self.sweep.1.max(word);
        }
    }

    fn next(&mut self) -> Option<u32> {
        loop {
            while self.sweep.0 <= self.sweep.1 {
                let word = self.flags.0.get_mut(self.sweep.0)?;
                if *word != 0 {
                    let bit = word.trailing_zeros();
                    *word &= *word - 1;
                    let base = u32::try_from(self.sweep.0 * 64).expect("states are 32 bits");
                    return Some(base + bit);
                }
                self.sweep.0 += 1;
            }
            if self.behind == NOTHING {
                return None;
            }
            self.sweep = std::mem::replace(&mut self.behind, NOTHING);
        }
    }
}
