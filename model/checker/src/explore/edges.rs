//! The edges of expanded states, packed.
//!
//! Labels: the labels of a state's edges, in order, are those of many states. In a world with 1.1
//! million states there are 6,758 such sequences, so a state has the number of its sequence.
//!
//! Targets: most lie near each other, so an edge has the distance of its target from the target of
//! the edge before, and the first edge that from its source. A distance takes one to four bytes,
//! and two bits say how many, apart from it, so that reading it needs no branch.
//!
//! Edges lie in blocks of states, so that nothing large is ever moved, and the edges of one state
//! lie together.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    graph::Label,
    index::HashIndex,
};

/// States per block.
const BLOCK: u32 = 1 << 14;
/// States of which a block knows the place as a distance from the first of them.
const GROUP: u32 = 16;
/// The distance of a state that is further from the first of its group than two bytes can say.
const FAR: u16 = u16::MAX;
/// Bytes behind the last edge of a block, so that eight bytes can be read wherever an edge is.
const PADDING: usize = 8;

/// The edges of the states `0..`, as far as they were added.
#[derive(Debug)]
pub(super) struct Edges {
    sequences: LabelSequences,
    blocks: Vec<EdgeBlock>,
}

/// The edges of up to [`BLOCK`] states.
#[derive(Debug, Default)]
struct EdgeBlock {
    /// Where the record of the first state of each group begins in `bytes`, and by how much further
    /// that of each state does, or [`FAR`].
    groups: Vec<u32>,
    places: Vec<u16>,
    /// The records of the states, and then zeros. A record is the number of the sequence of labels
    /// ([`push_number`]), two bits for the length of each distance, and the distances.
    bytes: Vec<u8>,
}

/// The different sequences of labels.
#[derive(Debug)]
struct LabelSequences {
    labels: Vec<Label>,
    /// Where each sequence ends.
    ends: Vec<u32>,
    index: HashIndex,
}

impl Default for Edges {
    fn default() -> Self {
        let index = HashIndex::new(1);
        let sequences = LabelSequences { labels: Vec::new(), ends: Vec::new(), index };
        Self { sequences, blocks: Vec::new() }
    }
}

impl Edges {
    /// The number of a sequence of labels, if it has one.
    pub(super) fn sequence(&self, labels: &[Label]) -> Option<u32> {
        self.sequences.find(hash_of(labels), labels)
    }

    /// Adds the edges of the next state, whose targets were [encoded](encode_targets). `sequence`
    /// is the number of the sequence of labels, if it is known. Changes nothing that can be seen if
    /// there is no room for them.
    pub(super) fn add(
        &mut self,
        labels: &[Label],
        sequence: Option<u32>,
        targets: &[u8],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let sequence = sequence.map_or_else(|| self.sequences.number(labels, budget), Ok)?;
        if self.blocks.last().is_none_or(|block| block.places.len() == BLOCK as usize) {
            if let Some(full) = self.blocks.last_mut() {
                budget.shrink(&mut full.bytes);
            }
            self.blocks.push(EdgeBlock::default());
        }
        let block = self.blocks.last_mut().expect("there is a block by now");
        block.add(sequence, targets, budget)
    }

    /// How many states have edges.
    pub(super) fn sources(&self) -> u32 {
        let Some((last, full)) = self.blocks.split_last() else { return 0 };
        let sources = full.len() * BLOCK as usize + last.places.len();
        u32::try_from(sources).expect("states have numbers")
    }

    /// How many sequences of labels there are.
    pub(super) fn sequences(&self) -> u32 {
        edge_number(self.sequences.ends.len()).expect("sequences have numbers")
    }

    /// The labels of a sequence.
    pub(super) fn labels(&self, sequence: u32) -> &[Label] {
        self.sequences.of(sequence)
    }

    /// Adds a sequence of labels.
    pub(super) fn add_sequence(
        &mut self,
        labels: &[Label],
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        self.sequences.number(labels, budget)
    }

    /// The edges out of an expanded state as they were added: the number of the sequence of labels,
    /// and the encoded targets.
    pub(super) fn encoded(&self, state: u32) -> (u32, &[u8]) {
        let mut record = self.record(state).expect("it was expanded");
        let sequence = take_number(&mut record);
        let edges = self.sequences.of(sequence).len();
        let lengths = edges.div_ceil(4);
        let more: usize = record[..lengths].iter().map(|it| sum_of_pairs(*it)).sum();
        (sequence, &record[..lengths + edges + more])
    }

    /// How many bytes the edges take.
    pub(super) fn bytes(&self) -> u64 {
        let LabelSequences { labels, ends, index } = &self.sequences;
        let bytes = |block: &EdgeBlock| {
            let EdgeBlock { groups, places, bytes } = block;
            bytes_of(groups) + bytes_of(places) + bytes_of(bytes)
        };
        let blocks: u64 = self.blocks.iter().map(bytes).sum();
        bytes_of(labels) + bytes_of(ends) + index.bytes() + blocks
    }

