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
//! lie together. If there is a folder for it, the records of full blocks are written there, and
//! only the places of the records are kept.

use std::{borrow::Cow, vec};

use super::{
    OutEdges, PackedEdges,
    label_sequences::{LabelSequences, edge_number},
    spill::{SpillFolder, SpilledBytes},
};
use crate::{
    Stop,
    budget::{MemoryBudget, bytes_of},
    graph::Label,
};

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
    spilled: Option<SpilledBytes>,
}

/// The edges of up to [`BLOCK`] states.
#[derive(Debug, Default)]
struct EdgeBlock {
    /// The place in `bytes` of the record of each group's first state; `places` has the distances
    /// of the other records from there, or [`FAR`].
    groups: Vec<u32>,
    places: Vec<u16>,
    /// The records of the states, and then zeros. A record is the number of the sequence of labels
    /// ([`push_number`]), two bits for the length of each distance, and the distances.
    bytes: Vec<u8>,
    /// The place and the length of the records on disk, if they are there and not in `bytes`.
    spilled: Option<(u64, u32)>,
}

impl Edges {
    /// No edges yet; those of full blocks go to this folder.
    pub(super) fn new(folder: Option<&SpillFolder>) -> Self {
        let sequences = LabelSequences::new();
        Self { sequences, blocks: Vec::new(), spilled: folder.map(SpilledBytes::new) }
    }

    /// The number of a sequence of labels, if it has one.
    pub(super) fn sequence(&self, labels: &[Label]) -> Option<u32> {
        self.sequences.find(labels)
    }

    /// Adds the edges of the next state: their sequence of labels has this number, and their
    /// targets were [encoded](encode_targets). Changes nothing that can be seen if there is no room
    /// for them.
    pub(super) fn add(
        &mut self,
        sequence: u32,
        targets: &[u8],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let mut record = Vec::with_capacity(MOST_NUMBER + targets.len());
        push_number(&mut record, sequence);
        record.extend_from_slice(targets);
        let end = edge_number(record.len())?;
        self.add_records(&record, 0, &[end], budget)
    }

    /// Adds the records of the next states, which lie in `bytes` from `begin` on and end there. If
    /// there is no room for those of a block, none of these and of later ones is added.
    pub(super) fn add_records(
        &mut self,
        bytes: &[u8],
        mut begin: u32,
        mut ends: &[u32],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        while !ends.is_empty() {
            if self.blocks.last().is_none_or(|block| block.places.len() == BLOCK as usize) {
                let mut next = EdgeBlock::default();
                if let Some(full) = self.blocks.last_mut() {
                    // The next one will be about as large.
                    let bytes = full.bytes.len();
                    match &mut self.spilled {
                        None => budget.shrink(&mut full.bytes),
                        Some(disk) => full.spill(disk, budget)?,
                    }
                    budget.reserve_all(&mut next.bytes, bytes)?;
                }
                self.blocks.push(next);
            }
            let block = self.blocks.last_mut().expect("there is a block by now");
            let room = BLOCK as usize - block.places.len();
            let (now, later) = ends.split_at(room.min(ends.len()));
            begin = block.add(bytes, begin, now, budget)?;
            ends = later;
        }
        Ok(())
    }

    pub(super) fn sources(&self) -> u32 {
        let Some((last, full)) = self.blocks.split_last() else { return 0 };
        let sources = full.len() * BLOCK as usize + last.places.len();
        u32::try_from(sources).expect("states have numbers")
    }

    /// The number of sequences of labels.
    pub(super) fn sequences(&self) -> u32 {
        self.sequences.len()
    }

    pub(super) fn labels(&self, sequence: u32) -> &[Label] {
        self.sequences.of(sequence)
    }

    /// The number of a sequence of labels, which is given to it if it has none.
    pub(super) fn add_sequence(
        &mut self,
        labels: &[Label],
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        self.sequences.number(labels, budget)
    }

    /// The edges out of an expanded state as they were added: the number of the sequence of labels,
    /// and the encoded targets.
    pub(super) fn encoded(&self, state: u32) -> (u32, Cow<'_, [u8]>) {
        let (block, place) = self.place(state).expect("it was expanded");
        if block.spilled.is_some() {
            let group = self.read_group(block, place);
            let (sequence, targets) = self.split(self.record((block, &group), place));
            return (sequence, Cow::Owned(targets.to_vec()));
        }
        let record = self.record((block, block.group(place)), place);
        let (sequence, targets) = self.split(record);
        (sequence, Cow::Borrowed(targets))
    }

