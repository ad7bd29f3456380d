//! The result of a search: numbered states, the step that first reached each, and their edges.

use super::{
    ExploreOptions, OutEdges, PackedStates, SpillFolder, chunk::SourceStates, edges::Edges,
    generated::Generated, store::StateStore,
};
use crate::{
    Stop,
    budget::MemoryBudget,
    graph::{Graph, Label},
};

/// The states that were found, in the order in which they were found.
#[derive(Debug)]
pub struct StateGraph {
    store: StateStore,
    starts: Vec<u32>,
    /// The number of the first state at each distance from the starts.
    levels: Vec<u32>,
    edges: Option<Edges>,
    indexed: bool,
}

impl StateGraph {
    pub fn states(&self) -> u32 {
        self.store.len()
    }

    /// The number of words of a packed state.
    pub fn words(&self) -> usize {
        self.store.words()
    }

    /// The packed state with this number.
    pub fn state(&self, id: u32) -> Vec<u64> {
        let mut state = vec![0; self.words()];
        self.read(id, &mut state);
        state
    }

    /// Writes the packed state with this number to `state`.
    ///
    /// # Panics
    /// If `state` does not have as many words as the space says.
    #[inline]
    pub fn read(&self, id: u32, state: &mut [u64]) {
        assert_eq!(state.len(), self.words(), "a state is as wide as the space says");
        self.store.read(id, state);
    }

    /// The state from which this one was first found; a start is its own parent.
    pub fn parent(&self, id: u32) -> u32 {
        self.store.parent(id)
    }

    /// A shortest path from a start to this state, both included.
    pub fn path_to(&self, id: u32) -> Vec<u32> {
        let mut path = vec![id];
        let mut at = id;
        while self.parent(at) != at {
            at = self.parent(at);
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The number of a packed state.
    ///
    /// # Panics
    /// If the index was forgotten.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        assert!(self.indexed, "the index was forgotten");
        self.store.find(self.store.hash(state), state)
    }

    /// Gives back the memory that only [`Self::find`] needs: about nine bytes a state.
    pub fn forget_index(&mut self) {
        self.store.forget_index();
        self.indexed = false;
    }

    /// The largest distance of a state from the nearest start.
    pub fn depth(&self) -> u32 {
        self.states().checked_sub(1).map_or(0, |last| self.depth_of(last))
    }

    /// The distance of this state from the nearest start.
    ///
    /// # Panics
    /// Never: there are no more levels than states.
    pub fn depth_of(&self, id: u32) -> u32 {
        let level = self.levels.partition_point(|first| *first <= id) - 1;
        u32::try_from(level).expect("there are no more levels than states")
    }

    /// The number of the first state at each distance from the starts.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// The edges out of a state, in the order of its successors; none if it was not expanded.
    ///
    /// # Panics
    /// If the search was told not to store edges.
    #[inline]
    pub fn out_edges(&self, id: u32) -> OutEdges<'_> {
        self.edges.as_ref().expect("edges are asked for only where they were stored").of(id)
    }

    /// An empty graph; edges go to a folder, if there is one.
    pub(super) fn new(words: usize, options: &ExploreOptions, spill: Option<&SpillFolder>) -> Self {
        Self {
            store: StateStore::new(words, options.hash),
            starts: Vec::new(),
            levels: vec![0],
            edges: options.store_edges.then(|| Edges::new(spill)),
            indexed: true,
        }
    }

    /// The bytes of the states, their table and their edges.
    pub fn bytes(&self) -> u64 {
        self.store.bytes() + self.edges.as_ref().map_or(0, Edges::bytes)
    }

    /// The bytes of edges that are on disk instead.
    pub fn spilled(&self) -> u64 {
        self.edges.as_ref().map_or(0, Edges::spilled)
    }

    pub(super) fn store(&self) -> &StateStore {
        &self.store
    }

    pub(super) fn sources(&self) -> SourceStates<'_> {
        SourceStates { table: self.store.table(), offset: 0 }
    }

    /// Numbers a state in which runs begin, unless that is known already.
    pub(super) fn add_start(
        &mut self,
        state: &[u64],
        budget: &mut MemoryBudget,
    ) -> Result<(), Stop> {
        let hash = self.store.hash(state);
        if self.store.find(hash, state).is_none() {
            self.starts.push(self.store.insert_start(state, budget)?);
        }
        Ok(())
    }

    /// Numbers a state that is not there, in a graph whose index was forgotten; a start is its own
    /// parent.
    pub(super) fn append(
        &mut self,
        state: &[u64],
        parent: u32,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let id = self.store.append(state, parent, budget)?;
        if parent == id {
            self.starts.push(id);
        } else {
            self.note_level(id, parent);
        }
        Ok(id)
    }

    /// Numbers a state that is not there.
    pub(super) fn add(
        &mut self,
        new: Generated<'_>,
        budget: &mut MemoryBudget,
    ) -> Result<u32, Stop> {
        let id = self.store.insert(new, budget)?;
        self.note_level(id, new.source);
        Ok(id)
    }

    /// The number of the first state of the last level.
    pub(super) fn last_level(&self) -> u32 {
        *self.levels.last().expect("the starts are a level")
    }

    pub(super) fn store_mut(&mut self) -> &mut StateStore {
        &mut self.store
    }

    /// The states, and the edges if they are stored.
    pub(super) fn store_and_edges_mut(&mut self) -> (&mut StateStore, Option<&mut Edges>) {
        (&mut self.store, self.edges.as_mut())
    }

    /// Notes whether the next level begins with the state that was added last, which was found from
    /// `parent`: then all successors of earlier levels are numbered.
    pub(super) fn note_level(&mut self, id: u32, parent: u32) {
        if parent >= self.last_level() {
            self.levels.push(id);
        }
    }

    /// The labels that some edge has, as often as sequences have them; none if none are stored.
    pub fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        let edges = self.edges.iter();
        edges.flat_map(|it| (0..it.sequences()).flat_map(|sequence| it.labels(sequence)).copied())
    }

    /// The edges, if they are stored.
    pub(super) fn all_edges(&self) -> Option<&Edges> {
        self.edges.as_ref()
    }

    pub(super) fn all_edges_mut(&mut self) -> Option<&mut Edges> {
        self.edges.as_mut()
    }

    pub(super) fn count_starts(&self) -> u32 {
        u32::try_from(self.starts.len()).expect("states have numbers")
    }

    /// The number of a sequence of labels, if it has one.
    pub(super) fn sequence(&self, labels: &[Label]) -> Option<u32> {
        self.edges.as_ref()?.sequence(labels)
    }
}

impl PackedStates for StateGraph {
    fn states(&self) -> u32 {
        self.states()
    }

    fn words(&self) -> usize {
        self.words()
    }

    fn read(&self, id: u32, state: &mut [u64]) {
        self.read(id, state);
    }
}

impl Graph for StateGraph {
    fn len(&self) -> u32 {
        self.states()
    }

    #[inline]
    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        self.out_edges(state)
    }

    fn starts(&self) -> &[u32] {
        &self.starts
    }
}
