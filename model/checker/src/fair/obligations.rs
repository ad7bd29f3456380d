//! Which obligations are pending in which states.
//!
//! An obligation is pending in a state if some path that ends there leaves it open. Faults count
//! here: they may strike on the way. Explorers number states breadth first, so one sweep in order
//! carries nearly everything, and later sweeps only follow what an edge carried back.

use super::{ClaimSets, Limits, MaskedQuestion, StateValues, is_terminal};
use crate::{
    Stop,
    budget::MemoryBudget,
    graph::{Graph, Label},
};

/// The claims pending in each state, and in how many reachable states each claim has its `from`.
pub(super) fn pending<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    limits: &mut Limits<'_>,
) -> Result<(ClaimSets, [u64; 64]), Stop> {
    let size = question.graph.len();
    let mut pending = StateValues::new(size, limits.memory)?;
    let mut from_states = [0; 64];
    let mut reached = Flags::new(size, limits.memory)?;
    let mut changed = Changed::new(size, limits.memory)?;
    for &start in question.graph.starts() {
        if reached.set(start) {
            count(&mut from_states, question.from(start));
            pending.set(start, [question.after(0, start)], limits.memory)?;
            changed.insert(start);
        }
    }
    while let Some(state) = changed.next() {
        limits.tick()?;
        let [here] = pending.get(state);
        for (next, _) in question.graph.edges(state) {
            let first = reached.set(next);
            if first {
                count(&mut from_states, question.from(next));
            }
            let [there] = pending.get(next);
            // What a state itself opens is pending there since it was reached.
            if !first && here & !there == 0 {
                continue;
            }
            let more = question.after(here, next) & !there;
            if first || more != 0 {
                pending.set(next, [there | more], limits.memory)?;
                changed.insert(next);
            }
        }
    }
    limits.memory.free(reached.0);
    limits.memory.free(changed.flags.0);
    Ok((pending, from_states))
}

/// The claims that are pending in some terminal state: there the run may stop, and nothing more
/// happens.
pub(super) fn at_terminals<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    pending: &ClaimSets,
    limits: &mut Limits<'_>,
) -> Result<u64, Stop> {
    let mut found = 0;
    for state in 0..question.graph.len() {
        limits.tick()?;
        let [mask] = pending.get(state);
        if mask & found != mask && is_terminal(question.graph, question.fairness, state) {
            found |= mask;
        }
    }
    Ok(found)
}

/// Takes from `pending` what cannot stay so for ever, because every way on closes it or ends.
///
/// This is much cheaper than finding cycles, and often leaves none to be found. It need not be
/// complete, so it stops as soon as a sweep hardly pays. It returns whether anything is left.
pub(super) fn trim<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    pending: &mut ClaimSets,
    limits: &mut Limits<'_>,
) -> Result<bool, Stop> {
    loop {
        let (mut kept, mut dropped) = (0_u64, 0_u64);
        for state in (0..question.graph.len()).rev() {
            if pending.get(state) != [0] {
                limits.tick()?;
                let lasting = goes_on(question.lasting(state), pending, state);
                if pending.get(state) != [lasting] {
                    pending.set(state, [lasting], limits.memory)?;
                }
                *(if lasting == 0 { &mut dropped } else { &mut kept }) += 1;
            }
        }
        if dropped * 8 <= kept || kept == 0 {
            return Ok(kept != 0);
        }
    }
}

/// What is pending in `state`, which has these edges, and in a successor as well.
pub(super) fn goes_on(
    edges: impl Iterator<Item = (u32, Label)>,
    pending: &ClaimSets,
    state: u32,
) -> u64 {
    let [mask] = pending.get(state);
    let mut lasting = 0;
    for (next, _) in edges {
        lasting |= mask & pending.get(next)[0];
        if lasting == mask {
            break;
        }
    }
    lasting
}

/// Counts each claim of `mask` once.
pub(super) fn count(counts: &mut [u64; 64], mut mask: u64) {
    while mask != 0 {
        counts[mask.trailing_zeros() as usize] += 1;
        mask &= mask - 1;
    }
}

/// A set of states, a bit each.
struct Flags(Vec<u64>);

impl Flags {
    fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        memory.filled(0, size.div_ceil(64) as usize).map(Self)
    }

    /// Adds `state`, and says whether it is new.
    fn set(&mut self, state: u32) -> bool {
        let (word, bit) = (&mut self.0[state as usize / 64], 1 << (state % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

/// The states to visit again, handed out in sweeps of rising order.
///
/// A sweep ends at the last state that needs it, and the next begins at the first that fell behind,
/// so that a long way back costs as many visits as it is long, and no sweeps of the whole graph.
struct Changed {
    flags: Flags,
    /// The first and the last word of flags that this sweep visits.
    sweep: (usize, usize),
    /// The same of the next sweep.
    behind: (usize, usize),
}

/// The bounds of no words at all.
const NOTHING: (usize, usize) = (usize::MAX, 0);

impl Changed {
    fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        Ok(Self { flags: Flags::new(size, memory)?, sweep: (0, 0), behind: NOTHING })
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
