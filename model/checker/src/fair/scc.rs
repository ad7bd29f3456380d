//! Strongly connected components of a part of the graph, by Pearce's one-array form of Tarjan's
//! algorithm.
//!
//! One array says of each state whether it may be entered, when it was first met, and whether it
//! is done, because a second array would cost 4 bytes for each of 10^7 states. Its neutral
//! value is "outside", so a search over few states costs only those few.

use super::{Limits, MaskedQuestion};
use crate::{Stop, budget::MemoryBudget, graph::Graph};

/// Outside the part searched, or done with: no way leads there.
const OUTSIDE: u32 = u32::MAX;
/// Inside the part searched, and not met yet. Met states have their lowlink, the number of the
/// earliest state that they are known to reach, counted from 1.
const INSIDE: u32 = 0;

/// The part of the graph that a search keeps to; at rest it is empty.
pub(super) struct Subgraph(Vec<u32>);

impl Subgraph {
    /// The empty part of a graph of `size` states.
    pub(super) fn new(size: u32, memory: &mut MemoryBudget) -> Result<Self, Stop> {
        memory.filled(OUTSIDE, size as usize).map(Self)
    }

    /// Gives its memory back.
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

    /// Whether `state` was added.
    pub(super) fn contains(&self, state: u32) -> bool {
        self.0[state as usize] == INSIDE
    }

    /// The components of `states` that have a cycle in them, without faults and without leaving
    /// `states`. The part is empty before and after.
    pub(super) fn components<G: Graph>(
        &mut self,
        question: &MaskedQuestion<'_, G>,
        states: impl Iterator<Item = u32> + Clone,
        limits: &mut Limits<'_>,
    ) -> Result<Components, Stop> {
        self.enter(states.clone());
        let mut found = Components::default();
        let (mut met, mut path, mut waiting) = (INSIDE, Vec::new(), Vec::new());
        for root in states {
            let mut next = self.contains(root).then_some(root);
            loop {
                if let Some(state) = next {
                    limits.tick()?;
                    met += 1;
                    limits.memory.reserve(&mut path, 1)?;
                    self.0[state as usize] = met;
                    path.push(Frame { state, met, taken: 0, is_looped: false });
                }
                let Some(frame) = path.last_mut() else { break };
                next = self.advance(question, frame);
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
        limits.memory.free(waiting);
        Ok(found)
    }

    /// Takes edges out of the state of a `frame`, up to one that leads to a state not met yet.
    fn advance<G: Graph>(
        &mut self,
        question: &MaskedQuestion<'_, G>,
        frame: &mut Frame,
    ) -> Option<u32> {
        for (next, _) in question.lasting(frame.state).skip(frame.taken as usize) {
            frame.taken += 1;
            frame.is_looped |= next == frame.state;
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

    /// A state that leads back to nothing before itself makes a component with those that were
    /// met since and wait.
    fn close(
        &mut self,
        root: &Frame,
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

/// A state on the path of the search.
///
/// How many edges were taken is remembered instead of those that are left, because the path may
/// be long and an iterator is large; each is passed over once for the way back, and no more.
struct Frame {
    state: u32,
    met: u32,
    taken: u32,
    /// Whether one of the edges taken leads back to the state itself.
    is_looped: bool,
}

/// Components, one after the other.
#[derive(Default)]
pub(super) struct Components {
    states: Vec<u32>,
    ends: Vec<usize>,
}

impl Components {
    /// Gives their memory back.
    pub(super) fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.states);
        memory.free(self.ends);
    }

    /// The states of each component.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.states[start..end])
    }
}
