//! Spaces: the states and steps that a search explores.

use super::{CheckpointError, NewStates, StateGraph, Successors};

/// A state space: packed states and their successors.
pub trait Space: Sync {
    /// Scratch memory and findings of one worker thread.
    type Worker: Send;

    /// The number of words of a packed state, at least one.
    fn words(&self) -> usize;

    /// A worker that has found nothing yet.
    fn worker(&self) -> Self::Worker;

    /// The packed states in which runs begin.
    fn starts(&self) -> Vec<Vec<u64>>;

    /// Lists the successors of `state`, whose number is `id`, always in the same order.
    ///
    /// Called once for every explored state, in no particular order. Where a search stops early it
    /// may also have been called for a few states behind the last one that counts as explored.
    fn expand(
        &self,
        worker: &mut Self::Worker,
        id: u64,
        state: &[u64],
        successors: &mut Successors<'_>,
    );

    /// Called with the states found since the last call, by a single thread, before they are
    /// numbered: with the starts first, then after each batch.
    ///
    /// A space that numbers values when a thread first meets them, and puts the numbers into its
    /// states, has numbers that depend on which thread is faster. Here it replaces those handed out
    /// since the last call by numbers in the order in which the states are shown, so that states,
    /// and the memory they take, are the same for any number of threads.
    ///
    /// # Errors
    /// If the space cannot go on, for instance because numbers do not fit into its states. The
    /// search then stops, and what this batch found does not count. That must not depend on which
    /// thread was faster.
    fn commit(&self, new: &mut NewStates<'_>) -> Result<(), Refused> {
        let _ = new;
        Ok(())
    }

    /// Adds the findings of one worker to those of another. Which worker expanded which state is up
    /// to chance, so this must not depend on it: keep the finding with the smallest number.
    fn merge(&self, into: &mut Self::Worker, from: Self::Worker);
}

/// A space whose search can go on in another process.
pub trait Resumable: Space {
    /// The findings of all workers together, as bytes. Workers go on from where they are.
    fn save(&self, workers: &mut dyn Iterator<Item = &mut Self::Worker>) -> Vec<u8>;

    /// Gives a worker the findings that another process saved, and this space the numbers that it
    /// has in its states. `graph` has all states of the checkpoint, of which the first `expanded`
    /// were expanded, and `batch` is [`ExploreOptions::batch`](super::ExploreOptions::batch).
    ///
    /// # Errors
    /// If these are not findings of this space ([`CheckpointError::Damaged`]), or not its states
    /// ([`CheckpointError::Space`]), as far as it looks.
    fn resume(
        &self,
        worker: &mut Self::Worker,
        findings: &[u8],
        graph: &StateGraph,
        expanded: u32,
        batch: u32,
    ) -> Result<(), CheckpointError>;
}

/// Packed states, each at a place.
pub trait PackedStates: Sync {
    fn states(&self) -> u32;

    fn words(&self) -> usize;

    /// Writes the state at this place to `state`, which has as many words.
    fn read(&self, place: u32, state: &mut [u64]);
}

/// A space cannot go on. Why, it can say itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;
