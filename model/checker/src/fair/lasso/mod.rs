//! The shortest fair run that breaks a claim: a path to an entry, and what goes on from there.
//!
//! The path is the shortest to any entry, breadth first over states and their monitor: whether
//! a state is met before or after the obligation opened makes two. The cycle is not the shortest
//! there is, which is hard to find; it goes for the nearest thing it lacks, and then home.

use std::mem::take;

use super::fairness_tracker::FairnessTracker;
use super::scc::Part;
use super::{Cancel, Question, is_end};
use crate::graph::{Fairness, Graph, Label};

mod replay;

/// An edge of the graph, taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Where it leads from.
    pub from: u32,
    /// Which one it is of the edges out of `from`, counted from 0.
    pub edge: usize,
    /// Where it leads to.
    pub to: u32,
}

/// A fair run that opens an obligation and never closes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The state in which it starts.
    pub start: u32,
    /// The way to the entry, by which the obligation is open; empty if that is the start.
    pub prefix: Vec<Step>,
    /// What then happens again and again, from the entry to the entry; empty if nothing more
    /// happens.
    pub cycle: Vec<Step>,
}

impl Lasso {
    /// The state in which the prefix ends, and the cycle begins and ends.
    pub fn entry(&self) -> u32 {
        self.prefix.last().map_or(self.start, |step| step.to)
    }
}

/// A lasso for each claim in `violated`, by its number.
pub(super) fn lassos<G: Graph>(
    question: &Question<'_, G>,
    entries: &[u64],
    violated: u64,
    patience: &mut Cancel<'_>,
) -> Option<Vec<Option<Lasso>>> {
    let mut lassos = vec![None; 64];
    if violated != 0 {
        let mut guide = Guide::new(question, entries);
        for (claim, lasso) in lassos.iter_mut().enumerate() {
            if violated >> claim & 1 == 1 {
                *lasso = Some(guide.lasso(1 << claim, patience)?);
            }
        }
    }
    Some(lassos)
}

/// Finds lassos, for one claim after the other; a claim is a mask of one bit.
struct Guide<'a, G> {
    question: &'a Question<'a, G>,
    entries: &'a [u64],
    part: Part,
    search: Search,
}

impl<'a, G: Graph> Guide<'a, G> {
    /// A guide to the `entries` of fair cycles; ends it recognises itself.
    fn new(question: &'a Question<'a, G>, entries: &'a [u64]) -> Self {
        let size = question.graph.len();
        Self { question, entries, part: Part::new(size), search: Search::new(size) }
    }

    /// The lasso of a `claim` known to be violated.
    fn lasso(&mut self, claim: u64, patience: &mut Cancel<'_>) -> Option<Lasso> {
        let (end, entry) = self.nearest_entry(claim, patience)?;
        let path = self.search.path(node(entry, true));
        let path: Vec<u32> = path.into_iter().map(|node| node / 2).collect();
        let start = path[0];
        let prefix = self.steps(&path, |_| true);
        let cycle = if end { Vec::new() } else { self.cycle(claim, entry, patience)? };
        Some(Lasso { start, prefix, cycle })
    }

    /// The nearest entry, an end if possible and then the one with the lowest number, and
    /// whether it is an end.
    fn nearest_entry(&mut self, claim: u64, patience: &mut Cancel<'_>) -> Option<(bool, u32)> {
        let question = self.question;
        let after = |open, state| node(state, question.after(open, state) & claim != 0);
        self.search.clear();
        for &start in question.graph.starts() {
            self.search.start(after(0, start));
        }
        loop {
            let reached = self.search.ring().iter().filter(|&&node| node & 1 == 1);
            let nearest = reached.filter_map(|&node| self.entry(claim, node / 2)).min();
            if let Some((endless, state)) = nearest {
                return Some((!endless, state));
            }
            let ring = self.search.next_ring();
            assert!(!ring.is_empty(), "a violated claim has an entry, and it can be reached");
            for at in ring {
                patience.tick()?;
                let node = self.search.met[at];
                let open = if node & 1 == 1 { claim } else { 0 };
                for (next, _) in question.graph.edges(node / 2) {
                    self.search.meet(after(open, next), node);
                }
            }
        }
    }

    /// Whether `state`, where the claim is open, is an entry: whether it is an endless one, so
    /// that ends sort first, and the state.
    fn entry(&self, claim: u64, state: u32) -> Option<(bool, u32)> {
        let end = is_end(self.question.graph, self.question.fairness, state);
        (end || self.entries[state as usize] & claim != 0).then_some((!end, state))
    }

    /// A fair cycle through `entry` that leaves the claim open.
    fn cycle(&mut self, claim: u64, entry: u32, patience: &mut Cancel<'_>) -> Option<Vec<Step>> {
        let component = self.component(claim, entry, patience)?;
        self.part.enter(component.iter().copied());
        let mut census = FairnessTracker::new(self.question.fairness);
        census.state(self.question.graph.edges(entry), |_| false);
        let mut cycle: Vec<Step> = Vec::new();
        while cycle.last().is_none_or(|step| step.to != entry) || census.lacks_anything() {
            let at = cycle.last().map_or(entry, |step| step.to);
            for step in self.leg(&census, at, entry, patience)? {
                let (_, label) = self.edge(step);
                census.moved(label);
                census.state(self.question.graph.edges(step.to), |_| false);
                cycle.push(step);
            }
        }
        self.part.leave(&component);
        Some(cycle)
    }

