//! A breadth-first search that keeps the parent of each visited node.

use std::ops::Range;

use crate::{Stop, budget::MemoryBudget};

/// A breadth-first search over numbered nodes. Clearing it costs as much as it has visited, not the
/// size of the graph.
pub(super) struct BreadthFirstSearch {
    /// The parent of each visited node; a start is its own parent.
    parents: Vec<u32>,
    /// The nodes in the order in which they were first visited.
    pub(super) visited: Vec<u32>,
    /// Index in `visited` of the frontier's first node: the nodes that are furthest away.
    frontier: usize,
}

/// The parent of a node that was not visited.
const NOWHERE: u32 = u32::MAX;

impl BreadthFirstSearch {
    /// A search over `nodes` nodes.
    pub(super) fn new(nodes: usize, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        let parents = memory.filled(NOWHERE, nodes)?;
        Ok(Self { parents, visited: Vec::new(), frontier: 0 })
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.parents);
        memory.free(self.visited);
    }

    pub(super) fn clear(&mut self) {
        self.forget(0);
        self.frontier = 0;
    }

    /// Undoes all visits but the first `kept`.
    pub(super) fn forget(&mut self, kept: usize) {
        for node in self.visited.drain(kept..) {
            self.parents[node as usize] = NOWHERE;
        }
    }

    pub(super) fn start(&mut self, node: u32, memory: &mut MemoryBudget) -> Result<(), Stop> {
        self.visit(node, node, memory).map(drop)
    }

    /// Visits a node; returns whether it is new.
    pub(super) fn visit(
        &mut self,
        node: u32,
        from: u32,
        memory: &mut MemoryBudget,
    ) -> Result<bool, Stop> {
        let is_new = self.parents[node as usize] == NOWHERE;
        if is_new {
            memory.reserve(&mut self.visited, 1)?;
            self.parents[node as usize] = from;
            self.visited.push(node);
        }
        Ok(is_new)
    }

    /// The nodes visited since the last `advance`.
    pub(super) fn frontier(&self) -> &[u32] {
        &self.visited[self.frontier..]
    }

    /// Begins a new frontier; returns the range of the old one in `visited`.
    pub(super) fn advance(&mut self) -> Range<usize> {
        let frontier = self.frontier..self.visited.len();
        self.frontier = self.visited.len();
        frontier
    }

    /// The path from a start to a node, both included.
    pub(super) fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut node = node;
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
            path.push(node);
        }
        path.reverse();
        path
    }
}