    /// The edges out of `state`; none if it was not expanded.
    #[inline]
    pub(super) fn of(&self, state: u32) -> OutEdges<'_> {
        let Some(mut record) = self.record(state) else { return OutEdges::default() };
        let labels = self.sequences.of(take_number(&mut record));
        let lengths = labels.len().div_ceil(4);
        OutEdges {
            labels: labels.iter(),
            lengths: record,
            distances: &record[lengths..],
            bits: 0,
            edge: 0,
            target: state,
        }
    }

    /// The record of a state, and what lies behind it.
    #[inline]
    fn record(&self, state: u32) -> Option<&[u8]> {
        let place = (state % BLOCK) as usize;
        let block = self.blocks.get((state / BLOCK) as usize);
        let block = block.filter(|block| place < block.places.len())?;
        let group = block.groups[place / GROUP as usize] as usize;
        Some(match block.places[place] {
            FAR => self.far_record(block, place),
            distance => &block.bytes[group + usize::from(distance)..],
        })
    }

    /// The record of a state that lies far from the first of its group: behind all records between.
    #[cold]
    fn far_record<'e>(&self, block: &'e EdgeBlock, place: usize) -> &'e [u8] {
        let group = place / GROUP as usize;
        let mut record = &block.bytes[block.groups[group] as usize..];
        for _ in group * GROUP as usize..place {
            let edges = self.sequences.of(take_number(&mut record)).len();
            let (lengths, distances) = record.split_at(edges.div_ceil(4));
            record =
                &distances[edges + lengths.iter().map(|it| sum_of_pairs(*it)).sum::<usize>()..];
        }
        record
    }
}

impl EdgeBlock {
    /// Adds the record of the next state.
    fn add(
        &mut self,
        sequence: u32,
        targets: &[u8],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let begin = self.bytes.len().saturating_sub(PADDING);
        let most = begin + size_of::<u64>() + targets.len() + PADDING;
        edge_number(most)?;
        budget.reserve(&mut self.groups, 1)?;
        budget.reserve(&mut self.places, 1)?;
        let more = most - self.bytes.len();
        budget.reserve(&mut self.bytes, more)?;
        if self.places.len().is_multiple_of(GROUP as usize) {
            self.groups.push(edge_number(begin)?);
        }
        let group = *self.groups.last().expect("there is one by now") as usize;
        self.places.push(u16::try_from(begin - group).unwrap_or(FAR));
        self.bytes.truncate(begin);
        push_number(&mut self.bytes, sequence);
        self.bytes.extend_from_slice(targets);
        self.bytes.resize(self.bytes.len() + PADDING, 0);
        Ok(())
    }
}

/// The most bytes that [`encode_targets`] appends for this number of edges.
pub(super) fn most_bytes(edges: usize) -> usize {
    edges.div_ceil(4) + 4 * edges
}

/// Appends the targets of the edges of a state: two bits for the length of each distance, and the
/// distances.
pub(super) fn encode_targets(
    source: u32,
    targets: impl ExactSizeIterator<Item = u32>,
    bytes: &mut Vec<u8>,
) {
    let first = bytes.len();
    bytes.resize(first + targets.len().div_ceil(4), 0);
    let mut last = source;
    for (edge, target) in targets.enumerate() {
        let distance = zigzag(target.wrapping_sub(last));
        let length = 4 - (distance | 1).leading_zeros() / 8;
        bytes[first + edge / 4] |= length_bits(length, edge);
        bytes.extend(&distance.to_le_bytes()[..length as usize]);
        last = target;
    }
}

impl LabelSequences {
    /// The labels of a sequence.
    #[inline]
    fn of(&self, sequence: u32) -> &[Label] {
        let sequence = sequence as usize;
        let from = if sequence == 0 { 0 } else { self.ends[sequence - 1] };
        &self.labels[from as usize..self.ends[sequence] as usize]
    }

    fn find(&self, hash: u32, labels: &[Label]) -> Option<u32> {
        self.index.find(hash, |number| self.of(number) == labels)
    }

    /// The number of a sequence, which is given to it if it has none.
    fn number(&mut self, labels: &[Label], budget: &mut MemoryBudget) -> Result<u32, Stop> {
        let hash = hash_of(labels);
        if let Some(number) = self.find(hash, labels) {
            return Ok(number);
        }
        let end = edge_number(self.labels.len() + labels.len())?;
        let Self { labels: all, ends, index } = self;
        budget.reserve(all, labels.len())?;
        budget.reserve(ends, 1)?;
        index.reserve(hash, budget, |number| {
            let number = number as usize;
            let from = if number == 0 { 0 } else { ends[number - 1] };
            hash_of(&all[from as usize..ends[number] as usize])
        })?;
        let number = edge_number(ends.len())?;
        index.insert(hash, number);
        all.extend_from_slice(labels);
        ends.push(end);
        Ok(number)
    }
}

