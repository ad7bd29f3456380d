//! The part of the graph that one process keeps: the states of its blocks, and their edges.

use std::ops::Range;

use super::{
    layout::BlockLayout,
    numbers::{RisingNumbers, low},
};
use crate::{
    Stop,
    budget::MemoryBudget,
    explore::{
        ExploreOptions, OutEdges, PackedStates, SpillFolder, chunk::SourceStates, edges::Edges,
        state_table::StateTable,
    },
    graph::{Label, MOST_STATES, SharedGraph},
};

/// The states that one of several processes keeps, with their parents and edges.
#[derive(Debug)]
pub struct GraphPart {
    pub(super) layout: BlockLayout,
    pub(super) process: usize,
    states: StateTable,
    /// The number of each state's parent. States are numbered in the order of their parents.
    parents: RisingNumbers,
    /// The first number behind this process's start states.
    starts_end: u64,
    /// The edges, with the lower bits of their targets' numbers.
    edges: Option<Edges>,
}

impl GraphPart {
    pub(super) fn new(
        layout: BlockLayout,
        process: usize,
        words: usize,
        options: &ExploreOptions,
        spill: Option<&SpillFolder>,
    ) -> Self {
        let edges = options.store_edges.then(|| Edges::new(spill));
        let (states, parents) = (StateTable::new(words), RisingNumbers::default());
        Self { layout, process, states, parents, starts_end: 0, edges }
    }

    /// The number of states.
    ///
    /// # Panics
    /// If they are more than have numbers, which the search does not let happen.
    pub fn len(&self) -> u32 {
        u32::try_from(self.states.len()).expect("states have numbers")
    }

    /// Whether there are no states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory of the part, in bytes.
    pub fn bytes(&self) -> u64 {
        self.states.bytes() + self.parents.bytes() + self.edges.as_ref().map_or(0, Edges::bytes)
    }

    /// The bytes of edges that are on disk instead of in memory.
    pub fn spilled(&self) -> u64 {
        self.edges.as_ref().map_or(0, Edges::spilled)
    }

    /// Adds a state that was found from `parent`; a start state has itself as parent.
    ///
    /// # Errors
    /// If its number is not the next one of this process, or memory does not suffice.
    pub(super) fn add(
        &mut self,
        number: u64,
        state: &[u64],
        parent: u64,
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        if self.layout.place(number) != Some((self.process, self.len())) {
            return Err(Stop::Peer);
        }
        self.states.reserve(state, budget)?;
        if parent == number {
            self.starts_end = number + 1;
            self.parents.push(self.layout.first, budget)?;
        } else {
            self.parents.push(parent, budget)?;
        }
        self.states.push();
        Ok(())
    }

    /// The number of a sequence of labels, if it has one.
    pub(super) fn sequence(&self, labels: &[Label]) -> Option<u32> {
        self.edges.as_ref()?.sequence(labels)
    }

    /// The edges, if they are stored.
    pub(super) fn all_edges(&self) -> Option<&Edges> {
        self.edges.as_ref()
    }

    pub(super) fn all_edges_mut(&mut self) -> Option<&mut Edges> {
        self.edges.as_mut()
    }

    pub(super) fn sources(&self, offset: u64) -> SourceStates<'_> {
        SourceStates { table: &self.states, offset }
    }

    /// The number of the parent of the state at this place.
    pub(super) fn parent(&self, place: u32) -> u64 {
        let number = self.layout.number(self.process, place);
        if number < self.starts_end { number } else { self.parents.get(place) }
    }

    /// The part as one of a graph with this number of states.
    ///
    /// # Errors
    /// If a graph cannot have as many.
    pub fn of_graph(&self, states: u64) -> Result<PartOfGraph<'_>, Stop> {
        let few = u32::try_from(states).ok().filter(|states| *states <= MOST_STATES);
        let layout = BlockLayout { first: 0, ..self.layout };
        few.map(|states| PartOfGraph { part: self, layout, states }).ok_or(Stop::States)
    }
}

/// The part of a graph that one process keeps; states are numbered from 0 on with 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct PartOfGraph<'p> {
    pub(super) part: &'p GraphPart,
    pub(super) layout: BlockLayout,
    pub(super) states: u32,
}

impl PartOfGraph<'_> {
    /// The number of the parent of the state at this place.
    pub(super) fn parent(self, place: u32) -> u32 {
        low(self.part.parent(place) - self.part.layout.first)
    }

    /// The edges of the state at this place: the numbers of their targets, and their labels.
    pub(super) fn stored_edges(&self, place: u32) -> impl ExactSizeIterator<Item = (u32, Label)> {
        let edges = self.part.edges.as_ref();
        let edges = edges.map_or_else(OutEdges::default, |edges| edges.of(place));
        let first = low(self.part.layout.first);
        edges.map(move |(target, label)| (target.wrapping_sub(first), label))
    }
}

impl SharedGraph for PartOfGraph<'_> {
    fn states(&self) -> u32 {
        self.states
    }

    fn kept_by(
        &self,
        process: usize,
        numbers: Range<u32>,
    ) -> impl DoubleEndedIterator<Item = (u32, u32)> + '_ {
        let places = self.layout.places(process, numbers.start.into()..numbers.end.into());
        places.map(move |place| (place, low(self.layout.number(process, place))))
    }

    #[inline]
    fn turned_edges(&self, place: u32) -> impl Iterator<Item = (u32, Label, usize)> + '_ {
        self.stored_edges(place).map(|(next, label)| (next, label, 0))
    }
}

impl PackedStates for GraphPart {
    fn states(&self) -> u32 {
        self.len()
    }

    fn words(&self) -> usize {
        self.states.words()
    }

    fn read(&self, place: u32, state: &mut [u64]) {
        self.states.read(place, state);
    }
}
