//! States that were met and not numbered yet, packed one after the other.

use super::limits::{Budget, Stop};

/// A state, its hash, and the source it was met from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<'m> {
    pub(super) state: &'m [u64],
    pub(super) hash: u32,
    pub(super) source: u32,
}

/// A list of such states, in the order in which they were met.
#[derive(Debug)]
pub(super) struct MetStates {
    width: usize,
    words: Vec<u64>,
    hashes: Vec<u32>,
    sources: Vec<u32>,
}

impl MetStates {
    pub(super) fn new(width: usize) -> Self {
        Self { width, words: Vec::new(), hashes: Vec::new(), sources: Vec::new() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.sources.len()
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Met<'_> {
        let state = &self.words[index * self.width..][..self.width];
        Met { state, hash: self.hashes[index], source: self.sources[index] }
    }

    /// The states of a range and their hashes.
    #[inline]
    pub(super) fn slice(&self, from: usize, to: usize) -> (&[u64], &[u32]) {
        (&self.words[from * self.width..to * self.width], &self.hashes[from..to])
    }

    #[inline]
    pub(super) fn push(&mut self, met: Met<'_>) {
        self.words.extend_from_slice(met.state);
        self.hashes.push(met.hash);
        self.sources.push(met.source);
    }

    /// Makes room for `more` states.
    pub(super) fn reserve(&mut self, more: usize, budget: &mut Budget) -> Result<(), Stop> {
        budget.reserve(&mut self.words, more * self.width)?;
        budget.reserve(&mut self.hashes, more)?;
        budget.reserve(&mut self.sources, more)
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Forgets what was met from `source` or a later one.
    pub(super) fn keep_before(&mut self, source: u32) {
        self.truncate(self.sources.partition_point(|other| *other < source));
    }

    fn truncate(&mut self, len: usize) {
        self.words.truncate(len * self.width);
        self.hashes.truncate(len);
        self.sources.truncate(len);
    }
}
