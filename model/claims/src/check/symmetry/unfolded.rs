//! The graph of a world, unfolded from the graph of its representatives.
//!
//! Only a run that violates a claim is searched for among all states. A state is a representative
//! and a renaming; its edges are those of the representative, renamed, and take no memory of their
//! own.

use super::{RenamingGroup, Stabilizers};
use crate::check::transition_system::RenamedLabels;
use deathwatch_checker::{
    Stop,
    explore::StateGraph,
    graph::{Graph, Label, MOST_STATES},
};

/// All states of a world: state `r * n + h` is the image of the representative `r` by the renaming
/// `h` of `n`. If several renamings make the same image, only the least of them is a state.
pub(in crate::check) struct Unfolded<'a> {
    graph: &'a StateGraph,
    group: &'a RenamingGroup,
    stabilizers: &'a Stabilizers,
    labels: &'a RenamedLabels,
    classes: usize,
    renamings: u32,
}

impl<'a> Unfolded<'a> {
    /// The graph unfolded from one of representatives.
    ///
    /// # Errors
    /// If there are too many states to be numbered.
    pub(in crate::check) fn new(
        graph: &'a StateGraph,
        group: &'a RenamingGroup,
        stabilizers: &'a Stabilizers,
        labels: &'a RenamedLabels,
        classes: usize,
    ) -> Result<Self, Stop> {
        let renamings = u32::try_from(group.len()).expect("they are few");
        match graph.states().checked_mul(renamings) {
            Some(states) if states <= MOST_STATES => {
                Ok(Self { graph, group, stabilizers, labels, classes, renamings })
            }
            _ => Err(Stop::States),
        }
    }

    /// The representative of a state, and the renaming from it to the state.
    pub(in crate::check) fn parts(&self, state: u32) -> (u32, usize) {
        (state / self.renamings, (state % self.renamings) as usize)
    }

    /// The state that is the image of the representative by the renaming.
    fn state(&self, representative: u32, renaming: usize) -> u32 {
        let least = self.stabilizers.least(representative, renaming);
        representative * self.renamings + u32::try_from(least).expect("they are few")
    }

    /// Whether this number is that of a state.
    pub(super) fn is_state(&self, state: u32) -> bool {
        let (representative, renaming) = self.parts(state);
        self.state(representative, renaming) == state
    }
}

impl Graph for Unfolded<'_> {
    fn len(&self) -> u32 {
        self.graph.states() * self.renamings
    }

    #[inline]
    fn edges(&self, state: u32) -> impl Iterator<Item = (u32, Label)> + '_ {
        let (representative, renaming) = self.parts(state);
        self.graph.out_edges(representative).map(move |(next, label)| {
            let (label, element) = self.group.parts_of(label, self.classes);
            let next = self.state(next, self.group.product(renaming, element));
            (next, self.labels.renamed(renaming, label))
        })
    }

    fn starts(&self) -> &[u32] {
        // No renaming changes the start, whose number is 0 in both graphs.
        self.graph.starts()
    }
}
