//! Strongly connected components of a subgraph, by Pearce's one-array form of Tarjan's algorithm.
//!
//! One array holds for each state whether it may be entered, its lowlink once it was met, and
//! whether it is done, because a second array would cost 4 bytes for each of 10^7 states. Its
//! neutral value is "outside", so a search over few states costs only those few.

use super::{DecisionLimits, MaskedQuestion};
use crate::{Stop, budget::MemoryBudget, graph::Graph};

/// A state outside the subgraph, or one whose component is closed: no edge to it is followed.
const OUTSIDE: u32 = u32::MAX;
/// A state of the subgraph that was not met yet. A met state has its lowlink instead: the number of
/// the earliest state that it is known to reach, counted from 1.
const INSIDE: u32 = 0;

/// The set of states that a search keeps to; at rest it is empty.
pub(super) struct Subgraph(Vec<u32>);

impl Subgraph {
    /// The empty subgraph of a graph of `size` states.
    pub(super) fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        memory.filled(OUTSIDE, size as usize).map(Self)
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.0);
    }

    /// Adds `states`.
    pub(super) fn enter(&mut self, states: impl IntoIterator<Item = u32>) {
        for state in states {
            self.0[state as usize] = INSIDE;
        }
    }

    /// Takes `states` away again.
    pub(super) fn leave(&mut self, states: &[u32]) {
        for &state in states {
            self.0[state as usize] = OUTSIDE;
        }
    }

    /// Whether `state` was added, and was not met by a search since.
    pub(super) fn contains(&self, state: u32) -> bool {
        self.0[state as usize] == INSIDE
    }

    /// The strongly connected components of `states` that have a cycle, without faults and without
    /// leaving `states`. The subgraph is empty before and after.
    pub(super) fn components<G: Graph>(
        &mut self,
        question: &MaskedQuestion<'_, G>,
        states: impl Iterator<Item = u32> + Clone,
        limits: &mut DecisionLimits<'_>,
    ) -> Result<Components, Stop> {
        self.enter(states.clone());
        let mut found = Components::default();
        let (mut met, mut path, mut waiting) = (INSIDE, Vec::new(), Vec::new());
        // Targets of the edges out of the states on the path that were not met when their source
        // was. Each frame's targets are in reverse order, as they are popped from the end.
        let mut ahead = Vec::new();
        for root in states {
            let mut next = self.contains(root).then_some(root);
            loop {
                if let Some(state) = next {
                    limits.tick()?;
                    met += 1;
                    limits.memory.reserve(&mut path, 1)?;
                    self.0[state as usize] = met;
                    let first = ahead.len();
                    let is_looped = self.look_ahead(question, state, &mut ahead, limits.memory)?;
                    path.push(DfsFrame { state, met, first, is_looped });
                }
                let Some(frame) = path.last() else { break };
                next = self.advance(frame, &mut ahead);
                if next.is_none() {
                    let done = path.pop().expect("it was there");
                    if let Some(parent) = path.last() {
                        self.update_lowlink(parent.state, done.state);
                    }
                    if self.0[done.state as usize] < done.met {
                        limits.memory.reserve(&mut waiting, 1)?;
                        waiting.push(done.state);
                    } else {
                        self.close(&done, &mut waiting, &mut found, limits.memory)?;
                    }
                }
            }
        }
        limits.memory.free(path);
        limits.memory.free(ahead);
        limits.memory.free(waiting);
        Ok(found)
    }

    /// Reads the edges out of a state that was just met, and pushes the targets that were not met
    /// onto `ahead`. Returns whether the state has an edge to itself.
    fn look_ahead<G: Graph>(
        &mut self,
        question: &MaskedQuestion<'_, G>,
        state: u32,
        ahead: &mut Vec<u32>,
        memory: &mut MemoryBudget,
    ) -> Result<bool, Stop> {
        let (first, mut is_looped) = (ahead.len(), false);
        for (next, _) in question.lasting(state) {
            is_looped |= next == state;
            if self.contains(next) {
                memory.reserve(ahead, 1)?;
                ahead.push(next);
            } else {
                self.update_lowlink(state, next);
            }
        }
        ahead[first..].reverse();
        Ok(is_looped)
    }

    /// The next unmet target of the state of `frame`, or `None` if all are met.
    fn advance(&mut self, frame: &DfsFrame, ahead: &mut Vec<u32>) -> Option<u32> {
        while ahead.len() > frame.first {
            let next = ahead.pop()?;
            if self.contains(next) {
                return Some(next);
            }
            self.update_lowlink(frame.state, next);
        }
        None
    }

    /// Propagates the lowlink of `next` to `state`.
    fn update_lowlink(&mut self, state: u32, next: u32) {
        self.0[state as usize] = self.0[state as usize].min(self.0[next as usize]);
    }

    /// Closes the component of a `root`, a state that reaches nothing met before itself: the states
    /// met since that wait belong to it. A single state without a loop is no component.
    fn close(
        &mut self,
        root: &DfsFrame,
        waiting: &mut Vec<u32>,
        found: &mut Components,
        memory: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let before = |state: &u32| self.0[*state as usize] < root.met;
        let first = waiting.iter().rposition(before).map_or(0, |at| at + 1);
        self.leave(&waiting[first..]);
        self.leave(&[root.state]);
        if first < waiting.len() || root.is_looped {
            memory.reserve(&mut found.states, waiting.len() - first + 1)?;
            memory.reserve(&mut found.ends, 1)?;
            found.states.push(root.state);
            found.states.extend(waiting.drain(first..));
            found.ends.push(found.states.len());
        }
        Ok(())
    }
}

/// A state on the path of the depth-first search.
struct DfsFrame {
    state: u32,
    met: u32,
    /// Index of the frame's first unvisited edge in `ahead`.
    first: usize,
    /// Whether an edge leads back to the state itself.
    is_looped: bool,
}

/// Components: their states one after the other, and the index at which each ends.
#[derive(Default)]
pub(super) struct Components {
    states: Vec<u32>,
    ends: Vec<usize>,
}

impl Components {
    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.states);
        memory.free(self.ends);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.states[start..end])
    }
}