    /// The number of the sequence of labels with which a record begins, and the encoded targets.
    fn split<'e>(&self, mut record: &'e [u8]) -> (u32, &'e [u8]) {
        let sequence = take_number(&mut record);
        let edges = self.sequences.of(sequence).len();
        let lengths = edges.div_ceil(4);
        let more: usize = record[..lengths].iter().map(|it| sum_of_pairs(*it)).sum();
        (sequence, &record[..lengths + edges + more])
    }

    /// The bytes of the edges in memory.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |block: &EdgeBlock| {
            let EdgeBlock { groups, places, bytes, spilled: _ } = block;
            bytes_of(groups) + bytes_of(places) + bytes_of(bytes)
        };
        let blocks: u64 = self.blocks.iter().map(bytes).sum();
        let disk = self.spilled.as_ref().map_or(0, SpilledBytes::bytes);
        self.sequences.bytes() + blocks + disk
    }

    /// The bytes of edges on disk.
    pub(super) fn spilled(&self) -> u64 {
        self.spilled.as_ref().map_or(0, SpilledBytes::len)
    }

    /// The edges out of `state`; none if it was not expanded.
    #[inline]
    pub(super) fn of(&self, state: u32) -> OutEdges<'_> {
        let Some((block, place)) = self.place(state) else { return OutEdges::default() };
        if block.spilled.is_some() {
            return OutEdges::Read(self.read(block, place, state));
        }
        let record = self.record((block, block.group(place)), place);
        OutEdges::Packed(self.unpacked(record, state))
    }

    #[inline]
    fn unpacked<'e>(&'e self, mut record: &'e [u8], state: u32) -> PackedEdges<'e> {
        let labels = self.sequences.of(take_number(&mut record));
        PackedEdges::new(state, labels, record)
    }

    /// The edges out of the state at this place of a block that is on disk.
    #[cold]
    fn read(&self, block: &EdgeBlock, place: usize, state: u32) -> vec::IntoIter<(u32, Label)> {
        let group = self.read_group(block, place);
        let edges = self.unpacked(self.record((block, &group), place), state);
        edges.collect::<Vec<_>>().into_iter()
    }

    /// The records of the group of a place in a block that is on disk, and the zeros behind them.
    fn read_group(&self, block: &EdgeBlock, place: usize) -> Vec<u8> {
        let (at, len) = block.spilled.expect("it is on disk");
        let group = place / GROUP as usize;
        let (begin, end) = (block.groups[group], *block.groups.get(group + 1).unwrap_or(&len));
        let count = (end - begin) as usize;
        let mut bytes = Vec::with_capacity(count + PADDING);
        let disk = self.spilled.as_ref().expect("blocks are on a disk");
        disk.read(at + u64::from(begin), count, &mut bytes);
        bytes.resize(count + PADDING, 0);
        bytes
    }

    #[inline]
    fn place(&self, state: u32) -> Option<(&EdgeBlock, usize)> {
        let place = (state % BLOCK) as usize;
        let block = self.blocks.get((state / BLOCK) as usize);
        block.filter(|block| place < block.places.len()).map(|block| (block, place))
    }

    /// The record at a place of a block, whose group begins with these bytes, and the bytes behind
    /// it.
    #[inline]
    fn record<'e>(&self, (block, group): (&EdgeBlock, &'e [u8]), place: usize) -> &'e [u8] {
        match block.places[place] {
            FAR => self.far_record(group, place),
            distance => &group[usize::from(distance)..],
        }
    }

    /// The record of a place that lies far from the first of its group: behind all records between.
    #[cold]
    fn far_record<'e>(&self, group: &'e [u8], place: usize) -> &'e [u8] {
        let mut record = group;
        for _ in 0..place % GROUP as usize {
            let edges = self.sequences.of(take_number(&mut record)).len();
            let (lengths, distances) = record.split_at(edges.div_ceil(4));
            record =
                &distances[edges + lengths.iter().map(|it| sum_of_pairs(*it)).sum::<usize>()..];
        }
        record
    }
}

impl EdgeBlock {
    /// The records of the group of a place, and the bytes behind them.
    #[inline]
    fn group(&self, place: usize) -> &[u8] {
        &self.bytes[self.groups[place / GROUP as usize] as usize..]
    }

    /// Writes the records to disk, and gives their memory back.
    fn spill(&mut self, disk: &mut SpilledBytes, budget: &mut MemoryBudget) -> Result<(), Stop> {
        let records = &self.bytes[..self.bytes.len() - PADDING];
        let at = disk.append(records, budget)?;
        self.spilled = Some((at, edge_number(records.len())?));
        budget.free(std::mem::take(&mut self.bytes));
        Ok(())
    }

