//! The shortest fair run that breaks a claim: a prefix and a cycle.
//!
//! The prefix is a shortest path to a terminal or an accepting state in which the claim is pending.
//! It is found breadth first over pairs of a state and its monitor, so a state before the
//! obligation opened and the same state after are two nodes. The cycle need not be shortest, which
//! would be hard to find: it repeatedly takes the shortest path to a move or state that it lacks,
//! and then goes back to the entry.

mod no_return;
mod replay;
mod search;

pub use no_return::PointOfNoReturn;
pub use replay::LassoFlaw;

use super::{
    ClaimSets, DecisionLimits, MaskedQuestion, cycles::collected,
    fairness_tracker::FairnessTracker, is_terminal, scc::Subgraph,
};
use crate::{
    Stop,
    graph::{Fairness, Graph, Label},
};
use search::BreadthFirstSearch;

/// An edge of the graph that a run takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LassoStep {
    pub from: u32,
    /// Index of the edge among the edges out of `from`.
    pub edge: usize,
    pub to: u32,
}

/// A fair run that opens an obligation and never closes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The state in which the run starts.
    pub start: u32,
    /// The path to the entry, where the obligation is open; empty if the start is the entry.
    pub prefix: Vec<LassoStep>,
    /// The steps that the run then repeats, from the entry to the entry; empty if it stops there.
    pub cycle: Vec<LassoStep>,
}

impl Lasso {
    /// The state in which the prefix ends, and in which the cycle begins and ends.
    pub fn entry(&self) -> u32 {
        self.prefix.last().map_or(self.start, |step| step.to)
    }
}

/// For each of 64 claims: if it is in `violated`, its lasso and the lasso's point of no return.
pub(super) fn lassos<G: Graph>(
    question: &MaskedQuestion<'_, G>,
    accepting: Option<&ClaimSets>,
    violated: u64,
    limits: &mut DecisionLimits<'_>,
) -> Result<Vec<Option<(Lasso, PointOfNoReturn)>>, Stop> {
    let mut lassos = vec![None; 64];
    if violated != 0 {
        let mut finder = Finder::new(question, accepting, limits)?;
        for (claim, lasso) in lassos.iter_mut().enumerate() {
            if violated >> claim & 1 == 1 {
                let found = finder.lasso(1 << claim, limits)?;
                let no_return = finder.no_return(1 << claim, &found, limits)?;
                *lasso = Some((found, no_return));
            }
        }
        finder.part.free(limits.memory);
        finder.search.free(limits.memory);
    }
    Ok(lassos)
}

/// A search for lassos, one claim after the other; a claim is a mask of one bit.
struct Finder<'a, G> {
    question: &'a MaskedQuestion<'a, G>,
    accepting: Option<&'a ClaimSets>,
    part: Subgraph,
    /// Over states for cycles, or over states with their monitor, of which there are twice as many.
    search: BreadthFirstSearch,
}

/// The two ways in which a run goes on from its entry. In their order, a terminal is preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EntryContinuation {
    /// The run stops.
    Terminal(u32),
    Accepting(u32),
}

impl<'a, G: Graph> Finder<'a, G> {
    fn new(
        question: &'a MaskedQuestion<'a, G>,
        accepting: Option<&'a ClaimSets>,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Self, Stop> {
        let size = question.graph.len();
        let search = BreadthFirstSearch::new(2 * size as usize, limits.memory)?;
        let part = Subgraph::new(size, limits.memory)?;
        Ok(Self { question, accepting, part, search })
    }

    /// Whether a fair cycle through `state` leaves the claim pending.
    fn is_accepting(&self, claim: u64, state: u32) -> bool {
        self.accepting.is_some_and(|sets| sets.get(state)[0] & claim != 0)
    }

    /// The lasso of a `claim` known to be violated.
    fn lasso(&mut self, claim: u64, limits: &mut DecisionLimits<'_>) -> Result<Lasso, Stop> {
        let entry = self.nearest_entry(claim, limits)?;
        let (EntryContinuation::Terminal(state) | EntryContinuation::Accepting(state)) = entry;
        let path = self.search.path(node(state, true));
        let path: Vec<u32> = path.into_iter().map(|node| node / 2).collect();
        let prefix = self.steps(&path, |_| true);
        let cycle = match entry {
            EntryContinuation::Terminal(_) => Vec::new(),
            EntryContinuation::Accepting(_) => self.cycle(claim, state, limits)?,
        };
        Ok(Lasso { start: path[0], prefix, cycle })
    }

