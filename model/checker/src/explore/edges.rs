//! The edges of expanded states, packed.
//!
//! A target takes four bytes and a label one. Labels are `u16`, but a world rarely has more than
//! two hundred fairness classes: the upper bytes of labels are kept only where one is not zero.
//! Edges lie in blocks of states, so that nothing large is ever moved, and the edges of one state
//! lie together.

use super::budget::MemoryBudget;
use crate::{Stop, graph::Label};

/// States per block.
const BLOCK: u32 = 1 << 14;

/// The edges of the states `0..`, as far as they were added.
#[derive(Debug, Default)]
pub(super) struct Edges {
    blocks: Vec<EdgeBlock>,
}

/// The edges of up to [`BLOCK`] states.
#[derive(Debug, Default)]
struct EdgeBlock {
    /// Where the edges of each state end.
    ends: Vec<u32>,
    targets: Vec<u32>,
    /// The lower bytes of the label codes.
    lower: Vec<u8>,
    /// The upper bytes, or nothing if all of them are zero.
    upper: Vec<u8>,
}

impl Edges {
    /// Adds the edges of the next state. Changes nothing if there is no room for them.
    pub(super) fn add(
        &mut self,
        targets: impl Iterator<Item = u32>,
        codes: &[u16],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        if self.blocks.last().is_none_or(|block| block.ends.len() == BLOCK as usize) {
            if let Some(full) = self.blocks.last_mut() {
                full.close(budget);
            }
            self.blocks.push(EdgeBlock::default());
        }
        let block = self.blocks.last_mut().expect("there is a block by now");
        block.reserve(codes, budget)?;
        block.add(targets, codes);
        Ok(())
    }

    /// How many bytes the edges take.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> u64 {
        use super::budget::bytes_of;

        let bytes = |block: &EdgeBlock| {
            let EdgeBlock { ends, targets, lower, upper } = block;
            bytes_of(ends) + bytes_of(targets) + bytes_of(lower) + bytes_of(upper)
        };
        self.blocks.iter().map(bytes).sum()
    }

    /// The edges out of `state`; none if it was not expanded.
    pub(super) fn of(&self, state: u32) -> OutEdges<'_> {
        let (block, at) = ((state / BLOCK) as usize, (state % BLOCK) as usize);
        let Some(block) = self.blocks.get(block).filter(|block| at < block.ends.len()) else {
            return OutEdges::default();
        };
        let from = if at == 0 { 0 } else { block.ends[at - 1] as usize };
        let to = block.ends[at] as usize;
        OutEdges {
            targets: block.targets[from..to].iter(),
            lower: block.lower[from..to].iter(),
            upper: block.upper.get(from..to).unwrap_or_default().iter(),
        }
    }
}

impl EdgeBlock {
    /// Makes room for the edges of one more state.
    fn reserve(&mut self, codes: &[u16], budget: &mut MemoryBudget) -> Result<(), Stop> {
        edge_number(self.targets.len() + codes.len())?;
        let upper = self.upper_needed(codes);
        budget.reserve(&mut self.ends, 1)?;
        budget.reserve(&mut self.targets, codes.len())?;
        budget.reserve(&mut self.lower, codes.len())?;
        budget.reserve(&mut self.upper, upper)
    }

    fn add(&mut self, targets: impl Iterator<Item = u32>, codes: &[u16]) {
        let upper = self.upper_needed(codes);
        self.targets.extend(targets);
        self.lower.extend(codes.iter().map(|code| code.to_le_bytes()[0]));
        if upper > 0 {
            self.upper.resize(self.upper.len() + upper - codes.len(), 0);
            self.upper.extend(codes.iter().map(|code| code.to_le_bytes()[1]));
        }
        assert_eq!(self.targets.len(), self.lower.len(), "every edge has a label");
        let end = edge_number(self.targets.len()).expect("a block reserves before it adds");
        self.ends.push(end);
    }

    /// How many upper bytes must be added along with `codes`.
    fn upper_needed(&self, codes: &[u16]) -> usize {
        if self.upper.is_empty() && codes.iter().all(|code| code.to_le_bytes()[1] == 0) {
            return 0;
        }
        self.lower.len() - self.upper.len() + codes.len()
    }

    fn close(&mut self, budget: &mut MemoryBudget) {
        budget.shrink(&mut self.targets);
        budget.shrink(&mut self.lower);
        budget.shrink(&mut self.upper);
    }
}

/// The edges out of one state.
#[derive(Clone, Debug, Default)]
pub struct OutEdges<'e> {
    targets: std::slice::Iter<'e, u32>,
    lower: std::slice::Iter<'e, u8>,
    upper: std::slice::Iter<'e, u8>,
}

impl Iterator for OutEdges<'_> {
    type Item = (u32, Label);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let target = *self.targets.next()?;
        let lower = *self.lower.next().expect("every edge has a label");
        let upper = self.upper.next().copied().unwrap_or(0);
        Some((target, label(u16::from_le_bytes([lower, upper]))))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.targets.size_hint()
    }
}

impl ExactSizeIterator for OutEdges<'_> {}

/// A count of edges as it is stored.
pub(super) fn edge_number(edges: usize) -> Result<u32, Stop> {
    u32::try_from(edges).map_err(|_| Stop::Edges)
}

/// The code of a label: small for all that are common.
#[inline]
pub(super) fn code(label: Label) -> u16 {
    match label.as_class() {
        Some(class) => class + 2,
        None => u16::from(label.is_fault()),
    }
}

#[inline]
fn label(code: u16) -> Label {
    match code {
        0 => Label::FREE,
        1 => Label::FAULT,
        class => Label::class(class - 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::SearchLimits;

    #[test]
    fn every_label_survives_packing() {
        for class in 0..u16::MAX - 1 {
            assert_eq!(label(code(Label::class(class))), Label::class(class));
        }
        assert_eq!(label(code(Label::FREE)), Label::FREE);
        assert_eq!(label(code(Label::FAULT)), Label::FAULT);
    }

    #[test]
    fn edges_come_back_in_order_with_small_and_large_labels() {
        let mut budget = MemoryBudget::new(&SearchLimits::NONE);
        let mut edges = Edges::default();
        let states = 3 * BLOCK + 7;
        // Large labels turn up in the middle of the second block, and never in the third.
        let out = |state: u32| {
            let large = (20_000..30_000).contains(&state) && state.is_multiple_of(5);
            let first = if large { 9000 } else { 3 };
            (0..state % 4).zip(first..).map(move |(i, code)| (state ^ i, code))
        };
        for state in 0..states {
            let codes: Vec<u16> = out(state).map(|(_, code)| code).collect();
            edges.add(out(state).map(|(target, _)| target), &codes, &mut budget).unwrap();
        }
        for state in 0..states {
            let expected = out(state).map(|(target, code)| (target, label(code)));
            assert!(edges.of(state).eq(expected), "state {state}");
        }
        assert_eq!(edges.of(states).len(), 0);
        assert!(edges.blocks[0].upper.is_empty() && edges.blocks[2].upper.is_empty());
    }
}
