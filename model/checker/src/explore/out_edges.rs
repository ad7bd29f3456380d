//! The edges out of one state, one after the other.

use std::{slice, vec};

use crate::graph::Label;

/// The edges out of one state.
#[derive(Clone, Debug)]
pub enum OutEdges<'e> {
    Packed(PackedEdges<'e>),
    Read(vec::IntoIter<(u32, Label)>),
}

impl Default for OutEdges<'_> {
    fn default() -> Self {
        Self::Packed(PackedEdges::default())
    }
}

impl Iterator for OutEdges<'_> {
    type Item = (u32, Label);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Packed(edges) => edges.next(),
            Self::Read(edges) => edges.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Packed(edges) => edges.size_hint(),
            Self::Read(edges) => edges.size_hint(),
        }
    }
}

impl ExactSizeIterator for OutEdges<'_> {}

/// The edges of a record, unpacked one after the other.
#[derive(Clone, Debug, Default)]
pub struct PackedEdges<'e> {
    labels: slice::Iter<'e, Label>,
    /// The lengths of distances, and the bytes behind them.
    lengths: &'e [u8],
    /// The distances that are left, and the bytes behind them.
    distances: &'e [u8],
    /// The lengths that are left of the last eight bytes of them.
    bits: u64,
    /// The number of edges that were taken, and the target of the last one.
    edge: usize,
    target: u32,
}

impl<'e> PackedEdges<'e> {
    /// The edges out of `state` with these labels, whose targets were
    /// [encoded](super::edges::encode_targets) in the first of these bytes. There are eight more
    /// behind them.
    #[inline]
    pub(super) fn new(state: u32, labels: &'e [Label], encoded: &'e [u8]) -> Self {
        let distances = &encoded[labels.len().div_ceil(4)..];
        Self { labels: labels.iter(), lengths: encoded, distances, bits: 0, edge: 0, target: state }
    }
}

impl Iterator for PackedEdges<'_> {
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

#[inline]
fn unzigzag(zigzag: u32) -> u32 {
    zigzag >> 1 ^ (zigzag & 1).wrapping_neg()
}
