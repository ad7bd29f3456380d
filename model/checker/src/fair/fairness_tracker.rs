//! The conditions of weak and strong fairness, on a set of states and moves.
//!
//! They are written here once: for a whole component, where they decide whether some cycle through
//! it is fair, and for a cycle under construction, where they name the classes that it still lacks.
//!
//! A component of a graph with turns stands for one of the graph that is unfolded from it (Emerson
//! and Sistla, Utilizing symmetry when model checking under fairness assumptions). The frame of a
//! state is the turn along a path to it from the component's first state; it translates the state's
//! class names into those of the first state. A closed walk may come back with another frame: then
//! it maps one class onto another. A run that repeats that walk often enough lets each of the two
//! stand in for the other, so fairness treats both as one class.

use std::collections::{BTreeMap, BTreeSet};

use super::{DecisionLimits, scc::Subgraph};
use crate::{
    Stop,
    budget::MemoryBudget,
    graph::{Fairness, Graph, Label, Turns},
};

/// Counts, for each class, of the states in which it could move, and whether it did.
pub(super) struct FairnessTracker<'a> {
    fairness: &'a [Fairness],
    states: u32,
    classes: Vec<ClassRecord>,
    /// In a graph with turns, the frames of the component's states.
    turned: TurnedComponent,
}

#[derive(Clone, Default)]
pub(super) struct ClassRecord {
    /// The number of states in which it can move.
    able: u32,
    /// The last state in which it could move, as an ordinal of counted states: a class with several
    /// edges out of a state is counted once.
    last: u32,
    moved: bool,
    /// Whether, in a graph with turns, a class joined with this one is disabled in some state.
    is_unable_elsewhere: bool,
}

impl<'a> FairnessTracker<'a> {
    pub(super) fn new(fairness: &'a [Fairness]) -> Self {
        Self {
            fairness,
            states: 0,
            classes: vec![ClassRecord::default(); fairness.len()],
            turned: TurnedComponent::default(),
        }
    }

    pub(super) fn free(self, memory: &mut MemoryBudget) {
        self.turned.free(memory);
    }

    /// Replaces all counts by those of a component: its states, and as moves its inner edges.
    pub(super) fn component(
        &mut self,
        graph: &impl Graph,
        part: &mut Subgraph,
        component: &[u32],
        limits: &mut DecisionLimits<'_>,
    ) -> Result<(), Stop> {
        self.states = 0;
        self.classes.fill(ClassRecord::default());
        part.enter(component.iter().copied());
        if let Some(turns) = graph.turns() {
            self.turned.find_frames(graph, turns, part, component, limits)?;
        }
        for &state in component {
            limits.tick()?;
            let edges = graph.edges(state);
            let edges = edges.map(|(next, label)| (next, self.turned.label(graph, state, label)));
            count(&mut self.classes, &mut self.states, edges, |next| part.contains(next));
        }
        part.leave(component);
        self.turned.join(&mut self.classes, self.states);
        Ok(())
    }

    /// The condition by which the component is unfair to the class of an edge out of `state`, or
    /// `Fairness::None`.
    pub(super) fn lacks_at(&self, graph: &impl Graph, state: u32, label: Label) -> Fairness {
        self.lacks(self.turned.label(graph, state, label))
    }

    /// Counts a state with all its `edges`; an edge is a move if its target satisfies `taken`.
    pub(super) fn state(
        &mut self,
        edges: impl Iterator<Item = (u32, Label)>,
        taken: impl Fn(u32) -> bool,
    ) {
        count(&mut self.classes, &mut self.states, edges, taken);
    }

    pub(super) fn moved(&mut self, label: Label) {
        if let Some(class) = label.as_class() {
            self.classes[usize::from(class)].moved = true;
        }
    }

    /// The condition by which the counts are unfair to the class of `label`, or `Fairness::None`.
    pub(super) fn lacks(&self, label: Label) -> Fairness {
        label.as_class().map_or(Fairness::None, |class| self.lacking(usize::from(class)))
    }

    /// Whether the counts are unfair to some class by that `kind` of fairness.
    pub(super) fn lacks_any(&self, kind: Fairness) -> bool {
        (0..self.classes.len()).any(|class| self.lacking(class) == kind)
    }

    /// Whether the counts are unfair to any class.
    pub(super) fn lacks_anything(&self) -> bool {
        self.lacks_any(Fairness::Weak) || self.lacks_any(Fairness::Strong)
    }

    /// Whether a state with these `edges` disables, and so excuses, a weak class that lacks a move.
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
        let is_always_able = class.able == self.states && !class.is_unable_elsewhere;
        match self.fairness[index] {
            Fairness::Weak if !class.moved && is_always_able => Fairness::Weak,
            Fairness::Strong if !class.moved && class.able > 0 => Fairness::Strong,
            _ => Fairness::None,
        }
    }
}

