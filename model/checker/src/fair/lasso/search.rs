//! A breadth-first search that remembers the way it came.

use std::{mem::take, ops::Range};

/// A breadth-first search over numbered nodes. Clearing it costs what it has visited, not the size
/// of the graph.
pub(super) struct BreadthFirstSearch {
    /// From where each node was first visited; a start from itself.
    parents: Vec<u32>,
    /// The nodes in the order in which they were first visited.
    pub(super) visited: Vec<u32>,
    /// Where in `visited` the frontier begins: the nodes that are furthest away.
    frontier: usize,
}

/// The parent of a node that was not visited.
const NOWHERE: u32 = u32::MAX;

impl BreadthFirstSearch {
    /// A search over `nodes` nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { parents: vec![NOWHERE; nodes], visited: Vec::new(), frontier: 0 }
    }

    pub(super) fn clear(&mut self) {
        for node in take(&mut self.visited) {
            self.parents[node as usize] = NOWHERE;
        }
        self.frontier = 0;
    }

    pub(super) fn start(&mut self, node: u32) {
        self.visit(node, node);
    }

    /// Whether the node is visited for the first time.
    pub(super) fn visit(&mut self, node: u32, from: u32) -> bool {
        let new = self.parents[node as usize] == NOWHERE;
        if new {
            self.parents[node as usize] = from;
            self.visited.push(node);
        }
        new
    }

    /// The nodes visited since the last `advance`.
    pub(super) fn frontier(&self) -> &[u32] {
        &self.visited[self.frontier..]
    }

    /// Begins a new frontier, and says where in `visited` the old one is.
    pub(super) fn advance(&mut self) -> Range<usize> {
        let frontier = self.frontier..self.visited.len();
        self.frontier = self.visited.len();
        frontier
    }

    /// The way from a start to a node, both included.
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