/// The hash of a sequence of labels: the same on every machine.
fn hash_of(labels: &[Label]) -> u32 {
    let mut hasher = FixedState::with_seed(0).build_hasher();
    for four in labels.chunks(4) {
        hasher.write_u64(four.iter().fold(0, |word, label| word << 16 | u64::from(label.code())));
    }
    (hasher.finish() >> 32) as u32
}

/// Small for a small distance in either direction.
fn zigzag(distance: u32) -> u32 {
    distance << 1 ^ (distance.cast_signed() >> 31).cast_unsigned()
}

#[inline]
fn unzigzag(zigzag: u32) -> u32 {
    zigzag >> 1 ^ (zigzag & 1).wrapping_neg()
}

/// The two bits for the length of a distance, in the byte that it shares with three others.
fn length_bits(length: u32, edge: usize) -> u8 {
    u8::try_from((length - 1) << (edge % 4 * 2)).expect("it is below four, moved by six at most")
}

/// The sum of the four numbers of two bits in a byte.
#[inline]
fn sum_of_pairs(byte: u8) -> usize {
    (byte & 0x55).count_ones() as usize + 2 * (byte & 0xaa).count_ones() as usize
}

/// Appends a number, in bytes of seven bits, the lowest first; all but the last have the upper bit.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Takes a number from the front of `bytes`.
#[inline]
fn take_number(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return number;
        }
        shift += 7;
    }
}

/// The edges out of one state.
#[derive(Clone, Debug, Default)]
pub struct OutEdges<'e> {
    labels: std::slice::Iter<'e, Label>,
    /// The lengths of distances, and what lies behind them.
    lengths: &'e [u8],
    /// The distances that are left, and what lies behind them.
    distances: &'e [u8],
    /// The lengths that are left of the last eight bytes of them.
    bits: u64,
    /// How many edges were taken, and the target of the last one.
    edge: usize,
    target: u32,
}

impl Iterator for OutEdges<'_> {
    type Item = (u32, Label);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        const MASKS: [u32; 4] = [0xff, 0xffff, 0xff_ffff, u32::MAX];
        let label = *self.labels.next()?;
        if self.edge.is_multiple_of(32) {
            let eight = self.lengths[self.edge / 4..].first_chunk();
            self.bits = u64::from_le_bytes(*eight.expect("there are bytes behind the last"));
        }
        let length = (self.bits & 3) as usize;
        self.bits >>= 2;
        let here = self.distances.first_chunk().expect("there are bytes behind the last");
        let distance = unzigzag(u32::from_le_bytes(*here) & MASKS[length]);
        self.distances = &self.distances[length + 1..];
        self.target = self.target.wrapping_add(distance);
        self.edge += 1;
        Some((self.target, label))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.labels.size_hint()
    }
}

impl ExactSizeIterator for OutEdges<'_> {}

/// A count of edges as it is stored.
pub(super) fn edge_number(edges: usize) -> Result<u32, Stop> {
    u32::try_from(edges).map_err(|_| Stop::Edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::MOST_STATES;

    #[test]
    fn edges_come_back_in_order_with_small_and_large_labels() {
        let mut budget = MemoryBudget::unlimited();
        let mut edges = Edges::default();
        let states = 3 * BLOCK + 7;
        // Targets lie near and far, before and behind. Some states have many edges, and those of
        // some of one group take more than two bytes can say.
        let out = |state: u32| {
            let first = if state.is_multiple_of(5) { 9000 } else { 3 };
            let edges = match state {
                20_000..20_010 => 9000,
                _ if state.is_multiple_of(1000) => 500,
                _ => state % 9,
            };
            let target = move |i: u32| (state ^ i) ^ (MOST_STATES >> ((i * 7 + state) % 31));
            (0..edges).map(move |i| (target(i), Label::class(first + u16::from(i % 3 == 1))))
        };
        for state in 0..states {
            let (targets, labels): (Vec<u32>, Vec<Label>) = out(state).unzip();
            let mut bytes = Vec::new();
            encode_targets(state, targets.into_iter(), &mut bytes);
            assert!(bytes.len() <= most_bytes(labels.len()));
            let sequence = edges.sequence(&labels);
            edges.add(&labels, sequence, &bytes, &mut budget).unwrap();
            assert!(edges.sequence(&labels).is_some());
        }
        assert!(edges.blocks[1].places.contains(&FAR));
        for state in 0..states {
            assert!(edges.of(state).eq(out(state)), "state {state}");
        }
        assert_eq!(edges.of(states).len(), 0);
        assert_eq!(budget.used(), edges.bytes());
    }
}