/// Counts a state with all its `edges`; an edge is a move if its target satisfies `taken`.
fn count(
    classes: &mut [ClassRecord],
    states: &mut u32,
    edges: impl Iterator<Item = (u32, Label)>,
    taken: impl Fn(u32) -> bool,
) {
    *states += 1;
    for (next, label) in edges {
        if let Some(class) = label.as_class() {
            let class = &mut classes[usize::from(class)];
            class.able += u32::from(class.last != *states);
            class.last = *states;
            class.moved |= taken(next);
        }
    }
}

/// The frames of a component of a graph with turns, and the classes that its closed walks join.
#[derive(Default)]
struct TurnedComponent {
    /// For each state of the graph its frame, or `NO_FRAME` outside the component.
    frames: Vec<u16>,
    framed: Vec<u32>,
    /// Pairs of classes that some closed walk maps onto each other.
    same: BTreeSet<(u16, u16)>,
}

/// The frame of a state outside the component.
const NO_FRAME: u16 = u16::MAX;

impl TurnedComponent {
    fn free(self, memory: &mut MemoryBudget) {
        memory.free(self.frames);
        memory.free(self.framed);
    }

    /// The label of an edge out of `state`, translated to the first state of the component.
    fn label(&self, graph: &impl Graph, state: u32, label: Label) -> Label {
        match graph.turns() {
            None => label,
            Some(turns) => turns.renamed(self.frames[state as usize].into(), label),
        }
    }

    /// Finds the frame of each state of a component that `part` has entered, and the pairs of
    /// classes that its closed walks map onto each other.
    fn find_frames(
        &mut self,
        graph: &impl Graph,
        turns: &dyn Turns,
        part: &Subgraph,
        component: &[u32],
        limits: &mut DecisionLimits<'_>,
    ) -> Result<(), Stop> {
        if self.frames.is_empty() {
            self.frames = limits.memory.filled(NO_FRAME, graph.len() as usize)?;
        }
        for state in self.framed.drain(..) {
            self.frames[state as usize] = NO_FRAME;
        }
        self.same.clear();
        limits.memory.reserve(&mut self.framed, component.len())?;
        let frame = |turn| u16::try_from(turn).expect("turns are few");
        let mut rounds = BTreeSet::new();
        self.frames[component[0] as usize] = 0;
        self.framed.push(component[0]);
        let mut done = 0;
        while let Some(state) = self.framed.get(done).copied() {
            limits.tick()?;
            done += 1;
            let here = self.frames[state as usize];
            for (next, label, turn) in graph.turned_edges(state) {
                if label.is_fault() || !part.contains(next) {
                    continue;
                }
                let there = turns.product(here.into(), turn);
                match self.frames[next as usize] {
                    NO_FRAME => {
                        self.frames[next as usize] = frame(there);
                        self.framed.push(next);
                    }
                    known => {
                        rounds.insert(turns.product(there, turns.inverse(known.into())));
                    }
                }
            }
        }
        assert_eq!(self.framed.len(), component.len(), "a component is connected");
        let rounds = generated(&rounds, turns);
        if rounds.len() == 1 {
            return Ok(());
        }
        let mut seen = BTreeSet::new();
        for &state in component {
            let here = self.frames[state as usize];
            for label in graph.edges(state).map(|(_, label)| label) {
                if !seen.insert((here, label)) {
                    continue;
                }
                let as_class = |turn| turns.renamed(turn, label).as_class();
                // The first turn is the identity, which maps each class to itself.
                let others = rounds.iter().skip(1).map(|round| turns.product(*round, here.into()));
                let pairs = others.filter_map(|other| as_class(here.into()).zip(as_class(other)));
                self.same.extend(pairs);
            }
        }
        Ok(())
    }

    /// Merges the records of the classes that closed walks map onto each other.
    fn join(&self, classes: &mut [ClassRecord], states: u32) {
        if self.same.is_empty() {
            return;
        }
        // The turns of closed walks are a group, so a class is paired with its whole orbit.
        let mut members: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
        for (one, other) in &self.same {
            members.entry(*one).or_default().extend([*one, *other]);
        }
        for members in members.values() {
            let members = || members.iter().map(|class| usize::from(*class));
            let moved = members().any(|it| classes[it].moved);
            let able = members().map(|it| classes[it].able).max().unwrap_or(0);
            let is_unable = |class: &ClassRecord| class.able < states || class.is_unable_elsewhere;
            let is_unable_elsewhere = members().any(|it| is_unable(&classes[it]));
            for member in members() {
                let class = &mut classes[member];
                (class.moved, class.able, class.is_unable_elsewhere) =
                    (moved, able, is_unable_elsewhere);
            }
        }
    }
}

/// The group that some turns generate; the identity comes first.
fn generated(some: &BTreeSet<usize>, turns: &dyn Turns) -> Vec<usize> {
    let mut all = vec![0];
    let mut done = 0;
    while let Some(turn) = all.get(done).copied() {
        done += 1;
        for more in some {
            let product = turns.product(*more, turn);
            if !all.contains(&product) {
                all.push(product);
            }
        }
    }
    all
}
