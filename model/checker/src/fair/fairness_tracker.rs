//! The conditions of weak and strong fairness, on a set of states and moves.
//!
//! They are written here once: for a whole component, where they decide whether some cycle
//! through it is fair, and for a cycle being put together, where they say what it still lacks.

use super::{Limits, scc::Subgraph};
use crate::{
    Stop,
    graph::{Fairness, Graph, Label},
};

/// Which classes could move, and which did.
pub(super) struct FairnessTracker<'a> {
    fairness: &'a [Fairness],
    states: u32,
    classes: Vec<ClassRecord>,
}

/// What is known of one class.
#[derive(Clone, Default)]
struct ClassRecord {
    /// In how many of the states it can move.
    able: u32,
    /// The state in which it was last seen able to, as a count of states.
    last: u32,
    moved: bool,
}

impl<'a> FairnessTracker<'a> {
    /// Has seen nothing yet.
    pub(super) fn new(fairness: &'a [Fairness]) -> Self {
        Self { fairness, states: 0, classes: vec![ClassRecord::default(); fairness.len()] }
    }

    /// Counts a component, and nothing else: all its states, and as moves all edges within.
    pub(super) fn component(
        &mut self,
        graph: &impl Graph,
        part: &mut Subgraph,
        component: &[u32],
        limits: &mut Limits<'_>,
    ) -> Result<(), Stop> {
        self.states = 0;
        self.classes.fill(ClassRecord::default());
        part.enter(component.iter().copied());
        for &state in component {
            limits.tick()?;
            self.state(graph.edges(state), |next| part.contains(next));
        }
        part.leave(component);
        Ok(())
    }

    /// Counts a state with all its `edges`, of which those that satisfy `taken` are moves.
    pub(super) fn state(
        &mut self,
        edges: impl Iterator<Item = (u32, Label)>,
        taken: impl Fn(u32) -> bool,
    ) {
        self.states += 1;
        for (next, label) in edges {
            if let Some(class) = label.as_class() {
                let class = &mut self.classes[usize::from(class)];
                class.able += u32::from(class.last != self.states);
                class.last = self.states;
                class.moved |= taken(next);
            }
        }
    }

    /// Counts a move.
    pub(super) fn moved(&mut self, label: Label) {
        if let Some(class) = label.as_class() {
            self.classes[usize::from(class)].moved = true;
        }
    }

    /// Whether the class of `label` makes this unfair, and by which condition.
    pub(super) fn lacks(&self, label: Label) -> Fairness {
        label.as_class().map_or(Fairness::None, |class| self.lacking(usize::from(class)))
    }

    /// Whether some class of that `kind` makes this unfair.
    pub(super) fn lacks_any(&self, kind: Fairness) -> bool {
        (0..self.classes.len()).any(|class| self.lacking(class) == kind)
    }

    /// Whether this is unfair to anybody.
    pub(super) fn lacks_anything(&self) -> bool {
        self.lacks_any(Fairness::Weak) || self.lacks_any(Fairness::Strong)
    }

    /// Whether a state with these `edges` would give some weak class the excuse it lacks.
    pub(super) fn excuses(&self, edges: impl Iterator<Item = (u32, Label)>) -> bool {
        let mut lacking: Vec<bool> =
            (0..self.classes.len()).map(|class| self.lacking(class) == Fairness::Weak).collect();
        for class in edges.filter_map(|(_, label)| label.as_class()) {
            lacking[usize::from(class)] = false;
        }
        lacking.contains(&true)
    }

    fn lacking(&self, index: usize) -> Fairness {
        let class = &self.classes[index];
        match self.fairness[index] {
            Fairness::Weak if !class.moved && class.able == self.states => Fairness::Weak,
            Fairness::Strong if !class.moved && class.able > 0 => Fairness::Strong,
            _ => Fairness::None,
        }
    }
}