    /// Adds the records of the next states, and returns where the last one ends.
    fn add(
        &mut self,
        bytes: &[u8],
        begin: u32,
        ends: &[u32],
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let end = *ends.last().expect("there is a state");
        let records = &bytes[begin as usize..end as usize];
        let first = self.bytes.len().saturating_sub(PADDING);
        let after = first + records.len() + PADDING;
        edge_number(after)?;
        let states = self.places.len() + ends.len();
        budget.reserve_all(&mut self.groups, states.div_ceil(GROUP as usize))?;
        budget.reserve_all(&mut self.places, states)?;
        budget.reserve_all(&mut self.bytes, after)?;
        self.bytes.truncate(first);
        self.bytes.extend_from_slice(records);
        self.bytes.resize(after, 0);
        let first = edge_number(first)?;
        let (mut place, mut group) = (first, self.groups.last().copied().unwrap_or(first));
        for end in ends {
            if self.places.len().is_multiple_of(GROUP as usize) {
                group = place;
                self.groups.push(group);
            }
            self.places.push(u16::try_from(place - group).unwrap_or(FAR));
            place = first + (end - begin);
        }
        Ok(end)
    }
}

/// The most bytes that [`push_number`] appends.
pub(super) const MOST_NUMBER: usize = 5;

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
    let mut end = first + targets.len().div_ceil(4);
    bytes.resize(end + 4 * targets.len(), 0);
    let mut last = source;
    for (edge, target) in targets.enumerate() {
        let distance = zigzag(target.wrapping_sub(last));
        let length = 4 - (distance | 1).leading_zeros() / 8;
        bytes[first + edge / 4] |= length_bits(length, edge);
        // Four bytes at a time, the upper of which the next one may write again, need no call.
        bytes[end..end + 4].copy_from_slice(&distance.to_le_bytes());
        end += length as usize;
        last = target;
    }
    bytes.truncate(end);
}

/// Small for a small distance in either direction.
fn zigzag(distance: u32) -> u32 {
    distance << 1 ^ (distance.cast_signed() >> 31).cast_unsigned()
}

/// The two bits for the length of a distance, in the byte that it shares with three others.
#[inline]
fn length_bits(length: u32, edge: usize) -> u8 {
    ((length - 1) << (edge % 4 * 2)).to_le_bytes()[0]
}

/// Whether `bytes` are the targets of `edges` edges and nothing else. A checkpoint is read with
/// this, so that a damaged one cannot lead the decoder beyond its bytes.
pub(super) fn are_targets(bytes: &[u8], edges: usize) -> bool {
    let Some((lengths, distances)) = bytes.split_at_checked(edges.div_ceil(4)) else {
        return false;
    };
    let more: usize = lengths.iter().map(|it| sum_of_pairs(*it)).sum();
    distances.len() == edges + more
}

/// The sum of the four numbers of two bits in a byte.
#[inline]
fn sum_of_pairs(byte: u8) -> usize {
    (byte & 0x55).count_ones() as usize + 2 * (byte & 0xaa).count_ones() as usize
}

/// Appends a number, in bytes of seven bits, the lowest first; all but the last have the upper bit.
pub(super) fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::MOST_STATES;

    #[test]
    fn edges_come_back_in_order_with_small_and_large_labels() {
        let folder = tempfile::tempdir().unwrap();
        let never = |error: &std::io::Error| panic!("{error}");
        for folder in [None, Some(SpillFolder::new(folder.path(), never))] {
            let [mut alone, mut together] = [(); 2].map(|()| Edges::new(folder.as_ref()));
            edges_come_back(&mut alone, &mut together);
        }
    }

    /// Adds edges to both, to the second those of many states at a time.
    fn edges_come_back(edges: &mut Edges, together: &mut Edges) {
        let (mut budget, mut others) = (MemoryBudget::unlimited(), MemoryBudget::unlimited());
        let (mut records, mut ends) = (Vec::new(), Vec::new());
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
            let sequence = edges.add_sequence(&labels, &mut budget).unwrap();
            edges.add(sequence, &bytes, &mut budget).unwrap();
            assert!(edges.sequence(&labels).is_some());
            push_number(&mut records, together.add_sequence(&labels, &mut others).unwrap());
            records.extend_from_slice(&bytes);
            ends.push(edge_number(records.len()).unwrap());
            if ends.len() == 300 || state == states - 1 {
                together.add_records(&records, 0, &ends, &mut others).unwrap();
                records.clear();
                ends.clear();
            }
        }
        assert!(edges.blocks[1].places.contains(&FAR));
        for state in 0..states {
            assert!(edges.of(state).eq(out(state)), "state {state}");
            assert!(together.of(state).eq(out(state)), "state {state}");
            let (_, targets) = edges.encoded(state);
            let mut bytes = Vec::new();
            encode_targets(state, out(state).map(|(target, _)| target), &mut bytes);
            assert_eq!(*targets, bytes, "state {state}");
        }
        assert_eq!(edges.of(states).len(), 0);
        assert_eq!((budget.used(), others.used()), (edges.bytes(), together.bytes()));
        assert_eq!(edges.bytes(), together.bytes(), "it does not matter how many come at once");
    }
}