    /// Some states that share a fair cycle with `entry`: those around it if they will do, or else
    /// those further around, and in the end all of them.
    ///
    /// All would always do. For two fair components never share a cycle, not even an unfair one,
    /// so from among the entries nothing else gets in.
    fn component(&mut self, claim: u64, entry: u32, patience: &mut Cancel<'_>) -> Option<Vec<u32>> {
        let mut census = FairnessTracker::new(self.question.fairness);
        let (mut done, mut enough) = (0, 4);
        self.search.clear();
        self.search.start(entry);
        loop {
            while done < self.search.met.len().min(enough) {
                patience.tick()?;
                let state = self.search.met[done];
                for (next, _) in self.question.lasting(state) {
                    if self.entries[next as usize] & claim != 0 {
                        self.search.meet(next, state);
                    }
                }
                done += 1;
            }
            let around = self.search.met[..done].iter().copied();
            let components = self.part.components(self.question, around, patience)?;
            if let Some(own) = components.iter().find(|component| component.contains(&entry)) {
                census.component(self.question.graph, &mut self.part, own, patience)?;
                if !census.lacks_anything() {
                    return Some(own.to_vec());
                }
            }
            assert!(done < self.search.met.len(), "an entry is on a fair cycle of entries");
            enough *= 4;
        }
    }

    /// The shortest way on to something the cycle lacks, or back to `entry` if it lacks nothing.
    fn leg(
        &mut self,
        census: &FairnessTracker<'_>,
        at: u32,
        entry: u32,
        patience: &mut Cancel<'_>,
    ) -> Option<Vec<Step>> {
        let graph = self.question.graph;
        let homeward = !census.lacks_anything();
        self.search.clear();
        self.search.start(at);
        let mut done = 0;
        loop {
            patience.tick()?;
            let met = self.search.met.get(done);
            let state = *met.expect("a fair component has what its cycles lack");
            for (edge, (next, label)) in graph.edges(state).enumerate() {
                if label.is_fault() || !self.part.contains(next) {
                    continue;
                }
                let new = self.search.meet(next, state);
                let wanted = if homeward {
                    next == entry
                } else {
                    census.lacks(label) != Fairness::None
                        || new && census.excuses(graph.edges(next))
                };
                if wanted {
                    let path = self.search.path(state);
                    let mut leg = self.steps(&path, |label| !label.is_fault());
                    leg.push(Step { from: state, edge, to: next });
                    return Some(leg);
                }
            }
            done += 1;
        }
    }

    /// The steps along a path, each by the first edge with a label that will do.
    fn steps(&self, path: &[u32], will_do: impl Fn(Label) -> bool) -> Vec<Step> {
        let step = |pair: &[u32]| {
            let mut edges = self.question.graph.edges(pair[0]);
            let edge = edges.position(|(next, label)| next == pair[1] && will_do(label));
            Step { from: pair[0], edge: edge.expect("the search came along it"), to: pair[1] }
        };
        path.windows(2).map(step).collect()
    }

    fn edge(&self, step: Step) -> (u32, Label) {
        let edge = self.question.graph.edges(step.from).nth(step.edge);
        edge.expect("a step is an edge")
    }
}

/// A state with its monitor, in one number.
fn node(state: u32, open: bool) -> u32 {
    state * 2 + u32::from(open)
}

/// A breadth-first search, which costs what it meets and not what the graph is large.
struct Search {
    /// From where each node was first met; a start from itself.
    came: Vec<u32>,
    /// The nodes in the order in which they were met.
    met: Vec<u32>,
    /// Where in `met` the nodes begin that are furthest away.
    ring: usize,
}

/// A node not met.
const NOWHERE: u32 = u32::MAX;

impl Search {
    fn new(states: u32) -> Self {
        Self { came: vec![NOWHERE; states as usize * 2], met: Vec::new(), ring: 0 }
    }

    fn clear(&mut self) {
        for node in take(&mut self.met) {
            self.came[node as usize] = NOWHERE;
        }
        self.ring = 0;
    }

    fn start(&mut self, node: u32) {
        self.meet(node, node);
    }

    /// Whether the node is met for the first time.
    fn meet(&mut self, node: u32, from: u32) -> bool {
        let new = self.came[node as usize] == NOWHERE;
        if new {
            self.came[node as usize] = from;
            self.met.push(node);
        }
        new
    }

    /// The nodes met since the last `next_ring`.
    fn ring(&self) -> &[u32] {
        &self.met[self.ring..]
    }

    /// Begins a new ring, and says where in `met` the old one is.
    fn next_ring(&mut self) -> std::ops::Range<usize> {
        let ring = self.ring..self.met.len();
        self.ring = self.met.len();
        ring
    }

    /// The way from the start to a node.
    fn path(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut node = node;
        while self.came[node as usize] != node {
            node = self.came[node as usize];
            path.push(node);
        }
        path.reverse();
        path
    }
}