    /// The nearest entry; of several, a terminal before an accepting one, then the lowest number.
    fn nearest_entry(
        &mut self,
        claim: u64,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<EntryContinuation, Stop> {
        let question = self.question;
        let after = |open, state| node(state, question.after(open, state) & claim != 0);
        self.search.clear();
        for &start in question.graph.starts() {
            self.search.start(after(0, start), limits.memory)?;
        }
        loop {
            let pending = self.search.frontier().iter().filter(|&&node| node & 1 == 1);
            if let Some(nearest) = pending.filter_map(|&node| self.entry(claim, node / 2)).min() {
                return Ok(nearest);
            }
            let frontier = self.search.advance();
            assert!(!frontier.is_empty(), "a violated claim has an entry, and it can be reached");
            for at in frontier {
                limits.tick()?;
                let node = self.search.visited[at];
                let open = if node & 1 == 1 { claim } else { 0 };
                for (next, _) in question.graph.edges(node / 2) {
                    self.search.visit(after(open, next), node, limits.memory)?;
                }
            }
        }
    }

    /// The continuation for which `state`, in which the claim is pending, is an entry, if any.
    fn entry(&self, claim: u64, state: u32) -> Option<EntryContinuation> {
        if is_terminal(self.question.graph, self.question.fairness, state) {
            return Some(EntryContinuation::Terminal(state));
        }
        self.is_accepting(claim, state).then_some(EntryContinuation::Accepting(state))
    }

    /// A fair cycle through `entry` that leaves the claim pending.
    fn cycle(
        &mut self,
        claim: u64,
        entry: u32,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Vec<LassoStep>, Stop> {
        let component = self.component(claim, entry, limits)?;
        self.part.enter(component.iter().copied());
        let mut tracker = FairnessTracker::new(self.question.fairness);
        tracker.state(self.question.graph.edges(entry), |_| false);
        let mut cycle: Vec<LassoStep> = Vec::new();
        while cycle.last().is_none_or(|step| step.to != entry) || tracker.lacks_anything() {
            let at = cycle.last().map_or(entry, |step| step.to);
            for step in self.leg(&tracker, at, entry, limits)? {
                let (_, label) = self.edge(step);
                tracker.moved(label);
                tracker.state(self.question.graph.edges(step.to), |_| false);
                cycle.push(step);
            }
        }
        self.part.leave(&component);
        limits.memory.free(component);
        Ok(cycle)
    }

    /// Some states that share a fair cycle with `entry`: the component of `entry` among the nearest
    /// accepting states if that is fair, or else among four times as many, and so on.
    ///
    /// The whole set always suffices: two fair components never share a cycle, not even an unfair
    /// one, so accepting states of other components cannot get in.
    fn component(
        &mut self,
        claim: u64,
        entry: u32,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Vec<u32>, Stop> {
        let mut tracker = FairnessTracker::new(self.question.fairness);
        let (mut done, mut enough) = (0, 4);
        self.search.clear();
        self.search.start(entry, limits.memory)?;
        loop {
            while done < self.search.visited.len().min(enough) {
                limits.tick()?;
                let state = self.search.visited[done];
                for (next, _) in self.question.lasting(state) {
                    if self.is_accepting(claim, next) {
                        self.search.visit(next, state, limits.memory)?;
                    }
                }
                done += 1;
            }
            let around = self.search.visited[..done].iter().copied();
            let components = self.part.components(self.question, around, limits)?;
            let mut fair = None;
            if let Some(own) = components.iter().find(|component| component.contains(&entry)) {
                tracker.component(self.question.graph, &mut self.part, own, limits)?;
                if !tracker.lacks_anything() {
                    fair = Some(collected(own.iter().copied(), own.len(), limits)?);
                }
            }
            components.free(limits.memory);
            if let Some(fair) = fair {
                return Ok(fair);
            }
            assert!(done < self.search.visited.len(), "an accepting state is on a fair cycle");
            enough *= 4;
        }
    }

    /// The shortest path to an edge or state that the cycle lacks, else back to `entry`.
    fn leg(
        &mut self,
        tracker: &FairnessTracker<'_>,
        at: u32,
        entry: u32,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Vec<LassoStep>, Stop> {
        let graph = self.question.graph;
        let is_complete = !tracker.lacks_anything();
        self.search.clear();
        self.search.start(at, limits.memory)?;
        let mut done = 0;
        loop {
            limits.tick()?;
            let visited = self.search.visited.get(done);
            let state = *visited.expect("a fair component has what its cycles lack");
            for (edge, (next, label)) in graph.edges(state).enumerate() {
                if label.is_fault() || !self.part.contains(next) {
                    continue;
                }
                let new = self.search.visit(next, state, limits.memory)?;
                let is_wanted = if is_complete {
                    next == entry
                } else {
                    tracker.lacks(label) != Fairness::None
                        || new && tracker.excuses(graph.edges(next))
                };
                if is_wanted {
                    let path = self.search.path(state);
                    let mut leg = self.steps(&path, |label| !label.is_fault());
                    leg.push(LassoStep { from: state, edge, to: next });
                    return Ok(leg);
                }
            }
            done += 1;
        }
    }

    /// The steps along a path, each by the first edge whose label satisfies `will_do`.
    fn steps(&self, path: &[u32], will_do: impl Fn(Label) -> bool) -> Vec<LassoStep> {
        let step = |pair: &[u32]| {
            let mut edges = self.question.graph.edges(pair[0]);
            let edge = edges.position(|(next, label)| next == pair[1] && will_do(label));
            LassoStep { from: pair[0], edge: edge.expect("the search came along it"), to: pair[1] }
        };
        path.windows(2).map(step).collect()
    }

    fn edge(&self, step: LassoStep) -> (u32, Label) {
        let edge = self.question.graph.edges(step.from).nth(step.edge);
        edge.expect("a step is an edge")
    }
}

/// A state and its monitor as one number.
fn node(state: u32, open: bool) -> u32 {
    state * 2 + u32::from(open)
}
